"""The screen of a duel: the same game with two egos, side by side under one clock; who leads; what one of them knew."""

from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.analysis import Snapshot, TimelineData, nearest, replans_until
from bba.analysis.comparison import SIDES, average_in_words, caption, knows, lead_in_words
from bba.kitchen.constants import DELIVERIES, EXPIRED, FIRES, SCORE
from bba.play import EGO, PARTNER
from bba.report.formatting import NONE
from human.keymap import DUEL_KEYS, TRAVEL_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.comparison import ComparisonPanel, ComparisonScreen, skills_line
from tui.screens.dialogs import ExportRequested
from tui.screens.watch import WatchScreen
from tui.style import BARS, bindings
from tui.widgets import DuelTimeline, fitting, line, picture_size, spread, tile_size

# rows of a panel; of the caption and the timeline at least
PANEL = 4
CAPTION = 2
LEAST = 3
# rows of the caption, if it and the timeline have 7; frames, from 9
ROOMY_CAPTION = 3
SPARE = 7
FRAMED_TIMELINE = 9
BESIDE_BOARD = 38  # columns of a panel beside its board
ALIKE = "The kitchen, the partner and the seed are the same; only the egos differ, and what they know of their partner."
SAME_EGO = "The kitchen, the egos, the partner and the seed are the same; what was changed on the way is not."
LEGIBLE = 4  # pixels of a tile's edge from which its letters can be read


class DuelPanel(ComparisonPanel):
    """Shows who plays, the score, what the ego expects of its partner, what both cooks do, and what came of it."""

    TITLE = "a game of the duel"
    ABOUT = "Its score, what its ego expects of its partner, what both cooks do, and what came of the game so far."

    def show_game(self, snapshot: Snapshot, lead: int, *, marked: bool) -> None:
        """Shows a step, with the points by which this game leads, and whether it is marked."""
        self._lead = lead
        self._marked = marked
        self.show_snapshot(snapshot)

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields four lines."""
        state = snapshot.trace.state(snapshot.step)
        score = (f"{state[SCORE]} points ", f"bold {palette.GOOD}" if self._lead > 0 else palette.TEXT)
        name = f"{'▸' if self._marked else ' '}{self._future}: {snapshot.config.labels[EGO]}"
        yield spread(line((name, f"bold {palette.TEXT}")), line(score), width)
        known = knows(snapshot.trace, snapshot.step) if snapshot.step else ""
        yield line(
            (
                fitting(
                    width, f" {known}", f" {known.replace(' its partner will', ':').replace(' its partner to', ':')}"
                ),
                palette.WARN,
            )
        )
        yield line(" ", skills_line(snapshot))
        replans = replans_until(snapshot.trace, snapshot.step)
        counts = {
            "delivered": state[DELIVERIES],
            "replans": NONE if replans is None else replans,
            "lost": state[EXPIRED],
            "fires": state[FIRES],
        }
        told = (line((f" {number}", palette.TEXT), (f" {label}", palette.DIM)) for label, number in counts.items())
        yield line(*told)


class DuelScreen(ComparisonScreen, inherit_bindings=False):
    """Plays a duel, which is kept like any game that was watched for long; `source` has the other game beside it.

    Args:
        source: the first game.
        speed, autostart, show_truth: as in `PlaybackScreen`.
        keep: keeps both games before they are gone, if they were watched for long; None keeps none.
    """

    BINDINGS = bindings((*TRAVEL_KEYS, *DUEL_KEYS))
    FILE_ACTIONS = ("export", "copy")

    def __init__(
        self,
        source: PlaybackSource,
        *,
        speed: float,
        autostart: bool = True,
        show_truth: bool = True,
        keep: Callable[..., object] | None = None,
    ) -> None:
        assert source.other is not None
        data = TimelineData(source.trace)
        other = source.other
        self._lead = DuelTimeline(data, other.trace, 0)
        self._games = (DuelPanel(SIDES[0], 0), DuelPanel(SIDES[1], 0))
        super().__init__(
            source,
            data,
            other,
            0,
            speed=speed,
            show_truth=show_truth,
            twins=self._lead,
            panels=self._games,
            alone=WatchScreen,
            keep=keep,
        )
        self.playing = autostart
        self._awaits = None
        self._marked = 0
        self._rows = CAPTION
        self._caption = Static(id="told", markup=False)
        self._average = average_in_words(source.config, other.config)
        self._alike = SAME_EGO if source.config.seats[EGO] == other.config.seats[EGO] else ALIKE

    def compose(self) -> ComposeResult:
        yield self._changed
        with Vertical(id="body", classes="-bare"):
            yield Container(*self._kitchens, *self._futures, id="futures")
            yield self._where
            yield self._caption
            yield self._twins
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self.call_after_refresh(self._compute_ahead)

    def on_unmount(self) -> None:
        first = self.sources[0]
        lasting = first.recorded or first.file is not None  # in a file, or among the results of a benchmark
        if self._keep is not None and first.trace.ticks and not lasting:
            self._keep(*(source.trace for source in self.sources))

    def _fit(self, size: Size) -> None:
        """Places the boards: side by side, or one above the other, or where letters could not be read, one alone."""
        layout = self.source.config.layout
        rows = size.height - BARS - 1 - CAPTION - LEAST
        half = size.width // 2
        rooms = (
            Size(half, rows - PANEL),
            Size(size.width - BESIDE_BOARD, rows // 2),
            Size(size.width - BESIDE_BOARD, rows),
        )
        tiles = [tile_size(layout, room) for room in rooms]
        one = max(tiles[:2]) < LEGIBLE
        above = tiles[1] > tiles[0]
        tile = tiles[2] if one else max(tiles[:2])
        board = picture_size(layout, tile)
        places = list[tuple[Widget, int, int, int, int]]()
        aside = max(BESIDE_BOARD, size.width - board.width)
        self._kitchens[1].set_class(not one and not above, "-beside")  # alone, a line would cut its edge
        for side, (kitchen, panel) in enumerate(zip(self._kitchens, self._games, strict=True)):
            kitchen.use_tiles(tile)
            kitchen.display = not one or side == self._marked
            if one or above:
                top = side * board.height * (not one)
                left = size.width - aside
                places += [(kitchen, 0, top, left, board.height), (panel, left, top or side * PANEL, aside, PANEL)]
            else:
                places += [(panel, side * half, 0, half, PANEL), (kitchen, side * half, PANEL, half, board.height)]
        for widget, x, y, width, height in places:
            widget.styles.position = "absolute"
            widget.styles.offset = (x, y)
            widget.styles.width = width
            widget.styles.height = height
        used = max(y + height for _, _, y, _, height in places)
        left_over = size.height - BARS - 1 - used
        self.query_one("#futures").styles.height = used
        self._caption.styles.height = self._rows = ROOMY_CAPTION if left_over >= SPARE else CAPTION
        self.query_one("#body").set_class(left_over < FRAMED_TIMELINE, "-bare")

    # --- keys --------------------------------------------------------------------------------------------------
    def action_other_side(self) -> None:
        self._marked = 1 - self._marked
        self._fit(self.size)
        self._show_all()

    def action_what_if(self) -> None:
        """Watches the marked game alone, and asks there how it is to go on otherwise."""
        self.call_after_refresh(self.action_alone().action_what_if)

    def action_export(self) -> None:
        self._pause()
        self.post_message(ExportRequested(self, self.snapshots[0], self.source.trace))

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The command that shows the duel again, and its caption."""
        return super().copies[0], ("caption", str(self._caption.content).replace("\n", " "))

    def _nearest(self, step: int, *, forward: bool) -> int | None:
        return nearest(self._differences.ego_steps, step, forward=forward)

    def _show_difference(self, step: int) -> None:
        self._seek(step)  # the caption says what differs

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_panels(self) -> None:
        self._stale = False
        self._differences.extend()
        shown = self.snapshots
        self._twins.show_snapshots(*shown)
        first, second = (int(snapshot.trace.state(snapshot.step)[SCORE]) for snapshot in shown)
        leads = first - second, second - first
        for side, (panel, snapshot) in enumerate(zip(self._games, shown, strict=True)):
            panel.show_game(snapshot, leads[side], marked=side == self._marked)
        colour = palette.GOOD if leads[0] > 0 else palette.WARN if leads[0] < 0 else palette.TEXT
        lead = line((f" {lead_in_words(leads[0], over=self.status == 'finished')}", f"bold {colour}"))
        self._where.update(spread(lead, line((f"{self._average} ", palette.DIM)), self.size.width))
        pair = (self.sources[0].trace, self.sources[1].trace)
        told = caption(pair, self._differences, self.snapshot.step, truth=self._show_truth, here=not self.playing)
        rows = [wrap(text, self.size.width - 2) for text in told or (self._alike,)]
        self._caption.update("\n".join(next((one for one in rows if len(one) <= self._rows), rows[-1])))
        self._show_title()

    def _show_title(self) -> None:
        config, seat = self.source.config, self.source.config.seats
        where = f" {config.layout.name}, beside {config.labels[PARTNER]}, {config.seed_label}"
        planner = f", planner {seat[EGO].planner}" if seat[EGO].planner else ""
        what = line((" duel ", f"bold {palette.GOOD}"), (where + planner, palette.TEXT))
        self._changed.update(spread(what, line(f" {self.status}{self._cost.words(self.snapshot)} "), self.size.width))
