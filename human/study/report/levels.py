"""What a study compares: its agents, with the levels of hints and speed where it has several."""

from collections.abc import Mapping

from bba.tabular import Row, Value
from human.study.plan import Study
from human.study.tables import Tables

COMPARED = ("games", "switches", "answers")  # the tables of which the report shows one column a condition


def with_levels(study: Study, tables: Tables) -> Tables:
    """Returns the tables with the levels of a game's hints and speed beside the name of its agent."""
    names = {_game(row): _name(study, row) for row in tables["games"]}
    return tables | {
        table: [{**row, "agent": names.get(_game(row), row["agent"])} for row in tables[table]] for table in COMPARED
    }


def _game(row: Row) -> tuple[Value, Value]:
    return row["participant"], row["game"]


def _name(study: Study, game: Mapping[str, Value]) -> str:
    levels = [str(game["agent"])]
    if len(study.factors.hints) > 1:
        levels.append("hints" if game["hints"] else "no hints")
    if len(study.factors.speed) > 1:
        levels.append(f"{game['speed']:g} a second")
    return ", ".join(levels)
