"""What a sweep varies in seat 0: the agent, and the settings under which it plays."""

from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, create_model, model_validator

from bba.agents.base import Schedule
from bba.agents.triggers import TRIGGERS
from bba.config import (
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    NamedOptions,
    Options,
    PlannerOptions,
    SkillOptions,
    type_of,
)
from bba.config.options import BeliefName
from bba.errors import instead
from bba.limits import Knowledge, PluginText, Share, TriggerName
from bba.plugins import is_plugin_name
from bba.plugins.used import OptionTable, OptionValues, with_options

DEFAULT_VARIANT = "default"
STORED = {"stored": True}  # context for reading a stored sweep, whose agents and layouts need not exist any more
OWN_PLANNERS = ("scripted", "rollout")  # that one ego can have while another plans for all
OPTIONS = ("agent_options", "planner_options", "trigger_options", "partner_model_options")  # of plug-ins, in a variant
OneLine = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Name = Annotated[OneLine, Field(max_length=80)]


def _known_trigger(name: str, info: ValidationInfo) -> str:
    if info.context == STORED or name in TRIGGERS or is_plugin_name("trigger", name):
        return name
    raise ValueError(f"no trigger named {name!r}; {instead(name, TRIGGERS)}")


def _known_planner(name: str, info: ValidationInfo) -> str:
    if info.context == STORED or name in OWN_PLANNERS or is_plugin_name("planner", name):
        return name
    raise ValueError(f"Input should be {' or '.join(map(repr, OWN_PLANNERS))}, or a plug-in")


KnownTrigger = Annotated[TriggerName, AfterValidator(_known_trigger)]
KnownPlanner = Annotated[Literal["scripted", "rollout"] | PluginText, AfterValidator(_known_planner)]


class EgoSpec(Options):
    """The agent in seat 0.

    Attributes:
        agent: its name.
        model: the language model that plans for it, if one does.
        trigger: what interrupts its skills, if not what its name stands for.
        planner: what plans for it, if not what plans for all: scripted, rollout or a plug-in.
        partner_model: a plug-in in the place of its filter and gates.
        belief: the named setting of its belief, if not its planner's.
        knows: what an oracle tells it of its partner; None for no oracle.
        title: its name in tables, if not what it is.
        options, trigger_options, planner_options, partner_model_options: those of plug-ins.
    """

    agent: OneLine
    model: Name | None = None
    trigger: KnownTrigger | None = None
    planner: KnownPlanner | None = None
    options: OptionTable = ()
    trigger_options: OptionTable = ()
    planner_options: OptionTable = ()
    partner_model: PluginText | None = None
    partner_model_options: OptionTable = ()
    belief: BeliefName | None = None
    knows: Knowledge | None = None
    title: Name | None = None

    @property
    def name(self) -> str:
        """Its name in tables."""
        if self.title is not None:
            return self.title
        name = with_options(self.agent, self.options)
        if self.partner_model is not None:
            name = f"{name} with {with_options(self.partner_model, self.partner_model_options)}"
        return name if self.trigger is None else f"{name} on {with_options(self.trigger, self.trigger_options)}"

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, data: object) -> object:
        return {"agent": data} if isinstance(data, str) else data


class PartnerSettings(Options):
    """How the partners of a group play, where that is not as all play; None for what is.

    Attributes:
        mobility: of the partner alone, 0 to 1.
        schedule: the roles of a switching or locked partner.
    """

    mobility: Share | None = None
    schedule: Schedule | None = None

    def beside(self, mobility: float) -> float | tuple[float, float]:
        """Returns the mobility of both seats, given that of an ego."""
        return mobility if self.mobility is None else (mobility, self.mobility)


NO_SETTINGS = PartnerSettings()


def _optional_settings() -> dict[str, Any]:
    """What a variant may set: parameters and named settings of belief and gates, and a few options; else None."""
    options = {"mobility": EpisodeOptions.model_fields["mobility"], "ask": PlannerOptions.model_fields["ask"]}
    parameters = GateConfig.model_fields | CommitmentConfig.model_fields | FilterConfig.model_fields
    fields = parameters | options | SkillOptions.model_fields | NamedOptions.model_fields
    own = {
        "trigger": (KnownTrigger | None, None),
        "partner_model": (PluginText | None, None),
        **dict.fromkeys(OPTIONS, (OptionTable | None, None)),
    }
    return {name: (type_of(field) | None, None) for name, field in fields.items()} | own


_Optional = create_model("_Optional", __base__=Options, name=(Name | None, None), **_optional_settings())


class SettingVariant(_Optional):  # type: ignore[misc, valid-type]  # its fields are read from other models
    """Settings under which the egos play; those that are given replace the defaults.

    Without a name it is called by what it changes, as ``theta_obs 0.02``.
    """

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that are given, by name."""
        given: dict[str, Any] = self.model_dump(exclude_none=True, exclude={"name", *OPTIONS})
        return given

    @property
    def label(self) -> str:
        """Its heading in tables."""
        options: Iterable[OptionValues] = (getattr(self, table) or () for table in OPTIONS)
        given = [*self.changes.items(), *chain(*options)]
        words = (f"{key} {value:g}" if isinstance(value, float) else f"{key} {value}" for key, value in given)
        return self.name or ", ".join(words) or DEFAULT_VARIANT
