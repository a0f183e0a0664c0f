"""The plots of what GAMMA and TALENTS learned about partners."""

from dataclasses import replace

import pytest

from bba.files import data_dir
from bba.learning.figures import draw_partners
from bba.learning.runs.run import read_record

WEIGHTS = data_dir("assets/weights")


@pytest.fixture
def record():
    return read_record(WEIGHTS / "talents-open.json")


def test_each_layout_has_a_row_with_its_measurements(record, tmp_path):
    (path,) = draw_partners([record, replace(record, layout="elsewhere")], tmp_path)
    assert path.name == "partners-talents.svg"
    drawn = path.read_text()
    assert "elsewhere" in drawn
    assert f"silhouette {record.partners['clusters']['silhouette']:.2f}" in drawn


def test_the_same_records_give_the_same_bytes(record, tmp_path):
    first = draw_partners([record], tmp_path)[0].read_bytes()
    assert draw_partners([record], tmp_path)[0].read_bytes() == first


def test_a_policy_that_learned_nothing_about_partners_has_no_plot(tmp_path):
    assert draw_partners([read_record(WEIGHTS / "bp-G1-1-open.json")], tmp_path) == []
