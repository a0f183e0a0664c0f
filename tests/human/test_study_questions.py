"""Questionnaires: what each kind of question takes, who is asked what and in which order, and the shipped blocks."""

import json

import pytest

from bba.errors import BBAError
from bba.files import read_toml
from human.study import PlayTask, QuestionTask, load_study
from human.study.plan_file import QUESTION_FOLDER, Block, block_names
from human.study.questionnaire import SurveyQuestion
from human.study.tables import tables_of
from human.study.tasks import questions_asked
from tests.helpers.studies import begin_study, plan

HEAD = (
    'name = "s"\ntitle = "t"\nconsent = """\nlayouts = no key, but words\n"""\nlayouts = ["open"]\nagents = ["bayes"]\n'
)
LIST = {"type": "choice", "choices": ["a", "b"]}


def question(**keys):
    return SurveyQuestion.model_validate({"name": "x", "text": "X?", **keys})


@pytest.mark.parametrize(
    ("keys", "taken", "refused"),
    [
        ({"type": "scale", "points": 7}, [1, 7], [0, 8, "3", None, 2.5, True]),
        ({"type": "scale", "labels": ["no", "so so", "yes"]}, [3], [4]),
        ({"type": "slider"}, [0, 100], [-1, 101, None]),
        (LIST, ["a"], ["c", None, ("a",)]),
        (LIST | {"type": "choices"}, [("a",), ("b", "a")], [("c",), (), "a"]),
        ({"type": "number", "least": 1, "most": 9.5}, [1, 9.5], [0, 10, "4", None]),
        ({"type": "number"}, [-7, 0.5], [float("nan"), float("inf"), True]),
        ({"type": "text"}, ["", "words", None], ["x" * 4001, 3]),
        ({"type": "text", "required": True}, ["words"], ["", None]),
        (LIST | {"required": False}, ["a", None], ["c"]),
    ],
)
def test_each_kind_takes_its_answers_and_no_others(keys, taken, refused):
    asks = question(**keys)
    assert [asks.problem_with(answer) for answer in taken] == [None] * len(taken)
    assert all(asks.problem_with(answer) for answer in refused)


def test_questions_as_they_were_written_before_are_what_they_were():
    assert (question(ends=["no", "yes"]).type, question(ends=["no", "yes"]).points) == ("scale", 5)
    assert (question().type, question().required) == ("text", False)


def load(tmp_path, questions, head=HEAD):
    file = tmp_path / "study.toml"
    file.write_text(head + questions)
    return load_study(file)


ASKED = '[[questions]]\nname = "one"\ntext = "?"\nends = ["no", "yes"]\n'


@pytest.mark.parametrize(
    ("questions", "line", "message"),
    [
        ('[[questions]]\nname = "one"\ntext = "?"\npoints = 12\n', 11, "questions.0.points: "),
        (ASKED + '[[questions]]\nname = "two"\ntext = "?"\ntype = "slide"\n', 15, "questions.1.type: "),
        (ASKED + ASKED, 13, "questions.1.name: one is there twice"),
        (ASKED + 'choices = ["a", "b"]\n', 12, "questions.0.choices: a question of type 'scale' has none"),
        ('[[questions]]\nname = "one"\ntext = "?"\ntype = "choice"\n', 8, "questions.0.choices: missing"),
        (ASKED + "expect = 6\n", 12, "questions.0.expect: is no answer to this question"),
        (ASKED + "show-if = { two = 1 }\n", 12, "questions.0.show-if: two: is not asked before this question"),
        (ASKED + 'labels = ["a", "b"]\n', 11, "questions.0.ends: either labels"),
        ('[[questions]]\ninclude = "nasa-txl"\n', 9, "questions.0.include: no block of questions 'nasa-txl'"),
        ('[[questions]]\ninclude = "trust"\npoints = 5\n', 10, "questions.0.points: unknown key beside include"),
        ('[[questions]]\ninclude = "own.toml"\n[[questions]]\ntext = "?"\n', 10, "questions.1.name: missing"),
    ],
)
def test_a_mistake_in_a_question_is_one_line_with_line_and_key(tmp_path, questions, line, message):
    (tmp_path / "own.toml").write_text('title = "Own"\nsource = "me"\n' + ASKED)
    with pytest.raises(BBAError) as mistake:
        load(tmp_path, questions)
    assert str(mistake.value).startswith(f"{tmp_path / 'study.toml'}, line {line}: {message}")
    assert "\n" not in str(mistake.value)


def test_a_mistake_in_a_block_of_ones_own_is_named_in_its_file(tmp_path):
    (tmp_path / "own.toml").write_text('title = "Own"\nsource = "me"\n' + ASKED + "points = 1\n")
    with pytest.raises(BBAError) as mistake:
        load(tmp_path, '[[questions]]\ninclude = "own.toml"\n')
    assert str(mistake.value).startswith(f"{tmp_path / 'own.toml'}, line 7: questions.0.points: ")


def test_the_shipped_blocks_name_their_source_and_can_be_included_twice(tmp_path):
    assert block_names() == ["demographics", "fluency", "nasa-tlx", "sus", "trust"]
    assert all(len(read_toml(QUESTION_FOLDER / f"{name}.toml", Block).source) > 40 for name in block_names())
    study = load(
        tmp_path,
        '[[questions]]\ninclude = "nasa-tlx"\norder = "random"\n'
        '[[questions]]\ninclude = "demographics"\nwhen = "end"\nprefix = "who"\n'
        '[[questions]]\ninclude = "nasa-tlx"\nwhen = "end"\nprefix = "all"\nrequired = false\n',
    )
    first, who, last = study.questions[:6], study.questions[6:11], study.questions[11:]
    assert {(one.type, one.when, one.order, one.required) for one in first} == {
        ("slider", "after-game", "random", True)
    }
    assert [one.name for one in who if one.show_if] == ["who_cooking_games"]
    assert list(who[3].show_if) == ["who_games"]
    assert [one.name for one in last] == [f"all_{one.name}" for one in first]
    assert {(one.when, one.required) for one in last} == {("end", False)}


def names(folder, part, when, game):
    return [one.name for one in questions_asked(folder.study, part.progress, when, game)]


MANY = [{"name": f"q{i}", "text": "?", "type": "slider", "order": "random"} for i in range(8)]


def test_a_random_order_is_the_participants_own_and_stays_the_same(tmp_path):
    folder = begin_study(tmp_path, questions=[{"name": "first", "text": "?"}, *MANY, {"name": "last", "text": "?"}])
    with folder.participation("P1") as one, folder.participation("P2") as other:
        orders = [names(folder, part, "after-game", game) for part in (one, other) for game in (0, 1)]
        assert orders == [names(folder, part, "after-game", game) for part in (one, other) for game in (0, 1)]
    assert len({tuple(order) for order in orders}) == 4
    for order in orders:
        assert (order[0], order[-1]) == ("first", "last")
        assert sorted(order[1:-1]) == [asks["name"] for asks in MANY]


def test_what_depends_on_an_answer_follows_it_in_every_order(tmp_path):
    depends = {"name": "why", "text": "?", "order": "random", "show-if": {"q3": [1, 2]}}
    folder = begin_study(tmp_path, questions=[*MANY, depends])
    for number in range(6):
        with folder.participation(f"P{number}") as part:
            while (task := part.task) is not None:
                if isinstance(task, PlayTask):
                    part.begin(task, 0)
                    part.end(task, given_up=True)
                else:
                    part.answer(task, 2 if task.question.type == "slider" else "because")
            given = [answer.question for answer in part.progress.answers]
            assert given.index("why") == given.index("q3") + 1
            assert [answer.position for answer in part.progress.answers[:9]] == list(range(1, 10))


def test_an_answer_that_is_replaced_takes_along_what_depended_on_it(tmp_path):
    questions = [
        {"name": "played", "text": "?", "when": "start", **LIST},
        {"name": "often", "text": "?", "when": "start", "type": "number", "show-if": {"played": "a"}},
        {"name": "last", "text": "?", "when": "end", "show-if": {"played": "b"}},
    ]
    folder = begin_study(tmp_path, questions=questions)
    with folder.participation("P1") as part:
        part.answer(part.task, "a")
        often = part.task
        assert often.question.name == "often"
        part.answer(often, 3)
        assert isinstance(part.task, PlayTask)
        part.answer(part.task_before(often), "b")
        assert [(answer.question, answer.changes) for answer in part.progress.answers] == [("played", 1)]
        while isinstance(part.task, PlayTask):
            part.begin(part.task, 0)
            part.end(part.task, given_up=True)
        assert isinstance(part.task, QuestionTask)
        assert part.task.question.name == "last"
        part.answer(part.task, None)
        assert part.task is None


def test_the_tables_hold_every_kind_of_answer(tmp_path):
    kinds = [
        {"name": "scale", "text": "?", "points": 3, "expect": 2},
        {"name": "boxes", "text": "?", "type": "choices", "choices": ["a", "b", "c"], "expect": ["c", "a"]},
        {"name": "one", "text": "?", **LIST, "expect": "b"},
        {"name": "number", "text": "?", "type": "number"},
        {"name": "words", "text": "?"},
    ]
    folder = begin_study(tmp_path, questions=[one | {"when": "start"} for one in kinds])
    with folder.participation("P1") as part:
        for answer in (2, ("a", "c"), "a", 1.5, None):
            part.answer(part.task, answer)
    rows = tables_of(folder)["answers"]
    assert [(row["score"], row["chosen"], row["number"], row["words"]) for row in rows] == [
        (2, None, None, None),
        (None, "a | c", None, None),
        (None, "a", None, None),
        (None, None, 1.5, None),
        (None, None, None, None),
    ]
    assert [row["as_expected"] for row in rows] == [True, True, False, None, None]
    assert {(row["when"], row["game"], row["agent"]) for row in rows} == {("start", None, None)}


@pytest.mark.parametrize("seeds", ["kitchen", "participant", "game"])
def test_agent_and_seed_are_not_confounded_unless_it_is_asked_for(seeds):
    study = plan(layouts=["open", "ring"], agents=["bayes", "proagent"], seeds=seeds, seed=7)
    found = [[game.seed for game in study.conditions(number)] for number in (0, 1)]
    assert (
        found
        == {
            "kitchen": [[7, 7, 8, 8], [7, 7, 8, 8]],
            "participant": [[7, 7, 8, 8], [9, 9, 10, 10]],
            "game": [[7, 8, 9, 10], [7, 8, 9, 10]],
        }[seeds]
    )


def test_a_folder_of_an_earlier_version_keeps_its_seeds_and_skills(tmp_path):
    folder = begin_study(tmp_path)
    file = folder.path / "study.json"
    kept = json.loads(file.read_text())
    del kept["seeds"], kept["terms"], kept["skills"]
    file.write_text(json.dumps(kept))
    assert type(folder).open(folder.path).study == plan(seeds="game", skills=True)
