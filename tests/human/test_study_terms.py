"""A study that has begun goes on with the same program and the same settings only."""

import json
from contextlib import nullcontext

import pytest

import bba
from bba.errors import BBAError
from human.study import StudyFolder
from human.study.folder import terms_of
from tests.helpers.studies import plan
from tui.commands.study import TakePart


def begin(path, **settings):
    return StudyFolder.begin(path, plan(), terms_of(TakePart.model_validate({"study": "s.toml", **settings})))


def test_other_settings_are_refused_by_name(tmp_path):
    begin(tmp_path, mobility=0.5, theta_obs=0.1)
    begin(tmp_path, mobility=0.5, theta_obs=0.1, theme="light", speed=20)
    for changed, said in (
        ({"mobility": 0.35, "theta_obs": 0.1}, "--mobility 0.5, not 0.35"),
        ({"mobility": 0.5}, "--theta-obs 0.1, without it now"),
        ({"mobility": 0.5, "theta_obs": 0.1, "planner": "rollout"}, "--planner scripted, not rollout"),
    ):
        with pytest.raises(BBAError, match=f"{tmp_path}: this study was begun with {said}"):
            begin(tmp_path, **changed)


def test_another_version_is_refused(tmp_path):
    begin(tmp_path)
    file = tmp_path / "study.json"
    kept = json.loads(file.read_text())
    kept["terms"]["program"] = "0.0.1"
    file.write_text(json.dumps(kept))
    with pytest.raises(BBAError, match=f"bba-tui 0.0.1, and this is {bba.__version__}"):
        begin(tmp_path)


@pytest.mark.parametrize(("said", "refused"), [({}, None), ({"skills": True}, None), ({"skills": False}, "skills")])
def test_a_begun_study_that_said_nothing_of_skills_goes_on_with_them(tmp_path, said, refused):
    begin(tmp_path)
    file = tmp_path / "study.json"
    kept = json.loads(file.read_text())
    del kept["skills"]
    file.write_text(json.dumps(kept))
    with pytest.raises(BBAError, match="other skills than") if refused else nullcontext():
        assert StudyFolder.begin(tmp_path, plan(**said)).study.skills


def test_a_begun_study_that_said_something_of_skills_is_held_to_it(tmp_path):
    StudyFolder.begin(tmp_path, plan(skills=True))
    with pytest.raises(BBAError, match="other skills than"):
        begin(tmp_path)


def test_a_folder_of_an_earlier_version_says_nothing_of_settings(tmp_path):
    begin(tmp_path)
    file = tmp_path / "study.json"
    kept = json.loads(file.read_text())
    del kept["terms"]
    file.write_text(json.dumps(kept))
    assert begin(tmp_path, mobility=0.5).path == tmp_path
    assert "terms" not in json.loads(file.read_text())
