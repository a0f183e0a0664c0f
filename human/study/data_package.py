"""The description of a study's tables for programs: a Frictionless Data Package (https://specs.frictionlessdata.io)."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bba.tabular import Column
from human.study.anonymous import TIMES
from human.study.plan import Study
from human.study.table_columns import ONE_ROW, PRIMARY_KEYS

Columns = Mapping[str, Mapping[str, Column]]
FIELD_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string"}


def data_package(study: Study, columns: Columns, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Returns the description of the CSV files as a data package.

    Args:
        study: the study.
        columns: the columns of each table.
        files: the CSV files by name.
    """
    resources = [_resource(name, columns[name], files[f"{name}.csv"]) for name in columns]
    return {"name": study.name, "title": study.title, "profile": "tabular-data-package", "resources": resources}


def _resource(name: str, columns: Mapping[str, Column], content: bytes) -> dict[str, Any]:
    return {
        "name": name,
        "path": f"{name}.csv",
        "profile": "tabular-data-resource",
        "description": f"One row is {ONE_ROW[name]}.",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": len(content),
        "hash": f"sha256:{sha256(content).hexdigest()}",
        "schema": _schema(name, columns),
    }


def _schema(table: str, columns: Mapping[str, Column]) -> dict[str, Any]:
    keys: dict[str, Any] = {"primaryKey": list(PRIMARY_KEYS[table])} if table in PRIMARY_KEYS else {}
    if table != "participants":
        reference = {"resource": "participants", "fields": ["participant"]}
        keys["foreignKeys"] = [{"fields": ["participant"], "reference": reference}]
    needed = PRIMARY_KEYS.get(table, ("participant",))
    fields = [_field(name, column, required=name in needed) for name, column in columns.items()]
    return {"fields": fields, "missingValues": [""], **keys}


def _field(name: str, column: Column, *, required: bool) -> dict[str, Any]:
    kind: dict[str, Any] = {"type": FIELD_TYPES[column.type]}
    if column.type == "bool":
        kind |= {"trueValues": ["True"], "falseValues": ["False"]}
    if name in TIMES and column.type == "str":
        kind = {"type": "datetime", "format": "any"}  # ISO 8601 with a time zone
    constraints = {"constraints": {"required": True}} if required else {}
    return {"name": name, **kind, "description": column.description, **constraints}
