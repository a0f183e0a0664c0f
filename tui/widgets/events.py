"""What tells about the game in words: the log "events", the caption on a replan, the footnote "symbols", and the card
at its end.
"""

import textwrap
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from bba import palette
from bba.analysis import (
    CHANGED_SIGN,
    KEPT_SIGN,
    REPLAN_SHOWN_STEPS,
    CookNames,
    LogEntry,
    RoleReader,
    Snapshot,
    log_entries,
    recent_replan,
    replan_event,
    replan_texts,
    works,
)
from bba.errors import BBAError
from bba.kitchen.constants import DELIVERED_IN_ORDER, DELIVERIES, EXPIRED, FIRES
from bba.play import Trace, step_arrays
from tui.glossary import TERMS
from tui.playback.best_scores import BestScores, has_reference, reference_score
from tui.style import BackgroundTask, KeepsLines, Post
from tui.widgets.panel import Panel, cooks_on, line


class EventsPanel(KeepsLines, ScrollView):
    """Deliveries, replans, fires, expired orders, finished skills and role switches, the newest last.

    A switch stands at the step from which it is known, so that nothing is written into the past. Every tick is read
    once: the log at an earlier step is the beginning of the log at a later one.
    """

    TITLE: ClassVar[str] = "events"
    ABOUT: ClassVar[str] = (
        "Deliveries, replans, fires, expired orders and finished skills, each with the number of its cook; "
        "scroll with the mouse wheel."
    )

    def __init__(self) -> None:
        super().__init__(id=self.TITLE)
        self.border_title = self.TITLE
        self._trace: Trace | None = None
        self._roles = RoleReader()
        self._read = 0
        self._entries = _Entries()
        self._public = array("i")  # the places of the entries that are shown while the truth is hidden
        self._truth = True  # whether all entries are shown, not only the public ones
        self._visible_rows = 0  # the number of entries that are shown
        self._follows = True  # whether the end stays in view
        self._placing = False  # whether this widget scrolls itself

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the log up to this step, at its end unless somebody has scrolled back."""
        is_new_game = self._read_to(snapshot)
        previous_view = (self._truth, self._visible_rows)
        entries = self._entries.until(snapshot.step)
        self._truth = snapshot.truth
        self._visible_rows = entries if snapshot.truth else bisect_left(self._public, entries)
        view = (self._truth, self._visible_rows)
        size = Size(self.scrollable_content_region.width, self._visible_rows)
        if view == previous_view and not is_new_game and size == self.virtual_size:
            return
        # Textual would lay the whole screen out again, although nothing else depends on the length of the log.
        self.set_reactive(ScrollView.virtual_size, size)
        self.scroll_y = self.validate_scroll_y(self.scroll_y)
        if self._follows:
            # At once, and by force: under another screen Textual takes the log for one that fits.
            self._placing = True
            self.scroll_end(animate=False, immediate=True, force=True)
            self._placing = False
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follows the end again once somebody has scrolled back to it.

        The scroll bar, which has no width, stays as it is: for a change of it Textual lays the screen out again.
        """
        if round(old_value) != round(new_value):
            self.refresh()
        if not self._placing:
            self._follows = new_value >= self.max_scroll_y

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        style = self.visual_style
        content = self._line(row) if row < self._visible_rows else Content("")
        segments = content.truncate(width, ellipsis=True).render_segments(style)
        return Strip(segments).adjust_cell_length(width, style.rich_style)

    @property
    def lines(self) -> list[Content]:
        """The lines of the log that are shown, not cut to the width."""
        return [self._line(row) for row in range(self._visible_rows)]

    def _line(self, row: int) -> Content:
        place = row if self._truth else self._public[row]
        return _entry_line(self._entries[place])

    def _read_to(self, snapshot: Snapshot) -> bool:
        """Reads the steps up to this one that are new; returns whether the game is another one than before."""
        is_new_game = self._trace is not snapshot.trace
        if is_new_game:
            self._trace = snapshot.trace
            self._roles = RoleReader()
            self._read = 0
            self._entries = _Entries()
            self._public = array("i")
        for work in works(step_arrays(snapshot.trace.ticks, self._read, snapshot.step)):
            self._read += 1
            switch = self._roles.read(work)
            for entry in log_entries(Snapshot(snapshot.trace, self._read), switch):
                if not entry.truth:
                    self._public.append(len(self._entries))
                self._entries.append(entry)
        return is_new_game


def _entry_line(entry: LogEntry) -> Content:
    step = f"{entry.step:>4} "
    if entry.cook is None:
        sign = ("●", entry.colour)
    else:
        sign = (str(entry.cook + 1), palette.COOK_COLOURS[entry.cook])
    text_colour = entry.colour or palette.DIM
    return line((step, palette.DIM), sign, (f" {entry.text}", text_colour))


class _Entries:
    """The entries of a log in order: those that differ by their steps alone are kept once."""

    def __init__(self) -> None:
        self._steps = array("i")  # of each entry
        self._numbers = array("i")  # of the distinct entry that each is but for its step
        self._distinct: list[LogEntry] = []
        self._number_of: dict[LogEntry, int] = {}

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, place: int) -> LogEntry:
        return replace(self._distinct[self._numbers[place]], step=self._steps[place])

    def append(self, entry: LogEntry) -> None:
        """Appends an entry."""
        without_step = replace(entry, step=0)
        number = self._number_of.setdefault(without_step, len(self._distinct))
        if number == len(self._distinct):
            self._distinct.append(without_step)
        self._steps.append(entry.step)
        self._numbers.append(number)

    def until(self, step: int) -> int:
        """Returns how many entries there are up to a step."""
        return bisect_right(self._steps, step)


EVENT_MARGIN = 2  # columns beside the text


class ReplanCaption(Widget):
    """Says for some steps after a replan of the ego why and how the ego replanned; else takes no room."""

    TITLE: ClassVar[str] = "replan"
    ABOUT: ClassVar[str] = (
        f"For {REPLAN_SHOWN_STEPS} steps after a replan: what was expected of the partner, what it did, how "
        "unlikely that was, what is expected now, and what the ego's planner chose when it was asked again. Where "
        "there is little room it says less of the same."
    )

    lines: reactive[tuple[str, ...]] = reactive((), layout=True)

    def show_snapshot(self, snapshot: Snapshot, width: int, rows: int) -> int:
        """Shows the last replan, if it is recent, in at most `rows` of `width` cells; returns the rows it takes."""
        replan = recent_replan(snapshot)
        if replan is None:
            self.lines = ()
        else:
            cooks = cooks_on(self, snapshot.config)
            self.lines = caption_lines(snapshot, replan.step, cooks, width - EVENT_MARGIN, rows)
        self.display = bool(self.lines)
        return len(self.lines)

    def render(self) -> Content:
        """Returns the lines, the mark of a replan before the first."""
        mark, _, rest = "\n".join(self.lines).partition(" ")
        return line((mark, f"bold {palette.WARN}"), (f" {rest}", palette.TEXT))


def caption_lines(snapshot: Snapshot, step: int, cooks: CookNames, width: int, rows: int) -> tuple[str, ...]:
    """Returns the longest text about a replan that fits, wrapped; of the shortest one, as much as fits.

    Args:
        snapshot: the game.
        step: the step of the replan.
        cooks: what the cooks are called.
        width, rows: the room in cells.
    """
    sign = KEPT_SIGN if replan_event(snapshot.trace, step).kept else CHANGED_SIGN
    told = replan_texts(snapshot.trace, step, cooks)
    texts = [f"{sign} step {step}: {text}" for text in told]
    for text in texts:
        lines = textwrap.wrap(text, max(1, width))
        if len(lines) <= rows:
            return tuple(lines)
    shortest = textwrap.wrap(texts[-1], max(EVENT_MARGIN, width), max_lines=max(1, rows), placeholder=" …")
    return tuple(shortest)


SIGN = 4  # cells of most signs


class SymbolsPanel(Panel):
    """A footnote: a line for each term, the most important first."""

    TITLE = "symbols"
    ABOUT = "What the symbols mean, where there is space for it. The mouse explains them in every panel."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - cut where it is narrow
        observer = snapshot.belief_state is not None and snapshot.belief_state.observer
        for term in TERMS:
            brief = term.without if observer and term.without else term.brief
            yield line((f"{term.sign:{SIGN}} ", palette.TEXT), (brief, palette.DIM))


LABEL_CELLS = 15  # cells before the numbers


class ScoreStanding:
    """How a finished game compares: with the best one so far, and with the same game without a belief.

    Args:
        trace: the game.
        best: the best scores so far; the game is added to them.

    Attributes:
        reference: the score of the same game without a belief; None before that is known, and where there is none.
    """

    def __init__(self, trace: Trace, best: BestScores) -> None:
        self.trace = trace
        self.previous_best = best.best(trace.config)
        self.reference: int | None = None
        self._has_reference = has_reference(trace)
        best.keep(trace)

    def lines(self) -> Iterable[Content]:
        """Yields the results of the game, then those of the games that it is compared with."""
        steps = len(self.trace.ticks)
        state = self.trace.state(steps)
        yield _fact("score", str(self.trace.score), bold=True)
        yield _fact("deliveries", f"{state[DELIVERIES]}, {state[DELIVERED_IN_ORDER]} in order")
        yield _fact("fires", str(state[FIRES]))
        yield _fact("orders lost", str(state[EXPIRED]))
        if steps >= self.trace.config.horizon:  # a game that was ended early is no match for one to its end
            yield _fact("best so far", self._best())
        if self._has_reference:
            score = "playing …" if self.reference is None else f"{self.reference}, all else the same"
            yield _fact("no belief", score)

    def play(self, post: Post, changed: Callable[[], object]) -> None:
        """Plays the same game without a belief in the background; calls `changed` once `reference` has its score."""
        if self._has_reference:
            BackgroundTask[int](post).begin(
                lambda: reference_score(self.trace),
                lambda score: self.take_reference(score, changed),
                lambda _: self.take_reference(None, changed),
            )

    def compare(self) -> None:
        """Plays the same game without a belief at once."""
        if self._has_reference:
            try:
                self.take_reference(reference_score(self.trace))
            except BBAError:
                self.take_reference(None)

    def take_reference(self, score: int | None, changed: Callable[[], object] = lambda: None) -> None:
        """Takes the score of the same game without a belief; None if that cannot be played."""
        self.reference = score
        self._has_reference = score is not None
        changed()

    def _best(self) -> str:
        """Returns the best score of the same kitchen, seed and number of steps, this game's included.

        A game that was counted already, as at its end before its debriefing, is no rival of itself.
        """
        best = self.previous_best
        if best is None or best.score == self.trace.score:
            return "this score"
        text = f"{best.score}, {best.cooks}"
        return f"this score; before, {text}" if self.trace.score > best.score else text


class EndCard(Widget):
    """Shows how a game went once it is over, above the board.

    Args:
        best: the best scores so far.
    """

    TITLE: ClassVar[str] = "the game is over"
    ABOUT: ClassVar[str] = (
        "At the end of a game: score, deliveries, fires and orders lost; the best score so far in the same kitchen "
        "with the same seed and as many steps; for an agent with a belief what it reaches without one beside the same "
        "partner, with the same seed and planner, which is played in the background; and keys for what to do next."
    )

    def __init__(self, best: BestScores) -> None:
        super().__init__(id="end-card")
        self.border_title = self.TITLE
        self._best = best
        self._standing: ScoreStanding | None = None
        self._keys: Sequence[str] = ()

    def show_end(self, snapshot: Snapshot | None, keys: Sequence[str] = ()) -> None:
        """Shows the end of a game with the keys that lead on, in rows; hides the card without one."""
        self.display = snapshot is not None
        if snapshot is None:
            return
        if self._standing is None or self._standing.trace is not snapshot.trace:
            self._standing = ScoreStanding(snapshot.trace, self._best)
            self._standing.play(self.call_later, partial(self.refresh, layout=True))
        self._keys = keys
        self.refresh(layout=True)

    def render(self) -> Content:
        if self._standing is None:
            return Content("")
        keys = [line((row, palette.TEXT)) for row in self._keys]
        return Content("\n").join([*self._standing.lines(), *keys])


def _fact(label: str, text: str, *, bold: bool = False) -> Content:
    style = f"bold {palette.GOOD}" if bold else palette.TEXT
    return line((label.ljust(LABEL_CELLS), palette.DIM), (text, style))
