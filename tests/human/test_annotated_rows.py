"""Rows as dataclasses: their annotated fields are the columns of a table."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from bba.tabular import Column
from human.study.annotated_rows import AnnotatedRow


@dataclass(frozen=True)
class VisitRow(AnnotatedRow):
    at: Annotated[datetime | None, "when"]
    count: Annotated[int, "how many"]
    class_: Annotated[str | None, "which class"] = None
    paid: Annotated[bool, "whether it was paid"] = True


def test_the_columns_are_the_fields_in_their_order():
    assert list(VisitRow.columns().items()) == [
        ("at", Column("str", "when")),
        ("count", Column("int", "how many")),
        ("class", Column("str", "which class")),
        ("paid", Column("bool", "whether it was paid")),
    ]


def test_times_are_text_and_what_is_missing_stays_missing():
    at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    assert VisitRow(at, 2).cells() == {"at": "2026-01-02T03:04:00+00:00", "count": 2, "class": None, "paid": True}
    assert VisitRow(None, 0, "b").cells() == {"at": None, "count": 0, "class": "b", "paid": True}
