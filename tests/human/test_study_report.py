"""The report of a study: it stands alone, holds means of participants, and neither codes nor words."""

import re

import pytest
from scipy import stats

from human.study import report
from human.study.report import flow, write_study_report
from human.study.report_outcomes import OUTCOME_MEASURES, difference_table, over_participants, paired_difference
from human.study.tables import tables_of
from tests.helpers.scripted_people import study_of_scripted_people
from tests.helpers.studies import begin_study, play_through
from tui import cli

# participant, agent, reward
GAMES = (("1", "a", 10), ("1", "a", 20), ("1", "b", 5), ("2", "a", 40), ("2", "b", 40), ("3", "b", 9))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two participants who have done it all, and one who has stopped in the first game."""
    made = begin_study(tmp_path_factory.mktemp("study"), agents=["switching", "proagent"], horizon=30)
    for code in ("SECRET-1", "SECRET-2"):
        with made.participation(code) as part:
            play_through(made, part)
    with made.participation("SECRET-3") as part:
        part.begin(part.task, 0)
    return made


def draw_nothing(patch):
    """Makes pages of words and tables only; their drawings take most of the time."""
    patch.setattr(report, "figures", lambda *_: ())


def test_the_command_writes_a_page_that_stands_alone_and_names_nobody(folder, capsys):
    assert cli.main(["--report", str(folder.path)]) == 0
    page = (folder.path / "report.html").read_text()
    assert str(folder.path / "report.html") in capsys.readouterr().out
    assert "SECRET" not in page
    assert "well" not in re.findall(r"\w+", page)
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "3, 2 of them complete" in page
    for part in ("The flow of participants", "The conditions", "proagent − switching", "Fluent? (no – yes)"):
        assert part in page


def test_the_flow_counts_who_passed_each_point(folder):
    points = flow(folder.study, tables_of(folder))
    assert points == [("consented", 3), ("game 1", 2), ("game 2", 2), ("complete", 2), ("analysed, not excluded", 2)]


@pytest.mark.thorough
def test_the_same_results_give_the_same_page(folder):
    first = write_study_report(folder.path).read_bytes()
    assert write_study_report(folder.path).read_bytes() == first


def test_a_study_without_participants_has_a_page(tmp_path):
    made = begin_study(tmp_path)
    assert "nobody yet" in write_study_report(made.path).read_text()


def test_people_who_were_excluded_are_shown_as_such_and_count_in_no_mean(tmp_path, monkeypatch):
    made = study_of_scripted_people(tmp_path, people=2, steps=80)
    with monkeypatch.context() as patch:
        draw_nothing(patch)
        before = write_study_report(made.path).read_text()
    assert "With 2 people nothing can be concluded about others" in before
    with made.part_of("P0") as part:
        part.exclude("researcher", "ill")
    page = write_study_report(made.path).read_text()
    assert "2, 2 of them complete, 1 excluded" in page
    assert "With 1 person nothing can be concluded about others" in page
    assert re.search(r"<td[^>]*>researcher</td>", page)
    assert "1 game is left out" in page
    assert "Reactions to switches:" in page, "what one person did is drawn, too"


def test_agents_that_nobody_met_beside_one_another_have_no_differences_within_participants():
    met_by = {"a": "1", "b": "2", "c": "1"}
    games = [
        dict.fromkeys(OUTCOME_MEASURES, 1.0) | {"agent": agent, "participant": who} for agent, who in met_by.items()
    ]
    assert difference_table([row for row in games if row["agent"] != "c"]) is None
    assert difference_table(games).headings == ["measure", "c − a"]


def test_levels_of_hints_are_conditions_of_their_own(tmp_path, monkeypatch):
    draw_nothing(monkeypatch)
    made = begin_study(tmp_path, agents=["switching"], horizon=20, between=["hints"], factors={"hints": [True, False]})
    for code in ("P1", "P2"):
        with made.participation(code) as part:
            play_through(made, part)
    page = write_study_report(made.path).read_text()
    assert ">switching, hints</th>" in page
    assert ">switching, no hints</th>" in page


def test_means_are_over_participants_and_differences_within_them():
    rows = [{"participant": who, "agent": agent, "reward": reward} for who, agent, reward in GAMES]
    assert over_participants([row for row in rows if row["agent"] == "a"], "reward").mean == 27.5
    found = paired_difference(rows, "reward", "b", "a")
    assert (found.mean, found.n) == (-5, 2)
    assert (found.low, found.high) == pytest.approx(stats.ttest_1samp([-10, 0], 0).confidence_interval())
    assert over_participants([], "reward") is None
