"""The page for researchers: who is where, who waits, who is done. It has a link and an address of its own."""

import html
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from bba.errors import BBAError
from human.study import StudyFolder
from human.study.whereabouts import Whereabouts, whereabouts
from tui.serve.auth import Address, AuthMiddleware

MONITOR_PAGE = Path(__file__).with_name("pages") / "monitor.html"
# The states with their words in the summary.
STATES = {"here": "taking part", "waits": "wait", "away": "away", "done": "done", "excluded": "excluded"}


class Monitor:
    """Serves a page that shows itself anew every few seconds.

    Args:
        address: where to serve.
        folder: the study.
        places: returns how many places are taken, and how many there are.
        now: returns the time.
    """

    def __init__(
        self,
        address: Address,
        folder: StudyFolder,
        places: Callable[[], tuple[int, int]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.auth = AuthMiddleware(address)
        self._folder, self._places, self._now = folder, places, now

    def application(self) -> web.Application:
        """Returns the routes, behind the access control."""
        app = web.Application(middlewares=[self.auth.middleware], client_max_size=1024)
        app.add_routes([web.get("/", self.page)])
        return app

    async def page(self, request: web.Request) -> web.Response:  # noqa: ARG002 - as aiohttp calls it
        """Returns the page."""
        try:
            text = monitor_page(self._folder, self._places(), self._now())
        except BBAError as error:
            return web.Response(text=f"{error}\n", status=500)
        return web.Response(text=text, content_type="text/html")


def monitor_page(folder: StudyFolder, places: tuple[int, int], now: datetime) -> str:
    """Returns the page as HTML.

    Raises:
        BBAError: a file of the study cannot be read.
    """
    found = whereabouts(folder)
    counts = [f"{sum(one.state == state for one in found)} {word}" for state, word in STATES.items()]
    if withdrawn := folder.withdrawn():
        counts.append(f"{withdrawn} withdrawn")
    taken, there = places
    values = {
        "{title}": html.escape(folder.study.title),
        "{summary}": f"{len(found)} participant{'s' * (len(found) != 1)}: {', '.join(counts)}",
        "{places}": f"{taken} of {there} places taken",
        "{rows}": "\n".join(_rows(found, now)) or '<tr><td colspan="7">Nobody has agreed to take part yet.</td></tr>',
        "{now}": f"{now:%Y-%m-%d %H:%M:%S} UTC",
    }
    text = MONITOR_PAGE.read_text("utf-8")
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text


def _rows(found: Iterable[Whereabouts], now: datetime) -> Iterable[str]:
    for one in found:
        last = "–" if one.last is None else _ago((now - one.last).total_seconds())
        state = f"{one.state}: {one.why}" if one.why else one.state
        who, interruptions = one.progress, sum(len(played.resumed) for played in one.progress.games)
        cells = (str(who.number + 1), who.participant, one.where, state, last, f"{who.consented:%H:%M}")
        row = "".join(f"<td>{html.escape(cell)}</td>" for cell in (*cells, str(interruptions or "–")))
        yield f'<tr class="{one.state}">{row}</tr>'


def _ago(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{max(seconds, 0):.0f} s ago"
