"""The scores of instruments: as their sources say, in the tables with what they are, and missing with an item."""

import pytest

from bba.errors import BBAError
from bba.files import read_toml
from human.study import PlayTask, StudyFolder, load_study
from human.study.plan_file import QUESTION_FOLDER, Block, block_names
from human.study.power import values_of
from human.study.preregistration import preregistered
from human.study.report import report_tables
from human.study.table_columns import table_columns
from human.study.table_files import dictionary
from human.study.tables import tables_of
from tests.helpers.studies import begin_study
from tests.human.test_study_questions import HEAD

SCORED = sorted(set(block_names()) - {"demographics"})  # which has nothing that could be summed
PAIR = [{"name": f"item_{end}", "text": end, "points": 7} for end in "ab"]
SCORE = {"name": "score_pair", "text": "pairs", "items": ["item_a", "item_b"], "range": [1, 7]}


def block_of(name):
    block = read_toml(QUESTION_FOLDER / f"{name}.toml", Block)
    return block, {question.name: question.points for question in block.questions}


def test_the_system_usability_scale_is_scored_as_brooke_says():
    block, points = block_of("sus")
    odd, even = (4, 5, 3, 5, 4), (2, 1, 3, 2, 5)
    answers = [answer for pair in zip(odd, even, strict=True) for answer in pair]
    expected = 2.5 * (sum(one - 1 for one in odd) + sum(5 - one for one in even))
    names = [question.name for question in block.questions]
    assert block.scores[0].value(points, dict(zip(names, answers, strict=True))) == expected == 70


def test_raw_tlx_is_the_mean_of_the_six_and_missing_without_one_of_them():
    block, points = block_of("nasa-tlx")
    answers = {question.name: 10 * place for place, question in enumerate(block.questions)}
    assert block.scores[0].value(points, answers) == 25
    assert block.scores[0].value(points, answers | {"tlx_effort": None}) is None
    del answers["tlx_mental"]
    assert block.scores[0].value(points, answers) is None


@pytest.mark.parametrize(("name", "turned"), [("trust", 3), ("fluency", 2)])
def test_reversed_items_are_subtracted_from_eight(name, turned):
    block, points = block_of(name)
    (score,) = block.scores
    assert len(score.reversed) == turned
    assert score.value(points, dict.fromkeys(points, 7)) == pytest.approx((7 * (7 - turned) + turned) / 7)
    assert score.value(points, {item: 1 if item in score.reversed else 7 for item in points}) == 7


@pytest.mark.parametrize("name", SCORED)
def test_every_item_of_a_shipped_instrument_counts_and_its_range_is_what_answers_can_reach(name):
    block, points = block_of(name)
    (score,) = block.scores
    assert set(score.items) == set(points)
    ends = {item: (1, most) if most else (0, 100) for item, most in points.items()}
    reached = [
        score.value(points, {item: ends[item][(item in score.reversed) ^ top] for item in points}) for top in (0, 1)
    ]
    assert reached == list(score.range)


def load(tmp_path, text):
    file = tmp_path / "study.toml"
    file.write_text(HEAD + text)
    return load_study(file)


def test_a_block_brings_its_score_under_its_prefix_and_a_study_has_scores_of_its_own(tmp_path):
    study = load(
        tmp_path,
        '[[questions]]\ninclude = "trust"\nprefix = "start"\nwhen = "start"\n'
        '[[questions]]\ninclude = "nasa-tlx"\n[[questions]]\ninclude = "demographics"\nwhen = "end"\n'
        '[[questions]]\nname = "a"\ntext = "?"\npoints = 7\n'
        '[[scores]]\nname = "score_mine"\ntext = "mine"\nitems = ["a"]\nrange = [1, 7]\n'
        '[analysis]\noutcome = "score_raw_tlx"\n',
    )
    assert [score.name for score in study.scores] == ["score_mine", "start_score_trust", "score_raw_tlx"]
    assert study.scores[1].items[0] == "start_trust_rely"
    assert study.scores[1].reversed[0] == "start_trust_wary"
    assert [study.asked_when(score) for score in study.scores] == ["after-game", "start", "after-game"]


OWN = '[[questions]]\nname = "a"\ntext = "?"\npoints = 7\n[[questions]]\nname = "w"\ntext = "?"\nwhen = "end"\n'


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ('items = ["b"]', r"line 16: scores\.0: b: no item"),
        ('items = ["w"]', r"line 16: scores\.0: w: no item"),
        ('items = ["a"]\nreversed = ["b"]', r"line 16: scores\.0: b: no item"),
        ('items = ["a", "z"]', r"line 16: scores\.0: z: no item"),
        ("items = []", r"line 20: scores\.0\.items: "),
        (
            'items = ["a"]\n[[scores]]\nname = "score_x"\ntext = "x"\nitems = ["a"]\nrange = [1, 7]',
            r"line 22: scores\.1\.name",
        ),
    ],
)
def test_a_mistake_of_a_score_is_one_line_with_its_place(tmp_path, score, message):
    more = '[[questions]]\nname = "z"\ntext = "?"\npoints = 7\nwhen = "end"\n'
    head = '[[scores]]\nrange = [1, 7]\nname = "score_x"\ntext = "x"\n'
    with pytest.raises(BBAError, match=message) as mistake:
        load(tmp_path, OWN + head + score + "\n" + more)
    assert "\n" not in str(mistake.value)


def test_a_mistake_in_a_score_of_a_block_names_the_item(tmp_path):
    block = 'title = "t"\nsource = "s"\n[[questions]]\nname = "a"\ntext = "?"\npoints = 7\n'
    (tmp_path / "mine.toml").write_text(
        block + '[[scores]]\nname = "score_x"\ntext = "x"\nitems = ["b"]\nrange = [1, 7]\n'
    )
    with pytest.raises(BBAError, match=r"study\.toml: scores\.0: p_b: no item"):
        load(tmp_path, '[[questions]]\ninclude = "mine.toml"\nprefix = "p"\n')


@pytest.mark.parametrize("key", ["scores", "pages", "questions"])
def test_what_is_no_list_is_named(tmp_path, key):
    with pytest.raises(BBAError, match=rf"line 8: {key}: "):
        load(tmp_path, f"{key} = 3\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One who has answered everything, and one who has left a question out."""
    asked = [question | {"when": when, "name": f"{when[:2]}_{question['name']}", "required": False}
             for when in ("end", "after-game") for question in PAIR]  # fmt: skip
    scores = [
        SCORE | {"name": f"{when}_score_pair", "items": [f"{when}_item_a", f"{when}_item_b"]} for when in ("en", "af")
    ]
    scores[1] |= {"reversed": ["af_item_b"]}
    made = begin_study(tmp_path_factory.mktemp("study"), questions=asked, scores=scores, horizon=2)
    for code, answers in (("P1", (6, 2)), ("P2", (4, None))):
        with made.participation(code) as part:
            while (task := part.task) is not None:
                if isinstance(task, PlayTask):
                    part.begin(task, 0)
                    part.end(task, given_up=False)
                else:
                    part.answer(task, answers["ab".index(task.question.name[-1])])
    return made


def test_tables_have_a_column_for_each_score_and_its_meaning(folder):
    tables, columns = tables_of(folder), table_columns(folder.study)
    assert [row["en_score_pair"] for row in tables["participants"]] == [4, None]
    assert [row["af_score_pair"] for row in tables["games"]] == [6, 6, None, None]
    assert all(list(row) == list(columns[name]) for name in ("participants", "games") for row in tables[name])
    said = dictionary(folder.study, columns)
    assert "pairs, 1 to 7: mean of af_item_a, af_item_b (reversed); missing if an answer is" in said
    assert "score_pair: pairs, 1 to 7" in preregistered(folder.study)["measures"]


def test_the_report_has_scores_beside_the_questions_and_power_takes_them(folder):
    after, whole = report_tables(folder.study, tables_of(folder))["replies"]
    assert [row[0].text for row in after.rows] == ["a", "b", "pairs"]
    assert [cell.text for cell in after.rows[-1][1:]] == ["6.00", "6.00"]
    assert [cell.text for cell in whole.rows[-1][1:]] == ["4.00"]
    study = folder.study.model_copy(
        update={"analysis": folder.study.analysis.model_copy(update={"outcome": "af_score_pair"})}
    )
    tables = tables_of(folder)
    tables["games"] = [row | {"reward": 0} for row in tables["games"]]
    assert values_of(study, tables, "proagent") == {"P1": 6}


def test_a_study_that_began_before_there_were_scores_goes_on_without_them(tmp_path):
    text = '[[questions]]\ninclude = "sus"\n'
    study = load(tmp_path, text)
    assert study.scores
    begun = StudyFolder.begin(tmp_path / "results", study.model_copy(update={"scores": ()}))
    file = begun.path / "study.json"
    file.write_text(file.read_text().replace('  "scores": [],\n', "").replace('  "pages": [],\n', ""))
    before = preregistered(StudyFolder.open(begun.path).study)["digests"]
    assert before == preregistered(plan_before(study))["digests"]
    again = StudyFolder.begin(begun.path, load(tmp_path, text))
    assert again.study.scores == ()
    assert "score_sus" not in table_columns(again.study)["participants"]


def plan_before(study):
    return study.model_copy(update={"scores": (), "pages": ()})
