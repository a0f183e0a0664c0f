"""Where the ticks on the screen come from: a game, the replay of a recording, or a finished trace."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bba.agents import AgentOptions, BeliefConfig, Preparable, trigger_thresholds
from bba.errors import BBAError
from bba.planner.chat import QuestionProgress
from bba.play import EGO, Game, GameConfig, Replay, Tick, Trace, load, save
from bba.plugins.options import NumberOption


class TracePlayback:
    """A trace as something that can be played: its ticks are handed out again.

    Args:
        whole: the game as it was played.
        start: how many of its steps have been played already; None for all of them, then the game is over.
    """

    def __init__(self, whole: Trace, start: int | None = None) -> None:
        self._whole = whole
        self.finished = start is None
        self._ticks = list(whole.ticks[:start])
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


Playable = Game | Replay | TracePlayback  # what can be played forward


class PlaybackSource:
    """A game on the screen: played one tick at a time, and begun again.

    Args:
        make_game: makes the game; called once now and once at each restart.
        options: the agents' options that the game's config does not hold, for agents that go on in their place.
        changes: what sets a fork apart from its original, in words; "" if their configurations tell.
        file: the recording of the game, also if it is written at the end only; None where it has none.
        other: the other game of a duel; None for a game alone.
    """

    def __init__(
        self,
        make_game: Callable[[], Playable],
        *,
        options: AgentOptions | None = None,
        changes: str = "",
        file: Path | None = None,
        other: "PlaybackSource | None" = None,
    ) -> None:
        self._make_game, self.file, self.other = make_game, file, other
        self.options, self.changes = options or AgentOptions(), changes
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
        return isinstance(game, Replay) or (isinstance(game, TracePlayback) and game.finished)

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
        except BBAError as error:
            return str(error)
        return None

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
            save(load(self.file).noted(self.trace.notes), self.file)

    def restart(self) -> None:
        """Begins the game again."""
        self._game = self._make_game()
        self._live = self._game if isinstance(self._game, Game) else None
        # Asked many times a second: the game if it has an agent that decides in the background.
        self._thinking = self._live if self._live is not None and self._live.world_waits is not None else None
