"""The parts of a sweep: an agent in seat 0, the settings of partners, and a variant of the settings."""

from collections.abc import Mapping
from typing import Any

from pydantic import (
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from bba.agents import Schedule
from bba.bench.names import (
    KnownPlanner,
    KnownTrigger,
    Name,
    OneLine,
)
from bba.config import (
    BELIEF_OPTIONS,
    Ask,
    CommitmentConfig,
    FilterConfig,
    GateConfig,
    Knowledge,
    NamedOptions,
    Options,
    Share,
    SkillOptions,
)
from bba.config.options import BeliefName
from bba.errors import BBAError
from bba.plugins.handing_over import hand_over
from bba.plugins.used import Kind, OptionTable, OptionValues, with_options
from bba.validation import PluginText

DEFAULT_VARIANT = "default"
OPTIONS = ("agent_options", "planner_options", "trigger_options", "partner_model_options")  # of plug-ins, in a variant


GIVEN_IN_PYTHON: Mapping[str, Kind] = {  # fields that may hold a class or an object, by the kind of plug-in
    "agent": "agent",
    "planner": "planner",
    "trigger": "trigger",
    "partner_model": "partner-model",
}


def _with_names(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """Returns what is said of a seat with names in the place of classes, functions and objects."""
    values = dict(data)
    for field_name, kind in GIVEN_IN_PYTHON.items():
        if field_name in values:
            values[field_name] = name_of(kind, values[field_name])
    return values


def name_of(kind: Kind, given: Any) -> Any:
    """Returns the name of what may have been given in Python; what is of a file stays as it is."""
    if given is None or isinstance(given, str | int | float | list | tuple | dict):
        return given
    try:
        return hand_over(kind, given)
    except BBAError as error:
        raise ValueError(str(error)) from None


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
            partner_model = with_options(self.partner_model, self.partner_model_options)
            name = f"{name} with {partner_model}"
        if self.trigger is not None:
            trigger = with_options(self.trigger, self.trigger_options)
            name = f"{name} on {trigger}"
        return name

    @property
    def of_seat(self) -> dict[str, Any]:
        """What it says of its seat, by the names of `SeatSpec`; its model is chosen before (`SeatSpec.planned_by`)."""
        return {
            "agent": self.agent,
            "planner": self.planner,
            "trigger": self.trigger,
            "knows": self.knows,
            "belief_changes": {"belief": self.belief} if self.belief else {},
            "agent_options": self.options,
            "planner_options": self.planner_options,
            "trigger_options": self.trigger_options,
            "partner_model": self.partner_model,
            "partner_model_options": self.partner_model_options,
        }

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, data: object) -> object:
        """Takes the agent alone for the whole table; in Python, classes and objects for names."""
        if isinstance(data, EgoSpec):
            return data
        return _with_names(data if isinstance(data, Mapping) else {"agent": data})


class PartnerSettings(Options):
    """How the partners of a group play, where that is not as all play; None for what is.

    Attributes:
        mobility: of the partner alone, 0 to 1.
        schedule: the roles of a switching or locked partner.
    """

    mobility: Share | None = None
    schedule: Schedule | None = None

    def mobility_of_seats(self, ego_mobility: float) -> float | tuple[float, float]:
        """Returns the mobility of both seats from that of the ego: one number if they are the same."""
        if self.mobility is None:
            return ego_mobility
        return ego_mobility, self.mobility


NO_SETTINGS = PartnerSettings()


class _OtherGame(Options):
    """What a variant says of the game beside belief and gates; None for what the sweep says."""

    mobility: Share | None = None
    ask: Ask | None = None


class SettingVariant(NamedOptions, SkillOptions, _OtherGame, FilterConfig, CommitmentConfig, GateConfig):
    """Settings under which the egos play; those that are given replace the defaults.

    Without a name it is called by what it changes, as ``theta_obs 0.02``.

    Attributes:
        name: its heading in tables; None for one of what it changes.
        trigger, partner_model: as in `EgoSpec`.
        agent_options, planner_options, trigger_options, partner_model_options: those of plug-ins.
    """

    name: Name | None = None
    trigger: KnownTrigger | None = None
    partner_model: PluginText | None = None
    agent_options: OptionTable | None = None
    planner_options: OptionTable | None = None
    trigger_options: OptionTable | None = None
    partner_model_options: OptionTable | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, data: object) -> object:
        """Leaves out what is None: stored sweeps of earlier versions name every setting."""
        if not isinstance(data, Mapping):
            return data
        return _with_names({name: value for name, value in data.items() if value is not None})

    @model_serializer(mode="wrap")
    def _only_given(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out what is not given, so that its default is not read as given."""
        return {name: value for name, value in dump(self).items() if name in self.model_fields_set}

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that replace the defaults, by name, without the options of plug-ins."""
        names = [name for name in type(self).model_fields if name in self.model_fields_set]
        return {name: getattr(self, name) for name in names if name not in ("name", *OPTIONS)}

    @property
    def of_seat(self) -> dict[str, Any]:
        """What it says of a seat, by the names of `SeatSpec`."""
        return {
            "trigger": self.trigger,
            "ask": self.ask,
            "belief_changes": {name: value for name, value in self.changes.items() if name in BELIEF_OPTIONS},
            "partner_model": self.partner_model,
            **{table: getattr(self, table) for table in OPTIONS},
        }

    @property
    def label(self) -> str:
        """The variant's heading in tables."""
        if self.name:
            return self.name
        parts = [_in_words(name, value) for name, value in self.changes.items()]
        for table in OPTIONS:
            options: OptionValues = getattr(self, table) or ()
            parts += [_in_words(name, value) for name, value in options]
        if not parts:
            return DEFAULT_VARIANT
        return ", ".join(parts)


NO_CHANGES = SettingVariant.model_validate({})


def _in_words(name: str, value: object) -> str:
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
