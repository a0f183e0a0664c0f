"""Before there are data: power, the preregistration, and simulated participants."""

import json
from collections import Counter
from concurrent.futures import BrokenExecutor, Future
from functools import partial

import numpy as np
import pytest

from bba.errors import BBAError
from bba.settings import GameOptions
from human.study import StudyFolder
from human.study.power import participants_for, power_in_words, power_of
from human.study.preregistration import PREREGISTRATION_FILE, moved, preregistration, unsaid
from human.study.report import study_facts, write_study_report
from human.study.simulation import simulate, simulated_codes
from human.study.table_files import write_tables
from human.study.tables import tables_of
from human.study.tasks import finished, plan_in_words
from tests.helpers.command_line import run
from tests.helpers.studies import begin_study, plan
from tui.commands.study import SimulateStudy
from tui.commands.study_runs import simulate_study
from tui.study.flow import study_game

PAIRED = plan().analysis


def with_test(test, **changes):
    return PAIRED.model_copy(update={"test": test} | changes)


def test_power_of_a_paired_test_is_that_of_the_textbooks():
    assert power_of(PAIRED, 0.5, 34) == pytest.approx(0.81, abs=0.01)  # Cohen (1988), G*Power: 0.8078
    assert participants_for(PAIRED, 0.5) == 34
    assert participants_for(with_test("paired", power=0.95), 0.5) == 54
    assert participants_for(with_test("independent"), 0.5) == 128


@pytest.mark.parametrize("test", ["paired", "mixed", "independent"])
def test_power_is_the_share_of_simulated_studies_that_find_the_effect(test):
    from scipy import stats

    rng, effect, n, games, studies = np.random.default_rng(0), 0.6, 20, 3, 1500
    if test == "paired":
        p = stats.ttest_1samp(rng.normal(effect, 1, (studies, n)), 0, axis=1).pvalue
    elif test == "independent":
        halves = rng.normal(0, 1, (studies, n // 2)), rng.normal(effect, 1, (studies, n // 2))
        p = stats.ttest_ind(*halves, axis=1).pvalue
    else:  # games around participants' own means, which the model takes out
        scores = rng.normal(0, 1, (studies, n, 2, games)) + np.array([0, effect])[:, None]
        left = scores - scores.mean(axis=(2, 3), keepdims=True)
        shift = left[:, :, 1].mean(axis=(1, 2)) - left[:, :, 0].mean(axis=(1, 2))
        rest = left - left.mean(axis=(1, 3), keepdims=True)
        freedom = 2 * n * games - n - 1
        t = shift / np.sqrt((rest**2).sum(axis=(1, 2, 3)) / freedom * 2 / (n * games))
        p = 2 * stats.t.sf(abs(t), freedom)
    assert len(p) == studies
    assert np.mean(p < 0.05) == pytest.approx(power_of(with_test(test), effect, n, games), abs=0.04)


def test_an_effect_that_nobody_could_find_is_refused():
    with pytest.raises(BBAError, match="more than 100,000 participants"):
        participants_for(PAIRED, 0.001)
    with pytest.raises(BBAError, match="--effect: missing"):
        power_in_words(plan(), None)


def test_power_says_that_the_study_ends_before_it():
    words = power_in_words(plan(complete=20), 0.5)
    assert "\nthe study ends after 20 complete participants: a power of 0.565\n" in words
    assert "the study ends after" not in power_in_words(plan(complete=34), 0.5)


def test_a_plan_says_how_many_participants_it_leaves_out():
    lines = plan_in_words(plan(complete=20)).splitlines()
    assert lines[-1] == "and 8 more, whose groups and orders go on in the same way"
    assert "more, whose groups" not in plan_in_words(plan(complete=12))


def test_what_a_preregistration_does_not_say_is_named_with_its_key():
    assert unsaid(plan()) == ["hypotheses", "smallest-effect"]
    assert unsaid(plan(analysis={"hypotheses": ["It is higher."], "smallest-effect": 0.5})) == []


def test_a_preregistration_says_what_moved():
    study = plan(analysis={"hypotheses": ["It is higher."]})
    text = preregistration(study)
    assert "It is higher." in text
    assert moved(text, study) == []
    assert moved(text.replace("\n", "\r\n"), study) == []
    later = plan(complete=20, analysis={"hypotheses": ["It is lower."]})
    assert moved(text, later) == ["hypotheses", "stopping rule", "digests"]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    folder = begin_study(tmp_path_factory.mktemp("simulated"), horizon=40)
    for code in simulated_codes(4):
        simulate(folder, code, partial(study_game, folder.study, GameOptions()))
    return folder


def test_simulated_participants_go_through_everything_and_are_marked(simulated):
    everybody, tables = simulated.everybody(), tables_of(simulated)
    assert all(finished(simulated.study, progress) for progress in everybody)
    assert {row["simulated"] for row in tables["participants"]} == {True}
    assert {row["steps"] for row in tables["games"]} == {40}
    decided = [row for row in tables["keys"] if row["decided"]]
    assert len(decided) > 40
    assert all(row["at"] for row in tables["steps"])
    assert max(Counter(progress.row for progress in everybody).values()) == 2  # two orders


def test_people_and_simulated_participants_share_no_folder(simulated, tmp_path):
    with pytest.raises(BBAError, match="holds the data of simulated participants"), simulated.participation("P1"):
        pass
    people = begin_study(tmp_path)
    with people.participation("P1"):
        pass
    with pytest.raises(BBAError, match="holds the data of people"):
        simulate(people, "SIM-001", partial(study_game, people.study, GameOptions()))


def test_a_killed_process_of_the_simulation_is_said_in_one_line(tmp_path, monkeypatch):
    class Killed:
        def __init__(self, workers):
            self.closed = workers

        def submit(self, *_):
            killed = Future()
            killed.set_exception(BrokenExecutor("the exit codes of the workers are {SIGKILL(-9)}"))
            return killed

        def close(self):
            ended.append(self.closed)

    ended = []
    monkeypatch.setattr("tui.commands.study_runs.ProcessEngine", Killed)
    settings = {"study": "example", "out": tmp_path / "data", "participants": 2, "workers": 3}
    with pytest.raises(BBAError, match="a process of it was killed; the same command goes on"):
        simulate_study(SimulateStudy.model_validate(settings))
    assert ended == [3]


def test_tables_and_report_take_simulated_data_and_check_the_preregistration(simulated):
    file = simulated.path / PREREGISTRATION_FILE
    file.write_text(preregistration(simulated.study))
    write_tables(simulated, anonymous=True)
    page = write_study_report(simulated.path).read_text()
    assert "these participants are no people" in page
    assert "this study is as it was preregistered" in page
    file.write_text(preregistration(plan(complete=3)))
    facts = dict(study_facts(simulated, tables_of(simulated)))
    assert facts["preregistration"] == "differs in: procedure, stopping rule, digests"


def test_a_pilot_says_what_the_effect_is_in_its_units(simulated):
    words = power_in_words(simulated.study, 0.5, simulated)
    assert "proagent − switching is" in words
    assert "over 4 participants; an effect of 0.5 is" in words


def test_a_changed_study_is_refused_with_what_changed(simulated):
    changed = simulated.study.model_copy(update={"horizon": 41, "consent_version": "2"})
    with pytest.raises(BBAError, match="begun with other horizon, consent-version than"):
        StudyFolder.begin(simulated.path, changed)


def test_the_commands_of_planning(capsys, tmp_path):
    assert "example: 4 games a participant" in run(capsys, "study", "check", "example")[1]
    assert "takes 34 participants" in run(capsys, "study", "power", "example", "--effect", "0.5")[1]
    assert "## stopping rule" in run(capsys, "study", "preregister", "example")[1]
    file = tmp_path / "mine.toml"
    written = {"name": "mine", "title": "t", "consent": "c", "layouts": ["open"], "agents": ["bayes"]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in written.items()]
    file.write_text("\n".join([*lines, "[analysis]", 'outcome = "rewards"']))
    code, _, problem = run(capsys, "study", "check", str(file))
    assert code == 2
    assert "line 7: analysis.outcome: rewards: the nearest is reward" in problem
