"""Every screen and dialog at 80×24: its footer's keys do something, its help is its own, and no text is cut."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from textual.actions import parse as parsed_action
from textual.widgets import Button, Static, TabbedContent
from textual.widgets._footer import FooterKey

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.results_store import ResultsStore
from bba.play import record, save
from human.keymap import ENTRIES
from tests.helpers.command_line import parsed
from tests.helpers.games import played
from tests.helpers.tiny_sweeps import outcome, sweep
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.app.navigation import situation
from tui.game_factory import duel_source, live_source
from tui.preferences import AppState
from tui.results.recordings_screen import RecordingsScreen
from tui.results.screens import ResultFoldersScreen
from tui.screens.help import HelpScreen
from tui.style.base_screen import KeyFooter

SIZE = (80, 24)
GAME = ["watch", "--horizon", "30", "--agent", "bayes"]


@dataclass(frozen=True)
class Place:
    """A screen or dialog: what the app begins with, the keys that lead there from that, and the class of the screen."""

    begins: str
    keys: tuple[str, ...]
    screen: str


PLACES = (
    Place("start", (), "StartScreen"),
    Place("start", ("plus",), "MoreSettings"),
    Place("start", ("s",), "SettingsScreen"),
    Place("start", ("s", "k"), "KeyEditor"),
    Place("start", ("d",), "DesignScreen"),
    Place("start", ("d", "ctrl+o"), "PathDialog"),
    Place("watch", (".", "."), "WatchScreen"),
    Place("watch", (".", "w"), "ForkDialog"),
    Place("watch", (".", "w", "enter"), "ComparisonScreen"),
    Place("watch", (".", "w", "enter", "k"), "WatchScreen"),
    Place("watch", (".", "e"), "ExportDialog"),
    Place("watch", (".", "B"), "BookmarkDialog"),
    Place("watch", (".", "a"), "ModelCallsScreen"),
    Place("watch", (".", "f2"), "TourScreen"),
    Place("watch", (".", "r"), "ConfirmDialog"),
    Place("duel", (), "DuelScreen"),
    Place("duel", ("k",), "WatchScreen"),
    Place("recordings", (), "RecordingsScreen"),
    Place("recordings", ("B",), "BookmarkDialog"),
    Place("recordings", ("n",), "PathDialog"),
    Place("recordings", ("o",), "PathDialog"),
    Place("recordings", ("d",), "ConfirmDialog"),
    Place("results", (), "ResultFoldersScreen"),
    Place("results", ("b",), "PathDialog"),
    Place("results", ("enter",), "ResultsScreen"),
    Place("results", ("enter", "right", "right", "enter"), "EpisodesScreen"),
    Place("results", ("enter", "right", "right", "right", "c"), "ResultsScreen"),
    Place("results", ("enter", "right", "right", "right", "c", "right", "c"), "PairsScreen"),
)


@pytest.fixture
def app_of(tmp_path, monkeypatch):
    """Makes the app that begins in one of these ways, in an empty home with a recorded game and a stored benchmark."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    state = AppState(tmp_path / "start.json")

    def results() -> ResultFoldersScreen:
        with ResultsStore(tmp_path / "results" / "tiny") as store:
            made = plan_sweep(sweep(), SeatSpec())
            store.register("tiny", sweep().model_dump_json(), made.entries)
            for episode in made.episodes.values():
                store.save(episode, outcome())
        return ResultFoldersScreen(Path("results"))

    def recordings() -> RecordingsScreen:
        save(record(played(20)), tmp_path / "game.bba")
        return RecordingsScreen(10.0)

    begins = {
        "start": dict,
        "watch": lambda: {"source": live_source(parsed(GAME))},
        "duel": lambda: {"source": duel_source(parsed(["duel", "--planner", "scripted", "--horizon", "30"]))},
        "recordings": lambda: {"first": recordings()},
        "results": lambda: {"first": results()},
    }
    return lambda name: BBAApp(**begins[name](), state=state, autostart=False, motion=False)


async def lead(app, pilot, place: Place) -> None:
    """Leads to a place."""
    await pilot.pause()
    if place.begins in ("recordings", "results"):
        await until(pilot, lambda: app.screen.entries)
    for key in place.keys:
        before = app.screen
        await pilot.press(key)
        if key == "enter":
            await until(pilot, lambda before=before: app.screen is not before)
        await pilot.pause()
    await until(pilot, lambda: type(app.screen).__name__ == place.screen)
    await pilot.pause()


def footer_of(app) -> list[FooterKey]:
    """The keys that are shown at the bottom: a layer's in the footer of the screen below it."""
    footer = next(screen.query_one(KeyFooter) for screen in reversed(app.screen_stack) if screen.query(KeyFooter))
    return [key for key in footer.query(FooterKey) if key.display]


def cut_texts(app) -> list[str]:
    """The words of the screen on top that were to be shown and are not, but for those that can be scrolled to."""
    rows = [strip.text for strip in app.screen._compositor.render_strips()]
    found = []
    for widget in app.screen.query("Static, Label, Button").results():
        text = str(widget.label if isinstance(widget, Button) else widget.visual)
        scrolled = any(getattr(one, "max_scroll_y", 0) for one in widget.ancestors)
        if widget.visible and widget.region and not scrolled and widget not in app.screen.query("#messages"):
            place = widget.region
            seen = " ".join(row[place.x : place.right] for row in rows[place.y : place.bottom])
            found += [f"{widget}: {word}" for word in text.split() if word not in seen]
    return found


def case(place: Place):
    """A place; another one with the same screen is thorough."""
    first = next(other for other in PLACES if other.screen == place.screen)
    name = "-".join((place.begins, *place.keys))
    return pytest.param(place, id=name, marks=() if place is first else pytest.mark.thorough)


@pytest.mark.parametrize("place", map(case, PLACES))
async def test_its_footer_works_its_help_is_its_own_and_no_text_is_cut(app_of, place):
    app = app_of(place.begins)
    async with app.run_test(size=SIZE) as pilot:
        await lead(app, pilot, place)
        assert cut_texts(app) == []

        here, active = situation(app.screen_stack), app.screen.active_bindings
        assert footer_of(app)
        for key in footer_of(app):
            assert key.key in active, f"{key.key} {key.description} is shown and does nothing"
            binding = active[key.key]
            assert (key.action, binding.enabled) == (binding.binding.action, True)
            target, name, _ = parsed_action(key.action)
            does = {"app": app, "screen": app.screen}.get(target, binding.node)
            assert hasattr(does, f"action_{name}"), f"{key.action} is not there"
        told = {ENTRIES[active[key.key].binding.id] for key in footer_of(app) if active[key.key].binding.id in ENTRIES}

        await pilot.press("f1")
        if place.screen == "HelpScreen":
            return
        assert isinstance(app.screen, HelpScreen)
        assert here in app.screen.query_one("#help").border_title
        page = app.screen.query_one(TabbedContent).active_pane
        words = " ".join(" ".join(str(one.visual).split()) for one in page.query(Static))
        for entry in told:
            assert all(word in words for word in entry.description.split()), f"{here}: {entry.description}"
