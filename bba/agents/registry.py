"""Every agent by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bba.agents.async_agent import AsyncAgent
from bba.agents.base import Agent, Forkable, MakeModel, Profile, Schedule
from bba.agents.human import HUMAN, Controls, HumanAgent
from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.learned import LearnedAgent, weights_for, weights_path
from bba.agents.learned.locked import LockedLearnedAgent
from bba.agents.learned.preferences import LEARNED
from bba.agents.learned.weights import PLANNER_NETWORKS
from bba.agents.locked import LOCKED_PARTNERS, unlocked
from bba.agents.partner_models import partner_model
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.prompt_planner import PromptPlanner
from bba.agents.rollout_planner import ROLLOUT, RolloutPlanner
from bba.agents.skill_planner import SkillPlanner
from bba.agents.switching import SwitchingPartner
from bba.config import PLANNER_DEFAULTS, Ask, BeliefConfig, PromptLayout, RolloutOptions, changed
from bba.errors import BBAError, instead
from bba.kitchen import Layout
from bba.limits import TriggerName
from bba.planner import ChatBackend, Planner, PromptKind, Prompts, ScriptedBackend
from bba.planner.llm import ModelOptions, shared_backend

PLANNERS = {
    "scripted": "embedded and deterministic; reads the prompt, needs no key and no network",
    "openai": "a language model behind an OpenAI-compatible endpoint; see --model and --base-url",
    "litellm": "a language model of any provider that LiteLLM knows: pip install 'bba-tui[litellm]'; see --model",
    ROLLOUT: "simulates what each skill leads to, given the belief; needs no key and no network",
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
        prompt_layout: where prompts say what never changes in a game.
        ask: when a cook that waits is asked again.
        belief_config: the parameters of belief and gates; None for the planner's defaults with `belief_changes`.
        belief_changes: parameters and named settings that replace the planner's defaults, by name.
        trigger: what interrupts the skills of an agent with a planner, if not what its name stands for.
        rollout: number and length of the rollout planner's futures.
        schedule: the roles of a switching or locked partner; None draws them from the seed.
        controls: where a person's input comes from.
        live: whether the game goes on while a language model plans.
        weights: a folder with the weights of learned policies; None for those that ship with the project.
        oracle: makes what tells an agent the truth in the place of its belief (`bba.analysis.oracle`); None for none.
    """

    planner: str = "scripted"
    model: ModelOptions | None = None
    prompts: Path | None = None
    history_turns: int = PLANNER_DEFAULTS.history_turns
    retries: int = PLANNER_DEFAULTS.retries
    prompt_layout: PromptLayout = PLANNER_DEFAULTS.prompt_layout
    ask: Ask = PLANNER_DEFAULTS.ask
    belief_config: BeliefConfig | None = None
    belief_changes: Mapping[str, Any] = field(default_factory=dict)
    rollout: RolloutOptions = field(default_factory=RolloutOptions)
    trigger: TriggerName | None = None
    schedule: Schedule | None = None
    controls: Controls | None = None
    live: bool = False
    weights: Path | None = None
    oracle: MakeModel | None = None

    @property
    def beliefs(self) -> BeliefConfig:
        """The parameters of belief and gates."""
        return self.belief_config or BeliefConfig.for_planner(self.planner, self.belief_changes)


def _language_model(options: AgentOptions) -> ChatBackend:
    if options.model is None:
        raise BBAError(f"planner: {options.planner} needs to know which model; give AgentOptions a `model`")
    return shared_backend(changed(options.model, {"provider": options.planner}))


BACKENDS: dict[str, Callable[[AgentOptions], ChatBackend]] = {
    "scripted": lambda _: ScriptedBackend(),
    "openai": _language_model,
    "litellm": _language_model,
}
MODEL_PLANNERS = ("openai", "litellm")  # planners that are language models
KEYLESS = ("scripted", ROLLOUT)  # planners that need no model and no key

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
    **{name: f"{unlocked(name)}, but it does not adapt: one role at a time, else it waits" for name in LOCKED_PARTNERS},
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
    locked = name in LOCKED_PARTNERS
    if unlocked(name) == SwitchingPartner.name:
        return SwitchingPartner(options.schedule, locked=locked)
    if locked:
        return LockedLearnedAgent(unlocked(name), options.weights, options.schedule)
    if name == HUMAN:
        return HumanAgent(options.controls)
    if name in LEARNED:
        return LearnedAgent(name, options.weights)
    check_agent(name)
    _check_planner(options.planner)
    agent = _planner_agent(name, options)
    return AsyncAgent(agent) if options.live and options.planner not in KEYLESS else agent


def check_agent(name: str, option: str = "agent") -> None:
    """Checks that there is an agent of this name; `option` is what the message blames.

    Raises:
        BBAError: there is none.
    """
    if name not in DESCRIPTIONS:
        raise BBAError(f"{option}: no agent named {name!r}; {instead(name, DESCRIPTIONS)}; --list names all")


def _planner_agent(name: str, options: AgentOptions) -> Forkable:
    """Returns an agent with a planner."""
    if name == HypotheticalMinds.name:
        if options.planner not in BACKENDS:
            others = ", ".join(BACKENDS)
            raise BBAError(f"planner: {name} needs a planner that reads prompts ({others}), not {options.planner}")
        backend, prompts = BACKENDS[options.planner](options), Prompts.load(options.prompts, options.prompt_layout)
        turns, retries = options.history_turns, options.retries
        return HypotheticalMinds(backend, prompts, history_turns=turns, retries=retries, ask=options.ask)
    variant = VARIANTS[name]
    planner = skill_planner(variant.kind, options)
    return PlanningAgent(
        variant,
        planner,
        ask=options.ask,
        belief_config=options.beliefs,
        trigger=options.trigger,
        model_of=options.oracle or partial(partner_model, weights=options.weights),
        oracle=options.oracle is not None,
    )


def skill_planner(kind: PromptKind, options: AgentOptions) -> SkillPlanner:
    """Returns a new planner of skills, with the system prompt of this kind if it is asked in prompts.

    Raises:
        BBAError: no such planner or prompt folder.
    """
    _check_planner(options.planner)
    if options.planner == ROLLOUT:
        return RolloutPlanner(options.rollout, options.weights)
    backend, prompts = BACKENDS[options.planner](options), Prompts.load(options.prompts, options.prompt_layout)
    turns, retries = options.history_turns, options.retries
    return PromptPlanner(Planner(backend, prompts, kind=kind, history_turns=turns, retries=retries), backend.name)


def _check_planner(name: str) -> None:
    if name not in (planners := [*BACKENDS, ROLLOUT]):
        raise BBAError(f"planner: no planner named {name!r}; {instead(name, planners)}")


def model_of(planner: str | None) -> str | None:
    """Returns the language model of a planner, by the planner's name in results; None if it is none."""
    kind, _, model = (planner or "").partition(":")
    return model if model and kind in MODEL_PLANNERS else None


def planner_of(profile: Profile, options: AgentOptions) -> str:
    """Returns the planner of an agent with this profile: that of the options, unless only one of both simulates."""
    return profile.planner if ROLLOUT in (profile.planner, options.planner) and profile.planner else options.planner


def weights_file(name: str, layout: Layout, options: AgentOptions) -> Path | None:
    """Returns the file with an agent's weights for a layout, the rollout planner's included; None without weights.

    Raises:
        NoWeights: there are none for this layout.
        BBAError: the weights cannot be used.
    """
    name = unlocked(name)
    simulates = options.planner == ROLLOUT or options.beliefs.filter.prior != "counts"
    weights = PLANNER_NETWORKS if name in VARIANTS and simulates else unlocked(name)
    if weights != PLANNER_NETWORKS and weights not in LEARNED:
        return None
    weights_for(weights, layout, options.weights)
    return weights_path(weights, layout, options.weights)


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
    asked = replace(asked, rollout=profile.rollout or options.rollout, oracle=oracle)
    agent = load_agent(profile.agent, asked)
    if agent.profile.planner != profile.planner:
        raise BBAError(f"planner: {profile.agent} was planned for by {profile.planner}, not by {agent.profile.planner}")
    return agent
