"""Writes the tables of a study: CSV, Parquet if pyarrow is installed, and two descriptions of every column.

The descriptions are a README.md for people and a `datapackage.json` for programs (Frictionless Data Package).
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from bba.errors import BBAError
from bba.files import write_whole
from bba.tabular import Row, data_dictionary, has_parquet, to_csv, to_parquet
from human.study.anonymous import anonymous_columns, anonymous_tables
from human.study.belief_rows import beliefs_in_words
from human.study.counted import without_excluded
from human.study.data_package import Columns, data_package
from human.study.folder import StudyFolder
from human.study.log_tables import unreadable_lines
from human.study.plan import Study
from human.study.table_columns import ONE_ROW, TABLES
from human.study.tables import tables_of


def write_tables(folder: StudyFolder, *, anonymous: bool = False) -> tuple[Path, list[str]]:
    """Writes all tables of a study into its folder `tables`; returns it, and a line for each damaged recording and log.

    Args:
        folder: the study.
        anonymous: whether to leave out codes, free text and dates; the folder is then `tables-anonymous`.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    place = folder.path / ("tables-anonymous" if anonymous else "tables")
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{place}: cannot be made: {error.strerror or error}") from None
    tables, columns = tables_of(folder), TABLES
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
    write_whole(place / "people.md", about_people(folder.study, tables))
    write_whole(place / "README.md", dictionary(folder.study, columns))
    write_whole(place / "datapackage.json", json.dumps(data_package(folder.study, columns, files), indent=2) + "\n")
    return place, problems


def about_people(study: Study, tables: Mapping[str, Sequence[Row]]) -> str:
    """Returns how well belief and gates follow the recorded people who were not excluded, in Markdown."""
    counted = without_excluded(tables)
    section = beliefs_in_words(counted["calibration"], counted["gates"])
    return f"# {study.title}: belief and gates beside people\n\n{section}"


def dictionary(study: Study, columns: Columns) -> str:
    """Returns what every column of every table holds, in Markdown."""
    about = (
        f"The tables of the study `{study.name}`. Missing values are empty. The observer is a belief about the "
        "participant that is the same beside every agent. In the measures the ego is the agent and the partner the "
        "participant."
    )
    tables = (f"## {name}\n\nOne row is {ONE_ROW[name]}.\n\n{data_dictionary(columns[name])}" for name in columns)
    return "\n\n".join([f"# {study.title}", about, *tables]) + "\n"
