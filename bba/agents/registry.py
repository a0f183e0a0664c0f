"""Every agent by name, and what is said of a seat (`AgentOptions`) to make one, also again from its profile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from pydantic import InstanceOf, ValidationError

from bba.agents.async_agent import AsyncAgent, AwaitedAgent
from bba.agents.base import Agent, AgentLike, Forkable, MakeModel, MakeOracle, Profile, Schedule
from bba.agents.human import HUMAN, Controls, HumanAgent
from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.learned.agent import CLONE, LEARNED, HumanClone, LearnedAgent, is_clone, is_learned
from bba.agents.learned.weights import PLANNER_NETWORKS, weights_for, weights_path
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent, partner_model
from bba.agents.plugin_parts import PluginAgent, PluginBackend, plugin_backend, plugin_model, plugin_trigger
from bba.agents.role_partners import LOCKED_PARTNERS, LockedLearnedAgent, SwitchingPartner, unlocked
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.skill_planner import ROLLOUT, RolloutPlanner, SkillPlanner
from bba.agents.triggers import TRIGGERS
from bba.config import (
    BELIEF_OPTIONS,
    PLANNER_DEFAULTS,
    REAL_TIME,
    USUAL_ASK,
    Ask,
    BeliefConfig,
    Knowledge,
    PlannerOptions,
    PromptLayout,
    RolloutOptions,
    TriggerName,
    changed,
)
from bba.config.options import AnswerForm, ConversationName, refused
from bba.errors import BBAError, instead, shortened
from bba.keywords import known_options
from bba.kitchen import Layout
from bba.planner import ChatBackend, PromptKind, Prompts, ScriptedBackend
from bba.planner.llm import ModelOptions
from bba.plugins import Plugin, find_used, first_line, is_plugin_name, load_plugin, load_used, make, name_of

PLANNERS = {
    "scripted": "embedded and deterministic; reads the prompt, needs no key and no network",
    "openai": "a language model behind an OpenAI-compatible endpoint; see --model and --base-url",
    "litellm": "a language model of any provider that LiteLLM knows: pip install 'bba-tui[litellm]'; see --model",
    "local": "a language model on this machine: pip install 'bba-tui[local]'; see --model and bba-tui models",
    ROLLOUT: "simulates what each skill leads to, given the belief; needs no key and no network",
}
_shipped = cache(partial(Prompts.load, None))  # the templates, by layout; they do not change while the program runs


# What the preprint does besides its prompts, where nothing else is said of a language model.
STRICT: Mapping[str, Any] = MappingProxyType({"conversation": "roll", "answer": "text"})


class _OptionTypes(PlannerOptions):
    """The values that options of a seat take, where no other place checks them."""

    knows: Knowledge = "policy"
    live: bool
    real_time: bool
    model: InstanceOf[ModelOptions] | None = None
    belief_config: InstanceOf[BeliefConfig] | None = None
    rollout: InstanceOf[RolloutOptions]


@known_options
@dataclass(frozen=True, slots=True)
class AgentOptions:
    """All that is said of a seat beside its agent's name; each agent uses what concerns it.

    Command line, sweeps, exams and forks say it in these words; what an agent becomes of it is its `Profile`.

    Attributes:
        planner: the name of the backend.
        model: the language model, if that is the planner.
        models: language models that have options of their own, by name; any other has those of `model`.
        prompts: a folder of prompt templates; None for those that ship with the project.
        history_turns: the number of earlier turns sent to the planner.
        retries: how often an unusable response is sent back.
        prompt_layout: where prompts say what never changes in a game; None for `places`.
        ask: when a cook that waits is asked again; None for "changed", and "always" with strict prompts.
        belief_config: the parameters of belief and gates; None for the planner's defaults with `belief_changes`.
        belief_changes: parameters and named settings that replace the planner's defaults, by name.
        trigger: what interrupts the skills of an agent with a planner, if not what its name stands for.
        rollout: number and length of the rollout planner's futures.
        schedule: the roles of a switching or locked partner; None draws them from the seed.
        controls: where a person's input comes from.
        live: whether a language model plans in the background, so that a screen stays quick.
        real_time: whether a live game goes on meanwhile; by default it waits.
        weights: a folder with the weights of learned policies; None for those that ship with the project.
        agent_options: the options of an agent that is a plug-in.
        planner_options: those of a planner that is one.
        trigger_options: those of a trigger that is one.
        partner_model: the plug-in that keeps the belief, in the place of filter and gates; None for these.
        partner_model_options: its options.
        oracle: makes what tells an agent the truth in the place of its belief (`bba.play.oracle`); None for none.
        knows: what that tells.
    """

    planner: str = "scripted"
    model: ModelOptions | None = None
    models: Mapping[str, ModelOptions] = field(default_factory=dict)
    prompts: Path | None = None
    history_turns: int = PLANNER_DEFAULTS.history_turns
    retries: int = PLANNER_DEFAULTS.retries
    prompt_layout: PromptLayout | None = PLANNER_DEFAULTS.prompt_layout
    ask: Ask | None = PLANNER_DEFAULTS.ask
    belief_config: BeliefConfig | None = None
    belief_changes: Mapping[str, Any] = field(default_factory=dict)
    rollout: RolloutOptions = field(default_factory=RolloutOptions)
    trigger: TriggerName | None = None
    schedule: Schedule | None = None
    controls: Controls | None = None
    live: bool = False
    real_time: bool = REAL_TIME
    weights: Path | None = None
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    planner_options: Mapping[str, Any] = field(default_factory=dict)
    trigger_options: Mapping[str, Any] = field(default_factory=dict)
    partner_model: str | None = None
    partner_model_options: Mapping[str, Any] = field(default_factory=dict)
    oracle: MakeOracle | None = None
    knows: Knowledge = "policy"

    def __post_init__(self) -> None:
        """Takes folders that are named by text, and checks the values.

        With strict prompts a language model does as the preprint, unless something is said.

        Raises:
            BBAError: a value that is not allowed, or a parameter of the belief that does not exist.
        """
        for name in ("prompts", "weights"):
            folder = getattr(self, name)
            if isinstance(folder, str):
                object.__setattr__(self, name, Path(folder))
        try:
            values = _OptionTypes.model_validate({name: getattr(self, name) for name in _OptionTypes.model_fields})
        except ValidationError as error:
            raise refused("AgentOptions", _OptionTypes, error) from None
        for name, value in values:
            object.__setattr__(self, name, value)
        for name in self.belief_changes:
            if name not in BELIEF_OPTIONS:
                near = instead(str(name), sorted(BELIEF_OPTIONS))
                raise BBAError(f"AgentOptions: belief_changes: no parameter {name!r}; {near}")
        if self.belief_changes:
            BeliefConfig.of({name: value for name, value in self.belief_changes.items() if value is not None})
        if self.prompt_layout != "strict":
            return
        object.__setattr__(self, "ask", self.ask or "always")
        if self.model is not None:
            strict = {name: getattr(self.model, name) or value for name, value in STRICT.items()}
            object.__setattr__(self, "model", changed(self.model, strict))

    @property
    def places(self) -> PromptLayout:
        """Where prompts say what never changes in a game: first, for a model whose conversation grows and is cached.

        Prompts of one's own have the preprint's places, and so have those of planners that cost nothing.
        """
        if self.prompt_layout is not None:
            return self.prompt_layout
        grows = self.planner in MODEL_PLANNERS and self.model is not None and self.model.conversation != "roll"
        return "cached" if grows and self.prompts is None else "preprint"

    @property
    def asks(self) -> Ask:
        """When a cook that waits is asked again."""
        return self.ask or USUAL_ASK

    @property
    def beliefs(self) -> BeliefConfig:
        """The parameters of belief and gates."""
        return self.belief_config or BeliefConfig.for_planner(self.planner, self.belief_changes)

    @property
    def templates(self) -> Prompts:
        """The prompt templates; raises BBAError if they cannot be read."""
        return _shipped(self.places) if self.prompts is None else Prompts.load(self.prompts, self.places)

    def of_model(self, name: str) -> "AgentOptions":
        """Returns the options with another language model, which may have an endpoint and limits of its own."""
        model = self.models.get(name)
        if model is not None:
            return replace(self, planner=model.provider, model=model)
        if self.model is None:
            return self
        return replace(self, model=changed(self.model, {"model": name}))

    def of_partner(self, agent_options: Mapping[str, Any]) -> "AgentOptions":
        """Returns the options of the ego's partner: trigger and partner model are the ego's alone.

        Args:
            agent_options: those of the partner, if it is a plug-in.
        """
        return replace(
            self,
            agent_options=agent_options,
            trigger=None,
            trigger_options={},
            partner_model=None,
            partner_model_options={},
        )


def _language_model(options: AgentOptions) -> ChatBackend:
    if options.model is None:
        raise BBAError(f"planner: {options.planner} needs to know which model; give AgentOptions a `model`")
    from bba.planner.llm.pipeline import shared_backend  # only here: most games do without a language model

    model = changed(options.model, {"provider": options.planner})
    if options.planner == "local":
        from bba.planner.llm.local_models import located

        model = located(model)
    return shared_backend(model)


BACKENDS: dict[str, Callable[[AgentOptions], ChatBackend]] = {
    "scripted": lambda _: ScriptedBackend(),
    "openai": _language_model,
    "litellm": _language_model,
    "local": _language_model,
}
MODEL_PLANNERS = ("openai", "litellm", "local")  # planners that are language models
KEYLESS = ("scripted", ROLLOUT)  # planners that need no model and no key
MODEL_SIGN = "@"  # between an agent and what plans for it alone

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
    HYPOTHETICAL_MINDS.name: "the base planner with tested hypotheses about the partner",
    **LEARNED,
    HUMAN: "a person at the keyboard",
    **{name: f"{unlocked(name)}, but it does not adapt: one role at a time, else it waits" for name in LOCKED_PARTNERS},
    "switching": "scripted partner that pursues one role at a time and switches at set steps",
}


def agent_names() -> list[str]:
    """Returns the names that `load_agent` knows."""
    return list(DESCRIPTIONS)


def load_agent(given: AgentLike, options: AgentOptions | None = None) -> Agent:
    """Returns a new agent by name, or that of a class; an agent, or an object with its methods, plays itself.

    Planner, trigger and partner model of the options are names, too, or classes, functions or objects like plug-ins.

    Raises:
        BBAError: no such agent, planner or prompt folder, or an agent that does not take this trigger. A learned
            agent's weights are read when an episode begins.
    """
    if isinstance(getattr(given, "profile", None), Profile) and not isinstance(given, type):
        return cast(Agent, given)
    name = name_of("agent", given)
    options = checked_options(options)
    planner = options.planner
    trigger = options.trigger
    model = options.partner_model
    options = replace(
        options,
        planner=name_of("planner", planner),
        trigger=None if trigger is None else name_of("trigger", trigger),
        partner_model=None if model is None else name_of("partner-model", model),
    )
    check_agent(name)
    if options.trigger is not None and name not in AGENT_VARIANTS:
        raise BBAError(f"trigger: {name} takes none; these agents do: {', '.join(AGENT_VARIANTS)}")
    if name not in DESCRIPTIONS and not is_clone(name):
        return PluginAgent(make(load_plugin("agent", name), options.agent_options))
    if options.agent_options:
        raise BBAError(f"{name}: is no plug-in and takes no such options: {', '.join(options.agent_options)}")
    locked = name in LOCKED_PARTNERS
    if unlocked(name) == SwitchingPartner.name:
        return SwitchingPartner(options.schedule, locked=locked)
    if locked:
        return LockedLearnedAgent(unlocked(name), options.weights, options.schedule)
    if name == HUMAN:
        return HumanAgent(options.controls)
    if is_clone(name):
        return HumanClone(name, options.weights)
    if name in LEARNED:
        return LearnedAgent(name, options.weights)
    agent = _planner_agent(name, options)
    if not options.live or options.planner in KEYLESS:
        return agent
    return AsyncAgent(agent) if options.real_time else AwaitedAgent(agent)


def checked_options(options: AgentOptions | None) -> AgentOptions:
    """Returns the options that a caller in Python has given; the defaults for None.

    Raises:
        BBAError: it is something else.
    """
    if not isinstance(options, AgentOptions | None):
        raise BBAError(f"options: {shortened(options)} is not allowed; AgentOptions or None")
    return options or AgentOptions()


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


def _planner_agent(name: str, options: AgentOptions) -> Forkable:
    """Returns an agent with a planner."""
    if options.planner in PLANNERS and options.planner_options:
        raise BBAError(f"planner-option: {options.planner} is no plug-in; its options are those of --help-all")
    chosen = _backend(options)
    variant = AGENT_VARIANTS.get(name, HYPOTHETICAL_MINDS)
    if variant is HYPOTHETICAL_MINDS and chosen is None:
        reading = ", ".join(BACKENDS)
        raise BBAError(f"planner: {name} needs a planner that reads prompts ({reading}), not {options.planner}")
    planner = skill_planner(variant.kind, options, chosen)
    trigger = None
    model = None
    trigger_name = options.trigger
    if trigger_name is not None and trigger_name not in TRIGGERS and is_plugin_name("trigger", trigger_name):
        trigger = plugin_trigger(trigger_name, options.trigger_options)
    elif options.trigger_options:
        raise BBAError("trigger-option: is for a --trigger that is a plug-in")
    if options.partner_model is not None and variant.has_belief:
        imported = load_plugin("partner-model", options.partner_model)
        model = plugin_model(imported, options.partner_model_options)
    elif options.partner_model is None and options.partner_model_options:
        raise BBAError("partner-model-option: is for a --partner-model")
    make_model: MakeModel = partial(partner_model, weights=options.weights)
    if options.oracle is not None:
        make_model = partial(options.oracle, options.knows)
    elif model is not None:
        make_model = model.target
    judge = None
    if trigger_name == "value" and pays(options.planner):
        judge = RolloutPlanner(options.rollout, options.weights)
    return PlanningAgent(
        variant,
        planner,
        ask=options.asks,
        belief_config=options.beliefs,
        trigger=options.trigger,
        model_of=make_model,
        knows=None if options.oracle is None else options.knows,
        interrupts=None if trigger is None else trigger.target,
        plugins=tuple(part.used for part in (chosen, trigger, model) if isinstance(part, PluginBackend | Plugin)),
        judge=judge,
    )


def _backend(options: AgentOptions) -> ChatBackend | None:
    """Returns what answers the prompts; None for the rollout planner, which needs none.

    Raises:
        BBAError: there is no such planner, or it cannot be used.
    """
    name = options.planner
    if name == ROLLOUT:
        return None
    if name in BACKENDS:
        return BACKENDS[name](options)
    if not is_plugin_name("planner", name):
        raise BBAError(f"planner: no planner named {name!r}; {instead(name, [*BACKENDS, ROLLOUT])}")
    return plugin_backend(name, options.planner_options)


def skill_planner(kind: PromptKind, options: AgentOptions, chosen: ChatBackend | None = None) -> SkillPlanner:
    """Returns a new planner of skills, with the system prompt of this kind if it is asked in prompts.

    Args:
        kind: of the system prompt.
        options: of the seat.
        chosen: what answers the prompts, if it is made already.

    Raises:
        BBAError: no such planner or prompt folder.
    """
    chosen = chosen or _backend(options)
    if chosen is None:
        return RolloutPlanner(options.rollout, options.weights)
    prompts = options.templates
    turns = options.history_turns
    retries = options.retries
    by_state = type(chosen) is ScriptedBackend and options.prompts is None
    if by_state and kind != "hypothetical":
        return ScriptedPlanner(prompts, kind, turns)
    conversation: ConversationName = "roll"
    answer_form: AnswerForm = "text"
    if options.model is not None and pays(options.planner):
        model = changed(options.model, {"provider": options.planner})
        conversation = model.turns
        answer_form = model.form
    return prompt_planner(
        kind,
        chosen,
        prompts,
        conversation,
        answer_form,
        history_turns=turns,
        retries=retries,
        ask=options.asks,
        by_state=by_state,
    )


def is_plugin_planner(name: str) -> bool:
    """Whether a planner does not ship with the project."""
    return name not in PLANNERS and is_plugin_name("planner", name)


def pays(planner: str) -> bool:
    """Whether a planner asks a language model at an endpoint, with prices and limits; a plug-in does as it likes."""
    return planner not in KEYLESS and not is_plugin_planner(planner)


def model_of(planner: str | None) -> str | None:
    """Returns the language model of a planner, by the planner's name in results; None if it is none."""
    kind, _, model = (planner or "").partition(":")
    return model if model and kind in MODEL_PLANNERS else None


def weights_file(name: str, layout: Layout, options: AgentOptions) -> Path | None:
    """Returns the file with an agent's weights for a layout, the rollout planner's included; None without weights.

    Raises:
        NoWeights: there are none for this layout.
        BBAError: the weights cannot be used.
    """
    plans = name in AGENT_VARIANTS and (options.planner == ROLLOUT or options.beliefs.filter.prior != "counts")
    weights = PLANNER_NETWORKS if plans else unlocked(name)
    if weights != PLANNER_NETWORKS and not is_learned(weights):
        return None
    weights_for(weights, layout, options.weights)
    return weights_path(weights, layout, options.weights)


def agent_like(profile: Profile, options: AgentOptions | None = None) -> Agent:
    """Returns a new agent with this profile; `options` gives what a profile does not contain.

    Raises:
        BBAError: no such agent, another planner than the profile's, a plug-in that may not be imported or is not the
            one that was used, or nothing that tells it the truth.
    """
    options = options or AgentOptions()
    if profile.oracle and options.oracle is None:
        raise BBAError(f"{profile.agent}: was told the truth of its game; only a fork of that can go on")
    for used in profile.plugins:
        load_used(used)
    plugin_options = {used.kind: dict(used.options) for used in profile.plugins}
    model = find_used(profile.plugins, "partner-model")
    of_profile = replace(
        options,
        planner=planner_of(profile, options),
        belief_config=profile.belief_config or options.belief_config,
        rollout=profile.rollout or options.rollout,
        schedule=profile.schedule,
        ask=profile.asked or options.asks,
        trigger=profile.trigger,
        oracle=options.oracle if profile.oracle else None,
        knows=profile.knows or "policy",
        agent_options=plugin_options.get("agent", {}),
        planner_options=plugin_options.get("planner", {}),
        trigger_options=plugin_options.get("trigger", {}),
        partner_model=model.name if model else None,
        partner_model_options=plugin_options.get("partner-model", {}),
    )
    agent = load_agent(profile.agent, of_profile)
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
