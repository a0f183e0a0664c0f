"""The benchmark of the watch screen waits for words that the screen's first frame has."""

from benchmarks.screen import COLUMNS, FIRST, ROWS
from tests.helpers.app import paused_app
from tests.helpers.wait_for_idle import drawn


async def test_the_watch_screen_has_the_words_that_its_benchmark_waits_for():
    app = paused_app()
    async with app.run_test(size=(COLUMNS, ROWS)) as pilot:
        await drawn(pilot)
        rows = ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]
        assert any(FIRST["watch"].decode() in row for row in rows)
