"""The sessions of a study's games."""

from pathlib import Path

from bba.agents import HUMAN
from bba.settings import Settings
from human.session import Session
from human.study import PlayTask, Study
from human.study.game_log import LoggedControls
from human.study.practice import PERSON
from tui.game_factory import make_game


def study_session(study: Study, settings: Settings, play: PlayTask, path: Path) -> Session:
    """Returns a new session of a game, as the study and the settings describe it; its recording is at `path`."""
    chosen = {**play.condition._asdict(), "partner": HUMAN, "horizon": study.horizon}
    settings = settings.model_copy(update=chosen)
    controls = {PERSON: LoggedControls()}
    game = make_game(settings, settings.seed, fast=False, live=True, real_time=not study.turns, controls=controls)
    return Session(game, controls, path)
