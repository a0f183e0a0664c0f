"""The games of a study's people, each with its recording, as far as that can be used."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bba.analysis import with_inferred_skills
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from human.study import Condition, PlayedGame, Progress, Study, StudyFolder, games_of, recording_of


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


def game_data(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    """Yields the games of a participant, in order, each with its recording."""
    study = folder.study
    order = games_of(study, progress)
    for played in progress.games:
        condition = order[played.game]
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace = None
        problem = None
        if file.exists():
            trace, problem = _read_trace(file, condition, study.horizon)
        yield StudyGameData(study, progress, played, condition, file.name, trace, problem)


def _read_trace(file: Path, condition: Condition, horizon: int) -> tuple[Trace | None, str | None]:
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
