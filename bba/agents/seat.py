"""A seat: who sits in it and how it plays, from the command line, a file, a form or Python; and what layers of it say.

What an agent becomes of its `SeatSpec` is its `Profile`, which recordings and results hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import InstanceOf, ValidationError

from bba.agents.base import AgentLike, Schedule
from bba.agents.planner_names import KEYLESS, MODEL_PLANNERS, own_planner
from bba.config import (
    BELIEF_OPTIONS,
    PLANNER_DEFAULTS,
    REAL_TIME,
    USUAL_ASK,
    Ask,
    BeliefConfig,
    ConditionName,
    Knowledge,
    PlannerOptions,
    PromptLayout,
    RolloutOptions,
    TriggerName,
    changed,
)
from bba.config.options import refused
from bba.errors import BBAError, instead, shortened
from bba.keywords import known_options
from bba.planner import Prompts
from bba.planner.model_options import ModelOptions

# What the preprint does besides its prompts, where nothing else is said of a language model.
STRICT: Mapping[str, Any] = MappingProxyType({"conversation": "roll", "answer": "text"})
# The conditions in which language models play, as layers below all that is said of a seat. Turns and answers follow as
# with strict prompts; how many turns are sent, is the preprint's number by default.
CONDITION_LAYERS: Mapping[ConditionName, Mapping[str, Any]] = MappingProxyType(
    {"preprint": MappingProxyType({"prompt_layout": "strict", "ask": "always", **STRICT}), "ours": MappingProxyType({})}
)

_shipped = cache(partial(Prompts.load, None))  # the templates, by layout; they do not change while the program runs


class _SeatTypes(PlannerOptions):
    """The values that fields of a seat take, where no other place checks them."""

    knows: Knowledge | None = None
    condition: ConditionName | None = None
    live: bool
    real_time: bool
    model: InstanceOf[ModelOptions] | None = None
    belief_config: InstanceOf[BeliefConfig] | None = None
    rollout: InstanceOf[RolloutOptions]


@known_options
@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who sits in a seat, and how they play: all that is said of it; each agent uses what concerns it.

    Attributes:
        agent: who sits there: a name, a class of agents, or an agent.
        planner: the name of the backend; the scripted one does not plan for `bayes-value`, but the rollout planner.
        model: the language model, if that is the planner.
        models: language models that have options of their own, by name; any other has those of `model`.
        prompts: a folder of prompt templates; None for those that ship with the project.
        history_turns: the number of earlier turns sent to the planner.
        retries: how often an unusable response is sent back.
        prompt_layout: where prompts say what never changes in a game; None for `places`.
        ask: when a cook that waits is asked again; None for "changed", and "always" with strict prompts.
        condition: what of a language model counts where nothing else is said (`CONDITION_LAYERS`); prompts of one's own
            keep their places. None for nothing.
        belief_config: the parameters of belief and gates; None for the planner's defaults with `belief_changes`.
        belief_changes: parameters and named settings that replace the planner's defaults, by name.
        trigger: what interrupts the skills of an agent with a planner, if not what its name stands for.
        rollout: number and length of the rollout planner's futures.
        schedule: the roles of a switching or locked partner; None draws them from the seed.
        live: whether a language model plans in the background, so that a screen stays quick.
        real_time: whether a live game goes on meanwhile; by default it waits.
        weights: a folder with the weights of learned policies; None for those that ship with the project.
        agent_options: the options of an agent that is a plug-in.
        planner_options: those of a planner that is one.
        trigger_options: those of a trigger that is one.
        partner_model: the plug-in that keeps the belief, in the place of filter and gates; None for these.
        partner_model_options: its options.
        knows: what an oracle tells it of its partner in the place of its belief (`bba.play.oracle`); None for nothing.
    """

    agent: AgentLike = "bayes"
    planner: str = "scripted"
    model: ModelOptions | None = None
    models: Mapping[str, ModelOptions] = field(default_factory=dict)
    prompts: Path | None = None
    history_turns: int = PLANNER_DEFAULTS.history_turns
    retries: int = PLANNER_DEFAULTS.retries
    prompt_layout: PromptLayout | None = PLANNER_DEFAULTS.prompt_layout
    ask: Ask | None = PLANNER_DEFAULTS.ask
    condition: ConditionName | None = None
    belief_config: BeliefConfig | None = None
    belief_changes: Mapping[str, Any] = field(default_factory=dict)
    rollout: RolloutOptions = field(default_factory=RolloutOptions)
    trigger: TriggerName | None = None
    schedule: Schedule | None = None
    live: bool = False
    real_time: bool = REAL_TIME
    weights: Path | None = None
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    planner_options: Mapping[str, Any] = field(default_factory=dict)
    trigger_options: Mapping[str, Any] = field(default_factory=dict)
    partner_model: str | None = None
    partner_model_options: Mapping[str, Any] = field(default_factory=dict)
    knows: Knowledge | None = None

    def __post_init__(self) -> None:
        """Takes folders that are named by text, and checks the values.

        With strict prompts, or in the preprint's condition, a language model does as the preprint, unless something is
        said.

        Raises:
            BBAError: a value that is not allowed, or a parameter of the belief that does not exist.
        """
        for name in ("prompts", "weights"):
            folder = getattr(self, name)
            if isinstance(folder, str):
                object.__setattr__(self, name, Path(folder))
        try:
            values = _SeatTypes.model_validate({name: getattr(self, name) for name in _SeatTypes.model_fields})
        except ValidationError as error:
            raise refused("SeatSpec", _SeatTypes, error) from None
        for name, value in values:
            object.__setattr__(self, name, value)
        for name in self.belief_changes:
            if name not in BELIEF_OPTIONS:
                near = instead(str(name), sorted(BELIEF_OPTIONS))
                raise BBAError(f"SeatSpec: belief_changes: no parameter {name!r}; {near}")
        if self.belief_changes:
            BeliefConfig.of({name: value for name, value in self.belief_changes.items() if value is not None})
        object.__setattr__(self, "planner", own_planner(self.agent, self.planner))
        if self.prompt_layout == "strict":
            object.__setattr__(self, "ask", self.ask or "always")
        layer = STRICT if self.prompt_layout == "strict" else CONDITION_LAYERS.get(self.condition or "ours", {})
        if self.model is not None:
            said = {name: getattr(self.model, name) or layer[name] for name in STRICT if name in layer}
            object.__setattr__(self, "model", changed(self.model, said))

    @property
    def effective_prompt_layout(self) -> PromptLayout:
        """Where prompts say what never changes in a game: first, for a model whose conversation grows and is cached.

        Prompts of one's own have the preprint's places, and so have those of planners that cost nothing.
        """
        if self.prompt_layout is not None:
            return self.prompt_layout
        if self.prompts is None and "prompt_layout" in self._layer:
            layout: PromptLayout = self._layer["prompt_layout"]
            return layout
        grows = self.planner in MODEL_PLANNERS and self.model is not None and self.model.conversation != "roll"
        return "cached" if grows and self.prompts is None else "preprint"

    @property
    def effective_ask(self) -> Ask:
        """When a cook that waits is asked again."""
        ask: Ask = self.ask or self._layer.get("ask", USUAL_ASK)
        return ask

    @property
    def _layer(self) -> Mapping[str, Any]:
        """What the condition says; nothing where no language model plans."""
        if self.condition is None or self.planner not in MODEL_PLANNERS:
            return {}
        return CONDITION_LAYERS[self.condition]

    @property
    def beliefs(self) -> BeliefConfig:
        """The parameters of belief and gates."""
        return self.belief_config or BeliefConfig.for_planner(self.planner, self.belief_changes)

    @property
    def templates(self) -> Prompts:
        """The prompt templates; raises BBAError if they cannot be read."""
        if self.prompts is None:
            return _shipped(self.effective_prompt_layout)
        return Prompts.load(self.prompts, self.effective_prompt_layout)

    def of_agent(self, agent: AgentLike) -> "SeatSpec":
        """Returns the same seat with another agent in it."""
        return replace(self, agent=agent)

    def of_model(self, name: str) -> "SeatSpec":
        """Returns the seat with another language model, which may have an endpoint and limits of its own."""
        model = self.models.get(name)
        if model is not None:
            return replace(self, planner=model.provider, model=model)
        if self.model is None:
            return self
        return replace(self, model=changed(self.model, {"model": name}))

    def planned_by(self, name: str) -> "SeatSpec":
        """Returns the seat with a planner that needs no key, or with a language model, by name; the same for ""."""
        if not name:
            return self
        if name in KEYLESS:
            return replace(self, planner=name)
        return self.of_model(name)

    def as_partner(self, agent_options: Mapping[str, Any]) -> "SeatSpec":
        """Returns the seat of the ego's partner that shares these settings: trigger and partner model are the ego's.

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


# The fields that are tables of options: a layer adds to those below it.
TABLES = ("belief_changes", "agent_options", "planner_options", "trigger_options", "partner_model_options")


def merge(base: SeatSpec, *layers: Mapping[str, Any]) -> SeatSpec:
    """Returns a seat of which several layers say something: of each name the last layer counts that says it.

    Args:
        base: the seat where no layer says otherwise.
        layers: values by the names of `SeatSpec`; None says nothing. A table of options is put together by its names.

    Raises:
        BBAError: a value that is not allowed.
    """
    values: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            if value is None:
                continue
            if name in TABLES:
                values[name] = {**values.get(name, getattr(base, name)), **dict(value)}
            else:
                values[name] = value
    return replace(base, **values)


def seat_of(agent: AgentLike | SeatSpec, shared: SeatSpec | None = None) -> SeatSpec:
    """Returns the seat of an agent: its own, or for an agent alone that with the shared settings; None for defaults.

    Raises:
        BBAError: the shared settings are something else.
    """
    shared = shared_seat(shared)
    if isinstance(agent, SeatSpec):
        return agent
    return replace(shared, agent=agent)


def shared_seat(options: SeatSpec | None) -> SeatSpec:
    """Returns the settings that a caller in Python has given for several seats; the defaults for None.

    Raises:
        BBAError: it is something else.
    """
    if not isinstance(options, SeatSpec | None):
        raise BBAError(f"options: {shortened(options)} is not allowed; SeatSpec or None")
    return options or SeatSpec()
