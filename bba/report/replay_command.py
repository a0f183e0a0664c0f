"""The command that plays a stored episode again, the same in every step."""

import shlex
from dataclasses import asdict
from typing import Any

from bba.agents import AgentOptions, Profile
from bba.agents.switching import SwitchingPartner
from bba.belief import ROLE_NAMES
from bba.bench.episode import Episode, PlannerSettings
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings

ALWAYS = ("layout", "agent", "partner", "seed")  # what every command names


def command_of(episode: Episode) -> str | None:
    """The command, without what it would do anyway; None where none says all of the episode.

    That is so with a kitchen, with prompts or with weights of one's own, where the two seats believe by different
    figures, and where a language model plans, which answers otherwise another time.
    """
    settings = _settings(episode)
    if settings is None:
        return None
    plain = Settings.model_fields
    words = ["bba-tui"]
    for name, value in settings.items():
        if name in ALWAYS or value != plain[name].default:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _settings(episode: Episode) -> dict[str, Any] | None:
    """What an episode is, as settings by name; None where settings cannot say it."""
    ego, partner = episode.seats
    tunings = {seat.belief_config for seat in episode.seats if seat.belief_config is not None}
    schedules = {_schedule(seat) for seat in episode.seats if seat.agent == SwitchingPartner.name}
    planning = episode.planning
    plain = PlannerSettings(history_turns=planning.history_turns, retries=planning.retries)
    shipped = _shipped(episode.layout) and _shipped_weights(episode)
    scripted = {ego.planner, partner.planner} <= {None, "scripted"} and planning == plain
    if not (scripted and shipped) or len(tunings) > 1 or len(schedules) > 1:
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
    for belief_config in tunings:
        found |= asdict(belief_config.filter) | asdict(belief_config.gate)
    return found


def _schedule(seat: Profile) -> str | None:
    return ",".join(f"{step}:{ROLE_NAMES[role]}" for step, role in seat.schedule) if seat.schedule else None


def _shipped(layout: Layout) -> bool:
    """Whether the kitchen is one that comes with the project, under its name."""
    try:
        return layout.name in Layout.names() and Layout.load(layout.name) == layout
    except BBAError:
        return False


def _shipped_weights(episode: Episode) -> bool:
    """Whether whoever has learned played with the weights that come with the project."""
    try:
        return episode.finds_its_weights(AgentOptions())
    except BBAError:
        return False
