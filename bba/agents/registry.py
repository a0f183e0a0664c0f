"""Every agent by name, and how one is made of its seat (`SeatSpec`), also again from its profile."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from bba.agents.async_agent import AsyncAgent, AwaitedAgent
from bba.agents.base import (
    CHANCE,
    RANDOM_AGENTS,
    THRASHING,
    Agent,
    AgentLike,
    EpisodeContext,
    Forkable,
    MakeModel,
    MakeOracle,
    ModelOfPartner,
    Profile,
)
from bba.agents.human import HUMAN, Controls, HumanAgent
from bba.agents.learned.agent import HumanClone, LearnedAgent
from bba.agents.learned.families import CLONE, LEARNED, is_clone, is_learned
from bba.agents.learned.weights import PLANNER_NETWORKS, POPULATION_NETWORK, NoWeights, weights_for, weights_path
from bba.agents.planner_names import KEYLESS, PLANNERS, ROLLOUT, is_plugin_planner, pays
from bba.agents.planners import BACKENDS, backend_of, skill_planner
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent, partner_model
from bba.agents.plugin_parts import PluginAgent, PluginBackend, plugin_model, plugin_trigger
from bba.agents.random_agents import RandomAgent
from bba.agents.role_partners import LOCKED_PARTNERS, LockedLearnedAgent, SwitchingPartner, unlocked
from bba.agents.seat import SeatSpec, seat_of
from bba.agents.skill_planner import RolloutPlanner, SkillPlanner
from bba.agents.triggers import TRIGGERS
from bba.config import BeliefConfig, Knowledge
from bba.errors import BBAError, instead
from bba.kitchen import Layout
from bba.plugins import Plugin, find_used, first_line, is_plugin_name, load_plugin, load_used, make, name_of

DESCRIPTIONS = {
    "bayes": "infers its partner's role; replans if that was wrong",
    "bayes-no-prompt": "as bayes, but its planner is not told the belief",
    "bayes-no-replan": "as bayes, but never interrupts a skill",
    "bayes-no-belief": "as bayes, with neither belief nor gate",
    "proagent": "no belief: plans anew only when a skill has ended",
    "periodic-10": "as bayes, but replans every 10 steps",
    "completion-held": "as bayes, but replans when the partner completes or takes something",
    "llm-judge": "as bayes, but a second call says when to replan",
    "bayes-commit": "as bayes, but the gate remembers the belief at the decision",
    "bayes-value": "simulates what skills lead to, given its belief; replans where that pays",
    HYPOTHETICAL_MINDS.name: "the base planner with tested hypotheses about the partner",
    **LEARNED,
    HUMAN: "a person at the keyboard",
    **{name: f"{unlocked(name)}, but it does not adapt: one role at a time, else it waits" for name in LOCKED_PARTNERS},
    "switching": "scripted partner that pursues one role at a time and switches at set steps",
    CHANCE: "draws any feasible skill whenever none is running",
    THRASHING: "draws any feasible skill in every step",
}


def agent_names() -> list[str]:
    """Returns the names that `load_agent` knows."""
    return list(DESCRIPTIONS)


def load_agent(
    agent: AgentLike | SeatSpec,
    options: SeatSpec | None = None,
    *,
    controls: Controls | None = None,
    oracle: MakeOracle | None = None,
) -> Agent:
    """Returns a new agent by name, or that of a class; an agent, or an object with its methods, plays itself.

    Planner, trigger and partner model of a seat are names, too, or classes, functions or objects like plug-ins.

    Args:
        agent: the seat, or an agent alone.
        options: what is said of the seat of an agent alone; None for the scripted planner with default parameters.
        controls: where a person's input comes from.
        oracle: tells the agent what its seat says that it knows.

    Raises:
        BBAError: no such agent, planner or prompt folder, or an agent that does not take this trigger. A learned
            agent's weights are read when an episode begins.
    """
    seat = seat_of(agent, options)
    if isinstance(getattr(seat.agent, "profile", None), Profile) and not isinstance(seat.agent, type):
        return cast(Agent, seat.agent)
    name = name_of("agent", seat.agent)
    seat = _with_names(seat)
    check_agent(name)
    if seat.trigger is not None and name not in AGENT_VARIANTS:
        raise BBAError(f"trigger: {name} takes none; these agents do: {', '.join(AGENT_VARIANTS)}")
    if name not in DESCRIPTIONS and not is_clone(name):
        return PluginAgent(make(load_plugin("agent", name), seat.agent_options))
    if seat.agent_options:
        raise BBAError(f"{name}: is no plug-in and takes no such options: {', '.join(seat.agent_options)}")
    locked = name in LOCKED_PARTNERS
    if unlocked(name) == SwitchingPartner.name:
        return SwitchingPartner(seat.schedule, locked=locked)
    if locked:
        return LockedLearnedAgent(unlocked(name), seat.weights, seat.schedule)
    if name == HUMAN:
        return HumanAgent(controls)
    if name in RANDOM_AGENTS:
        return RandomAgent(name)
    if is_clone(name):
        return HumanClone(name, seat.weights)
    if name in LEARNED:
        return LearnedAgent(name, seat.weights)
    planning_agent = _planning_agent(name, seat, oracle)
    if not seat.live or seat.planner in KEYLESS:
        return planning_agent
    return AsyncAgent(planning_agent) if seat.real_time else AwaitedAgent(planning_agent)


def _with_names(seat: SeatSpec) -> SeatSpec:
    """Returns the seat with the names of a planner, a trigger and a partner model that are classes or objects."""
    trigger = None
    if seat.trigger is not None:
        trigger = name_of("trigger", seat.trigger)
    model = None
    if seat.partner_model is not None:
        model = name_of("partner-model", seat.partner_model)
    return replace(seat, planner=name_of("planner", seat.planner), trigger=trigger, partner_model=model)


def describe_agent(name: str) -> str:
    """Returns what an agent is, in one line: of a plug-in the first line of its docstring, if it may be imported."""
    if is_clone(name):
        return f"learned from the people of the study {name.removeprefix(CLONE)}"
    return DESCRIPTIONS.get(name) or first_line("agent", name) or "a plug-in"


def check_agent(name: str, option: str = "agent") -> None:
    """Checks that there is an agent of this name; `option` is what the message blames.

    Raises:
        BBAError: there is none.
    """
    if name not in DESCRIPTIONS and not is_clone(name) and not is_plugin_name("agent", name):
        raise BBAError(f"{option}: no agent named {name!r}; {instead(name, DESCRIPTIONS)}; --list names all")


def _planning_agent(name: str, seat: SeatSpec, oracle: MakeOracle | None) -> Forkable:
    """Returns an agent with a planner."""
    if seat.planner in PLANNERS and seat.planner_options:
        raise BBAError(f"planner-option: {seat.planner} is no plug-in; its options are those of --help-all")
    backend = backend_of(seat)
    variant = AGENT_VARIANTS.get(name, HYPOTHETICAL_MINDS)
    if variant is HYPOTHETICAL_MINDS and backend is None:
        reading = ", ".join(BACKENDS)
        raise BBAError(f"planner: {name} needs a planner that reads prompts ({reading}), not {seat.planner}")
    planner = skill_planner(variant.kind, seat, backend)
    trigger = None
    model = None
    trigger_name = seat.trigger
    if trigger_name is not None and trigger_name not in TRIGGERS and is_plugin_name("trigger", trigger_name):
        trigger = plugin_trigger(trigger_name, seat.trigger_options)
    elif seat.trigger_options:
        raise BBAError("trigger-option: is for a --trigger that is a plug-in")
    if seat.partner_model is not None and variant.has_belief:
        imported = load_plugin("partner-model", seat.partner_model)
        model = plugin_model(imported, seat.partner_model_options)
    elif seat.partner_model is None and seat.partner_model_options:
        raise BBAError("partner-model-option: is for a --partner-model")
    make_model: MakeModel = partial(partner_model, weights=seat.weights)
    if seat.knows is not None:
        make_model = partial(oracle or _untold, seat.knows)
    elif model is not None:
        make_model = model.target
    comparers: tuple[SkillPlanner, ...] = ()
    if (trigger_name or variant.trigger) == "value" and pays(seat.planner):
        unpaid = skill_planner(variant.kind, replace(seat, planner="scripted", model=None, prompts=None))
        comparers = RolloutPlanner(seat.rollout, seat.weights), unpaid
    return PlanningAgent(
        variant,
        planner,
        ask=seat.effective_ask,
        belief_config=seat.beliefs,
        trigger=seat.trigger,
        model_of=make_model,
        knows=seat.knows,
        interrupts=None if trigger is None else trigger.target,
        plugins=tuple(part.used for part in (backend, trigger, model) if isinstance(part, PluginBackend | Plugin)),
        comparers=comparers,
    )


def _untold(knows: Knowledge, context: EpisodeContext, belief_config: BeliefConfig) -> ModelOfPartner:  # noqa: ARG001
    raise BBAError("is told the truth of its game; only a game that it plays can tell it")


def weights_files(seat: SeatSpec, layout: Layout) -> tuple[Path, ...]:
    """Returns the files with the weights of a seat's agent for a layout; none for an agent without weights.

    The rollout planner's networks are those of an agent that it plans for, and the network of a population, where there
    is one, those of an agent whose belief is over its propensities. The agent is given by its name.

    Raises:
        NoWeights: there are none for this layout.
        BBAError: the weights cannot be used.
    """
    name = str(seat.agent)
    plans = name in AGENT_VARIANTS and (seat.planner == ROLLOUT or seat.beliefs.filter.prior != "counts")
    weights = PLANNER_NETWORKS if plans else unlocked(name)
    if weights != PLANNER_NETWORKS and not is_learned(weights):
        return ()
    weights_for(weights, layout, seat.weights)
    files = [weights_path(weights, layout, seat.weights)]
    if plans and AGENT_VARIANTS[name].has_belief and seat.beliefs.filter.knows_population:
        with suppress(NoWeights):
            files.append(weights_path(POPULATION_NETWORK, layout, seat.weights))
    return tuple(files)


def agent_like(profile: Profile, base: SeatSpec | None = None, *, oracle: MakeOracle | None = None) -> Agent:
    """Returns a new agent with this profile.

    Args:
        profile: what the agent is.
        base: gives what a profile does not contain.
        oracle: tells the agent the truth, if the profile says so.

    Raises:
        BBAError: no such agent, another planner than the profile's, a plug-in that may not be imported or is not the
            one that was used, or nothing that tells it the truth.
    """
    if profile.oracle and oracle is None:
        raise BBAError(f"{profile.agent}: was told the truth of its game; only a fork of that can go on")
    for used in profile.plugins:
        load_used(used)
    agent = load_agent(seat_of_profile(profile, base or SeatSpec()), oracle=oracle)
    if agent.profile.planner != profile.planner:
        raise BBAError(f"planner: {profile.agent} was planned for by {profile.planner}, not by {agent.profile.planner}")
    return agent


def seat_of_profile(profile: Profile, base: SeatSpec) -> SeatSpec:
    """Returns the seat in which an agent with this profile sits; `base` gives what a profile does not contain."""
    plugin_options = {used.kind: dict(used.options) for used in profile.plugins}
    model = find_used(profile.plugins, "partner-model")
    return replace(
        base,
        agent=profile.agent,
        planner=planner_of(profile, base),
        belief_config=profile.belief_config or base.belief_config,
        rollout=profile.rollout or base.rollout,
        schedule=profile.schedule,
        ask=profile.effective_ask or base.effective_ask,
        trigger=profile.trigger,
        knows=profile.knows,
        agent_options=plugin_options.get("agent", {}),
        planner_options=plugin_options.get("planner", {}),
        trigger_options=plugin_options.get("trigger", {}),
        partner_model=model.name if model else None,
        partner_model_options=plugin_options.get("partner-model", {}),
    )


def planner_of(profile: Profile, base: SeatSpec) -> str:
    """Returns the planner of an agent with this profile: that of the base, unless only one of both simulates.

    A plug-in is always that of the profile.
    """
    used = find_used(profile.plugins, "planner")
    if used is not None:
        return used.name
    if profile.planner in KEYLESS and is_plugin_planner(base.planner):
        return profile.planner
    return profile.planner if ROLLOUT in (profile.planner, base.planner) and profile.planner else base.planner
