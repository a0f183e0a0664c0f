"""The sessions of a study's games: the agent in seat 0, the participant in seat 1."""

from pathlib import Path

from bba.agents import HUMAN
from bba.settings import Settings
from human.pair.client import GivenControls, HubConnection, SentControls
from human.session import Session
from human.study.game_log import LoggedControls
from human.study.plan import Condition, Study
from human.study.practice import PERSON
from tui.game_factory import make_game


def speed_of(study: Study, condition: Condition) -> float | None:
    """Returns the steps a second of a game; None if it waits for a key in every step."""
    return None if study.turns else condition.speed


def pair_session(
    study: Study, settings: Settings, condition: Condition, path: Path, seat: int, hub: HubConnection
) -> tuple[Session, dict[int, GivenControls]]:
    """Returns the session of one of two people before its first step, and the controls of both that the hub sets.

    Args:
        study, settings, condition, path: as in `study_session`.
        seat: the seat of the person at this screen.
        hub: where what is pressed goes.
    """
    given = {number: GivenControls() for number in (0, 1)}
    chosen = {"layout": condition.layout, "agent": HUMAN, "partner": HUMAN, "horizon": study.horizon}
    made = settings.model_copy(update=chosen | {"seed": condition.seed})
    return Session(make_game(made, condition.seed, fast=False, controls=given), {seat: SentControls(hub)}, path), given


def study_session(study: Study, settings: Settings, condition: Condition, path: Path) -> Session:
    """Returns the session of a game before its first step.

    Args:
        study: the study.
        settings: the settings of the games, where the study leaves them open.
        condition: which game.
        path: the recording's file.

    Raises:
        BBAError: the agent cannot play.
    """
    layout, agent, seed, *_ = condition
    chosen = {"layout": layout, "agent": agent, "seed": seed, "partner": HUMAN, "horizon": study.horizon}
    controls, clock = {PERSON: LoggedControls()}, speed_of(study, condition) is not None
    made = settings.model_copy(update=chosen)
    return Session(make_game(made, seed, fast=False, live=True, real_time=clock, controls=controls), controls, path)
