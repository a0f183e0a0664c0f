"""`bba-tui --train`: what it says, keeps, draws and goes on with."""

import io
from dataclasses import replace
from functools import partial

import pytest
from rich.console import Console

from bba.learning.recipes.registry import RECIPES
from bba.learning.rl.trainer import PPOConfig
from bba.learning.runs.run import TrainingRun, runs_for
from bba.learning.runs.scheduler import JobState, TrainingScheduler
from tests.learning.tiny import OPEN, SMALL, AtOnce, tiny_kind
from tui.cli import main
from tui.commands.train_progress import Pace, display, fitting

TRAIN = ["--train", "bp", "--layout", "open", "--out", "out", "--train-steps", "3000"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    monkeypatch.setitem(RECIPES, "bp", tiny_kind())
    monkeypatch.setattr("tui.commands.train.ProcessEngine", lambda workers: AtOnce())
    small = {name: getattr(SMALL, name) for name in ("games", "length", "rollout", "minibatch", "hidden", "updates")}
    monkeypatch.setattr("bba.learning.rl.trainer.PPOConfig", partial(PPOConfig, **small))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_trains_tells_and_draws(capsys, tiny):
    assert main(TRAIN) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split() == [
        "policy",
        "layout",
        "steps",
        "minutes",
        "steps/s",
        "best",
        "at",
        "self-play",
        "objective",
    ]
    assert [line.split()[:2] for line in lines[1:3]] == [["bp:G1-1", "open"], ["bp:G1-2", "open"]]
    assert "done, best at" in lines[1]
    assert lines[3:] == ["weights and records are in out", "written to out/curves-bp-open.svg"]
    assert "bp:G1-1 open: done, best at" in err
    assert "1 of 2 finished, 50% of all steps" in err
    assert {path.suffix for path in (tiny / "out").iterdir()} == {".json", ".safetensors", ".svg"}


def test_the_same_command_again_trains_nothing_and_draws_the_same(capsys, tiny):
    main(TRAIN)
    picture = tiny / "out" / "curves-bp-open.svg"
    drawn = picture.read_bytes()
    capsys.readouterr()
    assert main(TRAIN) == 0
    out, err = capsys.readouterr()
    assert out.count("already trained") == 2
    assert err == ""
    assert picture.read_bytes() == drawn
    for word in (b"bp:G1-1", b"bp:G1-2", b"objective", b"features a game", b"million steps"):
        assert word in drawn


def test_interrupted_it_keeps_what_is_finished_and_goes_on(capsys, tiny, monkeypatch):
    class Interrupted(AtOnce):
        def submit(self, task, *args):
            if args[0].name == "bp:G1-2":
                with pytest.raises(KeyboardInterrupt):
                    task(*args, stopping())
                raise KeyboardInterrupt
            return super().submit(task, *args)

    def stopping():
        points = []

        def report(point):
            points.append(point)
            if len(points) == 2:
                raise KeyboardInterrupt

        return report

    monkeypatch.setattr("tui.commands.train.ProcessEngine", lambda workers: Interrupted())
    assert main(TRAIN) == 130
    out, _ = capsys.readouterr()
    assert "done, best at" in out.splitlines()[1]
    assert "the same command goes on" in out.splitlines()[2]
    assert (tiny / "out" / "bp-G1-2-open.checkpoint").exists()
    assert not (tiny / "out" / "bp-G1-2-open.json").exists()
    monkeypatch.setattr("tui.commands.train.ProcessEngine", lambda workers: AtOnce())
    assert main(TRAIN) == 0
    assert "already trained" in capsys.readouterr().out
    assert not (tiny / "out" / "bp-G1-2-open.checkpoint").exists()


def test_failures_are_told_at_the_end(capsys, tiny, monkeypatch):
    from bba.errors import BBAError

    monkeypatch.setattr("tui.commands.train.ProcessEngine", lambda workers: AtOnce(BBAError("the disk is full")))
    assert main(TRAIN) == 2
    out, err = capsys.readouterr()
    assert "failed: the disk is full" in out.splitlines()[1]
    assert err.splitlines()[-1] == "bba-tui: 1 of 2 trainings failed: the disk is full"


def test_other_settings_in_the_same_folder_are_refused(capsys):
    main(TRAIN)
    capsys.readouterr()
    assert main([*TRAIN[:-1], "4000"]) == 2
    assert capsys.readouterr().err.endswith(
        "was trained otherwise (steps 3000, not 4000); choose another --out, or delete it\n"
    )


def test_without_matplotlib_one_line_says_so(capsys, monkeypatch):
    monkeypatch.setattr("tui.commands.train.find_spec", lambda name: None if name == "matplotlib" else name)
    assert main(TRAIN) == 0
    assert capsys.readouterr().out.endswith(
        "the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n"
    )


def shown(crew, height=40):
    text = io.StringIO()
    Console(file=text, width=140, color_system=None).print(display(crew, Pace(crew), height))
    return text.getvalue()


def test_the_display_has_a_line_a_job_and_one_for_all(tmp_path):
    crew = TrainingScheduler(runs_for("bp", [OPEN]), tmp_path, replace(SMALL, steps=3_000), 0)
    assert "waiting" in shown(crew)
    for _ in crew.run(AtOnce()):
        pass
    lines = shown(crew).splitlines()
    assert len(lines) == 4
    assert "done, best at" in lines[1]
    assert lines[-1] == "2 of 2 finished, 100% of all steps"


def test_where_lines_are_few_those_that_train_are_shown_first(tmp_path):
    crew = TrainingScheduler(runs_for("bp", [OPEN]), tmp_path, SMALL, 0)
    crew.stands[1].state = JobState.TRAINING
    assert fitting(crew.stands, 1) == [crew.stands[1]]
    assert fitting(crew.stands, 9) == crew.stands
    text = shown(crew, 6)
    assert "bp:G1-2" in text
    assert "bp:G1-1" not in text
    assert "1 more jobs" in text
    assert crew.stands[0].job == TrainingRun("bp:G1-1", OPEN)
