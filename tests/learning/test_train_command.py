"""`bba-tui --train`: its output, files and plots, and how it continues after an interruption."""

import io
from dataclasses import replace
from functools import partial

import pytest
from rich.console import Console

from bba.learning.rl.trainer import PPOConfig
from bba.learning.runs.run import RECIPES, runs_for
from bba.learning.runs.scheduler import RunState, TrainingScheduler
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_trainings import OPEN, SMALL, tiny_recipe
from tui.cli import main
from tui.commands.train_output import progress

TRAIN = ["train", "bp", "--layout", "open", "--out", "out", "--train-steps", "3000"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    monkeypatch.setitem(RECIPES, "bp", tiny_recipe())
    monkeypatch.setattr("tui.commands.training.ProcessEngine", lambda workers: ImmediateEngine())
    small = {name: getattr(SMALL, name) for name in ("games", "length", "rollout", "minibatch", "hidden", "updates")}
    monkeypatch.setattr("bba.learning.rl.trainer.PPOConfig", partial(PPOConfig, **small))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_trains_prints_a_table_and_draws_the_curves(capsys, tiny):
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


def test_after_an_interruption_finished_runs_are_kept_and_the_others_continue(capsys, tiny, monkeypatch):
    class Interrupted(ImmediateEngine):
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

    monkeypatch.setattr("tui.commands.training.ProcessEngine", lambda workers: Interrupted())
    assert main(TRAIN) == 130
    out, _ = capsys.readouterr()
    assert "done, best at" in out.splitlines()[1]
    assert "the same command goes on" in out.splitlines()[2]
    assert (tiny / "out" / "bp-G1-2-open.checkpoint").exists()
    assert not (tiny / "out" / "bp-G1-2-open.json").exists()
    monkeypatch.setattr("tui.commands.training.ProcessEngine", lambda workers: ImmediateEngine())
    assert main(TRAIN) == 0
    assert "already trained" in capsys.readouterr().out
    assert not (tiny / "out" / "bp-G1-2-open.checkpoint").exists()


def test_failures_are_reported_at_the_end(capsys, tiny, monkeypatch):
    from bba.errors import BBAError

    monkeypatch.setattr(
        "tui.commands.training.ProcessEngine", lambda workers: ImmediateEngine(BBAError("the disk is full"))
    )
    assert main(TRAIN) == 2
    out, err = capsys.readouterr()
    assert "failed: the disk is full" in out.splitlines()[1]
    assert err.splitlines()[-1] == "bba-tui: 1 of 2 trainings failed: the disk is full"


def test_other_parameters_in_the_same_folder_are_refused(capsys):
    main(TRAIN)
    capsys.readouterr()
    assert main([*TRAIN[:-1], "4000"]) == 2
    assert capsys.readouterr().err.endswith(
        "was trained differently (steps 3000, not 4000); choose another --out, or delete it\n"
    )


def test_without_matplotlib_one_line_names_what_is_missing(capsys, monkeypatch):
    monkeypatch.setattr("tui.commands.training.find_spec", lambda name: None if name == "matplotlib" else name)
    assert main(TRAIN) == 0
    assert capsys.readouterr().out.endswith(
        "the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n"
    )


@pytest.fixture
def console():
    return Console(file=io.StringIO(), width=140, color_system=None, force_terminal=True)


def test_a_terminal_has_a_bar_for_each_run_that_trains_and_a_line_for_each_that_has_ended(tmp_path, console):
    scheduler = TrainingScheduler(runs_for("bp", [OPEN]), tmp_path, replace(SMALL, steps=3_000), 0)
    with progress(scheduler, console) as show:
        scheduler.statuses[1].state = RunState.PREPARING
        show()
        bars = console.file.getvalue()
        assert "bp:G1-2 open" in bars
        assert "preparing the base" in bars
        assert "bp:G1-1 open" not in bars, "it waits"
        scheduler.statuses[1].state = RunState.WAITING
        for _ in scheduler.run(ImmediateEngine()):
            show()
        lines = console.file.getvalue().splitlines()
    assert any("bp:G1-1 open: done, best at" in line for line in lines)
    assert any("2 of 2 finished, 100% of all steps" in line for line in lines)


def test_the_time_left_is_told_by_the_steps_of_all_runs_since_the_start(tmp_path, capsys):
    scheduler = TrainingScheduler(runs_for("bp", [OPEN]), tmp_path, replace(SMALL, steps=3_000), 0)
    with progress(scheduler) as show:
        for _ in scheduler.run(ImmediateEngine()):
            show()
    first, *_, last = (line for line in capsys.readouterr().err.splitlines() if "finished" in line)
    assert first.startswith("1 of 2 finished, 50% of all steps")
    assert last == "2 of 2 finished, 100% of all steps"
