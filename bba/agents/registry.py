"""Every agent by name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bba.agents.async_agent import AsyncAgent, Forkable
from bba.agents.base import Agent, Profile, Schedule
from bba.agents.human import HUMAN, Controls, HumanAgent
from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.learned import LearnedAgent, weights_for, weights_path
from bba.agents.learned.catalogue import LEARNED
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.switching import SwitchingPartner
from bba.config import PLANNER_DEFAULTS, BeliefConfig
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.planner import ChatBackend, Prompts, ScriptedBackend
from bba.planner.llm import ModelOptions, shared_backend

PLANNERS = {
    "scripted": "embedded and deterministic; reads the prompt, needs no key and no network",
    "openai": "a language model behind an OpenAI-compatible endpoint; see --model and --base-url",
}


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What agents can be set to; each agent takes what concerns it.

    Attributes:
        planner: the backend's name.
        model: the language model, where that is what plans.
        prompts: a folder of prompt templates; None for those that ship with the project.
        history_turns: earlier turns sent to the planner.
        retries: how often an unusable answer is sent back.
        belief_config: the parameters of belief and gate.
        schedule: the switching partner's roles; None draws them from the seed.
        controls: what a person's seat listens to.
        live: whether the world does not wait for an answer that takes its time; the scripted planner's never does.
        weights: a folder of learned policies' weights; None for those that ship with the project.
    """

    planner: str = "scripted"
    model: ModelOptions | None = None
    prompts: Path | None = None
    history_turns: int = PLANNER_DEFAULTS.history_turns
    retries: int = PLANNER_DEFAULTS.retries
    belief_config: BeliefConfig = field(default_factory=BeliefConfig)
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
    HypotheticalMinds.name: "the base planner with tested hypotheses about the partner",
    **LEARNED,
    HUMAN: "a person at the keyboard",
    "switching": "scripted partner that pursues one role at a time and switches at known steps",
}


def agent_names() -> list[str]:
    """The agents that `load_agent` knows."""
    return list(DESCRIPTIONS)


def load_agent(name: str, options: AgentOptions | None = None) -> Agent:
    """A fresh agent by name.

    Raises:
        BBAError: no such agent, planner or prompt folder. A learned agent's weights are looked for when a game begins.
    """
    options = options or AgentOptions()
    if name == SwitchingPartner.name:
        return SwitchingPartner(options.schedule)
    if name == HUMAN:
        return HumanAgent(options.controls)
    if name in LEARNED:
        return LearnedAgent(name, options.weights)
    if name not in DESCRIPTIONS:
        raise BBAError(f"agent: no agent named {name!r}; there are {', '.join(_alike(name))}")
    if options.planner not in BACKENDS:
        raise BBAError(f"planner: no planner named {options.planner!r}; there are {', '.join(BACKENDS)}")
    agent = _planned(name, options)
    return AsyncAgent(agent) if options.live and options.planner != "scripted" else agent


def _alike(name: str) -> list[str]:
    """The names of the family of a misspelt one; else all."""
    return [known for known in LEARNED if known.startswith(f"{name.partition(':')[0]}:")] or agent_names()


def _planned(name: str, options: AgentOptions) -> Forkable:
    """An agent for which something plans."""
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
    )


def weights_file(name: str, layout: Layout, options: AgentOptions) -> Path | None:
    """The file with an agent's weights for a layout; None for one that needs none.

    Raises:
        NoWeights: it needs some, and there are none.
        BBAError: they cannot be played.
    """
    if name not in LEARNED:
        return None
    weights_for(name, layout, options.weights)
    return weights_path(name, layout, options.weights)


def agent_like(profile: Profile, options: AgentOptions | None = None) -> Agent:
    """A fresh agent of this profile; `options` is what the profile does not say.

    Raises:
        BBAError: there is no such agent, or it would be planned for by something else than the profile says.
    """
    options = options or AgentOptions()
    belief_config = options.belief_config if profile.belief_config is None else profile.belief_config
    agent = load_agent(profile.agent, replace(options, belief_config=belief_config, schedule=profile.schedule))
    if agent.profile.planner != profile.planner:
        raise BBAError(f"planner: {profile.agent} was planned for by {profile.planner}, not by {agent.profile.planner}")
    return agent
