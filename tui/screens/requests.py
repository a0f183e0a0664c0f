"""What screens ask the app for: the requests that lead from one screen to the next.

A screen names itself in its request, so that the app can drop one that comes too late: a key may be pressed twice
before the first request has led to another screen.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.message import Message
from textual.screen import Screen

from bba.analysis.snapshot import Snapshot
from bba.kitchen import Layout
from bba.play import Trace
from human.session import Session
from tui.game_factory import SessionRequest
from tui.playback.source import PlaybackSource


@dataclass
class Request(Message):
    """Somebody wants something on a screen that only the app can do.

    Attributes:
        screen: the screen; the request counts only while it is on top.
    """

    screen: Screen[Any]


@dataclass
class WatchRequested(Request):
    """A game is to be watched, at `speed` steps a second."""

    source: PlaybackSource
    speed: float


@dataclass
class ReviewRequested(Request):
    """A game that is over is to be shown, at a step."""

    source: PlaybackSource
    step: int


@dataclass
class PlayRequested(Request):
    """A game is to be played."""

    request: SessionRequest


class PlayAgainRequested(Request):
    """The same game is to be played once more."""


@dataclass
class GameOver(Request):
    """A game with people has ended, which was played at `speed` steps a second, or turn by turn if that is None."""

    session: Session
    speed: float | None


class LearnRequested(Request):
    """Somebody wants to learn the game."""


class ResultsRequested(Request):
    """Stored results are to be browsed."""


class StartRequested(Request):
    """The start screen is to be shown in the place of this one."""


@dataclass
class RecordingsRequested(Request):
    """Recorded games are to be browsed; those that are watched have `speed` steps a second."""

    speed: float


@dataclass
class DesignRequested(Request):
    """A kitchen is to be drawn, which begins as this one."""

    layout: Layout


@dataclass
class KitchenSaved(Request):
    """A kitchen without mistakes was saved."""

    path: Path


@dataclass
class ExportRequested(Request):
    """The game of a snapshot, or the step that it shows, is to be written to a file; with the other game of a duel."""

    snapshot: Snapshot
    other: Trace | None = None
