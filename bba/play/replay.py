"""Playing a recording again: the same kitchen, the same actions, the hashes checked, the beliefs worked out anew."""

from dataclasses import dataclass, field

from bba.agents import Decision
from bba.belief import BeliefFilter, BeliefReading, Gate, GateReading
from bba.errors import BBAError
from bba.kitchen import Kitchen, codes
from bba.kitchen.kitchen import digest_of
from bba.kitchen.state import Row
from bba.planner import Exchange
from bba.play.observer import Observer
from bba.play.recording import Answer, Choice, Recording, SeatRecord
from bba.play.trace import Setup, Tick, Trace


class Replay:
    """A recording as a game that can be stepped, with the same ticks as when it was played.

    Args:
        recording: what was recorded.
        source: how messages name it.
        fast: compiled kernels instead of plain ones.
    """

    def __init__(self, recording: Recording, source: str = "recording", *, fast: bool = False) -> None:
        self.recording, self.source = recording, source
        self._kitchen = Kitchen(recording.layout, recording.seed, mobility=recording.mobility, fast=fast)
        self.trace = Trace(recording.setup, start=self._kitchen.row.copy())
        self._observer = Observer(self._kitchen)
        self._seats = tuple(_Seat(record, player, self._kitchen) for player, record in enumerate(recording.seats))
        self._previous: Row | None = None
        self._row: Row = self.trace.start
        self._check()

    @property
    def setup(self) -> Setup:
        """What the game was set to."""
        return self.trace.setup

    @property
    def done(self) -> bool:
        """Whether the last recorded step has been played."""
        return len(self.trace.ticks) >= self.recording.steps

    def step(self) -> Tick:
        """Play the next recorded step.

        Raises:
            BBAError: the state differs from the recorded one.
        """
        step = len(self.trace.ticks)
        observer, observer_gate = self._observer.update(self._previous, self._row)
        decisions = tuple(seat.decide(step, self._previous, self._row) for seat in self._seats)
        actions = tuple(int(seat.record.actions[step]) for seat in self._seats)
        self._kitchen.advance(*actions)
        self._previous, self._row = self._row, self._kitchen.row.copy()
        self._check()
        first, second = self._seats
        tick = Tick(
            row=self._row,
            actions=(actions[0], actions[1]),
            skills=(first.skill, second.skill),
            ages=(step - first.since, step - second.since),
            ended=(first.ended(step), second.ended(step)),
            decisions=(decisions[0], decisions[1]),
            observer=observer,
            observer_gate=observer_gate,
        )
        self.trace.ticks.append(tick)
        return tick

    def run(self) -> Trace:
        """Play to the end and return the trace."""
        while not self.done:
            self.step()
        return self.trace

    def _check(self) -> None:
        step = self._kitchen.steps
        expected = self.recording.hashes.get(step)
        if expected is not None and expected != digest_of(self._kitchen.row):
            raise BBAError(f"{self.source}: the game differs from the recorded one at step {step} or shortly before")


@dataclass(slots=True)
class _Seat:
    """One recorded player, as it is played again."""

    record: SeatRecord
    player: int
    kitchen: Kitchen
    skill: int = codes.NO_SKILL
    since: int = 0
    pursuing: int | None = None
    choices: dict[int, Choice] = field(init=False)
    filter: BeliefFilter | None = field(init=False, default=None)
    gate: Gate | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.choices = {choice.step: choice for choice in self.record.choices}
        tuning = self.record.tuning
        if tuning is not None:
            held_back = self.kitchen.mobility[1 - self.player] < 1.0
            self.filter = BeliefFilter(
                self.kitchen.grid, 1 - self.player, tuning.filter, held_back=held_back, fast=self.kitchen.fast
            )
            self.gate = Gate(tuning.gate)

    def ended(self, step: int) -> int | None:
        """How the skill before this step's choice ended, if there is one."""
        choice = self.choices.get(step)
        return choice.ended if choice else None

    def decide(self, step: int, before: Row | None, row: Row) -> Decision:
        """The recorded decision with the belief and the gate as they were."""
        choice = self.choices.get(step)
        self.pursuing = dict(self.record.pursued).get(step, self.pursuing)
        mid_skill = self.skill != codes.NO_SKILL and (choice is None or choice.ended == codes.INTERRUPTED)
        belief, gate = self._perceive(before, row, mid_skill=mid_skill)
        if choice is not None:
            self.skill, self.since = choice.skill, step
        action = int(self.record.actions[step]) if self.skill == codes.NO_SKILL else None
        return Decision(
            self.skill,
            action=action,
            chosen=choice is not None,
            replanned=choice is not None and choice.replanned,
            belief=belief,
            gate=gate,
            exchange=_exchange(choice.skill, choice.answer) if choice and choice.answer else None,
            pursuing=self.pursuing,
            note=choice.note if choice else "",
        )

    def _perceive(
        self, before: Row | None, row: Row, *, mid_skill: bool
    ) -> tuple[BeliefReading | None, GateReading | None]:
        if self.filter is None or self.gate is None:
            return None, None
        if before is None:
            return self.filter.reading, None
        belief = self.filter.update(before, row)
        return belief, self.gate.read(belief, mid_skill=mid_skill)


def _exchange(skill: int, answer: Answer) -> Exchange:
    return Exchange(
        skill=skill,
        messages=({"role": "user", "content": answer.question},),
        answer=answer.answer,
        attempts=answer.attempts,
        fallback=answer.fallback,
        problem=answer.problem,
        belief_text=answer.belief_text,
        intention=answer.intention,
    )
