"""What a table of a trace says about thoughts: answers, policies, beliefs, gates, and how the two cooks fit together.

What is not there (no gate at the first step, no belief in a cook that has none) is None.
"""

from collections.abc import Callable
from functools import lru_cache

from bba.agents.planning import by_role
from bba.belief import (
    CONDITIONS,
    NO_ROLE,
    ROLE_NAMES,
    BeliefReading,
    GateReading,
    Hypotheses,
    complementary,
    hypotheses,
)
from bba.planner import Exchange
from bba.play.columns import Column, Read, Value, read_off, skill_name
from bba.play.trace import Setup, Tick

EGO, PARTNER = 0, 1

LAMPS = {
    "contradiction": "gate: ℓ < θ",
    "stable": "gate: the suspect's commitment ≥ K",
    "confident": "gate: the suspect's probability ≥ Γ",
    "mid_skill": "gate: a skill is running that could be dropped",
    "cooled_down": "gate: the last replan is long enough ago",
}


def answer_columns(player: int) -> dict[str, Column]:
    """What the player's planner answered, where it was asked in this step."""

    def of(get: Callable[[Exchange], Value]) -> Read:
        return read_off(lambda tick, _: tick.decisions[player].exchange, get)

    return {
        "attempts": Column("int", "how often its planner was asked in this step", of(lambda one: one.attempts)),
        "fallback": Column("bool", "whether no answer could be used", of(lambda one: one.fallback)),
        "problem": Column("str", "what was wrong with the last answer", of(lambda one: one.problem)),
        "intention": Column(
            "str",
            "the skill that the answer ascribes to the other",
            of(lambda one: None if one.intention is None else skill_name(one.intention)),
        ),
        "belief_text": Column("str", "what the answer says about the other", of(lambda one: one.belief_text)),
    }


def policy_columns(player: int) -> dict[str, Column]:
    """What a learned policy in the player's seat made of its choice and of its partner (all of it: in a recording)."""

    def chance(tick: Tick, _: Setup) -> Value:
        reading = tick.decisions[player].policy
        return reading.probabilities[tick.skills[player]] if reading and reading.probabilities else None

    def clusters(tick: Tick, _: Setup) -> tuple[float, ...] | None:
        reading = tick.decisions[player].policy
        return (reading.clusters or None) if reading else None

    return {
        "chance": Column("float", "how probable its policy made the skill that it ran, when it chose it", chance),
        "cluster": Column(
            "int",
            "the cluster of partners that counts most to it, from 1",
            read_off(clusters, lambda weights: weights.index(max(weights)) + 1),
        ),
        "cluster_weight": Column(
            "float", "how much that cluster counts, 0 to 1", read_off(clusters, lambda weights: max(weights))
        ),
    }


def belief_columns(of: Callable[[Tick], BeliefReading | None]) -> dict[str, Column]:
    """A belief about the other player as it stood when this step was decided."""

    def said(get: Callable[[BeliefReading], Value]) -> Read:
        return read_off(lambda tick, _: of(tick), get)

    def share(role: int) -> Column:
        about = f"probability that the other is in the role {ROLE_NAMES[role]}, before this step's actions"
        return Column("float", about, said(lambda belief: by_role(_hypotheses_of(belief), belief.posterior)[role]))

    return {
        **{f"belief_{name}": share(role) for role, name in enumerate(ROLE_NAMES)},
        "map": Column("str", "the likeliest hypothesis (MAP)", said(lambda one: _name(one, one.map_index))),
        "confidence": Column("float", "its probability", said(lambda one: one.confidence)),
        "commitment": Column("int", "u: updates in a row with this MAP", said(lambda one: one.commitment)),
        "new_segment": Column(
            "bool", "whether the belief began anew: the other had completed a skill", said(lambda one: one.new_segment)
        ),
        "suspect": Column(
            "str",
            "what the gate judged: the MAP before the other's last action",
            said(lambda one: _name(one, one.suspect)),
        ),
        "suspect_confidence": Column("float", "its probability then", said(lambda one: one.suspect_confidence)),
        "suspect_commitment": Column("int", "its commitment then", said(lambda one: one.suspect_commitment)),
        "ell": Column("float", "ℓ: how well the last actions fit the suspect, 0 to 1", said(lambda one: one.ell)),
    }


def gate_columns(of: Callable[[Tick], GateReading | None]) -> dict[str, Column]:
    """The five lamps of a gate, and what came of them."""

    def lamp(name: str) -> Column:
        return Column("bool", LAMPS[name], read_off(lambda tick, _: of(tick), lambda gate: bool(getattr(gate, name))))

    return {
        **{f"gate_{name}": lamp(name) for name in CONDITIONS},
        "gate_opens": Column(
            "bool", "whether all five conditions hold", read_off(lambda tick, _: of(tick), lambda gate: gate.opens)
        ),
        "blocked_by": Column(
            "str",
            "the first of the five conditions that does not hold",
            read_off(lambda tick, _: of(tick), lambda gate: gate.blocked_by),
        ),
    }


def fit_columns() -> dict[str, Column]:
    """How belief, ego and partner go together; None where player 1 is in none of the six roles."""

    def judged(holds: Callable[[Tick], bool]) -> Read:
        return lambda tick, _: None if tick.role(PARTNER) == NO_ROLE else holds(tick)

    return {
        "obs_match": Column(
            "bool",
            "whether the observer's MAP is player 1's role",
            judged(lambda tick: tick.observer.map_index == tick.role(PARTNER)),
        ),
        "duplicate": Column(
            "bool", "whether both are in the same role", judged(lambda tick: tick.role(EGO) == tick.role(PARTNER))
        ),
        "complementary": Column(
            "bool",
            "whether player 0's role complements player 1's",
            judged(lambda tick: complementary(tick.role(EGO), tick.role(PARTNER))),
        ),
    }


@lru_cache(maxsize=2)
def _hypotheses(psi: str) -> Hypotheses:
    return hypotheses(psi)


def _hypotheses_of(belief: BeliefReading) -> Hypotheses:
    """What the filter told apart, recognised by how many there are."""
    return _hypotheses("roles" if len(belief.posterior) == len(ROLE_NAMES) else "skills")


def _name(belief: BeliefReading, hypothesis: int) -> str:
    return _hypotheses_of(belief).names[hypothesis]
