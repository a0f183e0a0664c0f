"""An error that nobody catches ends the app with a line, a report and status 1, and no key is repeated."""

import io
import re
import stat
from contextlib import suppress

import pytest
from rich.console import Console

from bba.settings import GameOptions
from tests.helpers.crashes import CANARY, WAYS, canary_client, fail, fail_on, reports
from tests.helpers.playing import Playing
from tests.helpers.samples import crossed
from tests.helpers.secrets_search import assert_nowhere
from tests.helpers.studies import begin_study
from tests.helpers.wait_for_idle import until
from tests.tui.test_all_screens import PLACES, app_of, lead
from tui import crash
from tui.app.app import BBAApp
from tui.study.app import StudyApp

__all__ = ["app_of"]
SIZE = (120, 40)
SCREENS = (
    "StartScreen",
    "MoreSettings",
    "DesignScreen",
    "WatchScreen",
    "ForkDialog",
    "ComparisonScreen",
    "ModelCallsScreen",
    "TourScreen",
    "DuelScreen",
    "RecordingsScreen",
    "ResultFoldersScreen",
    "ResultsScreen",
    "PlayScreen",
    "TextScreen",
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, in which the reports are, with a key in the environment."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(crash.FOLDER_VARIABLE, str(tmp_path / "log"))
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    return tmp_path


async def told_by(app, begin) -> str:
    """Runs an app until it has ended by an error; returns what it says then."""
    said = io.StringIO()
    with suppress(Exception):  # the error itself, which Textual raises again for tests
        async with app.run_test(size=SIZE) as pilot:
            app.error_console = Console(file=said, width=80)
            await begin(pilot)
            await until(pilot, lambda: not app.is_running)
    return said.getvalue()


NOT_KEPT = "not kept among the recordings: it has no more than 100 steps"


def assert_reported(said: str, home) -> None:
    """One line and a report, without the key; of a short game that was watched, what becomes of it, too."""
    line = re.fullmatch(
        rf"bba-tui: an error in the program: (.+); report: (\S+); send it to .+\n(?:{NOT_KEPT}\n)?", said
    )
    assert line, said
    (report,) = reports(home)
    assert (line[2], stat.S_IMODE(report.stat().st_mode)) == (str(report), 0o600)
    text = report.read_text("utf-8")
    assert "in fail" in text, "it says where"
    assert "KeyError: '[key]'" in text, "and what came before"
    assert CANARY not in said + text
    assert repr(CANARY)[1:-1] not in said + text
    assert_nowhere(home, [CANARY])


@pytest.mark.parametrize(("screen", "way"), crossed([(name,) for name in SCREENS], [(way,) for way in WAYS]))
async def test_an_error_on_any_screen_is_a_line_and_a_report_without_the_key(home, app_of, capfd, screen, way):
    place = next((place for place in PLACES if place.screen == screen), None)
    if screen == "PlayScreen":
        app = Playing(home)
    elif screen == "TextScreen":
        app = StudyApp(begin_study(home), GameOptions.model_validate({}), "P1", countdown=0, pause=0)
    else:
        app = app_of(place.begins)

    async def begin(pilot) -> None:
        if place is not None:
            await lead(app, pilot, place)
        await until(pilot, lambda: type(app.screen).__name__ == screen)
        fail_on(app, way)

    said = await told_by(app, begin)
    assert app.return_code == 1
    assert_reported(said, home)
    assert CANARY not in "".join(capfd.readouterr())


async def test_an_app_that_has_met_an_error_keeps_its_status_whatever_ends_it_then(home):
    app = BBAApp()

    async def begin(pilot) -> None:
        fail_on(app, "in a timer")
        await until(pilot, lambda: app.return_code == 1)
        app.exit()

    said = await told_by(app, begin)
    assert app.return_code == 1
    assert_reported(said, home)


async def test_the_first_signal_says_with_which_status_an_app_ends(home):
    app = BBAApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.end_by(15)
        app.end_by(1)
        app.exit()
    assert app.return_code == 143
    assert reports(home) == []


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "bba-tui: there is not enough memory; report: "),
        (OSError(12, "Cannot allocate memory"), "bba-tui: there is not enough memory; report: "),
        (ImportError("libx.so: failed to map segment from shared object"), "bba-tui: there is not enough memory; "),
        (ValueError("two\nlines\x1b[2J"), r"bba-tui: an error in the program: ValueError: two lines\x1b[2J; report: "),
        (RuntimeError("halves \ud83c"), r"bba-tui: an error in the program: RuntimeError: halves \ud83c; report: "),
    ],
)
def test_the_line_of_an_error(home, error, line):
    assert crash.report(error).startswith(line)
    assert len(reports(home)) == 1


def test_a_report_that_cannot_be_written_is_said_in_the_same_line(home):
    (home / "log").write_text("a file")
    line = crash.report(RuntimeError("boom"))
    assert re.fullmatch(r"bba-tui: an error in the program: RuntimeError: boom; no report: .*File exists.*", line)


def test_the_newest_reports_are_kept(home, monkeypatch):
    monkeypatch.setattr(crash, "MOST_REPORTS", 3)
    for number in range(5):
        crash.report(RuntimeError(f"number {number}"))
    assert [path.read_text("utf-8").split()[-1] for path in reports(home)] == ["2", "3", "4"]


@pytest.mark.parametrize("variable", ["ANTHROPIC_API_KEY", "GATEWAY_TOKEN", "DB_PASSWORD"])
def test_no_secret_of_the_environment_is_in_a_report(home, monkeypatch, variable):
    monkeypatch.setenv(variable, "another-long-secret")
    crash.report(RuntimeError("refused another-long-secret"))
    (report,) = reports(home)
    assert "another-long-secret" not in report.read_text("utf-8")


def test_a_client_keeps_its_key_and_headers_in_no_attribute(home, monkeypatch):
    monkeypatch.setenv("GATEWAY", "a-secret-of-the-gateway")
    client = canary_client()
    client._options = client._options.model_copy(update={"extra_headers": '{"X-Key": "$GATEWAY"}'})
    assert client._headers == {"X-Key": "a-secret-of-the-gateway"}
    assert client._client.api_key == CANARY, "the header has it"
    kept = [value for name, value in vars(client).items() if name != "_client"]
    shown = repr([kept, *(vars(value) for value in kept if hasattr(value, "__dict__"))])
    assert "canary" not in shown
    assert "a-secret-of-the-gateway" not in shown


def test_what_fails_shows_the_key_in_its_frames(home):
    """So the tests above would find it."""
    with pytest.raises(RuntimeError, match="canary") as raised:
        fail()
    assert any("canary" in repr(frame.frame.f_locals) for frame in raised.traceback)
