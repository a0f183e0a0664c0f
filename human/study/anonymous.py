"""Tables that can be published: without codes, free text and dates.

A participant is known by the number in the order of consent. Times are seconds since the participant's consent. What
participants chose, their scores and their numbers stay: whether these tell who somebody is depends on the questions.
"""

from collections.abc import Mapping
from datetime import datetime

from bba.tabular import Column, Row, Value
from human.study.table_columns import TABLES

TIMES = frozenset({"consented", "practised", "started", "ended", "shown", "at"})
# Free text, names of files with codes in them, and the ids of a platform that knows who its participants are.
LEFT_OUT = frozenset({"words", "recording", "problem", "platform_participant", "platform_study", "platform_session"})

Tables = dict[str, list[Row]]


def anonymous_columns() -> dict[str, dict[str, Column]]:
    """Returns the columns of the anonymous tables."""
    return {
        table: {name: _column(name, column) for name, column in columns.items() if name not in LEFT_OUT}
        for table, columns in TABLES.items()
    }


def anonymous_tables(tables: Mapping[str, list[Row]]) -> Tables:
    """Returns the tables without codes, free text and dates."""
    people = {row["participant"]: row for row in tables["participants"]}
    return {name: [_row(row, people[row["participant"]]) for row in rows] for name, rows in tables.items()}


def _column(name: str, column: Column) -> Column:
    if name in TIMES:
        when = column.description.replace("(UTC, ISO 8601)", "(seconds since the participant's consent)")
        return Column("float", when)
    if name == "participant":
        return Column("str", "the participant, by the number in the order of consent, from 1")
    return column


def _row(row: Row, person: Row) -> Row:
    return {name: _value(name, value, person) for name, value in row.items() if name not in LEFT_OUT}


def _value(name: str, value: Value, person: Row) -> Value:
    if name == "participant":
        return str(int(person["number"] or 0) + 1)
    if name in TIMES and value is not None:
        return (_time(value) - _time(person["consented"])).total_seconds()
    return value


def _time(value: Value) -> datetime:
    return datetime.fromisoformat(str(value))
