"""The columns of a trace table: the meaning of each, and how it is read from a step of a game.

A value that does not exist is None: the gate at the first step, or the belief of a player without one. Columns that
several players or observers have, such as those of a gate, are described once; `bba.analysis.trace_table` puts a
prefix for the player or observer before their names.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bba.agents.base import Belief, Decision, PolicyOutput, Profile
from bba.analysis.captions import value_opens
from bba.analysis.snapshot import hypotheses_of, role_posterior
from bba.belief import (
    COMMITMENT_GATE_CONDITIONS,
    CONDITIONS,
    NO_ROLE,
    NOTHING_REMEMBERED,
    ROLE_NAMES,
    BeliefUpdate,
    CommitmentGateResult,
    GateResult,
)
from bba.config import PARAMETERS, BeliefConfig
from bba.kitchen.constants import (
    ACTION_NAMES,
    COMPLETED,
    DELIVERED_IN_ORDER,
    DELIVERIES,
    DIRTY_PLATES,
    END_NAMES,
    EVENT,
    EXPIRED,
    FACING,
    FIRES,
    HELD,
    ITEM_NAMES,
    N_ORDERS,
    NO_SKILL,
    POSITION,
    SKILL_NAMES,
    STREAK,
)
from bba.planner import Comparison, LLMCall, entropy, scores_of
from bba.play.trace import GameConfig, StepArrays, Tick, Trace
from bba.tabular import Column


class CookStep(NamedTuple):
    """A step of one player: its number, the game's configuration in the step, and the tick."""

    player: int
    config: GameConfig
    tick: Tick

    @property
    def decision(self) -> Decision:
        """The player's decision."""
        return self.tick.decisions[self.player]

    @property
    def place(self) -> tuple[int, int]:
        """Column and row of its tile after the step."""
        row, column = divmod(int(self.tick.state[POSITION + self.player]), self.config.layout.width)
        return column, row

    def counter(self, place: int) -> int:
        """Returns a number of the player in the state after the step, by the index of player 0's."""
        return int(self.tick.state[place + self.player])


class TraceStep(NamedTuple):
    """The step of a game that a row describes.

    Attributes:
        trace: the game.
        tick: the step.
        config: the game's configuration in this step.
        arrays: the step alone as arrays.
        cooks: the two players.
        switched_to: the role that player 1 turns to in this step; NO_ROLE for none.
    """

    trace: Trace
    tick: Tick
    config: GameConfig
    arrays: StepArrays
    cooks: tuple[CookStep, CookStep]
    switched_to: int


Believer = Decision | Belief  # both name their belief and gates alike


def skill_name(number: int | None) -> str | None:
    """Returns a skill's name; None for no skill."""
    if number is None or number == NO_SKILL:
        return None
    return SKILL_NAMES[number]


def role_name(number: int | None) -> str | None:
    """Returns a role's name; None for no role."""
    if number is None or number == NO_ROLE:
        return None
    return ROLE_NAMES[number]


def _counter(place: int, description: str) -> Column[TraceStep]:
    return Column("int", description, lambda step: int(step.tick.state[place]))


GAME_COLUMNS: dict[str, Column[TraceStep]] = {
    "layout": Column("str", "the kitchen's name", lambda step: step.config.layout.name),
    "seed": Column("int", "the seed of everything random in the game", lambda step: step.config.seed),
    "step": Column("int", "the number of the step, from 1", lambda step: step.tick.step),
    "score": Column("int", "the team's reward so far", lambda step: step.tick.score),
    "reward": Column("int", "the team's reward in this step", lambda step: step.tick.reward),
    "deliveries": _counter(DELIVERIES, "deliveries so far"),
    "in_order": _counter(DELIVERED_IN_ORDER, "deliveries so far of the dish that the first open order asked for"),
    "expired": _counter(EXPIRED, "orders so far whose time ran out"),
    "fires": _counter(FIRES, "times so far that food began to burn"),
    "streak": _counter(STREAK, "deliveries in order in a row, now"),
    "orders": _counter(N_ORDERS, "open orders after the step"),
    "dirty_plates": _counter(DIRTY_PLATES, "dirty plates on the stack after the step"),
}
# --- a player: agent, place, action ------------------------------------------------------------------------------
SEAT_COLUMNS: dict[str, Column[Profile]] = {
    "agent": Column("str", "who plays"),
    "planner": Column("str", "what plans for it"),
    "ask": Column("str", "when its planner is asked again while it waits", lambda seat: seat.effective_ask),
    "oracle": Column("bool", "whether it is told the truth in the place of its belief", lambda seat: bool(seat.oracle)),
}
PARAMETER_COLUMNS: dict[str, Column[BeliefConfig]] = {
    parameter.name: Column(
        parameter.kind, f"{parameter.info.symbol} in this step ({parameter.field.description})", parameter.of
    )
    for parameter in PARAMETERS
}
PLAYER_COLUMNS: dict[str, Column[CookStep]] = {
    "x": Column("int", "column of its tile after the step, from 0 at the left", lambda cook: cook.place[0]),
    "y": Column("int", "row of its tile after the step, from 0 at the top", lambda cook: cook.place[1]),
    "facing": Column(
        "str",
        "the direction that it faces after the step",
        lambda cook: ACTION_NAMES[cook.counter(FACING)],
    ),
    "held": Column("str", "what it holds after the step", lambda cook: ITEM_NAMES.get(cook.counter(HELD))),
    "action": Column(
        "str",
        "its primitive action as chosen, before mobility noise",
        lambda cook: ACTION_NAMES[cook.tick.actions[cook.player]],
    ),
    "event": Column(
        "str",
        "the skill that its interaction advanced or completed",
        lambda cook: skill_name(cook.counter(EVENT)),
    ),
    "completed": Column(
        "bool", "whether that interaction completed the skill", lambda cook: bool(cook.counter(COMPLETED))
    ),
    "skill": Column(
        "str",
        "the skill that it ran; of a person, the inferred one",
        lambda cook: skill_name(cook.tick.skills[cook.player]),
    ),
    "role": Column("str", "the role of that skill: the truth", lambda cook: role_name(cook.tick.role(cook.player))),
    "age": Column("int", "steps for which the skill had been running", lambda cook: cook.tick.ages[cook.player]),
    "value_gate_opens": Column(
        "bool",
        "whether another skill promised more than a replan costs; empty where none was compared with a running one",
        lambda cook: value_opens(cook.decision, cook.config.seats[cook.player]),
    ),
}
ENDED_COLUMNS: dict[str, Column[int]] = {
    "ended": Column(
        "str", "how the skill before it ended, in steps in which a new one began", lambda end: END_NAMES[end]
    )
}
DECISION_COLUMNS: dict[str, Column[Decision]] = {
    "chosen": Column("bool", "whether it chose a skill in this step"),
    "replanned": Column("bool", "whether its trigger interrupted a running skill"),
    "scheduled_role": Column(
        "str", "the role that its schedule asks for", lambda decision: role_name(decision.scheduled_role)
    ),
    "note": Column("str", "its reason in a few words", lambda decision: decision.note or None),
}


def _plan_chance(answer: LLMCall) -> float | None:
    scores = scores_of(answer.response)
    return scores.get(answer.skill) if scores else None


def _plan_entropy(answer: LLMCall) -> float | None:
    scores = scores_of(answer.response)
    return entropy(scores) if scores else None


ANSWER_COLUMNS: dict[str, Column[LLMCall]] = {  # of its planner, if it was asked in this step
    "attempts": Column("int", "times that its planner was asked in this step"),
    "fallback": Column("bool", "whether no answer could be used"),
    "problem": Column("str", "what was wrong with the last answer"),
    "intention": Column(
        "str",
        "the skill that the answer predicts for the other player",
        lambda answer: skill_name(answer.intention),
    ),
    "belief_text": Column("str", "what the answer says about the other player"),
    "plan_chance": Column("float", "the probability that --answer scores gave to the skill", _plan_chance),
    "plan_entropy": Column("float", "the entropy of --answer scores over the feasible skills, in bits", _plan_entropy),
}


def _chance(cook: CookStep) -> float | None:
    policy = cook.decision.policy
    if policy is None or not policy.probabilities:
        return None
    return policy.probabilities[cook.tick.skills[cook.player]]


def _likeliest_cluster(policy: PolicyOutput) -> int | None:
    """Returns the number of the most probable cluster, from 1; None for a policy without clusters."""
    if not policy.clusters:
        return None
    return policy.clusters.index(max(policy.clusters)) + 1


CHANCE_COLUMNS: dict[str, Column[CookStep]] = {
    "chance": Column("float", "the probability that its policy gave to the running skill when it chose it", _chance)
}
CLUSTER_COLUMNS: dict[str, Column[PolicyOutput]] = {
    "cluster": Column("int", "the most probable cluster of partners, from 1", _likeliest_cluster),
    "cluster_weight": Column(
        "float", "the weight of that cluster, 0 to 1", lambda policy: max(policy.clusters, default=None)
    ),
}


def _assumed_skill(comparison: Comparison) -> str | None:
    """Returns the other player's likeliest skill; None for a comparison that assumed none."""
    if not comparison.partner:
        return None
    likeliest = comparison.partner.index(max(comparison.partner))
    return SKILL_NAMES[likeliest]


COMPARISON_COLUMNS: dict[str, Column[Comparison]] = {  # of its rollout planner, if it was asked in this step
    "compared": Column("int", "skills that its rollout planner compared", lambda comparison: len(comparison.options)),
    "compared_default": Column(
        "str",
        "the skill that they were compared with: the running one, else the behaviour network's likeliest",
        lambda comparison: SKILL_NAMES[comparison.options[0].skill],
    ),
    "compared_value": Column(
        "float", "the mean return of the chosen skill's futures, in points", lambda comparison: comparison.best.value
    ),
    "compared_gain": Column(
        "float", "by how much that is more than the default's, in points", lambda comparison: comparison.best.gain
    ),
    "compared_error": Column("float", "the standard error of that gain", lambda comparison: comparison.best.error),
    "assumed_skill": Column(
        "str",
        "the other player's likeliest skill in the futures; none if the behaviour network drew it",
        _assumed_skill,
    ),
    "assumed_share": Column(
        "float", "its probability, 0 to 1", lambda comparison: max(comparison.partner, default=None)
    ),
}


# --- beliefs and gates -------------------------------------------------------------------------------------------
def _share(role: int) -> Column[BeliefUpdate]:
    meaning = f"probability of the role {ROLE_NAMES[role]} before this step's actions"
    return Column("float", meaning, lambda belief: role_posterior(belief)[role])


def _hypothesis_name(belief: BeliefUpdate, number: int) -> str:
    return hypotheses_of(belief).names[number]


def _skill_names(skills: Sequence[int]) -> str:
    return " ".join(SKILL_NAMES[skill] for skill in skills)


BELIEF_COLUMNS: dict[str, Column[BeliefUpdate]] = {  # about the other player, as of the decision of this step
    **{f"belief_{name}": _share(role) for role, name in enumerate(ROLE_NAMES)},
    "map": Column(
        "str",
        "now: the most likely hypothesis (MAP), after the other player's last action",
        lambda belief: _hypothesis_name(belief, belief.map_index),
    ),
    "confidence": Column("float", "now: the probability of the MAP"),
    "commitment": Column("int", "now: u, the beliefs in a row with this MAP", lambda belief: belief.stable_updates),
    "locked": Column(
        "float", "now: the probability that the other player is locked in its role; none if the belief is not over that"
    ),
    "by_propensity": Column(
        "float",
        "now: the probability that the other player knows no roles and chooses by propensities of its own; none if the "
        "belief is not over that",
    ),
    "seldom": Column(
        "str",
        "now: the skills that such a player surely chooses less than half as often as others like it; none if unlikely",
        lambda belief: _skill_names(belief.seldom),
    ),
    "often": Column(
        "str", "now: those that it surely chooses more than twice as often", lambda belief: _skill_names(belief.often)
    ),
    "new_segment": Column("bool", "whether the belief was reset because the other player completed a skill"),
    "prior_map": Column(
        "str",
        "judged: the prior MAP, before the other player's last action, which the gate tests",
        lambda belief: _hypothesis_name(belief, belief.prior_map),
    ),
    "prior_confidence": Column("float", "judged: the probability of the prior MAP"),
    "prior_commitment": Column("int", "judged: u of the prior MAP", lambda belief: belief.prior_stable_updates),
    "contradiction_likelihood": Column(
        "float", "ℓ: product of the relative likelihoods of the partner's last actions under the prior MAP, 0 to 1"
    ),
}
CONDITION_MEANINGS = {
    "contradiction": "gate: ℓ < θ",
    "stable": "gate: u ≥ K, of the prior MAP",
    "confident": "gate: the prior MAP's probability ≥ Γ",
    "mid_skill": "gate: a skill is running that can be interrupted",
    "cooled_down": "gate: it last opened at least the cooldown ago",
}
COMMITMENT_GATE_MEANINGS = {
    "told_apart": "Λ ≥ λ, and the MAP is not what is remembered",
    "confident": "the MAP's probability ≥ Γc",
    "mid_skill": "a skill is running that can be interrupted",
    "cooled_down": "its last opening is at least its cooldown ago",
}


def _condition(name: str, meaning: str) -> Column[GateResult | CommitmentGateResult]:
    return Column("bool", meaning, lambda result: bool(getattr(result, name)))


GATE_COLUMNS: dict[str, Column[GateResult]] = {
    **{f"gate_{name}": _condition(name, CONDITION_MEANINGS[name]) for name in CONDITIONS},
    "gate_opens": Column("bool", "whether all five conditions hold", lambda gate: gate.opens),
    "blocked_by": Column("str", "the first of the five conditions that does not hold"),
}
COMMITMENT_GATE_COLUMNS: dict[str, Column[CommitmentGateResult]] = {
    **{
        f"commitment_gate_{name}": _condition(name, f"commitment gate: {COMMITMENT_GATE_MEANINGS[name]}")
        for name in COMMITMENT_GATE_CONDITIONS
    },
    "commitment_gate_opens": Column(
        "bool", "whether all four conditions of the commitment gate hold", lambda gate: gate.opens
    ),
    "commitment_gate_blocked_by": Column(
        "str", "the first of the four conditions that does not hold", lambda gate: gate.blocked_by
    ),
    "commitment_gate_ratio": Column(
        "float", "Λ: log-likelihood ratio of the MAP against what is remembered, 0 or more", lambda gate: gate.ratio
    ),
}


def _remembered(believer: Believer) -> str | None:
    gate = believer.commitment_gate
    belief = believer.belief
    if gate is None or belief is None or gate.remembered == NOTHING_REMEMBERED:
        return None
    return _hypothesis_name(belief, gate.remembered)


def _remembered_age(believer: Believer) -> int | None:
    return believer.commitment_gate.age if believer.commitment_gate else None


MEMORY_COLUMNS: dict[str, Column[Believer]] = {
    "remembered": Column(
        "str", "the hypothesis that the commitment gate remembers; none if the belief was not confident", _remembered
    ),
    "remembered_age": Column("int", "the other player's actions since it was remembered", _remembered_age),
}
