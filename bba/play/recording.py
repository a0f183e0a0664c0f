"""Recordings: a game as its configuration, its actions and its decisions, from which a replay computes the rest.

A recording contains what cannot be computed again (the actions, the decisions, the calls of language models) and hashes
of the state on the way. `bba.play.replay` plays it again, bit for bit; `bba.play.recording_io` reads and writes it.
From version 3 on the format changes only by optional fields. `outcome` plays the actions alone, without beliefs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from itertools import islice
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bba import __version__
from bba.agents.base import Decision, PolicyOutput, Profile, RoleNumber
from bba.config import StepsOrNone
from bba.errors import BBAError
from bba.kitchen import Kitchen, StateVector, constants, state_digest
from bba.planner import Comparison, LLMCall, SkillNumber
from bba.play.packing import PlayedStep
from bba.play.ticks import played_steps
from bba.play.trace import EGO, GameConfig, Tick, Trace, counts_replans
from bba.validation import PlainText

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
            skills = [option.skill for option in comparison.options]
            partner = len(comparison.partner)
            if comparison.chosen not in skills:
                raise ValueError(f"a comparison at step {step} without the skill that was chosen")
            if comparison.futures > MOST_FUTURES:
                raise ValueError(f"a comparison at step {step} with {comparison.futures} futures")
            if partner not in (0, constants.N_SKILLS):
                raise ValueError(f"a comparison at step {step} with {partner} skills of the partner")
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
        duel_game = self.other
        first, second = (len(player.actions) for player in self.players)
        if duel_game is not None and (duel_game.other is not None or duel_game.config.layout != self.config.layout):
            raise ValueError("the other game of the duel has another kitchen, or is a duel itself")
        if first != second:
            raise ValueError(f"player 0 has {first} actions, player 1 has {second}")
        if first not in self.hashes:
            raise ValueError(f"there is no hash of the last state (step {first})")
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
        return Trace(self.config, start, ticks, changes, bookmarks=dict(self.notes))

    def with_bookmarks(self, bookmarks: Mapping[int, str]) -> Self:
        """Returns this recording with these bookmarks in the place of its own, validated."""
        in_order = tuple(sorted(bookmarks.items()))
        return self.model_validate(self.model_copy(update={"notes": in_order}))


def record(trace: Trace, rival: Trace | None = None) -> Recording:
    """Returns the recording of a game so far, with the other game of a duel if there is one."""
    rival_recording = None if rival is None else record(rival)
    return Recorder(trace).recording(rival_recording)


class Recorder:
    """Makes recordings of a game that goes on: each reads the steps that are new since the last one.

    Args:
        trace: the game.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._players = _Player(0), _Player(1)
        self._hashes = dict[int, str]()
        self._read = 0
        self._state = trace.start

    def recording(self, rival: Recording | None = None) -> Recording:
        """Returns the recording of the game so far; `rival` is that of the other game of a duel."""
        trace = self.trace
        steps = len(trace.ticks)
        new_steps = islice(played_steps(trace.ticks, self._read), steps - self._read)
        for tick in new_steps:
            for player in self._players:
                player.read(self._read, tick)
            self._read += 1
            self._state = tick.state
            if self._read % CHECK_EVERY == 0:
                self._hashes[self._read] = state_digest(tick.state)
        changes = [RecordedChange(step=step, seats=config.seats) for step, config in trace.changes if step < steps]
        return Recording(
            config=trace.config,
            changes=tuple(changes),
            players=(self._players[0].recorded(), self._players[1].recorded()),
            hashes=self._hashes | {steps: state_digest(self._state)},
            notes=tuple(sorted(trace.bookmarks.items())),
            other=rival,
        )


class _Player:
    """What is read of one player."""

    def __init__(self, player: int) -> None:
        self._player = player
        self._actions = StringIO()
        self._choices = list[tuple[int, int, int | None, bool, str]]()  # the fields of recorded choices
        self._scheduled = list[tuple[int, RoleNumber | None]]()
        self._declared = list[tuple[int, RoleNumber]]()
        self._calls = list[tuple[int, LLMCall]]()
        self._texts = dict[str, str]()  # those of the calls, each of which is kept once
        self._policies = list[tuple[int, PolicyOutput | None]]()
        self._comparisons = list[tuple[int, Comparison]]()
        self._last = Decision(constants.NO_SKILL)  # with the role and the policy before the first step: none

    def read(self, step: int, tick: PlayedStep | Tick) -> None:
        """Reads a step, counted from 0."""
        decision = tick.decisions[self._player]
        last = self._last
        self._last = decision
        self._actions.write(str(tick.actions[self._player]))
        if decision.chosen:
            ended = tick.ended[self._player]
            self._choices.append((step, decision.skill, ended, decision.replanned, decision.note))
        if decision.scheduled_role != last.scheduled_role:
            self._scheduled.append((step, decision.scheduled_role))
        if decision.declared_role is not None:
            self._declared.append((step, decision.declared_role))
        if decision.policy != last.policy:
            self._policies.append((step, decision.policy))
        if decision.comparison is not None:
            self._comparisons.append((step, decision.comparison))
        for call in decision.calls:
            self._calls.append((step, self._with_shared_texts(call)))

    def _with_shared_texts(self, call: LLMCall) -> LLMCall:
        """Returns a call with the texts alone; those of an agent may hold all that it made them of."""
        texts = [self._texts.setdefault(text, text) for text in call.texts]
        return replace(call, texts=tuple(texts))

    def recorded(self) -> RecordedPlayer:
        """Returns the player's part of a recording, from the steps that were read."""
        choices = [
            RecordedChoice(step=step, skill=skill, ended=ended, replanned=replanned, note=note)
            for step, skill, ended, replanned, note in self._choices
        ]
        return RecordedPlayer(
            actions=self._actions.getvalue(),
            choices=tuple(choices),
            scheduled_roles=tuple(self._scheduled),
            declared_roles=tuple(self._declared),
            calls=tuple(self._calls),
            policy=tuple(self._policies),
            comparisons=tuple(self._comparisons),
        )


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
    choices = {choice.step: choice for choice in player.choices}
    declared_roles = dict(player.declared_roles)
    roles = dict(player.scheduled_roles)
    policies = dict(player.policy)
    comparisons = dict(player.comparisons)
    calls: defaultdict[int, list[LLMCall]] = defaultdict(list)
    for step, call in player.calls:
        calls[step].append(call)
    last = Decision(constants.NO_SKILL)
    age = 0
    for step, action in enumerate(player.actions):
        choice = choices.get(step)
        idle = last.skill == constants.NO_SKILL
        mid_skill = not idle and (choice is None or choice.ended == constants.INTERRUPTED)
        skill = choice.skill if choice else last.skill
        primitive = skill == constants.NO_SKILL
        age = 0 if choice or primitive else age + 1
        last = Decision(
            skill,
            action=int(action) if primitive else None,
            chosen=choice is not None,
            replanned=choice is not None and choice.replanned,
            calls=tuple(calls.get(step, ())),
            scheduled_role=roles.get(step, last.scheduled_role),
            declared_role=declared_roles.get(step),
            note=choice.note if choice else "",
            policy=policies.get(step, last.policy),
            comparison=comparisons.get(step),
        )
        ended = choice.ended if choice else None
        yield RecordedDecision(last, age, ended, mid_skill)


class Outcome(NamedTuple):
    """What came of a game.

    Attributes:
        config: of the game.
        scores: the score after each step; empty for a game without a step.
        replans: how often the ego dropped a running skill and asked its planner again; None where that is not counted
            (`bba.play.trace.counts_replans`).
        state: the last state.
        note: the bookmark at its start, a line of text on the whole game; "" for none.
        rival: the other ego of a duel; None for a game alone.
    """

    config: GameConfig
    scores: tuple[int, ...]
    replans: int | None
    state: StateVector
    note: str = ""
    rival: str | None = None


def outcome(recording: Recording, source: str = "recording") -> Outcome:
    """Plays the actions of a recording in a plain kitchen, which takes about 0.1 s for 2400 steps.

    Raises:
        BBAError: the game differs from the recorded one; `source` names the recording.
    """
    config = recording.config
    kitchen = Kitchen(config.layout, config.seed, mobility=config.mobility, fast=False)
    first_player, second_player = recording.players
    scores = []
    for first, second in zip(first_player.actions, second_player.actions, strict=True):
        kitchen.advance(int(first), int(second))
        scores.append(int(kitchen.state[constants.SCORE]))
    if recording.hashes[recording.steps] != state_digest(kitchen.state):
        raise BBAError(f"{source}: the game differs from the recorded one at its end")
    trace = recording.trace_of(kitchen.state.copy(), ())
    replans = None
    if counts_replans(trace.configs):
        choices = recording.players[EGO].choices
        replans = sum(choice.replanned and trace.config_at(choice.step + 1).seats[EGO].plans for choice in choices)
    note = dict(recording.notes).get(0, "")
    rival = None if recording.other is None else recording.other.config.agents[EGO]
    return Outcome(config, tuple(scores), replans, trace.start, note, rival)
