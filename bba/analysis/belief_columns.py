"""The columns of a trace table about planners, policies, beliefs, gates, and the coordination of the two players.

A value that does not exist is None: the gate at the first step, or the belief of a player without one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bba.analysis.coordination import complements, duplicates, map_correct, scored
from bba.analysis.snapshot import hypotheses_of, role_posterior
from bba.analysis.trace_columns import Read, TraceColumn, read_if_present, skill_name
from bba.belief import CONDITIONS, ROLE_NAMES, BeliefUpdate, GateResult
from bba.planner import LLMCall
from bba.play.step_arrays import StepArrays, Truths
from bba.play.trace import GameConfig, Tick
from bba.tabular import Column, Value

CONDITION_MEANINGS = {
    "contradiction": "gate: ℓ < θ",
    "stable": "gate: u ≥ K, of the prior MAP",
    "confident": "gate: the prior MAP's probability ≥ Γ",
    "mid_skill": "gate: a skill is running that can be interrupted",
    "cooled_down": "gate: the last replan is at least the cooldown ago",
}


def response_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about the answer of the player's planner, if it was asked in this step."""

    def of(get: Callable[[LLMCall], Value]) -> Read:
        return read_if_present(lambda tick, _: tick.decisions[player].plan, get)

    return {
        "attempts": TraceColumn("int", "times that its planner was asked in this step", of(lambda one: one.attempts)),
        "fallback": TraceColumn("bool", "whether no answer could be used", of(lambda one: one.fallback)),
        "problem": TraceColumn("str", "what was wrong with the last answer", of(lambda one: one.problem)),
        "intention": TraceColumn(
            "str",
            "the skill that the answer predicts for the other player",
            of(lambda one: None if one.intention is None else skill_name(one.intention)),
        ),
        "belief_text": TraceColumn(
            "str", "what the answer says about the other player", of(lambda one: one.belief_text)
        ),
    }


def policy_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about a learned policy in the player's seat; a recording holds all of its probabilities."""

    def chance(tick: Tick, _: GameConfig) -> Value:
        reading = tick.decisions[player].policy
        return reading.probabilities[tick.skills[player]] if reading and reading.probabilities else None

    def clusters(tick: Tick, _: GameConfig) -> tuple[float, ...] | None:
        reading = tick.decisions[player].policy
        return (reading.clusters or None) if reading else None

    return {
        "chance": TraceColumn(
            "float", "the probability that its policy gave to the running skill when it chose it", chance
        ),
        "cluster": TraceColumn(
            "int",
            "the most probable cluster of partners, from 1",
            read_if_present(clusters, lambda weights: weights.index(max(weights)) + 1),
        ),
        "cluster_weight": TraceColumn(
            "float", "the weight of that cluster, 0 to 1", read_if_present(clusters, lambda weights: max(weights))
        ),
    }


def belief_columns(of: Callable[[Tick], BeliefUpdate | None]) -> dict[str, TraceColumn]:
    """Returns the columns about a belief about the other player, as of the decision of this step."""

    def read(get: Callable[[BeliefUpdate], Value]) -> Read:
        return read_if_present(lambda tick, _: of(tick), get)

    def share(role: int) -> TraceColumn:
        about = f"probability of the role {ROLE_NAMES[role]} before this step's actions"
        return TraceColumn("float", about, read(lambda belief: role_posterior(belief)[role]))

    return {
        **{f"belief_{name}": share(role) for role, name in enumerate(ROLE_NAMES)},
        "map": TraceColumn(
            "str",
            "now: the most likely hypothesis (MAP), after the other player's last action",
            read(lambda one: _name(one, one.map_index)),
        ),
        "confidence": TraceColumn("float", "now: the probability of the MAP", read(lambda one: one.confidence)),
        "commitment": TraceColumn(
            "int", "now: u, the updates in a row with this MAP", read(lambda one: one.commitment)
        ),
        "new_segment": TraceColumn(
            "bool",
            "whether the belief was reset because the other player completed a skill",
            read(lambda one: one.new_segment),
        ),
        "prior_map": TraceColumn(
            "str",
            "judged: the prior MAP, before the other player's last action, which the gate tests",
            read(lambda one: _name(one, one.prior_map)),
        ),
        "prior_confidence": TraceColumn(
            "float", "judged: the probability of the prior MAP", read(lambda one: one.prior_confidence)
        ),
        "prior_commitment": TraceColumn("int", "judged: u of the prior MAP", read(lambda one: one.prior_commitment)),
        "contradiction_likelihood": TraceColumn(
            "float",
            "ℓ: product of the relative likelihoods of the partner's last actions under the prior MAP, 0 to 1",
            read(lambda one: one.contradiction_likelihood),
        ),
    }


def gate_columns(of: Callable[[Tick], GateResult | None]) -> dict[str, TraceColumn]:
    """Returns the columns about the five conditions of a gate and their result."""

    def condition(name: str) -> TraceColumn:
        return TraceColumn(
            "bool",
            CONDITION_MEANINGS[name],
            read_if_present(lambda tick, _: of(tick), lambda gate: bool(getattr(gate, name))),
        )

    return {
        **{f"gate_{name}": condition(name) for name in CONDITIONS},
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


@dataclass(frozen=True, slots=True)
class CoordinationColumn(Column):
    """A column about the coordination of belief, ego and partner; `holds` computes it for all steps of a game."""

    holds: Callable[[StepArrays], Truths]

    def read(self, steps: StepArrays) -> list[bool | None]:
        """Returns the values; None for steps without a role of player 1."""
        found = zip(self.holds(steps).tolist(), scored(steps).tolist(), strict=True)
        return [value if counts else None for value, counts in found]


COORDINATION_COLUMNS = {
    "obs_match": CoordinationColumn("bool", "whether the observer's MAP is player 1's role", map_correct),
    "duplicate": CoordinationColumn("bool", "whether both players work in the same role", duplicates),
    "complementary": CoordinationColumn("bool", "whether player 0's role complements player 1's", complements),
}


def _name(belief: BeliefUpdate, hypothesis: int) -> str:
    return hypotheses_of(belief).names[hypothesis]
