"""A game on the screen: it hands out its ticks, which come from a game, a replay, or a finished trace."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bba.agents import Preparable, SeatSpec, trigger_thresholds
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.files import free_path
from bba.planner.chat import QuestionProgress
from bba.play import EGO, Game, GameConfig, Replay, Tick, Trace, load, record, save, usage_path
from bba.play.recording import Recorder, Recording
from bba.plugins.options import NumberOption
from human.recordings import ContinuedRecording
from tui.playback.traces import PeopleReplay, TracePlayback

# With what a game on the screen is made of.
__all__ = [
    "Playable",
    "PlaybackSource",
]


SAVE_EVERY = 1000  # steps after which a game that goes on is written
SAVE_SHARE = 20  # a twentieth of it is new then, at least: long games are not written all the time


Playable = Game | Replay | PeopleReplay | TracePlayback  # what can be played forward


def no_opening(config: GameConfig) -> None:
    """Says that no recording opens a game."""


class PlaybackSource:
    """A game on the screen: played one tick at a time, and begun again.

    Args:
        make_game: makes the game; called once now and once at each restart.
        options: the agents' options that the game's config does not hold, for agents that go on in their place.
        changes: what sets a fork apart from its original, in words; "" if their configurations tell.
        file: the recording of the game, also if it is written at the end only; None where it has none.
        rival: the other game of a duel; None for a game alone.
        command: the command that shows the game again; "" for none.
        continues: the recording that the game goes on from, which its own recording replaces; None for a new game.
        opening: returns the recording of a game with this configuration, which is played until its agents can decide;
            None where there is none.
    """

    def __init__(
        self,
        make_game: Callable[[], Playable],
        *,
        options: SeatSpec | None = None,
        changes: str = "",
        file: Path | None = None,
        rival: "PlaybackSource | None" = None,
        command: str = "",
        continues: ContinuedRecording | None = None,
        opening: Callable[[GameConfig], Recording | None] = no_opening,
    ) -> None:
        self._make_game = make_game
        self._find_opening = opening
        self._opening: Replay | None = None  # the recording that is played until the agents can decide
        self.file = file
        self.rival = rival
        self.command = command
        self.continues = continues
        self.options = options or SeatSpec()
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
    def length(self) -> int:
        """How many steps it has at its end, as far as that is known: all of a recording, else those of a whole game."""
        game = self._game
        return game.recording.steps if isinstance(game, Replay | PeopleReplay) else self.config.horizon

    @property
    def ready(self) -> bool:
        """Whether the next step can be played at once; before, a game may have kernels to compile."""
        return not isinstance(self._game, Preparable) or self._game.ready

    @property
    def opens(self) -> bool:
        """Whether its next step is played from a recording of the same game, since its agents cannot decide yet."""
        if self._opening is not None and (self.ready or self._opening.done):
            self._opening = None
        return self._opening is not None

    @property
    def can_play(self) -> bool:
        """Whether the next step can be played at once, by its agents or from a recording."""
        return self.ready or self.opens

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
        opening = self._opening if self.opens else None
        if opening is None or self._live is None:
            return self._game.step()
        tick = opening.step()
        self._live.replay_step(tick)
        return tick

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
        if self.rival is None:
            save(self._recorder.recording(), self._so_far)
        else:
            save(self._recorder.recording(record(self.rival.trace)), self._so_far)

    def forget_so_far(self) -> None:
        """Deletes what was written from time to time: the whole game is in its file now."""
        if self._so_far is not None:
            for file in (self._so_far, usage_path(self._so_far)):
                with suppress(OSError):
                    file.unlink(missing_ok=True)
            self._so_far = None

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Changes the parameters of the ego's belief and gate from the next step on.

        Raises:
            BBAError: the game is a recording, or its ego has no belief.
        """
        if self._live is None or self.opens:
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
        if self._live is None or self.opens:
            raise BBAError("a recording keeps the thresholds that it was played with")
        self._live.tune_trigger(EGO, {name: value})

    def bookmark(self, step: int, note: str | None) -> None:
        """Sets a bookmark with a note (a line of text, or ""), or deletes it (None); also in the recording's file.

        Raises:
            BBAError: the file cannot be read or written; the bookmark then counts as long as the game is open.
        """
        if note is None:
            self.trace.bookmarks.pop(step, None)
        else:
            self.trace.bookmarks[step] = note
        if self.file is not None and self.recorded:
            played = self.file.stat().st_mtime_ns if self.file.exists() else 0
            save(load(self.file).with_bookmarks(self.trace.bookmarks), self.file)
            os.utime(self.file, ns=(played, played))  # lists have games by the time at which they were played

    def restart(self) -> None:
        """Begins the game again."""
        game = self._make_game()
        self._game = PeopleReplay(game) if isinstance(game, Replay) and game.trace.has_people else game
        self._live = self._game if isinstance(self._game, Game) else None
        self._opening = None
        if self._live is not None and not self.ready:
            opening = self._find_opening(self.config)
            if opening is not None:
                self._opening = Replay(opening)
        self._recorder = Recorder(self.trace)
        self._saved_next = SAVE_EVERY
        # Asked many times a second: the game if it has an agent that decides in the background.
        self._thinking = self._live if self._live is not None and self._live.world_waits is not None else None
