"""The program that trains a policy writes it where it is told, or into a temporary folder, and never beside itself."""

import json
import runpy
import shutil
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bba import gym_env
from bba.kitchen.constants import ITEM_NAMES

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_policy.py"


class TrainedByNobody:
    """Stands in for MaskablePPO, which needs torch: takes the first possible action."""

    def __init__(self, *_, **__):
        pass

    def learn(self, steps):
        self.steps = steps

    def save(self, file):
        Path(file).write_text(json.dumps(self.steps))

    @classmethod
    def load(cls, file, **_):
        assert json.loads(Path(file).read_text()) == 7
        return cls()

    def predict(self, seen, *, action_masks, **_):
        return int(np.flatnonzero(action_masks)[0]), None


@pytest.mark.parametrize("told", [[], ["kept"], ["kept/deep"]])
def test_a_policy_is_written_where_it_is_told_or_into_a_temporary_folder(told, tmp_path, monkeypatch, capsys):
    library = ModuleType("sb3_contrib")
    library.MaskablePPO = TrainedByNobody
    monkeypatch.setitem(sys.modules, "sb3_contrib", library)
    beside, temporary, here = (tmp_path / name for name in ("examples", "temporary", "here"))
    for folder in (beside, temporary, here):
        folder.mkdir()
    shutil.copy(EXAMPLE, beside)
    monkeypatch.chdir(here)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(sys, "argv", [EXAMPLE.name, "7", *told])
    runpy.run_path(str(beside / EXAMPLE.name), run_name="__main__")
    assert [file.name for file in beside.iterdir()] == [EXAMPLE.name]
    (policy,) = tmp_path.rglob("policy.zip")
    assert policy.parent == (here / told[0] if told else next(temporary.iterdir()))
    assert (policy.parent / EXAMPLE.name).is_file()
    assert (policy.parent / "level.txt").read_text() == "option"
    assert ":Trained and switching+locked earned" in capsys.readouterr().out


def test_undone_work_earns_nothing_and_finished_work_pays_at_once():
    example = runpy.run_path(str(EXAMPLE))
    env = example["WorkPays"](gym_env("open", other="bayes-no-belief", level="option", max_cycles=600))
    env.reset(seed=3)
    shaped = points = 0.0
    paid = set()
    over = False
    while not over:
        mask = env.action_masks()
        _, reward, _, over, _ = env.step(int(np.flatnonzero(mask)[len(paid) % mask.sum()]))
        shaped += reward
        paid.add(reward)
    points = env.unwrapped.trace.score
    assert shaped == pytest.approx(example["POINTS"] * (points + env.worth))
    assert len(paid) > 3
    assert set(example["WORTH"]) < set(ITEM_NAMES.values()), "each is an item of the kitchen"
