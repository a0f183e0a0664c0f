"""The command that plays a stored episode again, the same in every step."""

import shlex
from typing import Any

from bba.agents import AgentOptions, Profile
from bba.agents.switching import SwitchingPartner
from bba.belief import ROLE_NAMES
from bba.bench.episode import Episode, PlannerSettings
from bba.config import EpisodeOptions, PlannerOptions, SkillOptions, select
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings

ALWAYS = ("layout", "agent", "partner", "seed")  # what every command names


def command_of(episode: Episode) -> str | None:
    """The command with all options that differ from their defaults; None if no command gives the same episode.

    There is none for a user's own kitchen, prompts or weights, for two seats with different parameters, and for a
    language model, whose answers vary.
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
    """The settings of an episode by name; None if settings cannot describe it."""
    ego, partner = episode.seats
    configs = {seat.belief_config for seat in episode.seats if seat.belief_config is not None}
    schedules = {_schedule(seat) for seat in episode.seats if seat.agent == SwitchingPartner.name}
    planning = episode.planning
    plain = select(PlannerSettings, dict(select(PlannerOptions, dict(planning))))
    shipped = _shipped(episode.layout) and _shipped_weights(episode)
    scripted = {ego.planner, partner.planner} <= {None, "scripted"} and planning == plain
    if not (scripted and shipped) or len(configs) > 1 or len(schedules) > 1:
        return None
    found: dict[str, Any] = {
        "layout": episode.layout.name,
        "agent": ego.agent,
        "partner": partner.agent,
        "seed": episode.seed,
        **{name: getattr(episode, name) for name in (*EpisodeOptions.model_fields, *SkillOptions.model_fields)},
        "schedule": next(iter(schedules), None),
        **dict(select(PlannerOptions, dict(planning))),
    }
    for config in configs:
        found |= config.values
    return found


def _schedule(seat: Profile) -> str | None:
    return ",".join(f"{step}:{ROLE_NAMES[role]}" for step, role in seat.schedule) if seat.schedule else None


def _shipped(layout: Layout) -> bool:
    """Whether the kitchen ships with the project under its name."""
    try:
        return layout.name in Layout.names() and Layout.load(layout.name) == layout
    except BBAError:
        return False


def _shipped_weights(episode: Episode) -> bool:
    """Whether the learned policies, if any, played with the weights that ship with the project."""
    try:
        return episode.finds_its_weights(AgentOptions())
    except BBAError:
        return False
