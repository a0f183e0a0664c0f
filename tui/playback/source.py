"""A game on the screen: where its ticks come from, which step is shown and how fast, and where watching pauses.

The ticks come from a game, the replay of a recording, or a finished trace. Its score is compared with the best one on
the same kitchen, seed and horizon, and with that of two plain cooks.
"""

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from bba.agents import AgentOptions, Preparable, trigger_thresholds
from bba.analysis.human_choices import SkillInference, with_inferred_skills
from bba.analysis.timeline import TRUTHS, TimelineData, TimelineMark
from bba.config import BeliefConfig
from bba.errors import BBAError, instead
from bba.files import free_path, recalled, remember
from bba.kitchen import Layout
from bba.planner.chat import QuestionProgress
from bba.play import EGO, Game, GameConfig, Replay, Tick, Trace, beside, load, record, save
from bba.play.recording import Recorder
from bba.play.ticks import first_ticks
from bba.plugins.options import NumberOption
from human.recordings import Forerunner

# With what a game on the screen is made of.
__all__ = [
    "AGENT",
    "BREATH",
    "FRAMES_A_SECOND",
    "PAUSE_MARKS",
    "SPEEDS",
    "BestScore",
    "BestScores",
    "Clock",
    "Playable",
    "PlaybackSource",
    "Playhead",
    "TracePlayback",
    "first_event",
    "parse_pauses",
    "reference_score",
]


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


SAVE_EVERY = 1000  # steps after which a game that goes on is written
SAVE_SHARE = 20  # a twentieth of it is new then, at least: long games are not written all the time


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
    def done(self) -> bool:
        """Whether the last recorded step has been handed out."""
        return len(self._ticks) >= self._replay.recording.steps

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


Playable = Game | Replay | PeopleReplay | TracePlayback  # what can be played forward


class PlaybackSource:
    """A game on the screen: played one tick at a time, and begun again.

    Args:
        make_game: makes the game; called once now and once at each restart.
        options: the agents' options that the game's config does not hold, for agents that go on in their place.
        changes: what sets a fork apart from its original, in words; "" if their configurations tell.
        file: the recording of the game, also if it is written at the end only; None where it has none.
        other: the other game of a duel; None for a game alone.
        command: the command that shows the game again; "" for none.
        continues: the recording that the game goes on from, which its own recording replaces; None for a new game.
    """

    def __init__(
        self,
        make_game: Callable[[], Playable],
        *,
        options: AgentOptions | None = None,
        changes: str = "",
        file: Path | None = None,
        other: "PlaybackSource | None" = None,
        command: str = "",
        continues: Forerunner | None = None,
    ) -> None:
        self._make_game = make_game
        self.file = file
        self.other = other
        self.command = command
        self.continues = continues
        self.options = options or AgentOptions()
        self.changes = changes
        self._so_far: Path | None = None
        self._saved_next = SAVE_EVERY  # the number of steps at which it is written
        self.restart()

    @property
    def config(self) -> GameConfig:
        """The game's settings at its start."""
        return self.trace.config

    @property
    def trace(self) -> Trace:
        """The game so far; another object after a restart."""
        return self._game.trace

    @property
    def done(self) -> bool:
        """Whether no step is left."""
        return self._game.done

    @property
    def recorded(self) -> bool:
        """Whether every step is already determined, so that steps may be computed ahead of the one shown."""
        game = self._game
        return isinstance(game, Replay | PeopleReplay) or (isinstance(game, TracePlayback) and game.finished)

    @property
    def ready(self) -> bool:
        """Whether the next step can be played at once; before, a game may have kernels to compile."""
        return not isinstance(self._game, Preparable) or self._game.ready

    def prepare(self) -> None:
        """Compiles or loads these kernels; to be called from another thread."""
        if isinstance(self._game, Preparable):
            self._game.prepare()

    @property
    def world_waits(self) -> bool | None:
        """Whether the game waits while a language model is asked; None where none is."""
        return self._thinking.world_waits if self._thinking is not None else None

    @property
    def progress(self) -> tuple[QuestionProgress | None, QuestionProgress | None]:
        """How far the decisions that are under way are, by player."""
        return self._thinking.progress if self._thinking is not None else (None, None)

    def step(self) -> Tick:
        """Plays one step.

        Raises:
            BBAError: there is none, for a reason that people should read.
        """
        return self._game.step()

    def play(self, steps: int) -> str | None:
        """Plays up to so many steps, none of them before the agents that the game waits for have decided.

        Returns:
            Why the game cannot go on, in a line; None where nothing is wrong.
        """
        try:
            for _ in range(steps):
                if self.done or (self._thinking is not None and not self._thinking.begin_step()):
                    break
                self.step()
            self.save_so_far()
        except BBAError as error:
            return str(error)
        return None

    def save_so_far(self) -> None:
        """Writes the game so far beside its file from time to time, so that a power cut does not lose all of it.

        Raises:
            BBAError: the file cannot be written; that is tried again after some steps.
        """
        steps = len(self.trace.ticks)
        if self.file is None or self.recorded or steps < self._saved_next:
            return
        self._saved_next = steps + max(SAVE_EVERY, steps // SAVE_SHARE)
        if self._so_far is None:
            self._so_far = free_path(self.file.with_name(f"{self.file.name.removesuffix('.bba')}.part.bba"))
        if self.other is None:
            save(self._recorder.recording(), self._so_far)
        else:
            save(self._recorder.recording(record(self.other.trace)), self._so_far)

    def forget_so_far(self) -> None:
        """Deletes what was written from time to time: the whole game is in its file now."""
        if self._so_far is not None:
            for file in (self._so_far, beside(self._so_far)):
                with suppress(OSError):
                    file.unlink(missing_ok=True)
            self._so_far = None

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Changes the parameters of the ego's belief and gate from the next step on.

        Raises:
            BBAError: the game is a recording, or its ego has no belief.
        """
        if self._live is None:
            raise BBAError("a recording keeps the parameters that it was played with")
        self._live.reconfigure(0, belief_config)

    @property
    def next_config(self) -> GameConfig:
        """The settings of the next step."""
        return self.trace.config_at(len(self.trace.ticks) + 1)

    def thresholds(self, config: GameConfig) -> tuple[NumberOption, ...]:
        """Returns the thresholds of the ego's trigger by these settings; none in a recording, or of no plug-in."""
        return trigger_thresholds(config.seats[EGO]) if self._live is not None else ()

    def tune_trigger(self, name: str, value: float) -> None:
        """Changes a threshold of the ego's trigger from the next step on.

        Raises:
            BBAError: there is none, or it does not take this value.
        """
        if self._live is None:
            raise BBAError("a recording keeps the thresholds that it was played with")
        self._live.tune_trigger(EGO, {name: value})

    def bookmark(self, step: int, note: str | None) -> None:
        """Sets a bookmark with a note (a line of text, or ""), or deletes it (None); also in the recording's file.

        Raises:
            BBAError: the file cannot be read or written; the bookmark then counts as long as the game is open.
        """
        if note is None:
            self.trace.notes.pop(step, None)
        else:
            self.trace.notes[step] = note
        if self.file is not None and self.recorded:
            played = self.file.stat().st_mtime_ns if self.file.exists() else 0
            save(load(self.file).noted(self.trace.notes), self.file)
            os.utime(self.file, ns=(played, played))  # lists have games by the time at which they were played

    def restart(self) -> None:
        """Begins the game again."""
        game = self._make_game()
        self._game = PeopleReplay(game) if isinstance(game, Replay) and game.trace.has_people else game
        self._live = self._game if isinstance(self._game, Game) else None
        self._recorder = Recorder(self.trace)
        self._saved_next = SAVE_EVERY
        # Asked many times a second: the game if it has an agent that decides in the background.
        self._thinking = self._live if self._live is not None and self._live.world_waits is not None else None


SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # steps a second
FRAMES_A_SECOND = 25.0  # pictures a second at most: faster games play several steps a picture


@dataclass(slots=True)
class Playhead:
    """A position in a game that may grow.

    Attributes:
        follows: whether reaching the newest step means to stay with the newest step from then on (a game that is being
            played). In a recording the newest step is only the last one computed so far, so the position stays there.
        at: the step that is shown; None for the newest one.
    """

    follows: bool
    at: int | None = None

    def step(self, newest: int) -> int:
        """Returns the step that is shown of a game of `newest` steps."""
        return newest if self.at is None else min(self.at, newest)

    def seek(self, step: int, newest: int) -> None:
        """Moves to a step; values outside the game are clipped to its ends."""
        self.at = None if self.follows and step >= newest else max(0, min(step, newest))

    def rewind(self) -> None:
        """Moves to where a game begins: its newest step, or the start of a recording."""
        self.at = None if self.follows else 0


@dataclass(slots=True)
class Clock:
    """A speed in steps a second: any number at first, then those of `SPEEDS`."""

    speed: float

    def change(self, *, faster: bool) -> None:
        """Takes the next speed up or down, if there is one."""
        higher = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)
        lower = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
        self.speed = higher if faster else lower

    @property
    def interval(self) -> float:
        """Seconds between two pictures."""
        return 1.0 / min(self.speed, FRAMES_A_SECOND)

    @property
    def steps(self) -> int:
        """Steps in one interval."""
        return max(1, round(self.speed * self.interval))

    @property
    def slide(self) -> float:
        """Seconds for which a cook is drawn half way between two tiles; 0 at speeds too high to see it."""
        return self.interval / 2 if self.speed <= 10.0 else 0.0


PAUSE_MARKS = (TimelineMark.REPLAN, TimelineMark.CONTRADICTION, TimelineMark.SWITCH)


def parse_pauses(text: str) -> frozenset[TimelineMark]:
    """Returns the events of a list such as "replan,switch".

    Raises:
        BBAError: another name.
    """
    names = [name.strip() for name in text.split(",")]
    marks = {mark.value: mark for mark in PAUSE_MARKS}
    for name in names:
        if name not in marks:
            raise BBAError(f"--pause-on: {name!r}: no such event; {instead(name, list(marks))}")
    return frozenset(marks[name] for name in names)


def first_event(
    data: TimelineData, kinds: Collection[TimelineMark], after: int, until: int, *, truth: bool
) -> tuple[int, TimelineMark] | None:
    """Returns the first event after a step, up to another one, and its step; None if there is none.

    Args:
        data: the game's timeline.
        kinds: the kinds of events that are looked for, of `PAUSE_MARKS`.
        after, until: the steps.
        truth: whether the partner's true role is shown; if not, nothing is found where that changes.
    """
    events: list[tuple[int, TimelineMark]] = []
    for mark in PAUSE_MARKS:
        if mark in kinds and (truth or mark not in TRUTHS):
            events += [(step, mark) for step in _steps(data, mark) if after < step <= until]
    return min(events, key=lambda event: event[0], default=None)


def _steps(data: TimelineData, mark: TimelineMark) -> Iterator[int]:
    """Yields the steps of an event: of a switch, where it is known; of contradictions in a row, the first."""
    if mark is TimelineMark.SWITCH:
        yield from (switch.known + 1 for switch in data.switches)
    elif mark is TimelineMark.CONTRADICTION:
        previous = 0
        for step in data.marks[mark]:
            if step != previous + 1:
                yield step
            previous = step
    else:
        yield from data.marks[mark]


class BestScore(NamedTuple):
    """A score, and who reached it."""

    score: int
    cooks: str


class BestScores:
    """Remembers best scores. Nothing here is an error: a file that cannot be used holds none.

    Args:
        path: the file, JSON; None remembers nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def best(self, config: GameConfig) -> BestScore | None:
        """Returns the best score in the same kitchen with the same seed and as many steps; None if there is none."""
        match recalled(self.path).get(_key(config)):
            case [int(score), str(cooks)]:
                return BestScore(score, cooks)
        return None

    def keep(self, trace: Trace) -> None:
        """Remembers a game that was played to its end, if none was better."""
        config = trace.config
        broken_off = len(trace.ticks) < config.horizon
        if self.path is None or broken_off:
            return
        best = self.best(config)
        if best is not None and best.score >= trace.score:
            return
        scores = recalled(self.path)
        scores[_key(config)] = [trace.score, " and ".join(config.labels)]
        remember(self.path, scores)


def _key(config: GameConfig) -> str:
    """Returns what a score can be compared within: the kitchen to the letter, the seed, the steps, the mobility."""
    kitchen = hashlib.sha256(TypeAdapter(Layout).dump_json(config.layout)).hexdigest()[:12]
    first, second = config.mobility
    return f"{config.layout.name} {kitchen} seed {config.seed} steps {config.horizon} mobility {first:g} {second:g}"


AGENT = "proagent"  # with the scripted planner
BREATH = 0.001  # seconds between two steps, so that keys stay quick


def reference_score(trace: Trace) -> int:
    """Returns the score of `AGENT` with itself in the same kitchen, with the same seed, after as many steps."""
    config = trace.config
    game = Game(
        config.layout,
        AGENT,
        AGENT,
        config.seed,
        horizon=config.horizon,
        mobility=config.mobility,
        skill_timeout=config.skill_timeout,
    )
    for _ in range(len(trace.ticks)):
        game.step()
        time.sleep(BREATH)
    return game.trace.score
