"""Writes the tables of a study: CSV, Parquet if pyarrow is installed, and two descriptions of every column.

The descriptions are a README.md for people and a `datapackage.json` for programs, a Frictionless Data Package
(https://specs.frictionlessdata.io).

Tables that can be published are without codes, free text and dates: a participant is known by the number in the order
of consent, and times are seconds since then. What participants chose, their scores and their numbers stay: whether
these tell who somebody is depends on the questions.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from bba.files import make_folder, write_whole
from bba.tabular import Column, Row, Value, data_dictionary, has_parquet, to_csv, to_parquet
from human.study.exclusion import without_excluded
from human.study.folder import StudyFolder
from human.study.plan import Study
from human.study.report_outcomes import beliefs_in_words
from human.study.table_columns import ONE_ROW, PRIMARY_KEYS, STUDY_TABLES
from human.study.tables import Tables, tables_of, unreadable_lines

TIMES = frozenset({"consented", "practised", "started", "ended", "shown", "at"})
# Free text, names of files with codes in them, and the ids of a platform that knows who its participants are.
PRIVATE_COLUMNS = frozenset(
    {"words", "reason", "recording", "problem", "platform_participant", "platform_study", "platform_session"}
)


def anonymous_columns() -> dict[str, dict[str, Column]]:
    """Returns the columns of the anonymous tables."""
    return {
        table: {name: _column(name, column) for name, column in columns.items() if name not in PRIVATE_COLUMNS}
        for table, columns in STUDY_TABLES.items()
    }


def anonymous_tables(tables: Mapping[str, list[Row]]) -> Tables:
    """Returns the tables without codes, free text and dates."""
    people = {row["participant"]: row for row in tables["participants"]}
    return {
        table: [
            {
                name: _value(name, value, people[row["participant"]])
                for name, value in row.items()
                if name not in PRIVATE_COLUMNS
            }
            for row in rows
        ]
        for table, rows in tables.items()
    }


def _column(name: str, column: Column) -> Column:
    if name in TIMES:
        when = column.description.replace("(UTC, ISO 8601)", "(seconds since the participant's consent)")
        return Column("float", when)
    if name == "participant":
        return Column("str", "the participant, by the number in the order of consent, from 1")
    return column


def _value(name: str, value: Value, person: Row) -> Value:
    if name == "participant":
        return str(int(person["number"] or 0) + 1)
    if name in TIMES and value is not None:
        return (_time(value) - _time(person["consented"])).total_seconds()
    return value


def _time(value: Value) -> datetime:
    return datetime.fromisoformat(str(value))


Columns = Mapping[str, Mapping[str, Column]]
FIELD_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string"}


def data_package(study: Study, columns: Columns, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Returns the description of the CSV files as a data package.

    Args:
        study: the study.
        columns: the columns of each table.
        files: the CSV files by name.
    """
    resources = [
        {
            "name": name,
            "path": f"{name}.csv",
            "profile": "tabular-data-resource",
            "description": f"One row is {ONE_ROW[name]}.",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "bytes": len(files[f"{name}.csv"]),
            "hash": f"sha256:{sha256(files[f'{name}.csv']).hexdigest()}",
            "schema": _schema(name, columns[name]),
        }
        for name in columns
    ]
    return {"name": study.name, "title": study.title, "profile": "tabular-data-package", "resources": resources}


def _schema(table: str, columns: Mapping[str, Column]) -> dict[str, Any]:
    key = PRIMARY_KEYS.get(table)
    keys: dict[str, Any] = {} if key is None else {"primaryKey": list(key)}
    if table != "participants":
        reference = {"resource": "participants", "fields": ["participant"]}
        keys["foreignKeys"] = [{"fields": ["participant"], "reference": reference}]
    needed = {"constraints": {"required": True}}
    fields = [
        {"name": name, **_field_type(name, column), "description": column.description}
        | (needed if name in (key or ("participant",)) else {})
        for name, column in columns.items()
    ]
    return {"fields": fields, "missingValues": [""], **keys}


def _field_type(name: str, column: Column) -> dict[str, Any]:
    if name in TIMES and column.type == "str":
        return {"type": "datetime", "format": "any"}  # ISO 8601 with a time zone
    truth = {"trueValues": ["True"], "falseValues": ["False"]} if column.type == "bool" else {}
    return {"type": FIELD_TYPES[column.type], **truth}


def write_tables(folder: StudyFolder, *, anonymous: bool = False) -> tuple[Path, list[str]]:
    """Writes all tables of a study into its folder `tables`; returns it, and a line for each damaged recording and log.

    Args:
        folder: the study.
        anonymous: whether to leave out codes, free text and dates; the folder is then `tables-anonymous`.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    place = folder.path / ("tables-anonymous" if anonymous else "tables")
    make_folder(place)
    tables, columns = tables_of(folder), STUDY_TABLES
    damaged = [row for row in tables["games"] if row["problem"] is not None]
    problems = [f"{row['recording']}: {row['problem']}; the game is in the tables without measures" for row in damaged]
    problems += unreadable_lines(folder)
    if anonymous:
        tables, columns = anonymous_tables(tables), anonymous_columns()
    files = {f"{name}.csv": to_csv(rows, columns[name]).encode() for name, rows in tables.items()}
    for file, content in files.items():
        write_whole(place / file, content)
    for name, rows in tables.items():
        if has_parquet():
            write_whole(place / f"{name}.parquet", to_parquet(rows, columns[name]))
    counted = without_excluded(tables)
    section = beliefs_in_words(counted["calibration"], counted["gates"])
    write_whole(place / "people.md", f"# {folder.study.title}: belief and gates beside people\n\n{section}")
    write_whole(place / "README.md", dictionary(folder.study, columns))
    write_whole(place / "datapackage.json", json.dumps(data_package(folder.study, columns, files), indent=2) + "\n")
    return place, problems


def dictionary(study: Study, columns: Columns) -> str:
    """Returns what every column of every table holds, in Markdown."""
    about = (
        f"The tables of the study `{study.name}`. Missing values are empty. The observer is a belief about the "
        "participant that is the same beside every agent. In the measures the ego is the agent and the partner the "
        "participant."
    )
    tables = (f"## {name}\n\nOne row is {ONE_ROW[name]}.\n\n{data_dictionary(columns[name])}" for name in columns)
    return "\n\n".join([f"# {study.title}", about, *tables]) + "\n"
