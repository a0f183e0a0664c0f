"""The results of a sweep as one flat table, one row a case: CSV for everything, Parquet for data frames."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from bba.analysis.measures import Measures
from bba.bench.episode import Number
from bba.bench.plan import TableEntry
from bba.bench.results_store import StoredResult
from bba.errors import BBAError
from bba.files import check_writable, write_whole

Row = dict[str, Number | str | bool]
_MEASURES = tuple(Measures.__dataclass_fields__)


def rows(cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> list[Row]:
    """One dictionary a case: where it stands, why it failed if it did, how long it took, and every measure."""
    return [_row(case, results.get(case.key)) for case in cases]


def _row(case: TableEntry, result: StoredResult | None) -> Row:
    row: Row = dict(case._asdict())
    row["failure"] = "not played" if result is None else result.failure
    row["seconds"] = None if result is None else result.seconds
    measures = (result.measures if result else None) or {}
    return row | {name: measures.get(name) for name in _MEASURES}


def to_csv(table: Sequence[Row]) -> bytes:
    """Comma-separated, in UTF-8, with a header; what is not there is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue().encode()


def to_parquet(table: Sequence[Row]) -> bytes:
    """A Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(table)), file)
    return file.getvalue()


FORMATS: dict[str, Callable[[Sequence[Row]], bytes]] = {".csv": to_csv, ".parquet": to_parquet}


def check_exportable(path: Path) -> None:
    """Find out before the sweep, not after it, that its results cannot be written.

    Raises:
        BBAError: no such format, a library that is not installed, or no file can be written there.
    """
    if path.suffix.lower() not in FORMATS:
        raise BBAError(f"{path}: results are written as {' or '.join(FORMATS)}; the name must end so")
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise BBAError(f"{path}: a .parquet file needs pyarrow: pip install 'bba-tui[export]'")
    check_writable(path)


def export(cases: Sequence[TableEntry], results: Mapping[str, StoredResult], path: Path) -> None:
    """Write the results of a sweep to a file.

    Raises:
        BBAError: it cannot be written.
    """
    write_whole(path, FORMATS[path.suffix.lower()](rows(cases, results)))
