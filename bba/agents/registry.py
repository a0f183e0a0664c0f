"""Every agent by name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bba.agents.async_agent import AsyncAgent
from bba.agents.base import Agent, Forkable, Profile, Schedule
from bba.agents.human import HUMAN, Controls, HumanAgent
from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.learned import LearnedAgent, weights_for, weights_path
from bba.agents.learned.preferences import LEARNED
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.switching import SwitchingPartner
from bba.config import PLANNER_DEFAULTS, BeliefConfig
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.limits import TriggerName
from bba.planner import ChatBackend, Prompts, ScriptedBackend
from bba.planner.llm import ModelOptions, shared_backend

PLANNERS = {
    "scripted": "embedded and deterministic; reads the prompt, needs no key and no network",
    "openai": "a language model behind an OpenAI-compatible endpoint; see --model and --base-url",
}


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The options of agents; each agent uses those that concern it.

    Attributes:
        planner: the name of the backend.
        model: the language model, if that is the planner.
        prompts: a folder of prompt templates; None for those that ship with the project.
        history_turns: the number of earlier turns sent to the planner.
        retries: how often an unusable response is sent back.
        belief_config: the parameters of belief and gates.
        trigger: what interrupts the skills of an agent with a planner, if not what its name stands for.
        schedule: the roles of the switching partner; None draws them from the seed.
        controls: where a person's input comes from.
        live: whether the game goes on while a language model plans.
        weights: a folder with the weights of learned policies; None for those that ship with the project.
    """

    planner: str = "scripted"
    model: ModelOptions | None = None
    prompts: Path | None = None
    history_turns: int = PLANNER_DEFAULTS.history_turns
    retries: int = PLANNER_DEFAULTS.retries
    belief_config: BeliefConfig = field(default_factory=BeliefConfig)
    trigger: TriggerName | None = None
    schedule: Schedule | None = None
    controls: Controls | None = None
    live: bool = False
    weights: Path | None = None


def _language_model(options: AgentOptions) -> ChatBackend:
    if options.model is None:
        raise BBAError("planner: openai needs to know which model; give AgentOptions a `model`")
    return shared_backend(options.model)


BACKENDS: dict[str, Callable[[AgentOptions], ChatBackend]] = {
    "scripted": lambda _: ScriptedBackend(),
    "openai": _language_model,
}

DESCRIPTIONS = {
    "bayes": "BayesBeliefAgent: belief in the prompt, gate on",
    "bayes-no-prompt": "belief tracked, gate on, prompt without it",
    "bayes-no-replan": "belief in the prompt, gate off",
    "bayes-no-belief": "neither belief nor gate",
    "proagent": "the base planner with the intention line; asks only when a skill has ended",
    "periodic-10": "as bayes, but replans every 10 steps",
    "completion-held": "as bayes, but replans when the partner completes or takes something",
    "llm-judge": "as bayes, but a second call says when to replan",
    "bayes-commit": "as bayes, but the gate remembers the belief at the decision",
    HypotheticalMinds.name: "the base planner with tested hypotheses about the partner",
    **LEARNED,
    HUMAN: "a person at the keyboard",
    "switching": "scripted partner that pursues one role at a time and switches at known steps",
}


def agent_names() -> list[str]:
    """Returns the names that `load_agent` knows."""
    return list(DESCRIPTIONS)


def load_agent(name: str, options: AgentOptions | None = None) -> Agent:
    """Returns a new agent by name.

    Raises:
        BBAError: no such agent, planner or prompt folder, or an agent that does not take this trigger. A learned
            agent's weights are read when an episode begins.
    """
    options = options or AgentOptions()
    if options.trigger is not None and name in DESCRIPTIONS and name not in VARIANTS:
        raise BBAError(f"trigger: {name} takes none; these agents do: {', '.join(VARIANTS)}")
    if name == SwitchingPartner.name:
        return SwitchingPartner(options.schedule)
    if name == HUMAN:
        return HumanAgent(options.controls)
    if name in LEARNED:
        return LearnedAgent(name, options.weights)
    if name not in DESCRIPTIONS:
        raise BBAError(f"agent: no agent named {name!r}; there are {', '.join(_similar_names(name))}")
    if options.planner not in BACKENDS:
        raise BBAError(f"planner: no planner named {options.planner!r}; there are {', '.join(BACKENDS)}")
    agent = _planner_agent(name, options)
    return AsyncAgent(agent) if options.live and options.planner != "scripted" else agent


def _similar_names(name: str) -> list[str]:
    """Returns the names with the same prefix as a misspelt one; all names if there are none."""
    return [known for known in LEARNED if known.startswith(f"{name.partition(':')[0]}:")] or agent_names()


def _planner_agent(name: str, options: AgentOptions) -> Forkable:
    """Returns an agent with a planner."""
    backend, prompts = BACKENDS[options.planner](options), Prompts.load(options.prompts)
    if name == HypotheticalMinds.name:
        return HypotheticalMinds(backend, prompts, history_turns=options.history_turns, retries=options.retries)
    return PlanningAgent(
        VARIANTS[name],
        backend,
        prompts,
        history_turns=options.history_turns,
        retries=options.retries,
        belief_config=options.belief_config,
        trigger=options.trigger,
    )


def weights_file(name: str, layout: Layout, options: AgentOptions) -> Path | None:
    """Returns the file with an agent's weights for a layout; None for an agent without weights.

    Raises:
        NoWeights: there are none for this layout.
        BBAError: the weights cannot be used.
    """
    if name not in LEARNED:
        return None
    weights_for(name, layout, options.weights)
    return weights_path(name, layout, options.weights)


def agent_like(profile: Profile, options: AgentOptions | None = None) -> Agent:
    """Returns a new agent with this profile; `options` gives what a profile does not contain.

    Raises:
        BBAError: there is no such agent, or its planner would be another one than the profile's.
    """
    options = options or AgentOptions()
    belief_config = options.belief_config if profile.belief_config is None else profile.belief_config
    asked = replace(options, belief_config=belief_config, schedule=profile.schedule, trigger=profile.trigger)
    agent = load_agent(profile.agent, asked)
    if agent.profile.planner != profile.planner:
        raise BBAError(f"planner: {profile.agent} was planned for by {profile.planner}, not by {agent.profile.planner}")
    return agent
