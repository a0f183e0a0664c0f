"""The columns of a trace table about planners, policies, beliefs, gates, and the coordination of the two players.

A value that does not exist is None: the gate at the first step, or the belief of a player without one.

The columns of a trace table about a commitment gate. A value that does not exist is None, as at the first step.

The columns of a trace table about what a rollout planner compared; None in steps in which it was not asked.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bba.analysis.coordination import complements, duplicates, map_correct, scored
from bba.analysis.snapshot import hypotheses_of, role_posterior
from bba.analysis.trace_columns import Read, TraceColumn, read_if_present, skill_name
from bba.belief import (
    COMMITMENT_CONDITIONS,
    CONDITIONS,
    NOTHING_REMEMBERED,
    ROLE_NAMES,
    BeliefUpdate,
    CommitmentResult,
    GateResult,
)
from bba.kitchen.constants import SKILL_NAMES
from bba.planner import LLMCall
from bba.planner.rollout import Comparison
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


COORDINATION_COLUMNS: dict[str, CoordinationColumn] = {
    "obs_match": CoordinationColumn("bool", "whether the observer's MAP is player 1's role", map_correct),
    "duplicate": CoordinationColumn("bool", "whether both players work in the same role", duplicates),
    "complementary": CoordinationColumn("bool", "whether player 0's role complements player 1's", complements),
}


def _name(belief: BeliefUpdate, hypothesis: int) -> str:
    return hypotheses_of(belief).names[hypothesis]


COMMITMENT_MEANINGS = {
    "told_apart": "Λ ≥ λ, and the MAP is not what is remembered",
    "confident": "the MAP's probability ≥ Γc",
    "mid_skill": "a skill is running that can be interrupted",
    "cooled_down": "its last opening is at least its cooldown ago",
}


def commitment_columns(
    of: Callable[[Tick], CommitmentResult | None], belief_of: Callable[[Tick], BeliefUpdate | None]
) -> dict[str, TraceColumn]:
    """Returns the columns about the four conditions of a commitment gate, their result, and what they are about."""

    def read(get: Callable[[CommitmentResult], Value]) -> Read:
        return read_if_present(lambda tick, _: of(tick), get)

    def condition(name: str) -> TraceColumn:
        meaning = f"commitment gate: {COMMITMENT_MEANINGS[name]}"
        return TraceColumn("bool", meaning, read(lambda result: bool(getattr(result, name))))

    def remembered(tick: Tick) -> str | None:
        result, belief = of(tick), belief_of(tick)
        if result is None or belief is None or result.remembered == NOTHING_REMEMBERED:
            return None
        return hypotheses_of(belief).names[result.remembered]

    return {
        **{f"commitment_gate_{name}": condition(name) for name in COMMITMENT_CONDITIONS},
        "commitment_gate_opens": TraceColumn(
            "bool", "whether all four conditions of the commitment gate hold", read(lambda result: result.opens)
        ),
        "commitment_gate_blocked_by": TraceColumn(
            "str", "the first of the four conditions that does not hold", read(lambda result: result.blocked_by)
        ),
        "commitment_gate_ratio": TraceColumn(
            "float",
            "Λ: log-likelihood ratio of the MAP against what is remembered, 0 or more",
            read(lambda result: result.ratio),
        ),
        "remembered": TraceColumn(
            "str",
            "the hypothesis that the commitment gate remembers; none if the belief was not confident",
            lambda tick, _: remembered(tick),
        ),
        "remembered_age": TraceColumn(
            "int", "the other player's actions since it was remembered", read(lambda result: result.age)
        ),
    }


def comparison_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about the comparisons of the planner in a player's seat; a recording holds all its values."""

    def read(get: Callable[[Comparison], Value]) -> Read:
        return read_if_present(lambda tick, _: tick.decisions[player].comparison, get)

    def assumed(comparison: Comparison) -> int | None:
        partner = comparison.partner
        return partner.index(max(partner)) if partner else None

    def assumed_name(comparison: Comparison) -> Value:
        skill = assumed(comparison)
        return None if skill is None else SKILL_NAMES[skill]

    return {
        "compared": TraceColumn(
            "int", "skills that its rollout planner compared", read(lambda comparison: len(comparison.options))
        ),
        "compared_default": TraceColumn(
            "str",
            "the skill that they were compared with: the running one, else the behaviour network's likeliest",
            read(lambda comparison: SKILL_NAMES[comparison.options[0].skill]),
        ),
        "compared_value": TraceColumn(
            "float", "the mean return of the chosen skill's futures, in points", read(lambda one: one.best.value)
        ),
        "compared_gain": TraceColumn(
            "float", "by how much that is more than the default's, in points", read(lambda one: one.best.gain)
        ),
        "compared_error": TraceColumn("float", "the standard error of that gain", read(lambda one: one.best.error)),
        "assumed_skill": TraceColumn(
            "str",
            "the other player's likeliest skill in the futures; none if the behaviour network drew it",
            read(assumed_name),
        ),
        "assumed_share": TraceColumn(
            "float", "its probability, 0 to 1", read(lambda comparison: max(comparison.partner, default=None))
        ),
    }
