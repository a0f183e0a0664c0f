"""The games of a participant with their recordings, for what is learned and measured from them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bba.analysis.human_choices import with_inferred_skills
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from bba.tabular import Row
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.plan import Condition, Study
from human.study.practice import PERSON_SEAT, TUTORIAL
from human.study.progress import PlayedGame, Progress
from human.study.tasks import games_of


class StudyGameData(NamedTuple):
    """A game of a participant; `trace` is None if no step was recorded, or if the recording has a `problem`.

    The trace has the skills that the person pursued, as they were inferred afterwards.
    """

    study: Study
    progress: Progress
    played: PlayedGame
    condition: Condition
    recording: str
    trace: Trace | None
    problem: str | None

    @property
    def seat(self) -> int:
        """The participant's seat."""
        return seat_of(self.progress)


def seat_of(progress: Progress) -> int:
    """Returns a participant's seat: that of the partner, but for one of two people."""
    return progress.pair.seat if progress.pair else PERSON_SEAT


def game_data(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    """Yields the games of a participant, in order, each with its recording."""
    study, order = folder.study, games_of(folder.study, progress)
    for played in progress.games:
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace, problem = _trace(file, order[played.game], study.horizon) if file.exists() else (None, None)
        yield StudyGameData(study, progress, played, order[played.game], file.name, trace, problem)


def _trace(file: Path, condition: Condition, horizon: int) -> tuple[Trace | None, str | None]:
    """Returns the trace of a recording, or what is wrong with it: one damaged game must not cost the others."""
    try:
        trace = Replay(load(file), str(file)).run()
    except BBAError as error:
        return None, str(error).removeprefix(f"{file}: ")
    config = trace.config
    played = (config.layout.name, config.agents[0], config.seed, config.horizon)
    planned = (Layout.load(condition.layout).name, condition.agent, condition.seed, horizon)
    if played != planned:
        return None, f"it is of another game than planned: {played}, not {planned}"
    return with_inferred_skills(trace), None


def which_game(progress: Progress, order: Sequence[Condition], game: int | None) -> Row:
    """Returns the columns that say which game of this order a row is about, from 1; 0 is the tutorial."""
    condition = order[game - 1] if game and game <= len(order) else None
    layout = condition.layout if condition else TUTORIAL if game == 0 else None
    agent = condition.agent if condition else None
    return {"participant": progress.participant, "game": game, "layout": layout, "agent": agent}


def recorded_games(folder: StudyFolder) -> Iterator[tuple[StudyGameData, Trace]]:
    """Yields the usable games of all people who were not excluded, person by person, with their traces.

    Raises:
        BBAError: a participant's file cannot be read.
    """
    for progress in folder.everybody():
        for game in game_data(folder, progress) if progress.excluded is None else ():
            if game.trace is not None:  # the tables name the problem of one that cannot be used
                yield game, game.trace
