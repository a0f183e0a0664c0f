"""The plan of a study: mistakes in its file, balanced orders, participants' codes."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.files import data_dir
from human.study import load_study
from human.study.progress import parse_code
from human.study.tasks import balanced_order
from tests.helpers.studies import plan


def test_the_example_is_a_study():
    study = load_study(data_dir("configs/studies") / "example.toml")
    assert load_study(Path("example")) == study, "a shipped one has a name"
    with pytest.raises(BBAError, match=r"no study named 'exampel'; .*example, or give a \.toml file"):
        load_study(Path("exampel"))
    assert [condition.seed for condition in study.conditions(5)] == [0, 0, 1, 1]
    assert study.questions[-1].ends is None


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ('layouts = ["opne"]', "layouts: layout: no layout named 'opne'"),
        ('agents = ["human"]', "agents: no agent named 'human'"),
        ('agents = ["bayes", "bayes"]', "agents: bayes is there twice"),
        ("layouts = []", "layouts: "),
        ("speed = 1000", "speed: "),
        ('colour = "red"', "colour: unknown key"),
        ('name = "../x"', "name: "),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(tmp_path, changed, message):
    rows = {"name": '"s"', "title": '"t"', "consent": '"c"', "layouts": '["open"]', "agents": '["bayes"]'}
    key, _, value = changed.partition(" = ")
    file = tmp_path / "study.toml"
    file.write_text("".join(f"{name} = {text}\n" for name, text in (rows | {key: value}).items()))
    with pytest.raises(BBAError) as mistake:
        load_study(file)
    assert f": {message}" in str(mistake.value)
    assert f"{file}, line {1 + list(rows).index(key) if key in rows else len(rows) + 1}: " in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_more_than_24_games_are_refused():
    with pytest.raises(ValueError, match="at most 24"):
        plan(layouts=["open", "ring", "burrito"], agents=["bayes", *(f"bayes-no-{x}" for x in NO), *OTHERS])


NO = ("prompt", "replan", "belief")
OTHERS = ("proagent", "periodic-10", "completion-held", "llm-judge", "switching")


@pytest.mark.parametrize("size", range(1, 9))
def test_the_orders_are_balanced(size):
    rows = size if size % 2 == 0 else 2 * size
    orders = [balanced_order(size, number) for number in range(rows)]
    assert all(sorted(order) == list(range(size)) for order in orders)
    places = Counter((place, game) for order in orders for place, game in enumerate(order))
    assert set(places.values()) == {rows // size}
    follows = Counter(pair for order in orders for pair in pairwise(order))
    assert len(follows) == size * (size - 1)
    assert len(set(follows.values())) <= 1
    assert balanced_order(size, rows) == orders[0]


@pytest.mark.parametrize(("text", "code"), [("P07", "P07"), (" p-7 ", "P-7"), ("3", "3")])
def test_a_code_is_kept_in_capitals(text, code):
    assert parse_code(text) == code


@pytest.mark.parametrize("text", ["", "Anna", "Anna Smith", "P07/..", "7" * 33, "-7", "é7"])
def test_a_name_is_not_a_code(text):
    with pytest.raises(BBAError, match="never a name"):
        parse_code(text)
