"""The results screen: sweeps as tables that sort and filter, a cell's episodes, and the way into their games."""

import threading
import time
from dataclasses import replace
from itertools import accumulate
from types import SimpleNamespace

import pytest
from textual.widgets import DataTable, Input, OptionList, Static

from bba.agents import SeatSpec
from bba.analysis.measures import MEASURES
from bba.bench.episode import EpisodeResult, play
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from bba.config import RolloutOptions
from bba.errors import BBAError
from tests.helpers.notifications import notified
from tests.helpers.tiny_sweeps import sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.episodes import EpisodesScreen
from tui.results.rows import games_behind, replayed_source, results_table
from tui.results.screens import ResultFoldersScreen, ResultsScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen

SIZE = (100, 30)
TABLE = {"blocks": ["layout"], "rows": ["agent"], "columns": ["measure"], "measures": ["reward", "replans"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two sweeps in results/tiny: seed 0 of the first is recorded, seed 1 is not; one of the second has failed."""
    folder = tmp_path_factory.mktemp("work") / "results" / "tiny"
    folder.parent.mkdir()
    options = SeatSpec()
    with ResultsStore(folder) as store:
        for found in (sweep(name="first", table=TABLE, layouts=["open", "ring"]), sweep(name="second", first_seed=5)):
            made = plan_sweep(found, options)
            store.register(found.name, found.model_dump_json(), made.entries)
            for episode in made.episodes.values():
                failed = episode.seed == 5
                came = (
                    EpisodeResult(failure="it broke")
                    if failed
                    else play(episode, options, keep_recording=episode.seed == 0)
                )
                store.save(episode, came)
    return folder


@pytest.fixture
def app(folder, tmp_path):
    return BBAApp(first=ResultsScreen(load_results(folder)), state=AppState(tmp_path / "start.json"), autostart=False)


def rows(app) -> list[list[str]]:
    table = app.screen.table
    return [[str(cell) for cell in table.get_row_at(number)] for number in range(table.row_count)]


async def choose(app, pilot, sweep_number) -> None:
    """Show a sweep; the last one is the first."""
    app.screen.query_one("#sweeps", OptionList).highlighted = sweep_number
    await pilot.pause()


async def in_episodes(app, pilot) -> None:
    """Show the episodes of the first cell of the first sweep."""
    await choose(app, pilot, 1)
    await pilot.press("right", "right", "enter")
    await pilot.pause()


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "shown"), [((120, 30), False), ((120, 40), True)])
async def test_a_footnote_explains_the_measures_where_there_is_room(app, size, shown):
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        terms = app.screen.query_one("#terms", Static)
        assert terms.display is shown
        assert f"reward: {MEASURES['reward'].meaning}" in terms.content


async def test_it_begins_with_the_last_sweep_and_tables_below_each_other_are_copied_and_sorted_by_key_and_mouse(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        names = [str(option.prompt).split()[0] for option in app.screen.query_one("#sweeps", OptionList).options]
        assert names == ["second", "first"]
        assert [row[0] for row in rows(app)] == ["reward"]
        assert "[1 missing]" in rows(app)[0][3]
        await choose(app, pilot, 1)
        tables = [["open", "bayes"], ["open", "bayes-no-replan"], ["ring", "bayes"], ["ring", "bayes-no-replan"]]
        assert [row[:2] for row in rows(app)] == tables
        assert app.screen.table.fixed_columns == 2, "the names of rows stay"
        assert "scripted planner (no language model)" in str(app.screen.query_one("#notes", Static).visual)
        await pilot.press("down", "y")
        assert app.clipboard == "\t".join(rows(app)[1])
        # The column of the cursor is sorted, and then the other way.
        await pilot.press("right", "s")
        agents = [row[1] for row in rows(app)]
        await pilot.press("s")
        assert agents == sorted(agents)
        assert [row[1] for row in rows(app)] == sorted(agents, reverse=True)
        assert "▼" in str(list(app.screen.table.columns.values())[1].label)
        # A click on a heading sorts, too.
        await pilot.click(DataTable, offset=(2, 0))
        await pilot.click(DataTable, offset=(2, 0))
        assert [row[0] for row in rows(app)] == ["ring", "ring", "open", "open"]


@pytest.mark.thorough
async def test_numbers_are_aligned_to_the_right_with_a_bar_and_the_best_is_marked(folder, tmp_path):
    stored = load_results(folder)
    first = stored.sweeps[0]
    for number, entry in enumerate(first.entries):
        first.results[entry.key] = EpisodeResult(measures={"reward": 7.0 * (number // 4), "replans": 1})
    app = BBAApp(first=ResultsScreen(stored), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(140, 30)) as pilot:
        await choose(app, pilot, 1)
        table = app.screen.table
        assert [column.label.justify for column in table.columns.values()] == ["left", "left", "right", "right"]
        assert [cell.justify for cell in table.get_row_at(1)] == ["left", "left", "right", "right"]
        assert [row[2] for row in rows(app)[:2]] == ["0 ± 0      ", "★ 7 ± 0 █████"]
        assert "★" not in "".join(row[3] for row in rows(app)), "of equals none is the best"


@pytest.mark.parametrize(
    ("most", "legend"),
    [(7.0, "; ★ best mean, perhaps by chance: c compares two; bars: share of the largest"), (0.0, "")],
)
async def test_the_legend_says_what_the_marks_mean_that_are_in_the_table(folder, tmp_path, most, legend):
    stored = load_results(folder)
    for number, entry in enumerate(stored.sweeps[0].entries):
        measures = {"reward": most * (number // 4), "replans": 0}
        stored.sweeps[0].results[entry.key] = EpisodeResult(measures=measures)
    stored = replace(stored, sweeps=stored.sweeps[:1])
    app = BBAApp(first=ResultsScreen(stored), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        (_, read, *_) = app.screen._table_note.split("\n")
        assert read == f"mean ± standard deviation, 2 seeds, 20 steps, scripted planner (no language model){legend}"


@pytest.mark.thorough
async def test_behind_a_margin_stand_the_games_of_its_row_or_column(tmp_path):
    table = {"blocks": ["layout"], "rows": ["agent"], "columns": ["group"], "margins": True}
    made = plan_sweep(sweep(table=table, partners={"a": ["switching"], "b": ["proagent"]}), SeatSpec())
    with ResultsStore(tmp_path) as store:
        store.register("tiny", made.sweep.model_dump_json(), made.entries)
        for episode in made.episodes.values():
            store.save(episode, EpisodeResult(measures={"reward": 7.0}))
    results = load_results(tmp_path)
    (run,) = results.sweeps
    shown = results_table(run)
    assert shown.headings == ["layout", "agent", "a", "b", "Mean over P1"]
    counts = [[len(games_behind(results, run, cell).games) for cell in row[2:]] for row in shown.rows]
    assert counts == [[2, 2, 4], [2, 2, 4], [4, 4, 8]]
    assert [row[-1].text for row in shown.shown_rows] == ["7 ± 0"] * 3


async def test_the_filter_keeps_the_rows_with_all_its_words_until_esc_clears_it_and_counts_for_what_is_opened(app):
    async with app.run_test(size=SIZE) as pilot:
        await choose(app, pilot, 1)
        await pilot.press("slash", *"ring", "space", *"NO-")
        assert [row[:2] for row in rows(app)] == [["ring", "bayes-no-replan"]]
        await pilot.press("enter")
        assert isinstance(app.screen, ResultsScreen)
        assert isinstance(app.focused, DataTable)
        assert len(rows(app)) == 1
        await pilot.press("escape")
        assert len(rows(app)) == 4, "a filter that stays is cleared first"
        # A filter that finds nothing says so.
        await pilot.press("slash", *"zz")
        assert (rows(app), app.screen.query_one("#rows").border_title) == ([], "0 of 4; esc clears")
        await pilot.press("escape")
        assert isinstance(app.focused, DataTable)
        assert (len(rows(app)), app.screen.query_one("#rows").border_title) == (4, "")
        await pilot.press("slash", *"zz", "enter", "escape")
        assert isinstance(app.screen, ResultsScreen)
        assert len(rows(app)) == 4, "a filter that stays is cleared first, though it finds nothing"
        # A heading leads to the episodes of its row.
        await pilot.press("slash", *"ring", "enter", "down", "enter")
        await pilot.pause()
        assert {(row[0], row[2]) for row in rows(app)} == {("bayes-no-replan", "ring")}


async def test_at_80_columns_a_list_of_one_takes_no_room_and_the_measure_under_the_cursor_is_explained(
    folder, tmp_path
):
    stored = load_results(folder)
    wide = {**TABLE, "measures": ["reward", "replans", "skill_accuracy", "gap_rate", "comp_at_3", "recovery"]}
    run = replace(stored.sweeps[0], sweep=sweep(name="first", table=wide, layouts=["open", "ring"]))
    stored = replace(stored, sweeps=[run])
    app = BBAApp(first=ResultsScreen(stored), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right")
        await pilot.pause()
        assert app.screen.query_one("#rows").region.width == 80
        table = app.screen.table
        ends = accumulate(column.get_render_width(table) for column in table.columns.values())
        assert sum(end <= table.size.width for end in ends) == 2 + 4, "the names of a row, and four measures"
        notes = app.screen.query_one("#notes", Static)
        assert f"reward: {MEASURES['reward'].meaning}" in str(notes.visual)
        assert app.screen.region.contains_region(notes.region)


@pytest.mark.thorough
async def test_letters_in_the_filter_do_nothing_else(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash", *"sq?T")
        assert isinstance(app.screen, ResultsScreen)
        assert app.screen.query_one(Input).value == "sq?T"


@pytest.mark.thorough
async def test_enter_leads_from_a_cell_to_its_episodes(app):
    async with app.run_test(size=SIZE) as pilot:
        await in_episodes(app, pilot)
        assert isinstance(app.screen, EpisodesScreen)
        assert [row[:5] for row in rows(app)] == [["bayes", "switching", "open", "default", seed] for seed in "01"]
        assert [row[-1] for row in rows(app)] == ["recording", ""]


@pytest.mark.thorough
async def test_an_episode_opens_as_its_recording_and_escape_leads_all_the_way_back(app):
    async with app.run_test(size=SIZE) as pilot:
        await in_episodes(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert app.screen.source.recorded
        assert (app.screen.source.config.seed, app.screen.snapshot.step) == (0, 0)
        for screen in (EpisodesScreen, ResultsScreen, StartScreen):
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, screen)


async def test_an_episode_without_a_recording_is_played_again_as_it_went_or_it_is_said_why_it_is_not(
    app, folder, monkeypatch
):
    async with app.run_test(size=SIZE) as pilot:
        # A failed episode says why it failed.
        await pilot.pause()
        await pilot.press("right", "right", "right", "enter")
        await pilot.pause()
        assert rows(app)[0][5] == "failed: it broke"
        await pilot.press("enter")
        assert await notified(app, pilot, "it failed: it broke")
        await pilot.press("escape", "home")
        await in_episodes(app, pilot)
        with monkeypatch.context() as changed:
            changed.setattr("tui.results.rows.code_digest", lambda: "another")
            await pilot.press("down", "enter")
            assert await notified(app, pilot, "another version of this program")
        assert isinstance(app.screen, EpisodesScreen)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        source = app.screen.source
        assert (source.done, source.recorded) == (True, True)
        assert (source.config.seed, len(source.trace.ticks)) == (1, 20)
        stored = load_results(folder)
        case = next(case for case in stored.sweeps[0].entries if case.seed == 1)
        assert source.trace.ticks[-1].score == stored.episodes[case.key].result.measures["reward"]


@pytest.mark.thorough
async def test_an_episode_of_the_rollout_planner_is_played_again_too(tmp_path):
    options = SeatSpec(rollout=RolloutOptions(futures=2, future_steps=5, candidates=2))
    with ResultsStore(tmp_path) as store:
        found = sweep(agents=[{"agent": "bayes-commit", "planner": "rollout"}], seeds=1, table=TABLE)
        made = plan_sweep(found, options)
        store.register(found.name, found.model_dump_json(), made.entries)
        (episode,) = made.episodes.values()
        came = play(episode, options)
        store.save(episode, came)
    app = BBAApp(first=ResultsScreen(load_results(tmp_path)), state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("right", "right", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        trace = app.screen.source.trace
        assert trace.config.seats[0].rollout == options.rollout
        assert any(tick.decisions[0].comparison for tick in trace.ticks)
        assert (len(trace.ticks), trace.score) == (20, came.measures["reward"])


async def test_what_a_language_model_planned_is_not_played_again(folder):
    stored = load_results(folder)
    one = next(found for found in stored.episodes.values() if found.result.failure is None)
    by_model = replace(one.episode.seats[0], planner="openai:gpt-4o")
    episode = one.episode.model_copy(update={"seats": (by_model, one.episode.seats[1])})
    with pytest.raises(BBAError, match="a language model planned it"):
        replayed_source(SimpleNamespace(episode=episode), lambda _: True)


async def test_playing_again_says_how_far_it_is_and_is_given_up_with_the_screen(app, monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr("tui.results.episodes.replayed_source", lambda episode, told: _endless(told, ended))
    async with app.run_test(size=SIZE) as pilot:
        await in_episodes(app, pilot)
        notes = app.screen.query_one("#notes", Static)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "played again, as it went: 50 steps; esc gives up" in str(notes.visual))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ResultsScreen) and ended.is_set())


def _endless(told, ended):
    """Go on for as long as somebody waits; a screen that is on its way out may have no app to tell."""
    try:
        while told(50):
            time.sleep(0.1)
    finally:
        ended.set()


async def test_the_mouse_alone_leads_from_the_start_screen_into_a_game_and_back_and_o_asks_for_a_folder(
    folder, tmp_path, monkeypatch
):
    monkeypatch.chdir(folder.parent.parent)
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("#results")
        await until(pilot, lambda: isinstance(app.screen, ResultFoldersScreen) and app.screen.entries)
        await pilot.pause()
        await pilot.click(DataTable, offset=(3, 1))
        await pilot.pause()
        assert isinstance(app.screen, ResultsScreen)
        await pilot.click("#sweeps", offset=(3, 3))
        await pilot.pause()
        await pilot.click(DataTable, offset=(30, 1))  # there,
        await pilot.click(DataTable, offset=(30, 1))  # and into it
        await pilot.pause()
        assert isinstance(app.screen, EpisodesScreen)
        await pilot.click(DataTable, offset=(3, 1))
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("escape", "escape", "escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        # By key, a folder is asked for until one can be shown.
        await pilot.press("r", "o", *"no", "enter")
        assert "no: no results here" in str(app.screen.query_one(".problem", Static).visual)
        app.screen.query_one(Input).value = str(folder)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ResultsScreen)
