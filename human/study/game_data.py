"""The games of a participant with their recordings, and the columns that say which game a row is about.

The recorded games of a study's people, for what is learned and measured from them.

People are known by their number in the order of consent, from 1, so that no code leaves the study. Who was excluded is
left out, and so is a recording that cannot be used.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bba.analysis.human_choices import with_inferred_skills
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from bba.tabular import Row
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.plan import Condition
from human.study.practice import PERSON_SEAT, TUTORIAL
from human.study.progress import PlayedGame, Progress
from human.study.tasks import games_of


class StudyGameData(NamedTuple):
    """A game of a participant; `trace` is None if no step was recorded, or if the recording has a `problem`."""

    progress: Progress
    played: PlayedGame
    condition: Condition
    recording: str
    trace: Trace | None
    problem: str | None

    @property
    def seat(self) -> int:
        """The participant's seat: that of the partner, but for one of two people."""
        return self.progress.pair.seat if self.progress.pair else PERSON_SEAT


def game_data(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    """Yields the games of a participant, in order, each with its recording."""
    order = games_of(folder.study, progress)
    for played in progress.games:
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace, problem = _trace(file, order[played.game], folder.study.horizon) if file.exists() else (None, None)
        yield StudyGameData(progress, played, order[played.game], file.name, trace, problem)


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


def which_game(progress: Progress, game: int, condition: Condition) -> Row:
    """Returns the columns that say which game a row is about; games count from 0 here."""
    return {
        "participant": progress.participant,
        "game": game + 1,
        "layout": condition.layout,
        "agent": condition.agent,
    }


def which_of_log(folder: StudyFolder, progress: Progress, game: int | None) -> Row:
    """Returns which game a line of the log is about, from 1; 0 is the tutorial."""
    order = games_of(folder.study, progress)
    if game and game <= len(order):
        return which_game(progress, game - 1, order[game - 1])
    layout = TUTORIAL if game == 0 else None
    return {"participant": progress.participant, "game": game, "layout": layout, "agent": None}


class PersonGame(NamedTuple):
    """A recorded game: the person, by number from 1, their game, from 1, their seat, and the trace.

    The trace has the skills that the person pursued, as they were inferred afterwards.
    """

    person: int
    game: int
    seat: int
    trace: Trace


def recorded_games(folder: StudyFolder) -> Iterator[PersonGame]:
    """Yields the usable games of all people who were not excluded, person by person.

    Raises:
        BBAError: a participant's file cannot be read.
    """
    for progress in folder.everybody():
        for played in progress.games if progress.excluded is None else ():
            file = recording_of(folder.recordings, progress.participant, played.game)
            try:
                trace = Replay(load(file), str(file)).run() if file.exists() else None
            except BBAError:
                continue  # the tables name it
            if trace is not None:
                seat = progress.pair.seat if progress.pair else PERSON_SEAT
                yield PersonGame(progress.number + 1, played.game + 1, seat, with_inferred_skills(trace))
