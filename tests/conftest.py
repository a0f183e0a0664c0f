"""Settings for every test: plain colours, examples that are the same in every run, and a screen that is waited for."""

import functools
import gc
import os
import signal
import sys

import platformdirs
import pytest
from hypothesis import HealthCheck, settings

from bba.llm import cache
from bba.plugins import loading
from tests.helpers.buttons import press_without_pause
from tests.helpers.certificates import trust_no_authorities
from tests.helpers.notifications import remember_notifications
from tests.helpers.same_examples import draw_no_constants_of_modules
from tests.helpers.stylesheet_cache import cache_nothing_in_strips, parse_stylesheets_once
from tests.helpers.wait_for_idle import wait_for_the_app
from tui import cli, crash

os.environ.pop("NO_COLOR", None)
# Tests give themselves and their programs another home, in which every kernel would be compiled anew.
os.environ.setdefault("NUMBA_CACHE_DIR", str(platformdirs.user_cache_path("bba-tui")))
os.environ.setdefault("COMPILE_KERNELS_HERE", "1")  # and not in the background of every process that tests

# Without bytecode on the disk every run rewrites all assertions anew, and each program that a test starts, all modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell has what it starts in the background ignore Ctrl+C, and so would every program that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "same-every-run",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("same-every-run"), derandomize=False, max_examples=600)
settings.load_profile("same-every-run")
draw_no_constants_of_modules()

os.fsync = lambda file: None  # no test ends the machine: what is written need not be on the disk before it goes on
# Apps leave many objects behind: to look through them takes a seventh of the time of screen tests, and 3 s a time. A
# process that runs all quick tests has 2 GB at its end.
gc.set_threshold(40_000_000)
cli.COLLECT_AFTER = 40_000_000
wait_for_the_app()
parse_stylesheets_once()
cache_nothing_in_strips()
remember_notifications()
press_without_pause()
trust_no_authorities()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """All but the first case of an exhaustive test are thorough."""
    seen = set()
    for item in items:
        if item.get_closest_marker("exhaustive"):
            name = item.nodeid.partition("[")[0]
            if name in seen:
                item.add_marker(pytest.mark.thorough)
            seen.add(name)


@pytest.fixture(autouse=True)
def nothing_of_other_tests(monkeypatch, tmp_path_factory):
    """Lists offer the plug-ins that this process has used: here those of this test.

    And answers that are stored by default are this test's own: endpoints of other tests may have had the same port. So
    are the reports of errors.
    """
    monkeypatch.setattr(loading, "_NAMED", {})
    monkeypatch.setattr(cache, "user_cache_path", functools.cache(lambda _: tmp_path_factory.mktemp("answers")))
    monkeypatch.setattr(crash, "user_log_path", functools.cache(lambda _: tmp_path_factory.mktemp("reports")))


@pytest.fixture
def snap_compare(snap_compare, monkeypatch):
    """Compares pictures of lines that are made anew, and these with those that widgets have kept."""
    from textual.app import App

    from tests.helpers.app import draw_anew

    picture = App.export_screenshot

    def picture_anew(app, **options):
        draw_anew(app.screen)
        return picture(app, **options)

    monkeypatch.setattr(App, "export_screenshot", picture_anew)
    return snap_compare


def pytest_unconfigure():
    """Garbage stays: pytest would go through everything five times for exceptions in it."""
    gc.freeze()
