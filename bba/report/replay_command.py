"""The command that plays a stored episode again, the same in every step."""

import shlex
from dataclasses import asdict
from typing import Any

from bba.agents import AgentOptions
from bba.agents.switching import SwitchingPartner
from bba.belief import ROLE_NAMES
from bba.bench.episode import Episode, PlannerSettings
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play.recording import RecordedProfile
from bba.settings import Settings

ALWAYS = ("layout", "agent", "partner", "seed")  # what every command names


def command_of(episode: Episode) -> str | None:
    """Returns the shortest such command; None if no command describes the episode fully.

    No command describes an episode with the user's own kitchen, prompts or weights, with different belief parameters in
    the two seats, or with a language model, whose answers differ from call to call.
    """
    settings = _settings(episode)
    if settings is None:
        return None
    defaults = Settings.model_fields
    words = ["bba-tui"]
    for name, value in settings.items():
        if name in ALWAYS or value != defaults[name].default:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _settings(episode: Episode) -> dict[str, Any] | None:
    """Returns an episode as settings by name; None if settings cannot describe it."""
    ego, partner = episode.seats
    belief_configs = {seat.profile.belief_config for seat in episode.seats} - {None}
    schedules = {_schedule(seat) for seat in episode.seats if seat.agent == SwitchingPartner.name}
    planning = episode.planning
    plain = PlannerSettings(history_turns=planning.history_turns, retries=planning.retries)
    shipped = _shipped(episode.layout) and _shipped_weights(episode)
    scripted = {ego.planner, partner.planner} <= {None, "scripted"} and planning == plain
    if not (scripted and shipped) or len(belief_configs) > 1 or len(schedules) > 1:
        return None
    found: dict[str, Any] = {
        "layout": episode.layout.name,
        "agent": ego.agent,
        "partner": partner.agent,
        "seed": episode.seed,
        "horizon": episode.horizon,
        "mobility": episode.mobility,
        "skill_timeout": episode.skill_timeout,
        "schedule": next(iter(schedules), None),
        "history_turns": planning.history_turns,
        "retries": planning.retries,
    }
    for belief_config in filter(None, belief_configs):
        found |= asdict(belief_config.filter) | asdict(belief_config.gate)
    return found


def _schedule(seat: RecordedProfile) -> str | None:
    return ",".join(f"{step}:{ROLE_NAMES[role]}" for step, role in seat.schedule) if seat.schedule else None


def _shipped(layout: Layout) -> bool:
    """Returns whether the kitchen is one that ships with the project, under its name."""
    try:
        return layout.name in Layout.names() and Layout.load(layout.name) == layout
    except BBAError:
        return False


def _shipped_weights(episode: Episode) -> bool:
    """Returns whether learned agents played with the weights that ship with the project."""
    try:
        return episode.finds_its_weights(AgentOptions())
    except BBAError:
        return False
