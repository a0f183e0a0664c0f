"""Games as the settings describe them, and their recordings."""

from collections.abc import Callable
from pathlib import Path

from bba.agents import AgentOptions, Tuning, parse_schedule
from bba.belief import FilterSettings, GateSettings
from bba.errors import BBAError
from bba.files import check_writable
from bba.play import Game, Replay, Trace, load, load_agent, record, save
from bba.settings import Settings


def make_game(settings: Settings, seed: int, *, fast: bool) -> Game:
    """The game that the settings describe, with this seed."""
    options = AgentOptions(
        planner=settings.planner,
        prompts=settings.prompts,
        history_turns=settings.history_turns,
        retries=settings.retries,
        schedule=parse_schedule(settings.schedule) if settings.schedule is not None else None,
        tuning=Tuning(
            FilterSettings(
                psi=settings.psi,
                alpha=settings.alpha,
                epsilon=settings.epsilon,
                window=settings.window,
                support_weight=settings.support_weight,
                likelihood_scale=settings.likelihood_scale,
                floor=settings.floor,
            ),
            GateSettings(
                theta_obs=settings.theta_obs,
                gamma_conf=settings.gamma_conf,
                stability=settings.stability,
                cooldown=settings.cooldown,
            ),
        ),
    )
    return Game(
        settings.layout,
        load_agent(settings.agent, options),
        load_agent(settings.partner, options),
        seed,
        horizon=settings.horizon,
        mobility=(settings.mobility, settings.mobility),
        skill_timeout=settings.skill_timeout,
        fast=fast,
    )


def make_replay(path: Path, *, fast: bool = False) -> Callable[[], Replay]:
    """What plays the recording in a file, from the start at every call.

    Raises:
        BBAError: the file cannot be read or is damaged.
    """
    recording = load(path)
    return lambda: Replay(recording, str(path), fast=fast)


def check_recordable(path: Path | None) -> None:
    """Find out before the game, not after it, that its recording cannot be written.

    Raises:
        BBAError: there is a path, but no file can be written there.
    """
    if path is not None:
        try:
            check_writable(path)
        except BBAError as error:
            raise BBAError(f"--record: {error}") from None


def write_recording(trace: Trace, path: Path | None) -> None:
    """Write the game so far to a file, if there is one to write."""
    if path is not None:
        save(record(trace), path)
