"""What can be played forward: a finished trace, or the recording of a game of people."""

from collections import deque
from dataclasses import replace

from bba.analysis.human_choices import SkillInference, with_inferred_skills
from bba.errors import BBAError
from bba.play import Replay, Tick, Trace
from bba.play.recording import Recording
from bba.play.ticks import first_ticks


class TracePlayback:
    """A trace as something that can be played: its ticks are handed out again, with the skills that people pursued.

    Args:
        whole: the game as it was played.
        start: how many of its steps have been played already; None for all of them, then the game is over.
    """

    def __init__(self, whole: Trace, start: int | None = None) -> None:
        whole = with_inferred_skills(whole)
        self._whole = whole
        self.finished = start is None
        self._ticks = first_ticks(whole.ticks, start)
        self.trace = whole if start is None else replace(whole, ticks=self._ticks)

    @property
    def done(self) -> bool:
        """Whether the game is over; a game that was broken off is not."""
        return self.finished or len(self.trace.ticks) >= self.trace.config.horizon

    def step(self) -> Tick:
        """Hands out the next tick.

        Raises:
            BBAError: the game was not played further.
        """
        if len(self._ticks) == len(self._whole.ticks):
            raise BBAError("the game was not played further")
        self._ticks.append(self._whole.ticks[len(self._ticks)])
        return self._ticks[-1]


class PeopleReplay:
    """A recorded game of people as something that can be played: its ticks have the skills that people pursued.

    A skill is known once it is completed, so the recording is read ahead of the ticks that are handed out.

    Args:
        replay: the recording, of which no step has been played.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._ticks: list[Tick] = []
        self.trace = replace(replay.trace, ticks=self._ticks)
        self._inferences = SkillInference(replay.trace, 0), SkillInference(replay.trace, 1)
        self._skills: tuple[deque[int], deque[int]] = (deque(), deque())  # of the players, in steps to be handed out

    @property
    def recording(self) -> Recording:
        """The recording."""
        return self._replay.recording

    @property
    def done(self) -> bool:
        """Whether the last recorded step has been handed out."""
        return len(self._ticks) >= self.recording.steps

    def step(self) -> Tick:
        """Hands out the next recorded step.

        Raises:
            BBAError: a state differs from the recorded one.
        """
        while not all(self._skills):
            self._read_on()
        tick = self._replay.trace.ticks[len(self._ticks)]
        first, second = self._skills
        self._ticks.append(tick._replace(skills=(first.popleft(), second.popleft())))
        return self._ticks[-1]

    def _read_on(self) -> None:
        """Replays a step, and takes in what is known from it on of what both players pursued."""
        tick = self._replay.step()
        for skills, inference in zip(self._skills, self._inferences, strict=True):
            skills.extend(inference.read(tick))
            if self._replay.done:
                skills.extend(inference.end())
