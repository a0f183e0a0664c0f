"""Recordings: a game as its configuration, its actions and its decisions, from which a replay computes the rest.

A recording contains what cannot be computed again (the actions, the decisions, the calls of language models) and hashes
of the state on the way. `bba.play.replay` plays it again, bit for bit; `bba.play.recording_file` reads and writes it.
From version 3 on the format changes only by optional fields. `outcome` plays the actions alone, without beliefs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bba import __version__
from bba.agents.base import Decision, PolicyOutput, Profile, RoleNumber
from bba.config import StepsOrNone
from bba.files import BBAError, Data, PlainText, refuse
from bba.kitchen import Kitchen, StateVector, constants, state_digest
from bba.planner import Comparison, LLMCall, SkillNumber
from bba.play.trace import EGO, GameConfig, Tick, Trace, counts_replans

RECORDING_VERSION: Literal[3] = 3
CHECK_EVERY = 100  # steps between two hashes
MOST_FUTURES = 10**9  # of a comparison

Step = StepsOrNone  # counted from 0


class StrictModel(BaseModel):
    """A part of a recording: immutable, without unknown keys, and validated when it is written as well as when read."""

    model_config = ConfigDict(frozen=True, extra="forbid", revalidate_instances="always", defer_build=True)


class RecordedChoice(StrictModel):
    """A skill that began at a step, and how the one before it ended; NO_SKILL (−1) for a primitive action."""

    step: Step
    skill: SkillNumber
    ended: Annotated[int, Field(ge=0, lt=len(constants.END_NAMES))] | None
    replanned: bool = False
    note: PlainText = ""


class RecordedChange(StrictModel):
    """The profiles of both players from a step on."""

    step: Step
    seats: tuple[Profile, Profile]


class RecordedPlayer(StrictModel):
    """What one player did.

    Attributes:
        actions: a digit 0 to 5 per step.
        choices: the skills that it began.
        scheduled_roles: of a scripted partner, as (from step, role); None if another agent plays from then on.
        declared_roles: that a person declared, as (step, role).
        calls: of its language model, as (step, call), in order.
        policy: the output of a learned policy, as (from step, output); None if another agent plays from then on.
        comparisons: what its rollout planner compared, as (step, comparison), without the time that it took.
    """

    actions: Annotated[str, Field(pattern=r"^[0-5]*$")]
    choices: tuple[RecordedChoice, ...]
    scheduled_roles: tuple[tuple[Step, RoleNumber | None], ...] = ()
    declared_roles: tuple[tuple[Step, RoleNumber], ...] = ()
    calls: tuple[tuple[Step, LLMCall], ...] = ()
    policy: tuple[tuple[Step, PolicyOutput | None], ...] = ()
    comparisons: tuple[tuple[Step, Comparison], ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        for step, call in self.calls:
            if len(call.texts) < 2 + 2 * call.turns:
                raise ValueError(f"a call at step {step} without a question")
        for step, comparison in self.comparisons:
            skills, partner = [option.skill for option in comparison.options], len(comparison.partner)
            refuse(
                (comparison.chosen not in skills, f"a comparison at step {step} without the skill that was chosen"),
                (comparison.futures > MOST_FUTURES, f"a comparison at step {step} with {comparison.futures} futures"),
                (
                    partner not in (0, constants.N_SKILLS),
                    f"a comparison at step {step} with {partner} skills of the partner",
                ),
                error=ValueError,
            )
        return self


class Recording(StrictModel):
    """One game as it is written to a file.

    Attributes:
        changes: those of its configuration.
        notes: its bookmarks, as (steps played, a line of text).
        other: the other game of a duel, the same but for its ego; None for a game alone.
    """

    format: Literal["bba-recording"] = "bba-recording"
    version: Literal[3] = RECORDING_VERSION
    written_by: str = f"bba-tui {__version__}"
    config: GameConfig
    changes: tuple[RecordedChange, ...] = ()
    players: tuple[RecordedPlayer, RecordedPlayer]
    hashes: dict[int, str]
    notes: tuple[tuple[Step, PlainText], ...] = ()
    other: "Recording | None" = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        other, (first, second) = self.other, (len(player.actions) for player in self.players)
        refuse(
            (
                other is not None and (other.other is not None or other.config.layout != self.config.layout),
                "the other game of the duel has another kitchen, or is a duel itself",
            ),
            (first != second, f"player 0 has {first} actions, player 1 has {second}"),
            (first not in self.hashes, f"there is no hash of the last state (step {first})"),
            error=ValueError,
        )
        return self

    def __repr_args__(self) -> list[tuple[str, object]]:
        return [("game", self.config.summary), ("steps", self.steps)]

    @property
    def steps(self) -> int:
        """The number of steps that were played."""
        return len(self.players[0].actions)

    def trace_of(self, start: StateVector, ticks: Sequence[Tick]) -> Trace:
        """Returns a trace of this game, which has the changes of the configuration, whatever steps are played."""
        changes = [(change.step, replace(self.config, seats=change.seats)) for change in self.changes]
        return Trace(self.config, start, ticks, changes, notes=dict(self.notes))

    def noted(self, notes: Mapping[int, str]) -> Self:
        """Returns this recording with these bookmarks in the place of its own, validated."""
        return self.model_validate(self.model_copy(update={"notes": tuple(sorted(notes.items()))}))


def record(trace: Trace, other: Trace | None = None) -> Recording:
    """Returns the recording of a game so far, with the other game of a duel if there is one."""
    ticks = trace.ticks
    checks = [*range(CHECK_EVERY, len(ticks), CHECK_EVERY), len(ticks)]
    return Recording(
        config=trace.config,
        changes=tuple(
            RecordedChange(step=step, seats=config.seats) for step, config in trace.changes if step < len(ticks)
        ),
        players=(_player(ticks, 0), _player(ticks, 1)),
        hashes={step: state_digest(trace.state(step)) for step in checks},
        notes=tuple(sorted(trace.notes.items())),
        other=None if other is None else record(other),
    )


def _player(ticks: Sequence[Tick], player: int) -> RecordedPlayer:
    decisions = [tick.decisions[player] for tick in ticks]
    return RecordedPlayer(
        actions="".join(str(tick.actions[player]) for tick in ticks),
        choices=tuple(
            RecordedChoice(
                step=step,
                skill=decision.skill,
                ended=tick.ended[player],
                replanned=decision.replanned,
                note=decision.note,
            )
            for step, (tick, decision) in enumerate(zip(ticks, decisions, strict=True))
            if decision.chosen
        ),
        scheduled_roles=tuple(_changes(decision.scheduled_role for decision in decisions)),
        declared_roles=tuple(
            (step, decision.declared_role)
            for step, decision in enumerate(decisions)
            if decision.declared_role is not None
        ),
        calls=tuple((step, call) for step, decision in enumerate(decisions) for call in decision.calls),
        policy=tuple(_changes(decision.policy for decision in decisions)),
        comparisons=tuple(
            (step, decision.comparison) for step, decision in enumerate(decisions) if decision.comparison is not None
        ),
    )


def _changes(values: Iterable[Data | None]) -> Iterator[tuple[int, Data | None]]:
    """Yields the steps in which a value differs from the one before, None before the first, with the value."""
    before: Data | None = None
    for step, value in enumerate(values):
        if value != before:
            yield step, value
            before = value


class RecordedDecision(NamedTuple):
    """What a player decided in one step, but for belief and gates, which a replay computes again.

    Attributes:
        decision: the decision.
        age: the number of steps for which its skill had been running; 0 for primitive actions.
        ended: how the skill before it ended, if this one began; else None.
        mid_skill: whether a skill was running before.
    """

    decision: Decision
    age: int
    ended: int | None
    mid_skill: bool


def decisions_of(player: RecordedPlayer) -> Iterator[RecordedDecision]:
    """Yields the decisions of a player, step by step."""
    choices, declared_roles = {choice.step: choice for choice in player.choices}, dict(player.declared_roles)
    roles, policies, comparisons = dict(player.scheduled_roles), dict(player.policy), dict(player.comparisons)
    calls: defaultdict[int, list[LLMCall]] = defaultdict(list)
    for step, call in player.calls:
        calls[step].append(call)
    last, age = Decision(constants.NO_SKILL), 0
    for step, action in enumerate(player.actions):
        choice, idle = choices.get(step), last.skill == constants.NO_SKILL
        mid_skill = not idle and (choice is None or choice.ended == constants.INTERRUPTED)
        skill = choice.skill if choice else last.skill
        age = 0 if choice or skill == constants.NO_SKILL else age + 1
        last = Decision(
            skill,
            action=int(action) if skill == constants.NO_SKILL else None,
            chosen=choice is not None,
            replanned=choice is not None and choice.replanned,
            calls=tuple(calls.get(step, ())),
            scheduled_role=roles.get(step, last.scheduled_role),
            declared_role=declared_roles.get(step),
            note=choice.note if choice else "",
            policy=policies.get(step, last.policy),
            comparison=comparisons.get(step),
        )
        yield RecordedDecision(last, age, choice.ended if choice else None, mid_skill)


class Outcome(NamedTuple):
    """What came of a game.

    Attributes:
        config: of the game.
        scores: the score after each step; empty for a game without a step.
        replans: how often the ego dropped a running skill and asked its planner again; None where that is not counted
            (`bba.play.trace.counts_replans`).
        state: the last state.
        note: the bookmark at its start, a line of text on the whole game; "" for none.
    """

    config: GameConfig
    scores: tuple[int, ...]
    replans: int | None
    state: StateVector
    note: str = ""


def outcome(recording: Recording, source: str = "recording") -> Outcome:
    """Plays the actions of a recording in a plain kitchen, which takes about 0.1 s for 2400 steps.

    Raises:
        BBAError: the game differs from the recorded one; `source` names the recording.
    """
    kitchen = Kitchen(recording.config.layout, recording.config.seed, mobility=recording.config.mobility, fast=False)
    scores = []
    for first, second in zip(*(player.actions for player in recording.players), strict=True):
        kitchen.advance(int(first), int(second))
        scores.append(int(kitchen.state[constants.SCORE]))
    if recording.hashes[recording.steps] != state_digest(kitchen.state):
        raise BBAError(f"{source}: the game differs from the recorded one at its end")
    trace = recording.trace_of(kitchen.state.copy(), ())
    replans = None
    if counts_replans(trace.configs):
        choices = recording.players[EGO].choices
        replans = sum(choice.replanned and trace.config_at(choice.step + 1).seats[EGO].plans for choice in choices)
    return Outcome(recording.config, tuple(scores), replans, trace.start, dict(recording.notes).get(0, ""))
