"""Makes an agent again from its profile, as forks, sweeps and replays need it."""

from dataclasses import replace
from typing import Any

from bba.agents.base import Agent, Profile
from bba.agents.registry import KEYLESS, AgentOptions, is_plugin_planner, load_agent
from bba.agents.rollout_planner import ROLLOUT
from bba.errors import BBAError
from bba.plugins import find_used
from bba.plugins.loading import load_used


def agent_like(profile: Profile, options: AgentOptions | None = None) -> Agent:
    """Returns a new agent with this profile; `options` gives what a profile does not contain.

    Raises:
        BBAError: no such agent, another planner than the profile's, or nothing that tells it the truth.
    """
    options = options or AgentOptions()
    if profile.oracle and options.oracle is None:
        raise BBAError(f"{profile.agent}: was told the truth of its game; only a fork of that can go on")
    belief_config = profile.belief_config or options.belief_config
    ask = profile.asked or options.ask
    schedule, trigger, oracle = profile.schedule, profile.trigger, options.oracle if profile.oracle else None
    planner = planner_of(profile, options)
    asked = replace(options, planner=planner, belief_config=belief_config, schedule=schedule, ask=ask, trigger=trigger)
    asked = _as_used(profile, replace(asked, rollout=profile.rollout or options.rollout, oracle=oracle))
    agent = load_agent(profile.agent, asked)
    if agent.profile.planner != profile.planner:
        raise BBAError(f"planner: {profile.agent} was planned for by {profile.planner}, not by {agent.profile.planner}")
    return agent


def planner_of(profile: Profile, options: AgentOptions) -> str:
    """Returns the planner of an agent with this profile: that of the options, unless only one of both simulates.

    A plug-in is always that of the profile.
    """
    used = find_used(profile.plugins, "planner")
    if used is not None:
        return used.name
    if profile.planner in KEYLESS and is_plugin_planner(options.planner):
        return profile.planner
    return profile.planner if ROLLOUT in (profile.planner, options.planner) and profile.planner else options.planner


def _as_used(profile: Profile, options: AgentOptions) -> AgentOptions:
    """Returns the options with those of the plug-ins that a profile names.

    Raises:
        BBAError: one may not be imported, or is not the one that was used.
    """
    own: dict[str, dict[str, Any]] = {}
    for used in profile.plugins:
        load_used(used)
        own[used.kind] = dict(used.options)
    agent, planner, trigger = (own.get(kind, {}) for kind in ("agent", "planner", "trigger"))
    model = find_used(profile.plugins, "partner-model")
    return replace(
        options,
        agent_options=agent,
        planner_options=planner,
        trigger_options=trigger,
        partner_model=model.name if model else None,
        partner_model_options=dict(model.options) if model else {},
    )
