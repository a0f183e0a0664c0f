"""Builds games, agents and sessions from the settings, and writes and reads recordings."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import SecretStr

from bba.agents import (
    HUMAN,
    KEYLESS,
    MODEL_PLANNERS,
    MODEL_SIGN,
    AgentOptions,
    Controls,
    NoWeights,
    check_agent,
    load_agent,
    parse_schedule,
    planning_networks,
)
from bba.config import BELIEF_OPTIONS, LanguageModelOptions, RolloutOptions, changed, select
from bba.errors import BBAError
from bba.files import check_writable, read_toml
from bba.kitchen import Layout
from bba.planner.llm import ModelOptions
from bba.play import PARTNER, Game, Replay, Trace, fork, load, record, save, save_new
from bba.settings import Secrets, Settings
from bba.terminal_text import note_lines, shell_word, shell_words, visible_line
from human.keymap import Keymap
from human.recordings import Forerunner
from human.session import Session
from human.window_client import WindowClient
from tui.arguments.commands import command_words
from tui.playback.source import PlaybackSource

# With what games are made from, and what they become.
__all__ = [
    "DUEL",
    "ModelEntry",
    "SessionRequest",
    "agent_options",
    "check_output",
    "compared_source",
    "duel_source",
    "duelists",
    "live_source",
    "make_game",
    "make_replay",
    "model_options",
    "options_by_model",
    "recorded_source",
    "replay_command",
    "resumed_source",
    "session_request",
    "taken_meanwhile",
    "with_rival",
    "write_recording",
]


def live_source(settings: Settings, layout: Layout | None = None) -> PlaybackSource:
    """Returns the playback source of a live game with these settings, in another kitchen if there is one."""
    command = ""
    if layout is None:
        command = shell_words(command_words("watch", settings))
    return PlaybackSource(
        lambda: make_game(settings, settings.seed, fast=False, live=True, layout=layout),
        options=agent_options(settings, live=True).of_partner({}),
        file=settings.record,
        command=command,
    )


# What a duel is by default: what belief and gate are worth where it was measured, in a game near the mean.
DUEL: Mapping[str, Any] = MappingProxyType(
    {"agents": "bayes-commit,proagent", "partner": "switching+locked", "planner": "rollout", "seed": 152}
)


def duelists(settings: Settings) -> tuple[Settings, Settings]:
    """Returns the settings of a duel's two games, which differ in the ego; where nothing is said, `DUEL` counts.

    Raises:
        BBAError: there are not two egos.
    """
    usual = dict(DUEL)
    try:
        planning_networks(Layout.load(settings.layout), settings.weights)
    except NoWeights:
        usual["planner"] = "scripted"  # in a kitchen of one's own
    defaults = {name: usual[name] for name in usual.keys() - settings.model_fields_set}
    completed = settings.model_copy(update=defaults)
    egos = [name.strip() for name in (completed.agents or "").split(",")]
    if len(set(egos)) != 2 or len(egos) != 2:
        raise BBAError(f"--agents: {completed.agents!r}: a duel takes two different egos, as {DUEL['agents']}")
    if HUMAN in (*egos, completed.partner):
        raise BBAError("duel: is played by agents alone; play is for people")
    first, second = (completed.model_copy(update={"agent": ego}) for ego in egos)
    return first, second


def with_rival(settings: Settings) -> Settings:
    """Returns the settings of a duel of their ego: with one of `DUEL` that has no belief if it has one, else that has.

    What has its default, in a form that nobody has filled in, counts as not said: `DUEL` takes its place. Two games of
    the usual ego, partner and planner hardly differ.

    Raises:
        BBAError: there is no such ego.
    """
    fields = type(settings).model_fields
    changes = {name: value for name, value in settings if value != fields[name].default}
    if "agent" in changes:
        with_belief, without_belief = DUEL["agents"].split(",")
        ego = settings.agent.partition(MODEL_SIGN)[0]
        has_belief = ego != HUMAN and load_agent(ego).profile.belief_config is not None
        rival = without_belief if has_belief else with_belief
        changes["agents"] = f"{settings.agent},{rival}"
    return Settings.model_validate(changes)


def duel_source(settings: Settings) -> PlaybackSource:
    """Returns the playback source of a live duel's first game, with the other one beside it.

    Raises:
        BBAError: as `duelists` and `make_game`.
    """
    first, second = duelists(settings)
    source = live_source(first)
    source.other = live_source(second.model_copy(update={"record": None}))
    source.command = shell_words(command_words("duel", first))
    return source


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """A session that can be started.

    Attributes:
        make: starts the session with a keymap; raises BBAError if it cannot be started.
        speed: steps a second; None for turn by turn.
    """

    make: Callable[[Keymap], Session]
    speed: float | None


def session_request(settings: Settings, layout: Layout | None = None) -> SessionRequest:
    """Returns a request for the session of a person with these settings, in another kitchen if there is one."""
    seats = (settings.agent, settings.partner)
    recordings = chain([settings.record], repeat(None))  # of a game that is played again, another file

    def make(keymap: Keymap) -> Session:
        controls = {seat: Controls() for seat in (0, 1) if seats[seat] == HUMAN}
        game = make_game(
            settings,
            settings.seed,
            fast=False,
            live=True,
            real_time=not settings.turns or settings.real_time,
            controls=controls,
            layout=layout,
        )
        window = None
        if settings.play == "window":
            window = WindowClient(game.kitchen.layout, controls, keymap)
        return Session(game, controls, next(recordings), window, replaces=settings.force)

    return SessionRequest(make, None if settings.turns else settings.speed)


def make_game(
    settings: Settings,
    seed: int,
    *,
    fast: bool,
    live: bool = False,
    real_time: bool | None = None,
    controls: Mapping[int, Controls] = MappingProxyType({}),
    layout: Layout | None = None,
) -> Game:
    """Builds the game that the settings describe.

    Args:
        settings: layout, agents and their options.
        seed: of everything random.
        fast: compiled kernels instead of plain ones.
        live: whether a language model is asked in the background, so that the screen stays quick.
        real_time: whether a live game goes on meanwhile, too; by default what the settings say.
        controls: the controls of each seat that a person takes.
        layout: the kitchen, if not that of the settings.

    Raises:
        BBAError: a setting that is not allowed, or a person without controls.
    """
    options = agent_options(settings, live=live, real_time=real_time)
    ego, ego_options = _seated(settings, "agent", options)
    partner, partner_options = _seated(settings, "partner", options)
    own_options = settings.partner_option
    if partner == ego and not own_options:
        own_options = settings.agent_option
    partner_options = partner_options.of_partner(own_options)
    return Game(
        layout or settings.layout,
        ego,
        partner,
        seed,
        replace(ego_options, controls=controls.get(0)),
        partner_options=replace(partner_options, controls=controls.get(1)),
        horizon=settings.horizon,
        mobility=settings.mobility,
        skill_timeout=settings.skill_timeout,
        fast=fast,
    )


def _seated(settings: Settings, seat: str, options: AgentOptions) -> tuple[str, AgentOptions]:
    """Returns the agent of a seat and its options: what follows an @ plans for it alone, with its options of --models.

    Raises:
        BBAError: there is no such agent, or what follows is neither a model nor a planner that needs none.
    """
    agent, _, planned_by = getattr(settings, seat).partition(MODEL_SIGN)
    check_agent(agent, f"--{seat}")
    if not planned_by or planned_by in KEYLESS:
        return agent, replace(options, planner=planned_by or options.planner)
    by_model = options_by_model(settings) if settings.models else {}
    models = {name: named_options.model for name, named_options in by_model.items() if named_options.model}
    options = replace(options, models=models).of_model(planned_by)
    if options.model is None:
        raise BBAError(
            f"--{seat}: --planner {options.planner} asks no {planned_by}; take --planner openai, or --models FILE"
        )
    return agent, options


def agent_options(settings: Settings, *, live: bool = False, real_time: bool | None = None) -> AgentOptions:
    """Returns the options of the ego; `live` and `real_time` as in `make_game`."""
    model = model_options(settings) if settings.planner in MODEL_PLANNERS else None
    schedule = parse_schedule(settings.schedule) if settings.schedule is not None else None
    belief_fields = settings.model_fields_set & BELIEF_OPTIONS
    return AgentOptions(
        planner=settings.planner,
        model=model,
        prompts=settings.prompts,
        history_turns=settings.history_turns,
        retries=settings.retries,
        prompt_layout=settings.prompt_layout,
        ask=settings.ask,
        trigger=settings.trigger,
        schedule=schedule,
        live=live,
        real_time=settings.real_time if real_time is None else real_time,
        weights=settings.weights,
        rollout=select(RolloutOptions, dict(settings)),
        belief_changes={name: getattr(settings, name) for name in belief_fields},
        agent_options=settings.agent_option,
        planner_options=settings.planner_option,
        trigger_options=settings.trigger_option,
        partner_model=settings.partner_model,
        partner_model_options=settings.partner_model_option,
    )


def model_options(settings: Settings) -> ModelOptions:
    """Returns the options of the language model, with the key and, without --base-url, the address of the environment.

    Raises:
        BBAError: an invalid name or address, or a missing key.
    """
    secrets = Secrets.model_validate({})
    provider = settings.planner
    if provider == "litellm":  # which finds keys and addresses of providers by itself
        return select(ModelOptions, {**dict(settings), "key": secrets.own_key, "provider": provider})
    if provider == "local":
        from bba.planner.llm.local_models import located

        if "model" not in settings.model_fields_set:
            raise BBAError("--model: missing; --planner local takes a GGUF file or a name that bba-tui models lists")
        values = {**dict(settings), "base_url": None, "provider": provider}
        if "deadline" not in settings.model_fields_set:
            del values["deadline"]  # that of such a model is another one than that of the settings
        return located(select(ModelOptions, values))
    base_url = settings.base_url or secrets.base_url
    return select(ModelOptions, {**dict(settings), "key": secrets.api_key, "base_url": base_url})


class ModelEntry(LanguageModelOptions):
    """A language model in a file of --models: its options as on the command line, and where its key is.

    Attributes:
        planner: what asks it, as `--planner`; None for that of the command line.
        key_env: the variable of the environment with its key. A model with an address of its own is sent no other one.
    """

    planner: Literal["openai", "litellm"] | None = None
    key_env: str | None = None


def options_by_model(settings: Settings) -> dict[str, AgentOptions]:
    """Returns the options of the ego with each language model of --models, by name; without --models, the one there is.

    Raises:
        BBAError: a file that cannot be read, an invalid name or address, or a missing key.
    """
    if settings.models is None:
        return {settings.model: agent_options(settings)}
    names = [name.strip() for name in settings.models.split(",")]
    if settings.models.endswith(".toml"):
        entries = read_toml(Path(settings.models), dict[str, ModelEntry])
    elif all(names):
        entries = dict.fromkeys(names, ModelEntry.model_validate({}))
    else:
        raise BBAError(f"--models: got {settings.models!r}; it should be names, with commas between them")
    planner = settings.planner if settings.planner in MODEL_PLANNERS else MODEL_PLANNERS[0]
    by_model: dict[str, AgentOptions] = {}
    for name, entry in entries.items():
        changes = {"planner": planner, "model": name}
        changes |= entry.model_dump(exclude_unset=True, exclude={"key_env"})
        options = agent_options(settings.model_copy(update=changes))
        if options.model and (entry.key_env or entry.base_url):
            key = None
            if entry.key_env:
                key = SecretStr(os.environ.get(entry.key_env.strip(), ""))
            options = replace(options, model=changed(options.model, {"key": key or None}))
        by_model[options.model.model if options.model else name] = options
    return by_model


def recorded_source(path: Path, options: AgentOptions | None = None) -> PlaybackSource:
    """Returns the playback source of a recording, with the other game of a duel beside it.

    Raises:
        BBAError: the file cannot be read or is damaged.
    """
    rival_recording = load(path).other
    rival = None
    if rival_recording is not None:
        rival = PlaybackSource(lambda: Replay(rival_recording, str(path)), options=options)
    return PlaybackSource(make_replay(path), options=options, file=path, other=rival, command=replay_command(path))


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
    games[0].other = games[1]
    return games[0]


def resumed_source(path: Path) -> PlaybackSource:
    """Returns a recorded game of agents that is played on from its last step; to be called from another thread.

    Raises:
        BBAError: the file cannot be read, or its agents cannot be made again.
    """
    forerunner = Forerunner(path)
    trace = Replay(forerunner.recording, str(path)).run()

    def go_on() -> Game:
        game = fork(trace, len(trace.ticks))
        game.trace.notes.update(trace.notes)
        return game

    return PlaybackSource(go_on, continues=forerunner)


def make_replay(path: Path, *, fast: bool = False) -> Callable[[], Replay]:
    """Returns a function that plays the recording in a file from the start.

    Raises:
        BBAError: the file cannot be read or is damaged.
    """
    recording = load(path)
    return lambda: Replay(recording, str(path), fast=fast)


def check_output(settings: Settings, option: str, check: Callable[[Path], None] = check_writable) -> None:
    """Checks before the game that the file of `option`, "record" or "export", can be written if one is named.

    Raises:
        BBAError: `check` says why no file can be written there, or one exists and may not be overwritten.
    """
    path: Path | None = getattr(settings, option)
    if path is None:
        return
    try:
        check(path)
    except BBAError as error:
        raise BBAError(f"--{option}: {error}") from None
    if path.exists() and not settings.force:
        raise BBAError(f"--{option}: {path} exists; --force writes over it")


def write_recording(trace: Trace, settings: Settings, other: Trace | None = None) -> None:
    """Writes the recording of the game so far to the file of --record, if one is named, and says so on standard error.

    A file that came meanwhile is not replaced without --force: the recording then goes to a free name beside it.

    Args:
        trace: the game.
        settings: they name the file.
        other: the other game of a duel.

    Raises:
        BBAError: the file cannot be written.
    """
    path = settings.record
    if path is None:
        return
    recording = record(trace, other)
    written = path
    if settings.force:
        save(recording, path)
    else:
        written = save_new(recording, path)
    file = shell_word(written)
    note_lines(f"{taken_meanwhile(path, written)}recorded in {file}; watch it: bba-tui replay {file}")


def taken_meanwhile(requested: Path, written: Path) -> str:
    """Returns how a line begins that tells of a file written under another name than was requested; "" else."""
    return "" if written == requested else f"{visible_line(requested)} is another file by now: "
