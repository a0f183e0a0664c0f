"""Partners that are learned from the people of a study, and what is said of them."""

import json
from dataclasses import replace

import pytest

from bba.agents.learned.weights import load_weights, save_weights
from bba.bench.statistics import Summary
from bba.learning.recipes import human
from bba.learning.recipes.human import conclusion
from tests.helpers.scripted_people import study_of_scripted_people
from tui import cli


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(human, "UPDATES", (10, 60))
    monkeypatch.setattr(human, "HIDDEN_UNITS", 16)


def test_a_clone_is_learned_reported_and_played_and_one_of_a_kitchen_that_nobody_has_played_is_deleted(
    tmp_path, capsys
):
    folder, where = study_of_scripted_people(tmp_path), tmp_path / "weights"
    train = ["train", "human", "--from", str(folder.path), "--out", str(where)]
    assert cli.main(train) == 0
    said = capsys.readouterr().out
    assert "too few to conclude anything" in said
    record = json.loads((where / "human-tiny-study-open.json").read_text())
    assert [one["person"] for one in record["held_out"]] == ["1", "2", "3"]
    for one in record["held_out"]:
        assert one["clone"] > one["uniform"]
        assert 0 <= one["predicted_switches"] <= 1
    play = ["--headless", "--partner", "human:tiny-study", "--weights", str(where), "--horizon", "60"]
    assert cli.main(play) == 0
    learned = load_weights(where / "human-tiny-study-open.safetensors")
    for name, layout in (("human:tiny-study", "ring"), ("human:tiny-study-two", "open")):
        save_weights(
            where / f"{name.replace(':', '-')}-{layout}.safetensors", replace(learned, name=name, layout=layout)
        )
    (where / "human-tiny-study-ring.json").write_text("{}")
    assert cli.main(train) == 0
    assert {file.stem for file in where.glob("*.*")} == {
        "human-tiny-study",
        "human-tiny-study-open",
        "human-tiny-study-two-open",
    }
    for number in range(3):
        with folder.part_of(f"P{number}") as part:
            part.exclude("researcher", "ill")
    assert cli.main(train) == 2
    assert {file.stem for file in where.glob("*.safetensors")} == {"human-tiny-study-two-open"}


def test_who_is_held_out_is_not_learned_from(monkeypatch):
    seen = []
    monkeypatch.setattr(human, "_fitted", lambda layout, people, seed: seen.append(people))
    monkeypatch.setattr(human, "_scored", lambda person, others, policy: (person, tuple(others)))
    assert human.held_out(None, ["a", "b", "c"], 0) == [("a", ("b", "c")), ("b", ("a", "c")), ("c", ("a", "b"))]
    assert seen == [["b", "c"], ["a", "c"], ["a", "b"]]
    assert human.held_out(None, ["a"], 0) == []


@pytest.mark.parametrize(
    ("people", "gain", "said"),
    [
        (1, None, "nobody can be held out"),
        (5, Summary(0.5, 5, low=0.4, high=0.6), "too few to conclude"),
        (8, Summary(0.1, 8, low=-0.1, high=0.3), "not shown to predict"),
        (8, Summary(0.2, 8, low=0.1, high=0.3), "has not seen better"),
        (8, Summary(-0.2, 8, low=-0.3, high=-0.1), "has not seen worse"),
    ],
)
def test_the_conclusion_says_what_cannot_be_concluded(people, gain, said):
    assert said in conclusion(people, gain)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the folder of a study with --from"),
        (["--from", "nowhere"], "not the folder of a study"),
        (["--from", "nowhere", "--train-steps", "5"], "--train-steps: does not go with train"),
    ],
)
def test_a_mistake_is_one_line(arguments, said, capsys):
    assert cli.main(["train", "human", *arguments]) == 2
    assert said in capsys.readouterr().err
