"""What came of the games in each condition: means over participants with their intervals."""

from collections.abc import Iterator, Sequence

from bba.report.content import TableText
from bba.report.formatting import measure_label
from bba.tabular import Row
from human.study.report.intervals import (
    SHOWN,
    decimals_of,
    distinct,
    over_participants,
    paired_difference,
    summary_cell,
)


def whole_games(games: Sequence[Row]) -> list[Row]:
    """Returns the games that count: played to their end, with a recording that can be used."""
    return [row for row in games if row["ended"] is not None and not row["given_up"] and row["reward"] is not None]


def condition_tables(games: Sequence[Row]) -> Iterator[TableText]:
    """Yields a table for each kitchen: a row a measure, a column an agent."""
    agents = distinct(games, "agent")
    for layout in distinct(games, "layout"):
        rows = []
        for measure in SHOWN:
            found = ([row for row in games if (row["layout"], row["agent"]) == (layout, agent)] for agent in agents)
            cells = [summary_cell(over_participants(one, measure), decimals_of(measure)) for one in found]
            rows.append(([measure_label(measure)], cells))
        yield TableText(layout, ["measure"], agents, rows)


def difference_table(games: Sequence[Row]) -> TableText | None:
    """Returns how agents differ from the first one within participants; None if nobody met another one beside it."""
    first, *others = distinct(games, "agent") or [""]
    met = {agent: {row["participant"] for row in games if row["agent"] == agent} for agent in (first, *others)}
    others = [agent for agent in others if met[agent] & met[first]]
    if not others:
        return None
    rows = [
        (
            [measure_label(measure)],
            [
                summary_cell(paired_difference(games, measure, other, first), decimals_of(measure), signed=True)
                for other in others
            ],
        )
        for measure in SHOWN
    ]
    return TableText("", ["measure"], [f"{other} − {first}" for other in others], rows)
