"""Tables as files: every format gives the same rows back, and the dictionary explains each column once."""

import csv
import io
import json

import pytest
from pyarrow import parquet

from bba import tabular
from bba.errors import BBAError
from bba.tabular import Column, check_parquet, data_dictionary, to_csv, to_jsonl, to_parquet

COLUMNS = {
    "name": Column("str", "what it is called"),
    "count": Column("int", "how many there are"),
    "share": Column("float", "their share"),
    "other_share": Column("float", "their share"),
    "known": Column("bool", "whether it is known"),
}
ROWS = [
    {"name": "Reis, „gekocht“", "count": 3, "share": 0.1, "other_share": None, "known": True},
    {"name": None, "count": None, "share": None, "other_share": 1.0, "known": None},
]


def test_csv_has_a_header_and_empty_cells():
    text = to_csv(ROWS, COLUMNS)
    assert text.splitlines()[0] == "name,count,share,other_share,known"
    assert list(csv.DictReader(io.StringIO(text))) == [
        {"name": "Reis, „gekocht“", "count": "3", "share": "0.1", "other_share": "", "known": "True"},
        {"name": "", "count": "", "share": "", "other_share": "1.0", "known": ""},
    ]


def test_csv_leaves_values_that_are_not_in_a_row_empty():
    assert to_csv([{"count": 1}], COLUMNS) == "name,count,share,other_share,known\n,1,,,\n"


def test_json_lines_give_the_rows_back():
    lines = to_jsonl(ROWS).splitlines()
    assert [json.loads(line) for line in lines] == ROWS
    assert "„gekocht“" in lines[0]


@pytest.mark.parametrize("batch", [1, 10_000])
def test_parquet_gives_the_rows_back_with_types_and_descriptions(monkeypatch, batch):
    monkeypatch.setattr(tabular, "BATCH", batch)
    table = parquet.read_table(io.BytesIO(to_parquet(iter(ROWS), COLUMNS, {"about": b"a test"})))
    assert table.to_pylist() == ROWS
    assert [str(kind) for kind in table.schema.types] == ["string", "int64", "double", "double", "bool"]
    assert table.schema.field("count").metadata == {b"description": b"how many there are"}
    assert table.schema.metadata[b"about"] == b"a test"


def test_parquet_of_no_rows_has_its_columns():
    assert parquet.read_table(io.BytesIO(to_parquet([], COLUMNS))).column_names == list(COLUMNS)


def test_without_pyarrow_a_parquet_file_is_refused_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(tabular, "find_spec", lambda name: None)
    check_parquet(tmp_path / "table.csv")
    with pytest.raises(
        BBAError, match=r"table.parquet: a .parquet file needs pyarrow: pip install 'bba-tui\[export\]'"
    ):
        check_parquet(tmp_path / "table.parquet")


def test_columns_of_the_same_meaning_share_a_line_of_the_dictionary():
    assert data_dictionary(COLUMNS).splitlines() == [
        "| column | type | what it is |",
        "|---|---|---|",
        "| `name` | str | what it is called |",
        "| `count` | int | how many there are |",
        "| `share`, `other_share` | float | their share |",
        "| `known` | bool | whether it is known |",
    ]
