"""What a table of a trace says about thoughts: answers, policies, beliefs, gates, and how the two cooks fit together.

What is not there (no gate at the first step, no belief in a cook that has none) is None.
"""

from collections.abc import Callable
from functools import lru_cache

from bba.agents.planning import posterior_by_role
from bba.analysis.trace_columns import Read, TraceColumn, Value, read_if_present, skill_name
from bba.belief import (
    CONDITIONS,
    NO_ROLE,
    ROLE_NAMES,
    BeliefUpdate,
    GateResult,
    HypothesisSpace,
    hypothesis_space,
    is_complementary,
)
from bba.planner import LLMCall
from bba.play.trace import GameConfig, Tick

EGO, PARTNER = 0, 1

LAMPS = {
    "contradiction": "gate: ℓ < θ",
    "stable": "gate: u ≥ K, of the prior MAP",
    "confident": "gate: the prior MAP's probability ≥ Γ",
    "mid_skill": "gate: a skill is running that could be dropped",
    "cooled_down": "gate: the last replan is long enough ago",
}


def response_columns(player: int) -> dict[str, TraceColumn]:
    """What the player's planner answered, where it was asked in this step."""

    def of(get: Callable[[LLMCall], Value]) -> Read:
        return read_if_present(lambda tick, _: tick.decisions[player].plan, get)

    return {
        "attempts": TraceColumn("int", "how often its planner was asked in this step", of(lambda one: one.attempts)),
        "fallback": TraceColumn("bool", "whether no answer could be used", of(lambda one: one.fallback)),
        "problem": TraceColumn("str", "what was wrong with the last answer", of(lambda one: one.problem)),
        "intention": TraceColumn(
            "str",
            "the skill that the answer ascribes to the other",
            of(lambda one: None if one.intention is None else skill_name(one.intention)),
        ),
        "belief_text": TraceColumn("str", "what the answer says about the other", of(lambda one: one.belief_text)),
    }


def policy_columns(player: int) -> dict[str, TraceColumn]:
    """What a learned policy in the player's seat made of its choice and of its partner (all of it: in a recording)."""

    def chance(tick: Tick, _: GameConfig) -> Value:
        reading = tick.decisions[player].policy
        return reading.probabilities[tick.skills[player]] if reading and reading.probabilities else None

    def clusters(tick: Tick, _: GameConfig) -> tuple[float, ...] | None:
        reading = tick.decisions[player].policy
        return (reading.clusters or None) if reading else None

    return {
        "chance": TraceColumn("float", "how probable its policy made the skill that it ran, when it chose it", chance),
        "cluster": TraceColumn(
            "int",
            "the cluster of partners that counts most to it, from 1",
            read_if_present(clusters, lambda weights: weights.index(max(weights)) + 1),
        ),
        "cluster_weight": TraceColumn(
            "float", "how much that cluster counts, 0 to 1", read_if_present(clusters, lambda weights: max(weights))
        ),
    }


def belief_columns(of: Callable[[Tick], BeliefUpdate | None]) -> dict[str, TraceColumn]:
    """A belief about the other player as it stood when this step was decided."""

    def said(get: Callable[[BeliefUpdate], Value]) -> Read:
        return read_if_present(lambda tick, _: of(tick), get)

    def share(role: int) -> TraceColumn:
        about = f"probability that the other is in the role {ROLE_NAMES[role]}, before this step's actions"
        return TraceColumn(
            "float", about, said(lambda belief: posterior_by_role(_hypotheses_of(belief), belief.posterior)[role])
        )

    return {
        **{f"belief_{name}": share(role) for role, name in enumerate(ROLE_NAMES)},
        "map": TraceColumn("str", "the likeliest hypothesis (MAP)", said(lambda one: _name(one, one.map_index))),
        "confidence": TraceColumn("float", "its probability", said(lambda one: one.confidence)),
        "commitment": TraceColumn("int", "u: updates in a row with this MAP", said(lambda one: one.commitment)),
        "new_segment": TraceColumn(
            "bool", "whether the belief began anew: the other had completed a skill", said(lambda one: one.new_segment)
        ),
        "prior_map": TraceColumn(
            "str",
            "the prior MAP: the MAP before the partner's last action, which the gate judges",
            said(lambda one: _name(one, one.prior_map)),
        ),
        "prior_confidence": TraceColumn("float", "its probability then", said(lambda one: one.prior_confidence)),
        "prior_commitment": TraceColumn("int", "its commitment then", said(lambda one: one.prior_commitment)),
        "contradiction_likelihood": TraceColumn(
            "float",
            "ℓ: product of the relative likelihoods of the partner's last actions under the prior MAP, 0 to 1",
            said(lambda one: one.contradiction_likelihood),
        ),
    }


def gate_columns(of: Callable[[Tick], GateResult | None]) -> dict[str, TraceColumn]:
    """The five lamps of a gate, and what came of them."""

    def lamp(name: str) -> TraceColumn:
        return TraceColumn(
            "bool", LAMPS[name], read_if_present(lambda tick, _: of(tick), lambda gate: bool(getattr(gate, name)))
        )

    return {
        **{f"gate_{name}": lamp(name) for name in CONDITIONS},
        "gate_opens": TraceColumn(
            "bool",
            "whether all five conditions hold",
            read_if_present(lambda tick, _: of(tick), lambda gate: gate.opens),
        ),
        "blocked_by": TraceColumn(
            "str",
            "the first of the five conditions that does not hold",
            read_if_present(lambda tick, _: of(tick), lambda gate: gate.blocked_by),
        ),
    }


def coordination_columns() -> dict[str, TraceColumn]:
    """How belief, ego and partner go together; None where player 1 is in none of the six roles."""

    def judged(holds: Callable[[Tick], bool]) -> Read:
        return lambda tick, _: None if tick.role(PARTNER) == NO_ROLE else holds(tick)

    return {
        "obs_match": TraceColumn(
            "bool",
            "whether the observer's MAP is player 1's role",
            judged(lambda tick: tick.observer.map_index == tick.role(PARTNER)),
        ),
        "duplicate": TraceColumn(
            "bool", "whether both are in the same role", judged(lambda tick: tick.role(EGO) == tick.role(PARTNER))
        ),
        "complementary": TraceColumn(
            "bool",
            "whether player 0's role complements player 1's",
            judged(lambda tick: is_complementary(tick.role(EGO), tick.role(PARTNER))),
        ),
    }


@lru_cache(maxsize=2)
def _hypotheses(psi: str) -> HypothesisSpace:
    return hypothesis_space(psi)


def _hypotheses_of(belief: BeliefUpdate) -> HypothesisSpace:
    """What the filter told apart, recognised by how many there are."""
    return _hypotheses("roles" if len(belief.posterior) == len(ROLE_NAMES) else "skills")


def _name(belief: BeliefUpdate, hypothesis: int) -> str:
    return _hypotheses_of(belief).names[hypothesis]
