"""People are excluded by the rules of `[exclude]`, exactly those who break one, and by hand, with a reason."""

from types import SimpleNamespace

import pytest

from human.study.plan import ExclusionRules
from human.study.report import flow
from human.study.report_outcomes import reply_tables
from human.study.tables import by_rule, recorded_games, tables_of
from tests.helpers.studies import begin_study, plan, play_through
from tui import cli

RULES = {"attention": 1, "focus-lost": 2, "interruptions": 1, "idle": 0.5, "straight-lining": 3, "page-seconds": 2.0}
FINE = {"attention": 1, "focus": 2, "interruptions": 1, "still": 5, "scores": (1, 1, 2), "seconds": 2.0}
FAULTS = {  # each changes one thing of somebody who is just within all limits
    "1": ({}, []),
    "2": ({"attention": 2}, ["attention"]),
    "3": ({"focus": 3}, ["focus-lost"]),
    "4": ({"interruptions": 2}, ["interruptions"]),
    "5": ({"still": 6}, ["idle"]),
    "6": ({"scores": (4, 4, 4)}, ["straight-lining"]),
    "7": ({"seconds": 1.9}, ["page-seconds"]),
    "8": ({"scores": (4, 4)}, []),
    "9": ({"attention": 3, "still": 10}, ["attention", "idle"]),
    "10": ({"attention": 0, "focus": 0, "interruptions": 0, "still": 0, "seconds": 60.0}, []),
}


def rows_of(code, made):
    """The rows of somebody with ten steps, two games, and so many faults."""
    one, who = SimpleNamespace(**(FINE | made)), {"participant": code}
    scale = {"when": "after-game", "game": 1, "type": "scale", "as_expected": None, "seconds": one.seconds}
    checks = [{**scale, "type": "choice", "score": None, "as_expected": number >= one.attention} for number in range(4)]
    return {
        "participants": [who],
        "answers": [{**who, **row} for row in [*({**scale, "score": score} for score in one.scores), *checks]],
        "events": [{**who, "event": "blur", "game": 1}] * one.focus + [{**who, "event": "blur", "game": None}] * 9,
        "games": [{**who, "interruptions": one.interruptions}, {**who, "interruptions": None}],
        "steps": [{**who, "participant_action": "stay" if step < one.still else "north"} for step in range(10)],
    }


@pytest.fixture
def tables():
    """The tables of ten made people."""
    people = [rows_of(code, made) for code, (made, _) in FAULTS.items()]
    return {name: [row for one in people for row in one[name]] for name in people[0]}


def test_of_ten_people_with_known_faults_exactly_those_who_break_a_rule_are_excluded(tables):
    wanted = {code: names for code, (_, names) in FAULTS.items() if names}
    assert by_rule(ExclusionRules.model_validate(RULES), tables) == wanted


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_is_not_named_excludes_nobody(tables, name):
    rules = ExclusionRules.model_validate({key: limit for key, limit in RULES.items() if key != name})
    assert all(name not in names for names in by_rule(rules, tables).values())
    assert by_rule(ExclusionRules(), tables) == {}


def test_who_breaks_a_rule_is_out_of_everything_that_is_computed_and_the_counts_add_up(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=20, exclude={"page-seconds": 500})
    for code in ("P1", "P2"):
        with folder.participation(code) as part:
            play_through(folder, part)
    tables = tables_of(folder)
    assert [row["excluded"] for row in tables["participants"]] == [None, None]  # nobody noted when a page was shown
    tables["answers"] = [{**row, "seconds": 1.0 if row["participant"] == "P1" else 900.0} for row in tables["answers"]]
    assert by_rule(folder.study.exclude, tables) == {"P1": ["page-seconds"]}
    assert flow(folder.study, tables)[-2:] == [("complete", 2), ("analysed, not excluded", 2)]
    check = [{"name": "check", "text": "Choose no.", "ends": ["no", "yes"], "expect": 1}]
    asked = {"agents": ["switching"], "horizon": 20, "questions": check, "exclude": {"attention": 0}}
    careless = begin_study(tmp_path / "careless", **asked)
    with careless.participation("P1") as part:
        play_through(careless, part)
    assert tables_of(careless)["participants"][0]["excluded"] == "attention"
    assert list(recorded_games(careless)) == []
    assert flow(careless.study, tables_of(careless))[-2:] == [("complete", 1), ("analysed, not excluded", 0)]
    assert list(reply_tables(careless.study, tables_of(careless))) == []  # a check is no outcome


def test_by_hand_it_takes_a_reason_and_can_be_taken_back(tmp_path, capsys):
    folder = begin_study(tmp_path, agents=["switching"], horizon=20)
    with folder.participation("P1") as part:
        play_through(folder, part)
    file = tmp_path / "study.toml"
    lines = ['name = "small"', 'title = "A small study"', 'consent = "Do you agree?"', 'layouts = ["open"]']
    lines += ['agents = ["switching"]', "tutorial = false", "turns = true", "horizon = 20"]
    for question in plan().questions:
        lines += ["[[questions]]", f'name = "{question.name}"', f'text = "{question.text}"']
        lines += ['ends = ["no", "yes"]'] if question.ends else []
    file.write_text("\n".join(lines))
    where = ["study", str(file), "--out", str(folder.path)]
    assert cli.main([*where, "--exclude", "P1"]) == 2
    assert "--why TEXT" in capsys.readouterr().err
    assert cli.main([*where, "--exclude", "P1", "--why", "was ill"]) == 0
    (row,) = tables_of(folder)["participants"]
    assert (row["excluded"], row["reason"], row["complete"]) == ("researcher", "was ill", True)
    assert cli.main([*where, "--include", "P1"]) == 0
    (row,) = tables_of(folder)["participants"]
    assert (row["excluded"], row["reason"]) == (None, None)
