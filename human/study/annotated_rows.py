"""Rows of tables as dataclasses, whose annotated fields are the columns.

A field's type says what its column holds, and the text beside the type describes it:

    @dataclass(frozen=True)
    class BreakRow(AnnotatedRow):
        page: Annotated[str | None, "the page's name; missing for a break"]

A time is text in tables. Where a column is called as a keyword of Python, the field's name ends with an underscore.
"""

from dataclasses import dataclass, fields
from datetime import datetime
from types import NoneType
from typing import Any, get_args, get_type_hints

from bba.tabular import Column, Value, ValueType

COLUMN_TYPES: dict[type, ValueType] = {int: "int", float: "float", bool: "bool", str: "str", datetime: "str"}


@dataclass(frozen=True)
class AnnotatedRow:
    """Base of the rows."""

    @classmethod
    def columns(cls) -> dict[str, Column]:
        """Returns the columns by name, in the order of the fields."""
        annotations = get_type_hints(cls, include_extras=True)
        return {_column_name(field.name): _column(annotations[field.name]) for field in fields(cls)}

    def cells(self) -> dict[str, Value]:
        """Returns the row as a table holds it: its values by the names of their columns."""
        return {_column_name(field.name): _cell(getattr(self, field.name)) for field in fields(self)}


def _column_name(field: str) -> str:
    return field.removesuffix("_")


def _column(annotation: Any) -> Column:
    field_type, description = get_args(annotation)
    alternatives = get_args(field_type) or (field_type,)
    [value_type] = [alternative for alternative in alternatives if alternative is not NoneType]
    return Column(COLUMN_TYPES[value_type], description)


def _cell(value: Value | datetime) -> Value:
    return value.isoformat() if isinstance(value, datetime) else value
