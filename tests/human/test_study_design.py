"""The design of a study: groups, orders, places, practice and breaks, in the plan and in the folder."""

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.errors import BBAError
from human.study import BreakTask, FailedTryTask, PlayTask, StudyFolder, load_study
from human.study.progress import Exclusion, PlayedGame, Progress
from human.study.tasks import NoPlaceInStudy, finished, games_of, has_place, next_cell, place_of, plan_in_words
from tests.helpers.studies import begin_study, plan, play_through

ROOT = Path(__file__).parents[2]
NOW = datetime(2030, 1, 1, tzinfo=UTC)
TWO_BY_TWO = {"between": ["agents", "hints"], "factors": {"hints": [True, False]}, "layouts": ["open", "ring"]}
ALONE = {"questions": [], "tutorial": False}


def sizes(study, people, now=NOW):
    """How many people who count each group has."""
    found = Counter(place_of(study, one)[0] for one in people if has_place(study, one, now))
    return [found[group] for group in range(len(study.groups))]


def arrive(study, people, now=NOW):
    counted = [one for one in people if has_place(study, one, now)]
    group, row = next_cell(study, counted, len(people))
    people.append(
        Progress(participant=f"P{len(people)}", number=len(people), group=group, row=row, consented=now, seen=now)
    )


def complete(study, one):
    games = tuple(PlayedGame(game=game, started=NOW, ended=NOW) for game in range(len(games_of(study, one))))
    return one.model_copy(update={"games": games})


EVENTS = st.lists(st.tuples(st.sampled_from(["arrive", "arrive", "complete", "exclude", "leave"]), st.integers(0, 99)))


@settings(max_examples=60, deadline=None)
@given(EVENTS)
def test_groups_stay_within_one_and_drop_outs_are_replaced_first(events):
    """Only a drop-out can widen the spread of the groups, by one each; every arrival mends it where it can."""
    study = plan(**TWO_BY_TWO, **ALONE, **{"replace-after": 1})
    people, owed = [], 0
    for event, which in events:
        before = sizes(study, people)
        if event == "arrive":
            arrive(study, people)
            (grown,) = [group for group, size in enumerate(sizes(study, people)) if size > before[group]]
            assert before[grown] == min(before)
            owed = max(0, owed - 1)
        elif people:
            one = people[which % len(people)]
            counted = has_place(study, one, NOW)
            if event == "complete":
                people[which % len(people)] = complete(study, one) if counted else one
            elif counted and not finished(study, one):
                gone = {"excluded": Exclusion(at=NOW, why="researcher")}
                changed = gone if event == "exclude" else {"seen": NOW - timedelta(hours=2)}
                people[which % len(people)] = one.model_copy(update=changed)
                owed += 1
        now = sizes(study, people)
        assert max(now) - min(now) <= 1 + owed
    for _ in range(owed * len(study.groups)):
        arrive(study, people)
    assert max(sizes(study, people)) - min(sizes(study, people)) <= 1


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(EVENTS)
def test_without_drop_outs_groups_and_their_orders_are_within_one_at_any_time(events):
    study, people = plan(**TWO_BY_TWO, **ALONE), []
    for event, which in events:
        if event == "arrive":
            arrive(study, people)
        elif event == "complete" and people:
            people[which % len(people)] = complete(study, people[which % len(people)])
        now = sizes(study, people)
        assert max(now) - min(now) <= 1
        for group in range(4):
            rows = Counter(place_of(study, one)[1] for one in people if place_of(study, one)[0] == group)
            found = [rows[row] for row in range(2)]
            assert max(found) - min(found) <= 1


def test_a_study_without_groups_gives_the_orders_by_number_as_before():
    study, people = plan(layouts=["open", "ring"]), []
    for _ in range(9):
        arrive(study, people)
    assert [place_of(study, one) for one in people] == [(0, number % 4) for number in range(9)]
    old = people[6].model_copy(update={"group": None, "row": None})
    assert games_of(study, old) == games_of(study, people[6])


def test_each_group_meets_its_levels_and_all_of_the_others():
    study, people = plan(**TWO_BY_TWO), []
    for _ in range(4):
        arrive(study, people)
    met = {tuple({(game.agent, game.hints) for game in games_of(study, one)}) for one in people}
    assert met == {((agent, hints),) for agent, hints in product(["switching", "proagent"], [True, False])}
    assert all(sorted(game.layout for game in games_of(study, one)) == ["open", "ring"] for one in people)
    assert {game.seed for one in people for game in games_of(study, one) if game.layout == "ring"} == {1}


def test_a_factor_within_participants_is_crossed_with_the_others():
    study = plan(factors={"speed": [5, 10]})
    games = games_of(study, Progress(participant="P1", number=0, consented=NOW))
    assert len(set(games)) == 4
    assert {(game.agent, game.speed) for game in games} == set(product(["switching", "proagent"], [5, 10]))


def test_random_orders_differ_between_participants_and_fixed_ones_do_not():
    def orders(order):
        study = plan(layouts=["open", "ring"], order=order)
        return [tuple(games_of(study, Progress(participant="P1", number=n, consented=NOW))) for n in range(6)]

    assert len(set(orders("random"))) > 2
    assert orders("random") == orders("random")
    assert set(orders("fixed")) == {plan(layouts=["open", "ring"]).conditions(0)}


FILE = """name = "s"
title = "t"
consent = "c"
layouts = ["open"]
agents = ["bayes", "proagent"]
{more}
"""


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ('between = ["layouts"]', 6, "between: layouts has one level"),
        ('between = ["agents", "agents"]', 6, "between: agents is there twice"),
        ('between = ["colour"]', 6, "between.0: "),
        ('order = "latin square"', 6, "order: "),
        ("complete = 0", 6, "complete: "),
        ("replace-after = 0", 6, "replace-after: "),
        ("[factors]\nspeed = [5, 5]", 7, "factors.speed: 5.0 is there twice"),
        ("[factors]\nspeed = [500]", 7, "factors.speed.0: "),
        ("[breaks]\nlongest = 10\nshortest = 20", 8, "breaks.shortest: 20 is more than longest, 10"),
        ("[breaks]\nlength = 10", 7, "breaks.length: unknown key"),
        ("[breaks]\nlongst = 10", 7, "breaks.longst: unknown key; the nearest is longest"),
        ("[practice]\ntries = 0\nstages = 3", 7, "practice.tries: "),
        ("[practice]\ntries = 2", 6, "practice: no criterion"),
        ("[practice]\nstages = 99", 7, "practice.stages: the tutorial has 10 stages"),
        ("tutorial = false\n[practice]\nstages = 3", 8, "practice.stages: there is no tutorial"),
        ('[[questions]]\nname = "q"\ntext = "?"\nwhen = "practice"', 9, "questions.0.when: there is no [practice]"),
        (
            '[practice]\n[[questions]]\nname = "q"\ntext = "?"\nwhen = "practice"',
            7,
            "questions.0.expect: missing",
        ),
    ],
)
def test_a_mistake_in_the_design_is_one_line_with_line_and_key(tmp_path, more, line, message):
    file = tmp_path / "study.toml"
    file.write_text(FILE.format(more=more))
    with pytest.raises(BBAError) as mistake:
        load_study(file)
    assert str(mistake.value).startswith(f"{file}, line {line}: {message}")
    assert "\n" not in str(mistake.value)


QUIZ = {
    "tutorial": False,
    "practice": {"tries": 2, "instructions": "Burritos need rice."},
    "questions": [{"name": "rice", "text": "?", "type": "choice", "choices": ["yes", "no"], "expect": "yes"}],
}
QUIZ["questions"][0]["when"] = "practice"


def test_who_fails_the_last_try_is_excluded_and_the_cell_is_given_again(tmp_path):
    folder = begin_study(tmp_path, **QUIZ, between=["agents"])
    with folder.participation("P1") as part:
        for left in (1, 0):
            part.answer(part.task, "no")
            assert part.task == FailedTryTask(0, 1, stages=True, left=left)
            if left:
                part.try_again()
        part.exclude("practice")
        assert part.task is None
        assert [answer.value for failed in part.progress.tries for answer in failed.answers] == [("no",)]
        first = place_of(folder.study, part.progress)
    with folder.participation("P2") as part:
        part.answer(part.task, "yes")
        assert isinstance(part.task, PlayTask)
        second = place_of(folder.study, part.progress)
    with folder.participation("P3") as part:
        third = place_of(folder.study, part.progress)
    assert {second[0], third[0]} == {0, 1}
    assert first in (second, third)


def test_after_the_last_try_one_goes_on_where_the_study_says_so(tmp_path):
    folder = begin_study(tmp_path, **QUIZ | {"practice": {"tries": 1, "otherwise": "go-on"}})
    with folder.participation("P1") as part:
        part.answer(part.task, "no")
        assert isinstance(part.task, PlayTask)


def test_missing_stages_send_back_to_the_tutorial_and_met_ones_do_not(tmp_path):
    folder = begin_study(tmp_path, **QUIZ | {"tutorial": True, "practice": {"tries": 3, "stages": 10}})
    with folder.participation("P1") as part:
        first = part.practice_recording
        part.end_practice(9)
        part.answer(part.task, "yes")
        assert part.task == FailedTryTask(1, 1, stages=False, left=2)
        part.try_again()
        assert part.progress.practice is None
        assert part.practice_recording != first
        part.end_practice(10)
        part.answer(part.task, "no")
        assert part.task == FailedTryTask(0, 1, stages=True, left=1)
        part.try_again()
        assert part.progress.practice.stages == 10


def test_breaks_come_after_so_many_games_and_never_after_the_last(tmp_path):
    folder = begin_study(tmp_path, layouts=["open", "ring"], breaks={"every": 2, "shortest": 5}, questions=[])
    seen = []
    with folder.participation("P1") as part:
        while (task := part.task) is not None:
            if isinstance(task, BreakTask):
                seen.append((task.game, task.shortest, task.longest))
                began = part.begin_break(task).started
                assert began == part.begin_break(task).started
                part.end_break()
            else:
                part.begin(task, 0)
                part.end(task, given_up=True)
    assert seen == [(1, 5, 120)]
    assert part.progress.breaks[0].ended is not None


def test_the_study_ends_after_so_many_complete_and_places_are_not_given_twice(tmp_path):
    folder = begin_study(tmp_path, complete=2, horizon=1)
    with folder.participation("P1") as part:
        play_through(folder, part)
    with folder.participation("P2") as part:
        with pytest.raises(NoPlaceInStudy, match="all places of this study are taken"):
            folder.check_place()
        play_through(folder, part)
    with pytest.raises(NoPlaceInStudy, match="has all the participants"), folder.participation("P3"):
        pass
    assert not folder.knows("P3")
    with folder.part_of("P1") as part:
        part.exclude("researcher", "ill")
    with folder.participation("P3"):
        pass


def test_who_was_away_for_too_long_goes_on_only_if_there_is_a_place(tmp_path):
    folder = begin_study(tmp_path, complete=1, **{"replace-after": 1})
    with folder.participation("P1") as part:
        pass
    long_ago = part.progress.model_copy(update={"seen": part.progress.seen - timedelta(hours=2)})
    folder._write(long_ago)
    with folder.participation("P1"):  # nobody else has come: the place is still there
        pass
    folder._write(long_ago)
    with folder.participation("P2") as part:
        assert place_of(folder.study, part.progress) == place_of(folder.study, long_ago)
    with pytest.raises(NoPlaceInStudy), folder.participation("P1"):
        pass


ENROL = """
import sys
from pathlib import Path
from human.study import StudyFolder
from human.study.tasks import NoPlaceInStudy
folder = StudyFolder.open(Path(sys.argv[1]))
sys.stdin.read(1)
for number in range(6):
    try:
        with folder.participation(f"{sys.argv[2]}{number}"):
            pass
    except NoPlaceInStudy:
        print("full")
"""


@pytest.mark.thorough
@pytest.mark.parametrize("letters", ["AB", pytest.param("ABCDEFGH", marks=pytest.mark.long)])
def test_arrivals_at_the_same_time_keep_groups_balanced_and_take_no_place_twice(tmp_path, letters):
    places = 6 * len(letters) - 3
    folder = begin_study(tmp_path, **TWO_BY_TWO, complete=places)
    command = [sys.executable, "-c", ENROL, str(folder.path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    rushing = [subprocess.Popen([*command, letter], cwd=ROOT, **pipes) for letter in letters]
    said = [process.communicate("x", timeout=60)[0] for process in rushing]
    assert "".join(said).count("full") == 3
    people = folder.everybody()
    assert len(people) == places
    found = sizes(folder.study, people, datetime.now(UTC))
    assert max(found) - min(found) <= 1


def test_a_check_shows_the_groups_and_games_of_the_first_participants():
    said = plan_in_words(plan(**TWO_BY_TWO, complete=4)).splitlines()
    assert said[0] == "small: 2 games a participant, 4 groups, order latin, ends after 4 complete"
    assert len(said) == 5
    assert sum("agents=switching hints=True: " in line for line in said) == 1
    assert plan_in_words(plan()).splitlines()[1] == "   1. open/switching, open/proagent"


def test_a_participant_is_excluded_by_the_command(tmp_path, capsys):
    from tui import cli

    file = tmp_path / "study.toml"
    file.write_text(FILE.format(more=""))
    where = ["study", str(file), "--out", str(tmp_path / "here")]
    assert cli.main([*where, "--exclude", "P1", "--why", "ill"]) == 2
    assert "nobody with the code P1" in capsys.readouterr().err
    with StudyFolder.open(tmp_path / "here").participation("P1"):
        pass
    assert cli.main([*where, "--exclude", "p1", "--why", "ill"]) == 0
    assert "P1: excluded" in capsys.readouterr().out
    assert StudyFolder.open(tmp_path / "here").everybody()[0].excluded.why == "researcher"


def test_the_tables_have_groups_tries_exclusions_and_breaks(tmp_path):
    from human.study.tables import tables_of

    folder = begin_study(tmp_path, **QUIZ, between=["agents"], layouts=["open", "ring"], breaks={}, horizon=2)
    with folder.participation("P1") as part:
        part.answer(part.task, "no")
        part.try_again()
        part.answer(part.task, "yes")
        part.begin(part.task, 0)
        part.end(part.task, given_up=True)
        part.begin_break(part.task)
        part.end_break()
    with folder.part_of("P1") as part:
        part.exclude("researcher", "ill")
    tables = tables_of(folder)
    (person,) = tables["participants"]
    assert (person["group"], person["tries"], person["excluded"], person["complete"]) == (
        f"agents={tables['games'][0]['agent']}",
        2,
        "researcher",
        False,
    )
    assert [(row["try"], row["question"], row["as_expected"]) for row in tables["practice"]] == [
        (1, "rice", False),
        (2, "rice", True),
    ]
    (pause,) = tables["breaks"]
    assert (pause["game"], pause["seconds"] >= 0) == (1, True)
