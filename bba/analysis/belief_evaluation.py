"""How good a belief is in games that are over: of agents, of simulated people, and of people.

The belief takes the place of the passive observer: it is shown the states in order, and is about player 1. The truth is
the role that player 1 pursued: of people the inferred one, as in the tables of a study.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from bba import tabular
from bba.agents.base import MakeModel
from bba.agents.planning_agent import partner_model
from bba.agents.plugin_parts import plugin_model
from bba.analysis.coordination import BeliefTally, GateCount, calibration_error, gate_counts, observer_tally
from bba.belief import PartnerUpdate
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.keywords import known_keywords
from bba.play import Recording, Replay, Trace, load
from bba.play.trace import EGO
from bba.plugins import load_plugin, name_of
from bba.tabular import Column, Library, Value

BUILT_IN = "built-in"  # the name of filter and gates by default
RECORDINGS = "recordings"  # the folder of a study that holds them
SUFFIX = ".bba"

Game = Trace | Recording | str | Path


@dataclass(frozen=True)
class BeliefInGame:
    """How good a belief was in one game.

    Attributes:
        game: the game, in words.
        tally: counts and sums over the steps in which player 1 pursued a role.
        gates: how the belief's gates followed player 1's switches, for an ego that is always in the middle of a skill.
    """

    game: str
    tally: BeliefTally
    gates: tuple[GateCount, ...]


@dataclass(frozen=True)
class BeliefEvaluation:
    """How good a belief was in some games; steps count in which player 1 pursued a role.

    Attributes:
        name: of the belief.
        games: each game on its own.
    """

    name: str
    games: tuple[BeliefInGame, ...]

    def __repr__(self) -> str:
        return (
            f"BeliefEvaluation({self.name}: right in {self.accuracy:.3f} of {self.steps} steps of {len(self.games)} "
            f"games, log loss {self.log_loss:.3f}, calibration error {self.calibration_error:.3f})"
        )

    @property
    def steps(self) -> int:
        """The steps that count, in all games."""
        return sum(game.tally.steps for game in self.games)

    @property
    def accuracy(self) -> float:
        """The share of these steps in which the pursued role is the likeliest one; NaN without a step."""
        return sum(game.tally.right for game in self.games) / self.steps if self.steps else nan

    @property
    def log_loss(self) -> float:
        """The mean of −log b(pursued role) over these steps, in nats; NaN without a step."""
        return sum(game.tally.log_loss for game in self.games) / self.steps if self.steps else nan

    @property
    def calibration_error(self) -> float:
        """By how much the belief in the likeliest role and the share right differ, ten bins; NaN without a step."""
        if not self.steps:
            return nan
        return calibration_error(np.sum([game.tally.bins for game in self.games], axis=0))

    def to_frame(self, library: Library | None = None) -> Any:
        """Returns a data frame with a row for each game; the argument and errors are those of `Trace.to_frame`."""
        return tabular.to_frame(map(_row, self.games), _COLUMNS, library)


_COLUMNS: dict[str, Column[Any]] = {
    "game": Column("str", "the game"),
    "steps": Column("int", "steps in which player 1 pursued a role"),
    "accuracy": Column("float", "share of these in which that is the likeliest role"),
    "log_loss": Column("float", "mean of −log b(pursued role) over these, in nats"),
    "calibration_error": Column("float", "by how much probability and share right differ, ten bins"),
    "switches": Column("int", "switches of player 1"),
    **{
        f"{gate}_{name}": Column("int", f"the {gate} gate: {meaning}")
        for gate in ("contradiction", "commitment")
        for name, meaning in {
            "caught_30": "switches after which it opened within 30 steps",
            "openings": "times that it opened",
            "needless": "of these, without a switch in the 30 steps before",
        }.items()
    },
}


def _row(game: BeliefInGame) -> dict[str, Value]:
    whole = BeliefEvaluation("", (game,))
    row: dict[str, Value] = {
        "game": game.game,
        "steps": whole.steps,
        "accuracy": whole.accuracy,
        "log_loss": whole.log_loss,
        "calibration_error": whole.calibration_error,
        "switches": game.gates[0].switches,
    }
    for count in game.gates:
        row[f"{count.gate}_caught_30"] = count.caught_30
        row[f"{count.gate}_openings"] = count.openings
        row[f"{count.gate}_needless"] = count.needless
    return row


def make_belief(model: object = None, options: Mapping[str, Any] | None = None) -> tuple[str, MakeModel]:
    """Returns the name of a partner model and what makes it.

    Args:
        model: a plug-in by name, its class or an object; None for filter and gates.
        options: of the plug-in.

    Raises:
        BBAError: there is no such plug-in, it is no partner model, or an option is not valid.
    """
    if model is None:
        if options:
            raise BBAError("options: are for a partner model of your own")
        return BUILT_IN, partner_model
    name = name_of("partner-model", model)
    plugin = plugin_model(load_plugin("partner-model", name), options or {})
    return plugin.used.label, plugin.target


def observed_by(trace: Trace, make_model: MakeModel, belief_config: BeliefConfig | None = None) -> Trace:
    """Returns the game with another passive observer: what it believes of player 1, and what its gates say.

    Args:
        trace: the game.
        make_model: makes the observer.
        belief_config: its parameters; None for the defaults.

    Raises:
        BBAError: the observer raised an exception, or returned no belief.
    """
    model = make_model(trace.config.context(EGO, fast=True), belief_config or BeliefConfig())
    ticks = []
    before = None
    state = trace.start
    for tick in trace.ticks:
        observed: PartnerUpdate = model.observe(before, state, mid_skill=True)
        if tick.decisions[EGO].deliberate:
            model.remember()
        tick = tick._replace(
            observer=observed.belief,
            observer_gate=observed.gate,
            observer_commitment_gate=observed.commitment_gate,
        )
        ticks.append(tick)
        before = state
        state = tick.state
    return replace(trace, ticks=ticks)


def belief_in_game(trace: Trace, game: str) -> BeliefInGame:
    """Returns how good the observer's belief was in a game."""
    return BeliefInGame(game, observer_tally(trace), tuple(gate_counts(trace)))


@known_keywords
def evaluate_belief(
    model: object,
    recordings: Game | Iterable[Game],
    *,
    options: Mapping[str, Any] | None = None,
    belief_config: BeliefConfig | None = None,
) -> BeliefEvaluation:
    """Returns how good a belief about player 1 is in recorded games, of people too.

    Args:
        model: a class with `reset` and `observe` (`bba.RoleBelief`), an object of it, or the name of a plug-in that is
            a partner model; None for filter and gates as they are.
        recordings: one or several: a recording or its file, a folder with such files or of a study, or a trace.
        options: of the model.
        belief_config: the parameters of filter and gates; None for the defaults.

    Raises:
        BBAError: no such model, an option that is not valid, a file that cannot be read, no recording, or what the
            model returned is no belief.
    """
    name, make_model = make_belief(model, options)
    games = []
    for game, trace in _traces(recordings):
        observed = observed_by(trace, make_model, belief_config)
        games.append(belief_in_game(observed, game))
    if not games:
        raise BBAError("recordings: there is none")
    return BeliefEvaluation(name, tuple(games))


def _traces(recordings: Game | Iterable[Game]) -> Iterator[tuple[str, Trace]]:
    """Yields the games with their names."""
    if isinstance(recordings, Trace):
        yield recordings.config.summary, recordings
    elif isinstance(recordings, Recording):
        trace = Replay(recordings, fast=True).run()
        yield trace.config.summary, trace
    elif isinstance(recordings, str | Path):
        for file in _files(Path(recordings)):
            yield file.name, Replay(load(file), str(file), fast=True).run()
    elif isinstance(recordings, Iterable):
        for each in recordings:
            yield from _traces(each)
    else:
        raise BBAError(f"recordings: {type(recordings).__name__} is not allowed; recordings, files, folders or traces")


def _files(path: Path) -> list[Path]:
    """Returns the recordings in a folder, by name; a file itself."""
    if not path.is_dir():
        return [path]
    folder = path / RECORDINGS if (path / RECORDINGS).is_dir() else path
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise BBAError(f"recordings: no {SUFFIX} file in {folder}")
    return files
