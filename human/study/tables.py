"""The tables of a study as files: CSV always, Parquet if pyarrow is installed, and a data dictionary."""

from pathlib import Path

from bba.errors import BBAError
from bba.files import write_whole
from bba.tabular import data_dictionary, has_parquet, to_csv, to_parquet
from human.study.columns import ONE_ROW, TABLES
from human.study.folder import StudyFolder
from human.study.table_rows import tables_of


def write_tables(folder: StudyFolder) -> Path:
    """Writes all tables of a study into its folder `tables` and returns that folder.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    place = folder.path / "tables"
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{place}: cannot be made: {error.strerror or error}") from None
    for name, rows in tables_of(folder).items():
        write_whole(place / f"{name}.csv", to_csv(rows, TABLES[name]))
        if has_parquet():
            write_whole(place / f"{name}.parquet", to_parquet(rows, TABLES[name]))
    write_whole(place / "README.md", dictionary(folder))
    return place


def dictionary(folder: StudyFolder) -> str:
    """Returns what every column of every table holds, in Markdown."""
    about = (
        f"The tables of the study `{folder.study.name}`. Missing values are empty. The observer is a belief about the "
        "participant that is the same beside every agent. In the measures the ego is the agent and the partner the "
        "participant."
    )
    tables = (
        f"## {name}\n\nOne row is {ONE_ROW[name]}.\n\n{data_dictionary(columns)}" for name, columns in TABLES.items()
    )
    return "\n\n".join([f"# {folder.study.title}", about, *tables]) + "\n"
