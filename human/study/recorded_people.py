"""The recorded games of a study's people, for what is learned and measured from them.

People are known by their number in the order of consent, from 1, so that no code leaves the study. Who was excluded is
left out, and so is a recording that cannot be used.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bba.analysis.human_labels import with_inferred_skills
from bba.errors import BBAError
from bba.play import Replay, Trace, load
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.practice import PERSON


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
                seat = progress.pair.seat if progress.pair else PERSON
                yield PersonGame(progress.number + 1, played.game + 1, seat, with_inferred_skills(trace))
