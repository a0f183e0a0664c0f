"""The data package keeps to the specification of specs.frictionlessdata.io, and so does every cell."""

import csv
import hashlib
import json
import math
import re
from datetime import datetime

import pytest

from human.study.table_columns import STUDY_TABLES
from human.study.table_files import write_tables
from tests.helpers.studies import begin_study, play_through

TYPES = {"string", "number", "integer", "boolean", "datetime"}
PROPERTIES = {"name", "type", "format", "description", "constraints", "trueValues", "falseValues"}


@pytest.fixture(scope="module", params=[False, True], ids=["with codes", "anonymous"])
def place(request, tmp_path_factory):
    folder = begin_study(tmp_path_factory.mktemp("study"), agents=["bayes"], horizon=40)
    for code in ("P1", "P2"):
        with folder.participation(code) as part:
            part.log.note("joined", detail="80x24")
            play_through(folder, part)
    return write_tables(folder, anonymous=request.param)[0]


@pytest.fixture
def package(place):
    return json.loads((place / "datapackage.json").read_text())


def rows_of(place, resource):
    with (place / resource["path"]).open(newline="", encoding=resource["encoding"]) as file:
        return list(csv.DictReader(file))


@pytest.mark.thorough
def test_the_package_and_its_resources_have_what_is_required(place, package):
    assert package["profile"] == "tabular-data-package"
    names = [package["name"], *(resource["name"] for resource in package["resources"])]
    assert all(re.fullmatch("[a-z0-9._/-]+", name) for name in names)
    assert len(set(names)) == len(names) == 1 + len(STUDY_TABLES)
    for resource in package["resources"]:
        content = (place / resource["path"]).read_bytes()
        assert resource["profile"] == "tabular-data-resource"
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_every_field_has_a_type_and_a_description(package):
    for resource in package["resources"]:
        for field in resource["schema"]["fields"]:
            assert set(field) <= PROPERTIES
            assert field["type"] in TYPES
            assert field["description"]


def test_every_cell_is_of_its_type_and_what_is_required_is_there(place, package):
    for resource in package["resources"]:
        for row in rows_of(place, resource):
            for field in resource["schema"]["fields"]:
                assert fits(field, row[field["name"]]), (field, row)


def fits(field, text) -> bool:
    """Whether a cell is of its field's type, or empty where it may be."""
    if text == "":
        return not field.get("constraints", {}).get("required")
    match field["type"]:
        case "integer":
            return re.fullmatch(r"-?\d+", text) is not None
        case "number":
            return math.isfinite(float(text))
        case "boolean":
            return text in (*field["trueValues"], *field["falseValues"])
        case "datetime":
            return datetime.fromisoformat(text).tzinfo is not None
    return True


def test_keys_are_unique_and_lead_to_participants(place, package):
    found = {resource["name"]: (resource, rows_of(place, resource)) for resource in package["resources"]}
    people = {row["participant"] for row in found["participants"][1]}
    for resource, rows in found.values():
        key = resource["schema"].get("primaryKey", [])
        assert not key or len({tuple(row[name] for name in key) for row in rows}) == len(rows)
        for foreign in resource["schema"].get("foreignKeys", []):
            assert foreign["reference"] == {"resource": "participants", "fields": ["participant"]}
            assert {row["participant"] for row in rows} <= people


def test_every_table_that_a_played_study_fills_has_rows(place, package):
    filled = {resource["name"] for resource in package["resources"] if rows_of(place, resource)}
    assert filled >= {"participants", "games", "steps", "answers", "events", "gates"}
