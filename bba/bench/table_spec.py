"""The layout of a sweep's tables: which axes are blocks, rows and columns, and what stands in their cells."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from bba.bench.names import (
    KnownMeasure,
    Name,
)
from bba.config import (
    Options,
)

Axis = Literal["agent", "layout", "group", "variant", "measure"]
AgentPair = tuple[str, str]


def _as_pairs(value: object) -> object:
    """Returns one pair of agents or several of them as tuples; raises ValueError for what is neither."""
    if value is None or value == "all" or _is_pair(value):
        return value
    if isinstance(value, list | tuple) and value and all(map(_is_pair, value)):
        return tuple(map(tuple, value))
    raise ValueError('takes two agents, as ["bayes", "proagent"], a list of such pairs, or "all"')


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(name, str) for name in value)


class TableSpec(Options):
    """The layout of a sweep's tables: the axes of blocks (a table each), rows and columns; several axes nest.

    Attributes:
        measures: names of `bba.analysis.measures.MEASURES` or of plug-ins.
        paired: two agents whose difference (first − second) is shown, several such pairs, or "all".
        means: whether paired tables stand below those of the means, which then have intervals, too.
        pool: layouts in which the groups of partners are joined.
        margins: whether rows and columns end with their means, for tables of agents in seat 0 (P0) by seat 1 (P1).
    """

    blocks: tuple[Axis, ...] = ("measure",)
    rows: tuple[Axis, ...] = ("layout", "group")
    columns: tuple[Axis, ...] = ("agent",)
    measures: Annotated[tuple[KnownMeasure, ...], Field(min_length=1)] = ("reward",)
    paired: Annotated[AgentPair | tuple[AgentPair, ...] | Literal["all"] | None, BeforeValidator(_as_pairs)] = None
    means: bool = False
    pool: tuple[Name, ...] = ()
    margins: bool = False

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All axes of the tables."""
        return self.blocks + self.rows + self.columns

    @model_validator(mode="before")
    @classmethod
    def _measures_once(cls, data: object) -> object:
        """Makes one block of measures that stand in rows or columns, unless something is said of blocks."""
        if not isinstance(data, Mapping) or "blocks" in data:
            return data
        for axes in (data.get("rows"), data.get("columns")):
            if isinstance(axes, list | tuple) and "measure" in axes:
                return {**data, "blocks": ()}
        return data

    @model_validator(mode="after")
    def _check(self) -> Self:
        twice = {axis for axis in self.axes if self.axes.count(axis) > 1}
        if twice:
            raise ValueError(f"blocks, rows, columns: {', '.join(sorted(twice))} stands there twice")
        if len(self.measures) > 1 and "measure" not in self.axes:
            raise ValueError("blocks, rows, columns: several measures, but no axis for them")
        if self.means and self.paired is None:
            raise ValueError('means: stand above pairs; add paired, as paired = "all"')
        if self.margins and (self.rows, self.columns) != (("agent",), ("group",)):
            raise ValueError("margins: are for rows of agents and columns of groups alone")
        return self

    @model_serializer(mode="wrap")
    def _only_needed(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out what newer tables alone have, so that stored tables of earlier versions are the same tables."""
        values: dict[str, Any] = dump(self)
        for name in ("margins", "means"):
            if not getattr(self, name):
                values.pop(name, None)
        return values


AXES = ("blocks", "rows", "columns")
PLACES = (*AXES, "margins")
