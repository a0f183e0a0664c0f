"""Sweeps as data: agents, partners, kitchens, seeds and settings, and the layout of their tables.

The presets that ship with the project are TOML files in ``configs/benchmarks``; a user's sweep is any other such file.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from bba.agents import LEARNED, MODEL_SIGN, OWN_POLICY, unlocked
from bba.agents.learned.families import in_family
from bba.analysis.measures import MEASURES
from bba.bench.names import (
    STORED,
    Name,
    OneLine,
    check_agent_names,
    check_plugin_measures,
    known_layouts,
    without_model,
)
from bba.bench.sweep_parts import NO_CHANGES, EgoSpec, PartnerSettings, SettingVariant, name_of
from bba.bench.table_spec import AXES, PLACES, AgentPair, TableSpec
from bba.config import (
    Ask,
    ConditionName,
    EpisodeOptions,
    Seed,
    SkillOptions,
)
from bba.errors import BBAError, instead, problem_of_seeds
from bba.files import data_dir, read_toml
from bba.kitchen import Layout
from bba.plugins.used import OptionTable
from bba.text import encodable
from bba.validation import checked

EVERY_MODEL = f"{MODEL_SIGN}*"
CROSSPLAY_TABLE: Mapping[str, Any] = {
    "blocks": ("measure",),
    "rows": ("agent",),
    "columns": ("group",),
    "margins": True,
    "paired": "all",
    "means": True,
}


class Sweep(SkillOptions, EpisodeOptions):
    """One benchmark.

    Attributes:
        name: the name of its file.
        title: its title, one line.
        agents: the players of seat 0.
        partners: the players of seat 1: groups of partners by name.
        models: language models, or scripted or rollout, each of which plans for every ego. A partner whose name ends in
            "@*" is played with each of them, in a group of the model's name; one in "@NAME" with that one.
        layouts: names or files of kitchens; in Python also a `Layout`.
        kind: "crossplay" for one whose table, unless something else is said of it, has a row an agent and a column a
            partner, means with their intervals and the differences of all pairs of agents. Its partners may be a list.
        seeds: the number of seeds, from `first_seed` on.
        horizon, mobility, skill_timeout: as in `bba.play.Game`; `mobility` is that of both seats.
        ask: when waiting cooks are asked again, in both seats; None for the option's default.
        condition: the condition in which language models play, in both seats; it counts before `ask`. None for neither.
        variants: the settings of seat 0.
        measures: measures of plug-ins that are stored, beside those of its tables.
        report_tables, report_figures: what plug-ins add to its report.
        partner_options: the options of partners that are plug-ins, by their names.
        partner_settings: how the partners of a group play, by its name.
        table: the layout of its tables.
        paper: the name of the preprint's table in ``paper.json``.
    """

    name: Name
    title: OneLine
    agents: Annotated[tuple[EgoSpec, ...], Field(min_length=1)]
    partners: Annotated[dict[Name, Annotated[tuple[OneLine, ...], Field(min_length=1)]], Field(min_length=1)]
    models: tuple[Name, ...] = ()
    layouts: Annotated[tuple[str | Layout, ...], Field(min_length=1)]
    kind: Literal["sweep", "crossplay"] = "sweep"
    seeds: Annotated[int, Field(ge=1, le=10_000)] = 5
    first_seed: Seed = 0
    ask: Ask | None = None
    condition: ConditionName | None = None
    variants: Annotated[tuple[SettingVariant, ...], Field(min_length=1)] = (NO_CHANGES,)
    measures: tuple[OneLine, ...] = ()
    report_tables: tuple[OneLine, ...] = ()
    report_figures: tuple[OneLine, ...] = ()
    partner_options: dict[OneLine, OptionTable] = Field(default_factory=dict)
    partner_settings: dict[Name, PartnerSettings] = Field(default_factory=dict)
    table: TableSpec = TableSpec()
    paper: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_crossplay(cls, data: object) -> object:
        """Fills in the table of a sweep of this kind, and makes a group of each partner of a list."""
        if not isinstance(data, Mapping) or data.get("kind") != "crossplay":
            return data
        values = dict(data)
        table = values.get("table", {})
        if isinstance(table, Mapping):
            given_axes = [name for name in AXES if name in table]
            usual = {name: value for name, value in CROSSPLAY_TABLE.items() if not given_axes or name not in PLACES}
            values["table"] = usual | dict(table)
        partners = values.get("partners")
        if isinstance(partners, list | tuple):
            names = [name_of("agent", partner) for partner in partners]
            values["partners"] = {name: [name] for name in names if isinstance(name, str)}
        return values

    @field_validator("partners", mode="before")
    @classmethod
    def _partner_names(cls, value: object) -> object:
        """Takes classes and objects of Python for names."""
        if not isinstance(value, Mapping):
            return value
        groups = {}
        for group, partners in value.items():
            is_group = isinstance(partners, list | tuple)
            groups[group] = [name_of("agent", partner) for partner in partners] if is_group else partners
        return groups

    @field_validator("agents", "partners", "layouts", "measures")
    @classmethod
    def _check_names(cls, value: Any, info: ValidationInfo) -> Any:
        """Checks that agents, kitchens and measures exist; those of a stored sweep need not exist any more."""
        if info.context != STORED and info.field_name is not None:
            _NAME_CHECKS[info.field_name](value)
        return value

    @model_validator(mode="after")
    def _check(self) -> Self:
        axes = self.table.axes
        names = [ego.name for ego in self.agents]
        labels = [variant.label for variant in self.variants]
        seeds_problem = problem_of_seeds(self.first_seed, self.seeds)
        if seeds_problem:
            raise ValueError(seeds_problem)
        for name in chain(*self.pairs):
            if name not in names:
                raise ValueError(f"table.paired: {name} is not among the agents; {instead(name, names)}")
        if self.table.paired == "all" and len(names) < 2:
            raise ValueError("table.paired: there are no two agents")
        if "agent" not in axes:
            if self.shows_means and len(names) > 1:
                raise ValueError("table: several agents, but no axis for them")
            if self.table.paired and len(self.pairs) != 1:
                raise ValueError("table: several pairs of agents, but no axis for agents")
        for group in self.partner_settings:
            if group not in self.partners:
                raise ValueError(f"partner_settings: no group named {group!r}; {instead(group, self.partners)}")
        if len(set(labels)) < len(labels):
            raise ValueError("variants: two have the same name")
        if len(labels) > 1 and "variant" not in axes:
            raise ValueError("table: several variants, but no axis for them")
        return self

    @model_serializer(mode="wrap")
    def _only_needed(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out what is not given and newer than stored sweeps, so that these are the same sweeps."""
        values: dict[str, Any] = dump(self)
        if self.condition is None:
            values.pop("condition", None)
        values.pop("kind", None)  # what it stands for is said of the table by now
        return values

    @property
    def pairs(self) -> tuple[AgentPair, ...]:
        """The pairs of agents that the table names; none where it shows all or none."""
        paired = self.table.paired
        if paired is None or paired == "all":
            return ()
        if isinstance(paired[0], str):
            return (paired,)
        return paired

    @property
    def shows_means(self) -> bool:
        """Whether there are tables of means."""
        return self.table.means or not self.table.paired

    @property
    def players(self) -> list[str]:
        """The names of all players, each once; for `OWN_POLICY`, those of the partners' policies."""
        egos = [ego.agent for ego in self.agents]
        partners = [without_model(partner) for partner in chain(*self.partners.values())]
        names = egos + partners
        if OWN_POLICY in egos:
            names += [unlocked(partner) for partner in partners]
        return [name for name in dict.fromkeys(names) if name != OWN_POLICY]

    @property
    def own_measures(self) -> tuple[str, ...]:
        """The measures of plug-ins, each once."""
        in_tables = [name for name in self.table.measures if name not in MEASURES]
        return tuple(dict.fromkeys([*self.measures, *in_tables]))

    def changed(self, changes: dict[str, Any]) -> "Sweep":
        """Returns the sweep with other values of some attributes.

        Raises:
            BBAError: the values are not valid.
        """
        values = self.model_dump() | changes
        groups = values["partners"]
        settings = values["partner_settings"]
        values["partner_settings"] = {group: settings[group] for group in settings if group in groups}
        return checked(Sweep, values, f"{self.name}, as changed by options")

    def in_family(self, family: str) -> "Sweep":
        """Returns the sweep with the learned partners of a family, and the cooperators that learned from such ones.

        They have the same preferences, and their rows and groups keep their names.

        Args:
            family: one of `FAMILIES`.

        Raises:
            BBAError: none of its partners belongs to a family, or one has nobody like it in this one.
        """
        groups = {
            group: tuple(in_family(partner, family) for partner in partners)
            for group, partners in self.partners.items()
        }
        if not any(partner in LEARNED for partner in chain(*groups.values())):
            raise BBAError(f"{self.name}: has no learned partners; so it has none of the family {family}")
        egos = []
        for ego in self.agents:
            agent = in_family(ego.agent, family)
            egos.append(ego if agent == ego.agent else ego.model_copy(update={"agent": agent, "title": ego.name}))
        return self.changed({"agents": egos, "partners": groups})


def _check_egos(egos: Iterable[EgoSpec]) -> None:
    check_agent_names([ego.agent for ego in egos], OWN_POLICY)


def _check_partners(groups: Mapping[str, tuple[str, ...]]) -> None:
    check_agent_names([without_model(partner) for partner in chain(*groups.values())])


_NAME_CHECKS: dict[str, Callable[[Any], object]] = {  # by the field of a sweep
    "agents": _check_egos,
    "partners": _check_partners,
    "layouts": known_layouts,
    "measures": check_plugin_measures,
}


def sweep_names() -> list[str]:
    """Returns the names of the presets that ship with the project, in alphabetical order."""
    return sorted(file.stem for file in data_dir("configs/benchmarks").glob("*.toml"))


def load_sweep(name_or_path: str | Path) -> Sweep:
    """Reads a shipped preset by name, or any file by path.

    Raises:
        BBAError: no such preset or file, or a mistake in it; the message names file and key.
    """
    name_or_path = str(name_or_path)
    if name_or_path in sweep_names():
        path = data_dir("configs/benchmarks") / f"{name_or_path}.toml"
    elif name_or_path.endswith(".toml") or "/" in name_or_path:
        path = Path(name_or_path)
    else:
        raise BBAError(
            f"no benchmark is named {name_or_path!r}; {instead(name_or_path, sweep_names())}, or a .toml file"
        )
    return read_toml(path, Sweep, name=encodable(path.stem))


def sweep_of(values: Mapping[str, Any]) -> Sweep:
    """Returns the sweep of a dictionary of Python with the keys of a TOML file; `name` and `title` may be left out.

    Raises:
        BBAError: a mistake in it; the message names the key.
    """
    name = values.get("name", "sweep")
    return checked(Sweep, {"name": name, "title": name} | dict(values), "the sweep")
