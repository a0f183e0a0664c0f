"""What callers from Python and notebooks have: whole games, stored results, data frames, files and progress."""

import base64
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas
import pyarrow
import pytest
from PIL import Image

import bba.notebook
import bba.tabular
from bba import BBAError, export, load_results, play_game, run_sweep, sweep_figures, write_report
from bba.agents import SeatSpec
from bba.analysis.measures import MEASURES
from bba.analysis.trace_table import TRACE_COLUMNS, rows
from bba.film.film import to_gif
from bba.progress import in_notebook, progress_bar
from bba.settings import GameOptions
from tests.helpers.games import played
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_sweeps import sweep
from tui.game_factory import make_game

STEPS = 24


@pytest.fixture(scope="module")
def trace():
    return played(STEPS)


@pytest.fixture
def without(monkeypatch):
    """Hides modules, as if they were not installed."""

    def hide(*names: str) -> None:
        find = bba.tabular.find_spec
        hidden = dict.fromkeys(names)
        monkeypatch.setattr("bba.tabular.find_spec", lambda name: None if name in hidden else find(name))
        monkeypatch.setattr("bba.progress.find_spec", lambda name: None if name in hidden else find(name))
        for name in names:
            monkeypatch.delitem(sys.modules, name, raising=False)

    return hide


# --- games -----------------------------------------------------------------------------------------------------
def test_a_game_in_one_call_is_that_of_the_command_line():
    settings = GameOptions(layout="ring", agent="bayes", partner="proagent", seed=4, horizon=40, trigger="commitment")
    told = make_game(settings, 4, fast=False).run()
    options = SeatSpec(trigger="commitment")
    trace = play_game("ring", "bayes", "proagent", 4, options, horizon=40, fast=False)
    assert trace.config == told.config
    assert trace.config.seats[1].trigger is None
    assert [tick.actions for tick in trace.ticks] == [tick.actions for tick in told.ticks]


def test_a_person_cannot_sit_in_a_game_of_one_call():
    with pytest.raises(BBAError, match="a person needs the screen"):
        play_game("open", "human", fast=False)


# --- data frames -----------------------------------------------------------------------------------------------
def test_a_trace_is_a_frame_with_one_row_a_step_and_the_documented_columns(trace):
    frame = trace.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(TRACE_COLUMNS)
    assert frame["score"].tolist() == [tick.score for tick in trace.ticks]
    read = [json.loads(line) for line in frame.to_json(orient="records", lines=True).splitlines()]
    for line, row in zip(read, rows(trace), strict=True):
        assert {name: value for name, value in line.items() if not isinstance(value, float)} == {
            name: value for name, value in row.items() if not isinstance(value, float)
        }


def test_whole_numbers_and_truth_values_stay_such_where_some_are_missing(trace):
    frame = trace.to_frame("pandas")
    missing = [name for name in frame.columns if frame[name].isna().any() and not frame[name].isna().all()]
    kinds = {TRACE_COLUMNS[name].type: str(frame[name].dtype) for name in missing}
    assert kinds["bool"] == "boolean"
    assert str(frame["step"].dtype) == "Int64"


def test_another_library_gets_the_same_table_through_arrow(monkeypatch, trace, without):
    polars = SimpleNamespace(from_arrow=lambda table: ("polars", table), __spec__="there")
    without("pandas")
    monkeypatch.setitem(sys.modules, "polars", polars)
    name, table = trace.to_frame()
    assert (name, table.num_rows, table.column_names) == ("polars", STEPS, list(TRACE_COLUMNS))


def test_without_both_it_is_an_arrow_table_and_a_line_says_so(trace, without, capsys):
    without("pandas", "polars")
    assert isinstance(trace.to_frame(), pyarrow.Table)
    assert capsys.readouterr().err == "neither pandas nor polars is installed: this is a pyarrow Table\n"
    assert isinstance(trace.to_frame("pyarrow"), pyarrow.Table)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("hidden", "library", "message"),
    [
        ((), "numpy", "library: 'numpy' is not allowed; pandas, polars or pyarrow"),
        (("polars",), "polars", "library: polars is not installed: pip install polars"),
        (("pyarrow",), None, "data frames need pyarrow: pip install 'bba-tui\\[export\\]'"),
    ],
)
def test_what_cannot_be_a_frame_is_one_line(trace, without, hidden, library, message):
    without(*hidden)
    with pytest.raises(BBAError, match=message):
        trace.to_frame(library)


# --- results ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The results of a small sweep, and the rows that it returned; played in this process."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bba.bench.runner.ProcessEngine", lambda _: ImmediateEngine())
        return folder, run_sweep(sweep(), folder)


def test_results_are_read_as_the_sweep_returned_them(folder):
    (stored,) = load_results(str(folder[0])).sweeps
    assert stored.rows == folder[1]
    frame = stored.to_frame()
    assert frame["reward"].tolist() == [row["reward"] for row in folder[1]]
    assert frame["agent"].tolist() == [row["agent"] for row in folder[1]]


def test_results_show_their_tables(folder):
    results = load_results(folder[0])
    shown = results._repr_html_()
    assert shown == results.sweeps[0]._repr_html_()
    assert "<h4>A tiny sweep</h4><table>" in shown
    assert "<th>bayes</th><th>bayes-no-replan</th>" in shown
    mean = sum(row["reward"] for row in folder[1] if row["agent"] == "bayes") / 2
    assert f"<td>open</td><td>switching</td><td>{mean:.{MEASURES['reward'].decimals}f} ± " in shown


def test_a_report_and_its_figures_are_written_from_python(folder, tmp_path):
    assert write_report(str(folder[0])) == folder[0] / "report.html"
    (stored,) = load_results(folder[0]).sweeps
    figure = sweep_figures(stored)[0]
    figure.save(tmp_path / "reward.svg")
    written = (tmp_path / "reward.svg").read_text()
    assert written == figure._repr_svg_()
    assert written.startswith("<svg")
    assert "var(--" not in written
    with pytest.raises(BBAError, match=r"figures are written as \.svg"):
        figure.save(tmp_path / "reward.png")


# --- files -----------------------------------------------------------------------------------------------------
def test_a_film_is_that_of_the_command_line(trace, tmp_path):
    export(trace, tmp_path / "game.gif", "1:6:2", speed=5)
    assert (tmp_path / "game.gif").read_bytes() == to_gif(trace, range(1, 7, 2), 5)


def test_a_picture_is_the_last_frame_of_a_film_of_these_steps(trace, tmp_path):
    export(trace, str(tmp_path / "step.png"), "1:20")
    picture = Image.open(tmp_path / "step.png").convert("RGB")
    film = Image.open(io.BytesIO(to_gif(trace, range(1, 21), 10)))
    film.seek(film.n_frames - 1)
    last = film.convert("RGB")
    assert picture.size == last.size
    differing = (np.asarray(picture) != np.asarray(last)).any(axis=2)
    assert differing.mean() < 0.01  # each chooses a palette of its own


def test_a_notebook_shows_a_film_that_was_exported_without_its_file(trace, tmp_path):
    film = export(trace, tmp_path / "a&b.gif", "1:3")
    shown = film._repr_html_()
    (data,) = re.findall(r'src="data:image/gif;base64,([^"]+)"', shown)
    assert base64.b64decode(data) == (tmp_path / "a&b.gif").read_bytes()
    assert "a&amp;b.gif" in shown
    assert Path(film) == film.path == tmp_path / "a&b.gif"
    film.path.unlink()
    assert film._repr_html_() is None
    assert export(trace, tmp_path / "game.jsonl")._repr_html_() is None


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("game.mp4", {}, "the name must end in .gif, .png, .jsonl, .parquet"),
        ("game.gif", {"steps": "30:40"}, "there is no step 30 to export; the game has 24"),
        ("game.gif", {"steps": "one"}, "'one' is not FIRST:LAST"),
        ("game.gif", {"speed": 0}, "speed: 0 is not allowed; above 0"),
    ],
)
def test_what_cannot_be_exported_is_one_line(trace, tmp_path, name, arguments, message):
    with pytest.raises(BBAError, match=message):
        export(trace, tmp_path / name, **arguments)
    assert not list(tmp_path.iterdir())


# --- progress --------------------------------------------------------------------------------------------------
def progressed(shown: bool | None, total: int = 3) -> None:
    with progress_bar(total, "games", shown) as bar:
        bar.say("the first one")
        for _ in range(total):
            bar.advance()


def test_on_a_terminal_a_bar_counts_up_to_the_end(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progressed(shown=True)
    shown = capsys.readouterr().err
    assert "3/3" in shown
    assert "the first one" in shown


def test_elsewhere_lines_are_written(capsys):
    progressed(shown=True)
    assert capsys.readouterr().err == "3 of 3 games, the first one\n"


def test_progress_is_shown_in_notebooks_only(monkeypatch, capsys):
    assert not in_notebook()
    progressed(shown=None)
    assert capsys.readouterr().err == ""
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert in_notebook()
    progressed(shown=None)
    assert "3/3" in capsys.readouterr().err


def test_a_game_advances_its_progress_once_a_step(capsys):
    play_game("open", "switching", "switching", horizon=5, fast=False, progress=True)
    assert capsys.readouterr().err == "5 of 5 steps\n"
