"""Whose rows count in what is said about a study: those of everybody who was not excluded."""

from collections.abc import Mapping, Sequence

from bba.tabular import Row


def without_excluded(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Returns the tables of a study without the rows of people who were excluded."""
    out = {row["participant"] for row in tables["participants"] if row["excluded"] is not None}
    return {name: [row for row in rows if row["participant"] not in out] for name, rows in tables.items()}
