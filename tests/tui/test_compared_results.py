"""Two cells of results side by side: the pairs of their games, the difference with its interval, both games."""

from pathlib import Path

import pytest
from textual.widgets import Static

from bba.agents import SeatSpec
from bba.bench import table_blocks
from bba.bench.episode import EpisodeResult, play
from bba.bench.formatting import cell_text
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from bba.errors import BBAError
from tests.helpers.notifications import notified
from tests.helpers.tiny_sweeps import outcome, sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.episodes import PairsScreen
from tui.results.rows import (
    difference_text,
    games_behind,
    pair_entries,
    pairs_of,
    results_table,
)
from tui.results.screens import ResultFoldersScreen, ResultsScreen
from tui.screens.duel import DuelScreen
from tui.screens.watch import WatchScreen

FULL, BASE = "bayes (scripted planner)", "bayes-no-replan (scripted planner)"
TABLE = {"blocks": ["layout"], "rows": ["agent"], "columns": ["measure"], "measures": ["reward", "gap_rate"]}
PAIRED = {**TABLE, "blocks": [], "rows": ["layout"], "paired": ["bayes", "bayes-no-replan"]}
EARNED = {("bayes", 0): 10, ("bayes", 1): 20, ("bayes-no-replan", 0): 7, ("bayes-no-replan", 1): 22}


def stored(folder, come, *sweeps):
    """What a folder holds after these sweeps; `come` takes an entry and its episode and returns what came of it."""
    with ResultsStore(folder) as store:
        for found in sweeps:
            made = plan_sweep(found, SeatSpec())
            store.register(found.name, found.model_dump_json(), made.entries)
            for entry in made.entries:
                store.save(made.episodes[entry.key], come(entry, made.episodes[entry.key]))
    return load_results(folder)


def by_hand(entry, _):
    """Rewards of which the differences are 3 and −2, and a rate that is not known in seed 1."""
    rate = None if entry.seed else 0.25 + (entry.agent == "bayes") / 2
    return outcome(reward=EARNED.get((entry.agent, entry.seed), 5), gap_rate=rate)


def games(results, named, column="reward", number=0):
    """The games behind a cell of a sweep."""
    run = results.sweeps[number]
    table = results_table(run)
    row = next(cells for cells in table.rows if named in {cell.shown.text for cell in cells})
    return games_behind(results, run, row[table.headings.index(column)])


def shown(first, second) -> list[list[str]]:
    """The rows of the pairs as text."""
    return [[cell.text for cell in pair_entries(pair, second.measure)] for pair in pairs_of(first, second)]


def told(first, second) -> list[str]:
    """What is said of the difference, in lines."""
    return difference_text(first, second, pairs_of(first, second)).splitlines()


# --- the pairs ---------------------------------------------------------------------------------------------------
def test_the_pairs_of_two_agents_by_hand_those_that_differ_most_first_and_never_turned_round(tmp_path):
    results = stored(tmp_path, by_hand, sweep(table=TABLE))
    full, base = games(results, FULL), games(results, BASE)
    assert shown(full, base) == [
        ["switching", "open", "0", "10", "7", "+3"],
        ["switching", "open", "1", "20", "22", "-2"],
    ]
    assert told(full, base) == [
        f"first: {FULL}, mean 15",
        f"second: {BASE}, mean 14",
        "difference, first − second: +0 [-31, 32], 95 % interval over 2 seeds; not told apart",
        "2 pairs of the same kitchen, partner, seed, settings",
    ]
    assert [pair.difference for pair in pairs_of(base, full)] == [-3, 2]
    assert told(base, full)[:2] == [f"first: {BASE}, mean 14", f"second: {FULL}, mean 15"]


def test_a_difference_is_that_of_a_paired_table_and_of_the_measure_of_the_second_cell(tmp_path):
    partners, rewards = {"some": ["switching", "proagent"], "other": ["bayes"]}, {}

    def come(entry, _):
        rewards.setdefault(entry.key, len(rewards) ** 2 % 17 + 20 * (entry.agent == "bayes"))
        return outcome(reward=rewards[entry.key], gap_rate=rewards[entry.key] / 50)

    results = stored(
        tmp_path,
        come,
        sweep(table={**TABLE, "blocks": []}, partners=partners, seeds=5),
        sweep(name="paired", table=PAIRED, partners=partners, seeds=5),
    )
    run = results.sweeps[1]
    (block,) = table_blocks(run.sweep, run.entries, run.results)
    for cell, measure in zip(block.cells[0], ("reward", "gap rate"), strict=True):
        full, base, both = (
            games(results, FULL),
            games(results, BASE, measure),
            games(results, "open", measure, number=1),
        )
        assert (cell.ours.n, len(pairs_of(full, base))) == (5, 15)
        interval = f"{cell_text(cell, base.measure).text}, 95 % interval over 5 seeds"
        assert told(full, base)[2].endswith(f"second: {interval}; told apart")
        # From the paired table itself it takes its two agents.
        own = [both.of(label) for label in both.pair]
        assert told(*own)[0].startswith(f"first: {FULL}, mean ")
        assert told(*own)[2:] == told(full, base)[2:]


def test_a_game_without_a_value_comes_last_and_one_value_has_no_interval(tmp_path):
    results = stored(tmp_path, by_hand, sweep(table=TABLE))
    pair = games(results, FULL), games(results, BASE, "gap rate")
    assert [row[2:] for row in shown(*pair)] == [["0", "0.75", "0.25", "+0.50"], ["1", "–", "–", "–"]]
    assert told(*pair)[2:] == [
        "difference, first − second: +0.50; an interval needs more than one seed",
        "2 pairs (1 without a value) of the same kitchen, partner, seed, settings",
    ]
    failed = stored(tmp_path / "failed", lambda *_: EpisodeResult(failure="it broke"), sweep(table=TABLE))
    pair = games(failed, FULL), games(failed, BASE)
    assert [row[3:] for row in shown(*pair)] == [["–", "–", "–"]] * 2
    assert told(*pair)[0] == f"first: {FULL}"
    assert told(*pair)[2].endswith("second: –; an interval needs more than one seed")


def test_two_settings_of_an_agent_are_compared_but_not_a_row_of_several(tmp_path):
    variants = [{"likelihood_scale": 0.5}, {"likelihood_scale": 2}]
    table = {"blocks": ["measure"], "rows": ["agent"], "columns": ["variant"]}
    results = stored(tmp_path, by_hand, sweep(table=table, variants=variants))
    one, other = (games(results, FULL, variant.label) for variant in results.sweeps[0].sweep.variants)
    assert {pair.difference for pair in pairs_of(one, other)} == {0}
    assert [line.split(",")[0] for line in told(one, other)[:2]] == [
        f"first: {one.names['variant']}",
        f"second: {other.names['variant']}",
    ]
    with pytest.raises(BBAError, match="several agents or settings"):
        pairs_of(one, games(results, FULL, "agent"))


def test_br_prox_which_no_game_has_is_compared_by_the_reward(tmp_path):
    table = {**TABLE, "measures": ["br_prox", "gap_rate"], "paired": None}
    results = stored(tmp_path, by_hand, sweep(table=table, agents=["bayes", "bp"], layouts=["open"]))
    assert games(results, FULL, "agent").measure == "reward"


@pytest.mark.parametrize(
    "changes",
    [{"first_seed": 7}, {"horizon": 21}, {"layouts": ["ring"]}, {"partners": {"g": ["bayes"]}}, {"mobility": 0.5}],
    ids=lambda changes: next(iter(changes)),
)
def test_games_of_another_seed_length_kitchen_partner_or_mobility_are_no_pair(tmp_path, changes):
    results = stored(tmp_path, by_hand, sweep(table=TABLE), sweep(name="other", table=TABLE, **changes))
    with pytest.raises(BBAError, match="no game of the one has the kitchen, partner, seed and settings of a game of"):
        pairs_of(games(results, FULL), games(results, FULL, number=1))


# --- on the screen -----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Results in two folders: one with recordings, its last game failed; one without, of games with other settings."""
    work = tmp_path_factory.mktemp("work")

    def come(entry, episode):
        if (entry.agent, entry.seed) == ("bayes-no-replan", 2):
            return EpisodeResult(failure="it broke")
        return play(episode, SeatSpec(), keep_recording=True)

    stored(work / "results" / "one", come, sweep(table=TABLE, seeds=3), sweep(name="elsewhere", first_seed=9, seeds=1))
    variant = [{"likelihood_scale": 0.5}]
    stored(
        work / "results" / "two",
        lambda _, episode: play(episode, SeatSpec()),
        sweep(table=TABLE, variants=variant, agents=["bayes"]),
    )
    return work


@pytest.fixture
def app(folders, tmp_path, monkeypatch):
    monkeypatch.chdir(folders)
    return BBAApp(first=ResultFoldersScreen(Path("results")), state=AppState(tmp_path / "s.json"), autostart=False)


async def open_folder(app, pilot, name) -> None:
    """Open the tables of a folder, from the list of folders."""
    await until(pilot, lambda: len(app.screen.entries) == 2)
    number = [entry.path.name for entry in app.screen.entries].index(name)
    app.screen.table.move_cursor(row=[int(key.value) for key in app.screen.table.rows].index(number))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ResultsScreen))
    await pilot.pause()


async def first_sweep(app, pilot) -> None:
    app.screen.query_one("#sweeps").highlighted = 1
    await pilot.pause()


def note(app) -> str:
    return " ".join(str(app.screen.query_one("#notes", Static).visual).split())


async def test_one_key_marks_a_cell_and_on_another_shows_the_pairs_whose_games_open_by_a_key_each(app):
    async with app.run_test(size=(100, 30)) as pilot:
        await open_folder(app, pilot, "one")
        await first_sweep(app, pilot)
        await pilot.press("right", "right", "c")
        assert "c on another cell, here or in another folder, compares it with: " in note(app)
        assert note(app).endswith("results/one, tiny, open, bayes")
        await pilot.press("c")
        assert (app.marked, "compares it with" in note(app)) == (None, False)
        await pilot.press("c", "down", "c")
        await until(pilot, lambda: isinstance(app.screen, PairsScreen))
        await pilot.pause()
        assert app.marked is None
        text = str(app.screen.query_one("#above", Static).visual)
        assert text.startswith("first: bayes, mean ")
        assert "\nsecond: bayes-no-replan, mean " in text
        assert "\n3 pairs (1 without a value) of the same" in text
        for key, agent in (("enter", "bayes"), ("2", "bayes-no-replan")):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, WatchScreen))
            assert app.screen.source.config.seats[0].agent == agent
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, PairsScreen))
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, DuelScreen))
        assert [source.config.seats[0].agent for source in app.screen.sources] == ["bayes", "bayes-no-replan"]
        assert len({source.config.seed for source in app.screen.sources}) == 1
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, PairsScreen))
        # The game that failed has no value, stands last, and says why.
        await pilot.press("end", "ctrl+end", "2")
        assert await notified(app, pilot, "it failed: it broke")
        await pilot.press("slash", *"zz", "enter", "c")
        assert await notified(app, pilot, "no row has these words")


@pytest.mark.thorough
async def test_a_mark_lasts_into_another_folder_whose_games_are_played_again_and_what_shares_no_pair_says_so(app):
    async with app.run_test(size=(100, 30)) as pilot:
        await open_folder(app, pilot, "one")
        await pilot.press("c")
        assert await notified(app, pilot, "these are games of several agents or settings")
        assert app.marked is None
        await pilot.press("right", "right", "right", "c")
        await first_sweep(app, pilot)
        await pilot.press("c")
        assert await notified(app, pilot, "no game of the one has the kitchen, partner, seed and settings")
        assert isinstance(app.screen, ResultsScreen)
        assert "compares it with" in note(app)
        app.marked = None
        await pilot.press("c", "escape")
        await until(pilot, lambda: isinstance(app.screen, ResultFoldersScreen))
        await open_folder(app, pilot, "two")
        assert "results/one, tiny, open, bayes" in note(app)
        await pilot.press("right", "right", "c")
        await until(pilot, lambda: isinstance(app.screen, PairsScreen))
        await pilot.pause()
        first, second, *_ = str(app.screen.query_one("#above", Static).visual).splitlines()
        assert first.startswith("first: results/one, mean ")
        assert second.startswith("second: results/two, mean ")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, DuelScreen))
        scales = [source.config.seats[0].belief_config for source in app.screen.sources]
        assert scales[0] != scales[1]


async def test_a_cell_of_a_paired_table_needs_no_other_one_and_above_other_tables_stands_nothing(tmp_path):
    results = stored(tmp_path, by_hand, sweep(table=PAIRED))
    app = BBAApp(first=ResultsScreen(results), state=AppState(tmp_path / "s.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.screen.query_one("#rows").region.y == 1
        await pilot.press("right", "c")
        await until(pilot, lambda: isinstance(app.screen, PairsScreen))
        await pilot.pause()
        assert str(app.screen.query_one("#above", Static).visual).startswith("first: bayes, mean 15\nsecond: bayes-no-")
        assert [cell.plain for cell in app.screen.table.get_row_at(0)][-3:] == ["10", "7", "+3"]
        assert app.marked is None
