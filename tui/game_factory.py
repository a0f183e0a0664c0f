"""Builds games, agents and sessions from options, and writes and reads recordings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from bba.agents import (
    DESCRIPTIONS,
    HUMAN,
    KEYLESS,
    MODEL_SIGN,
    Controls,
    SeatSpec,
    check_agent,
    load_agent,
    parse_schedule,
)
from bba.config import REAL_TIME
from bba.errors import BBAError
from bba.files import check_writable
from bba.kitchen import Layout
from bba.play import PARTNER, Game, GameSpec, Replay, Trace, fork, load, record, save, save_new
from bba.plugins import check_allowed
from bba.settings import GameOptions
from bba.terminal_text import note_lines, shell_word, shell_words, visible_line
from human.keymap import Keymap
from human.recordings import ContinuedRecording
from human.session import Session
from human.window_client import WindowClient
from tui.arguments import command_words, completed
from tui.arguments.options import (
    SHOWN_EGO,
    SHOWN_PARTNER,
    SHOWN_SEED,
    SHOWN_SEEDS,
    ChosenGame,
    DuelGame,
    TwoEgos,
    WatchedGame,
)
from tui.arguments.seat_options import agent_options, options_by_model
from tui.playback.shown_pair import has_networks, shipped_recording
from tui.playback.source import PlaybackSource


def live_source(options: WatchedGame, layout: Layout | None = None, record: Path | None = None) -> PlaybackSource:
    """Returns the playback source of a live game.

    Args:
        options: the game.
        layout: its kitchen, if not that of the options.
        record: the file in which it is recorded.
    """
    return _game_source(options, record, "watch" if layout is None else "", layout)


def _game_source(
    options: WatchedGame, record: Path | None, command: str, layout: Layout | None = None
) -> PlaybackSource:
    """Returns the playback source of a live game that a command repeats; "" for none."""
    real_time = options.real_time
    line = shell_words(command_words(command, options)) if command else ""
    return PlaybackSource(
        lambda: make_game(options, options.seed, fast=False, live=True, real_time=real_time, layout=layout),
        options=_seat_of_both(options, live=True, real_time=real_time).as_partner({}),
        file=record,
        command=line,
        opening=shipped_recording,
    )


# What a duel is by default: the pair that a game opens with, and the same without a belief.
BELIEVER = "bayes-commit"  # the ego with a belief where the kitchen has no networks for the usual one
UNBELIEVER = "proagent"
DUEL: Mapping[str, Any] = MappingProxyType(
    {"agents": f"{SHOWN_EGO},{UNBELIEVER}", "partner": SHOWN_PARTNER, "planner": "rollout"}
)


Duelist = TypeVar("Duelist", bound=TwoEgos)


def duelists(options: Duelist) -> tuple[Duelist, Duelist]:
    """Returns the options of a duel's two games, which differ in the ego; where nothing is said, `DUEL` counts.

    The usual seed is that of the game that opens in the kitchen.

    Raises:
        BBAError: there are not two egos.
    """
    usual = dict(DUEL, seed=SHOWN_SEEDS.get(options.layout, SHOWN_SEED))
    if not has_networks(options):  # in a kitchen of one's own
        usual |= {"agents": f"{BELIEVER},{UNBELIEVER}", "planner": "scripted"}
    defaults = {name: usual[name] for name in usual.keys() - options.model_fields_set}
    full = options.model_copy(update=defaults)
    egos = [name.strip() for name in (full.agents or "").split(",")]
    if len(set(egos)) != 2 or len(egos) != 2:
        raise BBAError(f"--agents: {full.agents!r}: a duel takes two different egos, as {DUEL['agents']}")
    if HUMAN in (*egos, full.partner):
        raise BBAError("duel: is played by agents alone; play is for people")
    first, second = (full.model_copy(update={"agent": ego}) for ego in egos)
    return first, second


def with_rival(options: ChosenGame) -> DuelGame:
    """Returns a duel of the ego of a game: with one of `DUEL` that has no belief if it has one, else that has.

    What has its default, in a form that nobody has filled in, counts as not said: `DUEL` takes its place, which differs
    from the form in the planner alone: the usual ego has its own.

    Raises:
        BBAError: there is no such ego.
    """
    usual = {name: field.default for name, field in ChosenGame.model_fields.items()}
    usual["seed"] = SHOWN_SEEDS.get(options.layout, SHOWN_SEED)
    changes = {name: value for name, value in options if name in DuelGame.model_fields and value != usual[name]}
    if "agent" in changes and "agents" not in changes:
        ego = options.agent.partition(MODEL_SIGN)[0]
        has_belief = ego != HUMAN and load_agent(ego).profile.belief_config is not None
        if has_belief:
            rival = UNBELIEVER
        else:
            rival = SHOWN_EGO if has_networks(options) else BELIEVER
        changes["agents"] = f"{options.agent},{rival}"
    return completed(DuelGame, changes)


def duel_source(options: DuelGame, record: Path | None = None) -> PlaybackSource:
    """Returns the playback source of a live duel's first game, with the other one beside it.

    Args:
        options: the duel.
        record: the file in which both games are recorded.

    Raises:
        BBAError: as `duelists` and `make_game`.
    """
    first, second = duelists(options)
    source = _game_source(first, record, "duel")
    source.rival = live_source(second)
    return source


def duel_in_words(options: ChosenGame) -> tuple[str, str]:
    """Returns which duel comes of the form of the start screen: both egos, and the game that they play.

    A plug-in that nobody has chosen yet in this process is not run for that.

    Raises:
        BBAError: none does, or the ego is such a plug-in.
    """
    ego = options.agent.partition(MODEL_SIGN)[0]
    if ego not in DESCRIPTIONS:
        check_allowed("agent", ego)
    first, second = duelists(with_rival(options))
    game = f"beside {first.partner}, planner {first.planner}, seed {first.seed}"
    return f"{first.agent}, {second.agent}", game


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """A session that can be started.

    Attributes:
        make: starts the session with a keymap; raises BBAError if it cannot be started.
        speed: steps a second; None for turn by turn.
    """

    make: Callable[[Keymap], Session]
    speed: float | None


def session_request(
    options: WatchedGame,
    layout: Layout | None = None,
    *,
    turns: bool = False,
    window: bool = False,
    record: Path | None = None,
    force: bool = False,
) -> SessionRequest:
    """Returns a request for the session of a person.

    Args:
        options: the game.
        layout: its kitchen, if not that of the options.
        turns: whether the world waits for a key.
        window: whether it is played in a window of its own.
        record: the file in which it is recorded.
        force: whether that file is written over.
    """
    seats = (options.agent, options.partner)
    recordings = chain([record], repeat(None))  # of a game that is played again, another file

    def make(keymap: Keymap) -> Session:
        controls = {seat: Controls() for seat in (0, 1) if seats[seat] == HUMAN}
        game = make_game(
            options,
            options.seed,
            fast=False,
            live=True,
            real_time=not turns or options.real_time,
            controls=controls,
            layout=layout,
        )
        client = None
        if window:
            client = WindowClient(game.kitchen.layout, controls, keymap)
        return Session(game, controls, next(recordings), client, replaces=force)

    return SessionRequest(make, None if turns else options.speed)


def make_game(
    options: GameOptions,
    seed: int,
    *,
    fast: bool,
    live: bool = False,
    real_time: bool = REAL_TIME,
    controls: Mapping[int, Controls] = MappingProxyType({}),
    layout: Layout | None = None,
) -> Game:
    """Builds the game that the options describe.

    Args:
        options: layout, agents and what these take.
        seed: of everything random.
        fast: compiled kernels instead of plain ones.
        live: whether a language model is asked in the background, so that the screen stays quick.
        real_time: whether a live game goes on meanwhile, too; by default it waits.
        controls: the controls of each seat that a person takes.
        layout: the kitchen, if not that of the options.

    Raises:
        BBAError: an option that is not allowed, or a person without controls.
    """
    spec = game_spec(options, seed, live=live, real_time=real_time, layout=layout)
    return Game.of(spec, fast=fast, controls=controls)


def game_spec(
    options: GameOptions, seed: int, *, live: bool = False, real_time: bool = REAL_TIME, layout: Layout | None = None
) -> GameSpec:
    """Returns the game that the options describe; the arguments are those of `make_game`.

    Raises:
        BBAError: an option that is not allowed.
    """
    shared = _seat_of_both(options, live=live, real_time=real_time)
    ego = _seat(options, "agent", shared)
    partner = _seat(options, "partner", shared)
    partner_options = options.partner_option
    if partner.agent == ego.agent and not partner_options:
        partner_options = options.agent_option
    return GameSpec(
        layout or options.layout,
        (ego, partner.as_partner(partner_options)),
        seed,
        horizon=options.horizon,
        mobility=options.mobility,
        skill_timeout=options.skill_timeout,
    )


def _seat(options: GameOptions, option: str, shared: SeatSpec) -> SeatSpec:
    """Returns the seat that an option names: what follows an @ plans for it alone, with its options of --models.

    Raises:
        BBAError: there is no such agent, or what follows is neither a model nor a planner that needs none.
    """
    agent, _, planned_by = getattr(options, option).partition(MODEL_SIGN)
    check_agent(agent, f"--{option}")
    seat = shared.of_agent(agent)
    if not planned_by or planned_by in KEYLESS:
        return seat.planned_by(planned_by)
    by_model = options_by_model(options, options.models) if options.models else {}
    models = {name: named_seat.model for name, named_seat in by_model.items() if named_seat.model}
    seat = replace(seat, models=models).planned_by(planned_by)
    if seat.model is None:
        raise BBAError(
            f"--{option}: --planner {seat.planner} asks no {planned_by}; take --planner openai, or --models FILE"
        )
    return seat


def _seat_of_both(options: GameOptions, *, live: bool, real_time: bool) -> SeatSpec:
    """Returns what the options say of both seats, with the roles of a partner."""
    schedule = parse_schedule(options.schedule) if options.schedule is not None else None
    return replace(agent_options(options, live=live, real_time=real_time), schedule=schedule)


def recorded_source(path: Path, options: SeatSpec | None = None) -> PlaybackSource:
    """Returns the playback source of a recording, with the other game of a duel beside it.

    Its beliefs are computed with compiled kernels where there are any: a game in two seconds, not in a minute.

    Raises:
        BBAError: the file cannot be read or is damaged.
    """
    rival_recording = load(path).other
    rival = None
    if rival_recording is not None:
        rival = PlaybackSource(lambda: Replay(rival_recording, str(path), fast=True), options=options)
    return PlaybackSource(
        make_replay(path, fast=True), options=options, file=path, rival=rival, command=replay_command(path)
    )


def replay_command(path: Path) -> str:
    """Returns the command that shows a recording, from whatever folder."""
    return f"bba-tui replay {shell_word(path.absolute())}"


def compared_source(paths: Sequence[Path]) -> PlaybackSource:
    """Returns two recorded games beside each other, as a duel.

    Raises:
        BBAError: there are not two, they differ in more than the ego, or a file cannot be read.
    """
    games = [recorded_source(path) for path in paths]
    circumstances = {(game.config.layout, game.config.seed, game.config.seats[PARTNER]) for game in games}
    if len(games) != 2 or len(circumstances) > 1:
        raise BBAError("mark two games (space) with the same kitchen, seed and partner; then they can be compared")
    games[0].rival = games[1]
    return games[0]


def resumed_source(path: Path) -> PlaybackSource:
    """Returns a recorded game of agents that is played on from its last step; to be called from another thread.

    Raises:
        BBAError: the file cannot be read, or its agents cannot be made again.
    """
    forerunner = ContinuedRecording(path)
    trace = Replay(forerunner.recording, str(path)).run()

    def go_on() -> Game:
        game = fork(trace, len(trace.ticks))
        game.trace.bookmarks.update(trace.bookmarks)
        return game

    return PlaybackSource(go_on, continues=forerunner)


def make_replay(path: Path, *, fast: bool = False) -> Callable[[], Replay]:
    """Returns a function that plays the recording in a file from the start.

    Raises:
        BBAError: the file cannot be read or is damaged.
    """
    recording = load(path)
    return lambda: Replay(recording, str(path), fast=fast)


def check_output(
    option: str, path: Path | None, *, force: bool, check: Callable[[Path], None] = check_writable
) -> None:
    """Checks before the game that a file can be written if one is named.

    Args:
        option: the option that names it, "record", "export" or "out".
        path: the file; None for none.
        force: whether it may exist.
        check: raises BBAError if no such file can be written.

    Raises:
        BBAError: `check` says why no file can be written there, or one exists and may not be overwritten.
    """
    if path is None:
        return
    try:
        check(path)
    except BBAError as error:
        raise BBAError(f"--{option}: {error}") from None
    if path.exists() and not force:
        raise BBAError(f"--{option}: {path} exists; --force writes over it")


def write_recording(trace: Trace, path: Path | None, rival: Trace | None = None, *, force: bool) -> None:
    """Writes the recording of the game so far to the file of --record, if one is named, and says so on standard error.

    A file that came meanwhile is not replaced without --force: the recording then goes to a free name beside it.

    Args:
        trace: the game.
        path: the file; None for none.
        rival: the other game of a duel.
        force: whether the file is written over.

    Raises:
        BBAError: the file cannot be written.
    """
    if path is None:
        return
    recording = record(trace, rival)
    written = path
    if force:
        save(recording, path)
    else:
        written = save_new(recording, path)
    file = shell_word(written)
    note_lines(f"{other_name_note(path, written)}recorded in {file}; watch it: bba-tui replay {file}")


def other_name_note(requested: Path, written: Path) -> str:
    """Returns how a line begins that tells of a file written under another name than was requested; "" else."""
    return "" if written == requested else f"{visible_line(requested)} is another file by now: "
