"""How the cells of a sweep's tables compare: which is the best of those that differ in the agent or variant alone."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bba.analysis.plugin_measures import find_measure
from bba.bench.presets import TableSpec
from bba.bench.tables import Heading, TableBlock
from bba.report.formatting import measure_under

COMPARED = ("agent", "variant")  # the axes on which cells compete

CellPlace = frozenset[tuple[str, str]]  # the values of all axes of a cell


class Rank(NamedTuple):
    """A cell among those that it competes with.

    Attributes:
        share: its mean as a share of the largest, 0 to 1; None where a mean is negative or all are 0.
        best: whether its mean is the best; never where all are equal, or where neither more nor less is better.
    """

    share: float | None = None
    best: bool = False


def place(*headings: Heading) -> CellPlace:
    """Returns the place of the cell under these headings."""
    return frozenset((axis, value) for heading in headings for axis, value in heading.items())


def ranks(blocks: Sequence[TableBlock], spec: TableSpec) -> dict[CellPlace, Rank]:
    """Returns the rank of every cell with a mean; of none in tables of differences."""
    groups: dict[tuple[str, CellPlace], dict[CellPlace, float]] = {}
    for where, measure, mean in () if spec.paired else _means(blocks, spec):
        others = frozenset((axis, value) for axis, value in where if axis not in COMPARED)
        groups.setdefault((measure, others), {})[where] = mean
    ranked = (_ranked(means, find_measure(measure).better) for (measure, _), means in groups.items())
    return dict(chain.from_iterable(ranked))


def _means(blocks: Sequence[TableBlock], spec: TableSpec) -> Iterator[tuple[CellPlace, str, float]]:
    for block in blocks:
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                if cell.ours is not None:
                    headings = block.title, row, column
                    yield place(*headings), measure_under(spec, *headings), cell.ours.mean


def _ranked(means: dict[CellPlace, float], better: int) -> Iterator[tuple[CellPlace, Rank]]:
    least, most = min(means.values()), max(means.values())
    best = most if better > 0 else least
    for where, mean in means.items():
        share = mean / most if least >= 0 < most else None
        yield where, Rank(share, better != 0 and least < most and mean == best)
