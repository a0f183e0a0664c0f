"""Games as the settings describe them, and their recordings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from bba.agents import HUMAN, AgentOptions, BeliefConfig, Controls, parse_schedule
from bba.belief import FilterConfig, GateConfig
from bba.errors import BBAError
from bba.files import check_writable
from bba.planner.llm import ModelOptions
from bba.play import Game, Replay, Trace, load, load_agent, record, save
from bba.settings import Secrets, Settings
from human.keymap import Keymap
from human.session import Session
from human.window_client import WindowClient
from tui.playback.source import PlaybackSource


def live_source(settings: Settings) -> PlaybackSource:
    """The game that the settings describe, to be watched as it is played."""
    return PlaybackSource(
        lambda: make_game(settings, settings.seed, fast=False, live=True), options=agent_options(settings, live=True)
    )


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """What people are about to play.

    Attributes:
        make: begins a session, given the keys of every action; it raises BBAError where that cannot be.
        speed: steps a second; None for turn by turn.
    """

    make: Callable[[Keymap], Session]
    speed: float | None


def session_request(settings: Settings) -> SessionRequest:
    """What people play, as the settings describe it."""
    seats = (settings.agent, settings.partner)

    def make(keymap: Keymap) -> Session:
        controls = {seat: Controls() for seat in (0, 1) if seats[seat] == HUMAN}
        game = make_game(settings, settings.seed, fast=False, live=True, controls=controls)
        window = WindowClient(game.kitchen.layout, controls, keymap) if settings.play == "window" else None
        return Session(game, controls, settings.record, window)

    return SessionRequest(make, None if settings.turns else settings.speed)


def make_game(
    settings: Settings,
    seed: int,
    *,
    fast: bool,
    live: bool = False,
    controls: Mapping[int, Controls] = MappingProxyType({}),
) -> Game:
    """The game that the settings describe.

    Args:
        settings: what is played, and by whom.
        seed: of everything random.
        fast: compiled kernels instead of plain ones.
        live: whether the world does not wait for a planner that takes its time.
        controls: what the person in a seat speaks to.

    Raises:
        BBAError: a setting that does not fit, or a person without controls.
    """
    options = agent_options(settings, live=live)
    seats = (settings.agent, settings.partner)
    if any(seats[seat] == HUMAN and seat not in controls for seat in (0, 1)):
        raise BBAError("human: a person needs the screen; see --play")
    first, second = (
        load_agent(seat, replace(options, controls=controls.get(number))) for number, seat in enumerate(seats)
    )
    return Game(
        settings.layout,
        first,
        second,
        seed,
        horizon=settings.horizon,
        mobility=(_mobility(settings, settings.agent), _mobility(settings, settings.partner)),
        skill_timeout=settings.skill_timeout,
        fast=fast,
    )


def _mobility(settings: Settings, agent: str) -> float:
    """Agents are held back as often as the settings say; people never are."""
    return 1.0 if agent == HUMAN else settings.mobility


def agent_options(settings: Settings, *, live: bool = False) -> AgentOptions:
    """What the settings say of the agents; `live` as in `make_game`."""
    return AgentOptions(
        planner=settings.planner,
        model=model_options(settings) if settings.planner == "openai" else None,
        prompts=settings.prompts,
        history_turns=settings.history_turns,
        retries=settings.retries,
        schedule=parse_schedule(settings.schedule) if settings.schedule is not None else None,
        live=live,
        weights=settings.weights,
        belief_config=BeliefConfig(
            FilterConfig(
                psi=settings.psi,
                alpha=settings.alpha,
                epsilon=settings.epsilon,
                window=settings.window,
                support_weight=settings.support_weight,
                likelihood_scale=settings.likelihood_scale,
                floor=settings.floor,
            ),
            GateConfig(
                theta_obs=settings.theta_obs,
                gamma_conf=settings.gamma_conf,
                stability=settings.stability,
                cooldown=settings.cooldown,
            ),
        ),
    )


def model_options(settings: Settings) -> ModelOptions:
    """The language model that the settings describe, with the key from the environment.

    Raises:
        BBAError: a name or address that cannot be one, or a missing key.
    """
    return ModelOptions(
        model=settings.model,
        base_url=settings.base_url,
        key=Secrets.model_validate({}).api_key,
        max_tokens=settings.max_tokens,
        deadline=settings.deadline,
        attempts=settings.attempts,
        concurrency=settings.concurrency,
        max_calls=settings.max_calls,
        max_total_tokens=settings.max_total_tokens,
        max_cost=settings.max_cost,
        prices=settings.prices,
        cache=settings.cache,
        cache_file=settings.cache_file,
        log=settings.model_log,
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
