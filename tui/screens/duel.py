"""The screen of a duel: the same game with two egos, side by side under one clock; who leads; what one of them knew."""

from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.analysis import Snapshot, TimelineData, nearest, replans_until
from bba.analysis.comparison import SIDES, average_in_words, caption, duel_titles, knows, lead_in_words, side_names
from bba.bench.formatting import NONE
from bba.kitchen.constants import DELIVERIES, EXPIRED, FIRES, SCORE
from bba.play import EGO, PARTNER
from human.keymap import DUEL_KEYS, TRAVEL_KEYS
from tui.playback.clock import PANEL_RATE
from tui.playback.source import PlaybackSource
from tui.screens.comparison import BETTER, ComparisonPanel, ComparisonScreen, skills_line
from tui.screens.dialogs import ExportRequested
from tui.screens.playback import AHEAD, BREATH
from tui.screens.watch import WatchScreen
from tui.style import BARS, bindings, key_of
from tui.widgets import DuelTimeline, cooks_on, fitting, line, picture_size, spread, tile_size

PANEL = 4  # rows of a panel
CAPTION = 2  # rows of the caption at least
LEAST = 3  # rows of the timeline at least
SPARE = 7  # rows of caption and timeline from which the caption is roomy
ROOMY_CAPTION = 3  # rows of a roomy caption
FRAMED_TIMELINE = 9  # rows of caption and timeline from which the timeline has a frame
BESIDE_BOARD = 38  # columns of a panel beside its board
ALIKE = "The kitchen, the partner and the seed are the same; only the egos differ, and what they know of their partner."
SAME_EGO = "The kitchen, the egos, the partner and the seed are the same; what was changed on the way is not."
BEFORE_DIFFERENCE = 15  # steps that a duel shows before the egos first decide differently
LONGEST_ALIKE = 300  # steps without such a difference after which it begins at the first one
LEGIBLE = 4  # pixels of a tile's edge from which its letters can be read
Arrangement = Literal["beside", "above", "alone"]  # of the boards: each beside or above the other, or one of them alone


class DuelPanel(ComparisonPanel):
    """Shows who plays, the score, what the ego expects of its partner, what both cooks do, and what came of it."""

    TITLE = "a game of the duel"
    ABOUT = "Its score, what its ego expects of its partner, what both cooks do, and what came of the game so far."

    def show_game(self, snapshot: Snapshot, title: str, lead: int, *, marked: bool, hidden_behind: str = "") -> None:
        """Shows a step under a title.

        Args:
            snapshot: the step.
            title: the title.
            lead: the points by which this game leads.
            marked: whether it is marked.
            hidden_behind: the key that shows its board, where that is not shown; "" where it is.
        """
        self._heading = title
        self._lead = lead
        self._marked = marked
        self._hidden_behind = hidden_behind
        self.show_snapshot(snapshot)

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields four lines."""
        state = snapshot.trace.state(snapshot.step)
        score = (f" {state[SCORE]} points ", BETTER if self._lead > 0 else palette.TEXT)
        mark = "▸" if self._marked else " "
        brief = self._heading.partition(": ")[0]
        forms = [f"{mark}{self._heading}", f"{mark}{brief}"]
        if self._hidden_behind:
            note = f" ({self._hidden_behind} shows it)"
            forms = [f"{form}{note}" for form in forms]
            forms.append(f"{mark}{brief} ({self._hidden_behind})")
        name = fitting(width - len(score[0]), *forms)
        yield spread(line((name, f"bold {palette.TEXT}")), line(score), width)
        yield line((_expectation(snapshot, width), palette.WARN))
        yield line(" ", skills_line(snapshot))
        replans = replans_until(snapshot.trace, snapshot.step)
        counts = {
            "delivered": state[DELIVERIES],
            "replans": NONE if replans is None else replans,
            "lost": state[EXPIRED],
            "fires": state[FIRES],
        }
        parts: list[tuple[str, str]] = []
        for label, number in counts.items():
            parts.append((f" {number}", palette.TEXT))
            parts.append((f" {label}", palette.DIM))
        yield line(*parts)


def _expectation(snapshot: Snapshot, width: int) -> str:
    """Returns what the ego expects of its partner, in fewer words where it does not fit into so many cells."""
    if not snapshot.step:
        return " "
    text = knows(snapshot.trace, snapshot.step)
    brief = text
    for whom in (" that its partner will", " its partner will", " its partner to"):
        brief = brief.replace(whom, ":")
    return fitting(width, f" {text}", f" {brief}")


class DuelScreen(ComparisonScreen, inherit_bindings=False):
    """Plays a duel, which is kept like any game that was watched for long; `source` has the other game beside it.

    Args:
        source: the first game.
        speed, autostart, show_truth: as in `PlaybackScreen`.
        keep: keeps both games before they are gone, if they were watched for long; None keeps none.
    """

    SITUATION = "in a duel"
    ESCAPE_LEADS_OUT = True

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
        rival = source.rival
        assert rival is not None
        data = TimelineData(source.trace)
        timeline = DuelTimeline(data, rival.trace, 0)
        self._duel_panels = (DuelPanel(SIDES[0], 0), DuelPanel(SIDES[1], 0))
        super().__init__(
            source,
            data,
            rival,
            0,
            speed=speed,
            show_truth=show_truth,
            twins=timeline,
            panels=self._duel_panels,
            alone=WatchScreen,
            keep=keep,
        )
        self.clock.paused = not autostart or not source.recorded
        self._awaits = None
        self._marked = 0
        self._rows = CAPTION
        self._caption = Static(id="told", markup=False)
        self._titles = duel_titles(source.config, rival.config)
        self._names = side_names(source.config, rival.config)
        self._is_alone = False  # whether one of the boards alone is shown
        self._begins = autostart and not source.recorded  # whether it has to find where it begins
        self._begun = False  # whether it plays from there, and nobody has gone to another step
        self._average = average_in_words(source.config, rival.config)
        same_ego = source.config.seats[EGO] == rival.config.seats[EGO]
        self._alike = SAME_EGO if same_ego else ALIKE  # the caption where there is nothing else to say

    def compose(self) -> ComposeResult:
        yield self._title
        with Vertical(id="body", classes="-bare"):
            yield Container(*self._kitchens, *self._panels, id="futures")
            yield self._below_boards
            yield self._caption
            yield self._twins
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self.call_after_refresh(self._compute_ahead)
        if self._begins:
            self._playhead.at = 0
            self.call_after_refresh(self._find_beginning)

    def _find_beginning(self) -> None:
        """Plays both games in slices, unseen, to where the egos first decide differently; shows them from before it.

        Who goes to a step or lets the clock run meanwhile has chosen another beginning.
        """
        if self.playing:
            self._begins = False
        if not self._begins:
            return
        if self._waits:
            self.set_timer(1 / PANEL_RATE, self._find_beginning)
            return
        self._play(AHEAD)
        self._differences.extend()
        ego_steps = self._differences.ego_steps
        ends = self.newest >= LONGEST_ALIKE or all(source.done for source in self.sources) or any(self._stuck)
        if not ego_steps and not ends:
            self._show_title()
            self.set_timer(BREATH, self._find_beginning)
            return
        self._begins = False
        first_step = ego_steps[0] - BEFORE_DIFFERENCE if ego_steps else 0
        self._playhead.seek(first_step, self.newest)
        self._begun = True
        self._show_all()
        self._set_playing(True)

    def _seek(self, step: int) -> None:
        self._begins = False
        self._begun = False
        super()._seek(step)

    @property
    def status(self) -> str:
        """The state of the games in a word or two, or what is looked for before they begin."""
        if self._begins and not (self._waits or self.playing):
            return f"looking for the first difference, step {self.newest}"
        return super().status

    def _past_status(self) -> str:
        return self._pace if self._begun and self.playing else super()._past_status()

    def on_unmount(self) -> None:
        first, second = self.sources
        lasting = first.recorded or first.file is not None  # in a file, or among the results of a benchmark
        if self._keep is not None and first.trace.ticks and not lasting:
            self._keep(first.trace, second.trace)

    def _fit(self, size: Size) -> None:
        """Places the boards: side by side, or one above the other, or where letters could not be read, one alone."""
        arrangement, tile = self._arrangement(size)
        board = picture_size(self.source.config.layout, tile)
        self._is_alone = arrangement == "alone"
        self._kitchens[1].set_class(arrangement == "beside", "-beside")  # alone, a line would cut its edge
        used = 0
        for side, (kitchen, panel) in enumerate(zip(self._kitchens, self._duel_panels, strict=True)):
            kitchen.use_tiles(tile)
            kitchen.display = arrangement != "alone" or side == self._marked
            if arrangement == "beside":
                half = size.width // 2
                panel_place = Region(side * half, 0, half, PANEL)
                kitchen_place = Region(side * half, PANEL, half, board.height)
            else:
                panel_width = max(BESIDE_BOARD, size.width - board.width)
                kitchen_width = size.width - panel_width
                kitchen_top = side * board.height if arrangement == "above" else 0
                panel_top = kitchen_top if arrangement == "above" else side * PANEL
                kitchen_place = Region(0, kitchen_top, kitchen_width, board.height)
                panel_place = Region(kitchen_width, panel_top, panel_width, PANEL)
            _place(kitchen, kitchen_place)
            _place(panel, panel_place)
            used = max(used, kitchen_place.bottom, panel_place.bottom)
        spare = size.height - BARS - 1 - used
        self.query_one("#futures").styles.height = used
        self._rows = ROOMY_CAPTION if spare >= SPARE else CAPTION
        self._caption.styles.height = self._rows
        self.query_one("#body").set_class(spare < FRAMED_TIMELINE, "-bare")

    def _arrangement(self, size: Size) -> tuple[Arrangement, int]:
        """Returns how the boards stand to each other, and the edge of their tiles in pixels."""
        layout = self.source.config.layout
        rows = size.height - BARS - 1 - CAPTION - LEAST
        tile_beside = tile_size(layout, Size(size.width // 2, rows - PANEL))
        tile_above = tile_size(layout, Size(size.width - BESIDE_BOARD, rows // 2))
        if max(tile_beside, tile_above) < LEGIBLE:
            return "alone", tile_size(layout, Size(size.width - BESIDE_BOARD, rows))
        if tile_above > tile_beside:
            return "above", tile_above
        return "beside", tile_beside

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
        command = super().copies[0]
        text = str(self._caption.content).replace("\n", " ")
        return command, ("caption", text)

    def _nearest(self, step: int, *, forward: bool) -> int | None:
        return nearest(self._differences.ego_steps, step, forward=forward)

    def _show_difference(self, step: int) -> None:
        self._seek(step)  # the caption says what differs

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_panels(self) -> None:
        self._stale = False
        self._differences.extend()
        first, second = self.snapshots
        self._twins.show_snapshots(first, second)
        lead = _score(first) - _score(second)
        first_panel, second_panel = self._duel_panels
        first_title, second_title = self._titles
        key = key_of(self.app, "other_side") if self._is_alone else ""
        is_marked = [self._marked == 0, self._marked == 1]
        hidden_behind = ["" if marked else key for marked in is_marked]
        first_panel.show_game(first, first_title, lead, marked=is_marked[0], hidden_behind=hidden_behind[0])
        second_panel.show_game(second, second_title, -lead, marked=is_marked[1], hidden_behind=hidden_behind[1])
        self._show_lead(lead)
        self._show_caption()
        self._show_title()

    def _show_lead(self, lead: int) -> None:
        """Shows by how many points the first game leads, and by how many on average."""
        if lead > 0:
            colour = palette.GOOD
        elif lead < 0:
            colour = palette.WARN
        else:
            colour = palette.TEXT
        text = lead_in_words(lead, self._names, over=self.status == "finished")
        lead_line = line((f" {text}", f"bold {colour}"))
        average = line((f"{self._average} ", palette.DIM))
        self._below_boards.update(spread(lead_line, average, self.size.width))

    def _show_caption(self) -> None:
        """Shows what there is to say of the step, in the longest form that fits."""
        pair = (self.sources[0].trace, self.sources[1].trace)
        forms = caption(
            pair,
            self._differences,
            self.snapshot.step,
            truth=self._show_truth,
            here=not self.playing,
            cooks=cooks_on(self, self.source.config),
        )
        if not forms:
            forms = (self._alike,)
        text_rows: list[str] = []
        for form in forms:
            text_rows = wrap(form, self.size.width - 2)
            if len(text_rows) <= self._rows:
                break
        self._caption.update("\n".join(text_rows))

    def _show_title(self) -> None:
        config = self.source.config
        kitchen = f" {config.layout.name}"
        cooks = f"{kitchen}, beside {config.labels[PARTNER]}"
        game = f"{cooks}, {config.seed_label}"
        planner = config.seats[EGO].planner
        forms = (f"{game}, planner {planner}" if planner else game, game, cooks, kitchen, "")
        status = self._status_line()
        titles = [line((" duel ", f"bold {palette.GOOD}"), (form, palette.TEXT)) for form in forms]
        title = fitting(self.size.width - status.cell_length, *titles)
        self._title.update(spread(title, status, self.size.width))


def _score(snapshot: Snapshot) -> int:
    return int(snapshot.trace.state(snapshot.step)[SCORE])


def _place(widget: Widget, region: Region) -> None:
    """Gives a widget its place within its container."""
    widget.styles.position = "absolute"
    widget.styles.offset = (region.x, region.y)
    widget.styles.width = region.width
    widget.styles.height = region.height
