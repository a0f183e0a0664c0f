"""Summaries of stored sweeps: small tables in `docs/results/data`, from which pages and figures are made.

A table keeps the rows of sweeps that are not at hand: rows made anew take the place of those with the same key.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bba.bench.episode import code_digest
from bba.bench.results_reader import Results
from bba.files import write_whole
from bba.tabular import to_csv

Row = dict[str, str]
DOCS = Path("docs/results")  # of a clone of the repository, in which a program is run
OUT = DOCS if DOCS.is_dir() else Path("results/reproduced")  # where tables and figures go


def parse_arguments(name: str, description: str | None) -> argparse.Namespace:
    """Returns `results`, folders of stored sweeps, and `out`, the folder of the docs, from the command line."""
    return results_parser(name, description).parse_args()


def results_parser(name: str, description: str | None) -> argparse.ArgumentParser:
    """Returns a parser of these two, to which a program may add its own."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    parser.add_argument("results", type=Path, nargs="*", help="folders of results")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def played_by(stored: Iterable[Results]) -> str:
    """Returns the digest of the code that played the games; "several" if it was not the same for all."""
    codes = {one.episode.code for results in stored for one in results.episodes.values()}
    return codes.pop() if len(codes) == 1 else "several"


def update_table(path: Path, key: Sequence[str], rows: Iterable[Row], code: str = "") -> None:
    """Writes rows to a table, in the place of those with the same values in the columns `key`.

    The last column, `code`, holds the digest of the code that played the games, if the rows do not hold it already.
    """
    before = read_rows(path) if path.exists() else []
    kept = {tuple(row[column] for column in key): row for row in before}
    made = {tuple(row[column] for column in key): {**row, "code": code or row["code"]} for row in rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, as_csv(list((kept | made).values())))


def as_csv(rows: Sequence[Row]) -> str:
    """Returns rows, all with the same columns, as a table."""
    return to_csv(rows, list(rows[0]) if rows else ["code"])


def read_rows(path: Path) -> list[Row]:
    """Returns the rows of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def warn_of_other_code(path: Path, rows: Iterable[Row], again: str) -> None:
    """Says on stderr if games behind the rows were played by other code than this; `again` is what to play again."""
    if any(row["code"] != code_digest() for row in rows):
        sys.stderr.write(f"{path}: the games were played by other code than this; play {again} again\n")
