"""The screen on a game that is over: measures, how each switch was followed, what people said, steps worth a look."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from bba import palette
from bba.agents import HUMAN, SeatSpec
from bba.analysis import (
    CHANGED_SIGN,
    KEPT_SIGN,
    CookNames,
    Highlight,
    MeasureValues,
    Snapshot,
    SwitchResponse,
    cook_names,
    declarations,
    dishes_sentence,
    highlight_text,
    highlights,
    measure,
    names,
    partner_reading,
    reading_sentences,
    with_inferred_skills,
    worth_sentence,
)
from bba.analysis.comparison import worth_text
from bba.bench.formatting import measure_label, measure_meaning, value_text
from bba.planner import futures_are_compiled
from bba.play import EGO, Trace, worth_of_knowing
from bba.terminal_text import visible_line
from human.keymap import DEBRIEF_KEYS
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.dialogs import ExportRequested, NavigationRequested, ReviewRequested
from tui.style import BackgroundTask, BaseScreen, bindings, key_of
from tui.widgets import ExplainedLines, ScoreStanding, Timeline, line, titled

FEW = 5  # rows of a table until all are asked for


def switch_lines(
    responses: Sequence[SwitchResponse], named: CookNames, believer: str, most: int | None = None
) -> Iterator[Content]:
    """Yields how often the partner turned to other work, then how belief and action followed each time.

    Args:
        responses: how each switch was followed.
        named: what the cooks are called.
        believer: whose belief it is.
        most: how many switches are shown: those that were followed last; None for all.
    """
    times = _counted(len(responses), "time")
    yield line((f"{named.partner} turned to other work {times}", f"bold {palette.TEXT}"))
    if not responses:
        return
    own_work = f"{named.partners} new work"
    meanings = (
        f"noticed: after so many steps {believer} had guessed {own_work}",
        f"answered: after so many steps {named.ego} did what goes with it",
    )
    for meaning in meanings:
        for text in wrap(meaning, TEXT_CELLS, subsequent_indent="  "):
            yield line((text, palette.DIM))
    yield line(("  step   work          noticed answered", palette.DIM))
    shown = sorted(sorted(responses, key=_followed_last)[:most])
    for response in shown:
        step, role = _step_and_role(response.start + 1, response.role)
        yield line(step, role, _delay(response.noticed), _delay(response.complemented))
    if len(shown) < len(responses):
        yield line((f"{len(responses) - len(shown)} more, which were followed sooner", palette.DIM))


def _followed_last(response: SwitchResponse) -> tuple[int, int]:
    """Returns by what switches are ordered, those first that were noticed and complemented last."""
    never = response.end - response.start + 1
    noticed = never if response.noticed is None else response.noticed
    complemented = never if response.complemented is None else response.complemented
    return -noticed, -complemented


def _delay(steps: int | None) -> tuple[str, str]:
    """Returns after how many steps a switch was followed, right-aligned, and the colour of that."""
    if steps is None:
        return f"{'never':>7} ", palette.WARN
    if steps == 0:
        return f"{'at once':>7} ", palette.TEXT
    return f"{steps:>7} ", palette.TEXT


def _counted(number: int, noun: str) -> str:
    """Returns a number with its noun, in the plural unless there is one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def declaration_lines(trace: Trace) -> Iterator[Content]:
    """Yields what people noted that they do, and whether it was believed; nothing where nothing was noted."""
    declared = declarations(trace)
    if not declared:
        return
    believer = "your partner" if trace.config.belief_config is not None else "the observer"
    yield line("")
    yield line((f"did {believer} believe what you noted?", f"bold {palette.TEXT}"))
    yield line(("  step   work           of all steps", palette.DIM))
    for declaration in declared:
        step, role = _step_and_role(declaration.start, declaration.role)
        share = declaration.believed / declaration.steps
        yield line(step, role, (f"{share:>8.0%} of {declaration.steps} steps", palette.TEXT))
    yield line("")


def _step_and_role(start: int, role: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the step of a switch or a declaration, and its role, as the beginning of a line."""
    step_part = (f"{start:>6}   ", palette.DIM)
    role_part = (f"{names.role_does(role, to_you=True):14}", palette.ROLE_COLOURS[role])
    return step_part, role_part


REPLAN_SIGNS = {"replan": CHANGED_SIGN, "kept plan": KEPT_SIGN}


def highlight_line(highlight: Highlight, named: CookNames, *, own: bool) -> str:
    """Returns the number of a step that is worth a look, and what happened in it."""
    text = highlight_text(highlight, named, own=own)
    sign = REPLAN_SIGNS.get(highlight.kind)
    if sign is not None:
        text = f"{sign} {text}"
    return f"{highlight.step:>5}  {text}"


# The measures that are shown until all are asked for; the first is the observer's where the ego has no belief.
SUMMARY_MEASURES = ("belief_accuracy", "gap_rate", "comp_at_3", "duplicate_rate", "replans")
OBSERVERS = "skill_accuracy"
MORE = "TAB, then ↓: more, enter: all"  # below how it went
LESS = "enter: less"
NOTHING_STANDS_OUT = "nothing stands out: go to the start"
MEASURE_CELLS = 33  # cells of a measure's label
TEXT_CELLS = 45  # cells of a line beside the steps that are worth a look


def measure_lines(trace: Trace, *, whole: bool = False, explained: bool = True) -> Iterator[Content]:
    """Yields the measures of a game that has a step, each with what it means.

    Args:
        trace: the game.
        whole: whether all measures that have a value are shown.
        explained: whether what they mean is said.
    """
    values = measure(trace)
    for name in _measures_shown(values, whole=whole):
        label = f"{measure_label(name):{MEASURE_CELLS}}"
        value = value_text(values[name], name)
        yield line((label, palette.DIM), (value, f"bold {palette.TEXT}"))
        if explained:
            for text in wrap(measure_meaning(name), TEXT_CELLS - 2):
                yield line((f"  {text}", palette.DIM))


def _measures_shown(values: MeasureValues, *, whole: bool) -> Sequence[str]:
    if whole:
        return [name for name, value in values.items() if value is not None]
    if values[SUMMARY_MEASURES[0]] is None:
        return (OBSERVERS, *SUMMARY_MEASURES[1:])
    return SUMMARY_MEASURES


class DebriefScreen(BaseScreen[None]):
    """Sums up a game that is over.

    Args:
        source: the game.
        best: the best scores so far.
        again: whether the same can be played again.
        opening: what is said first; "" for nothing.
    """

    SITUATION = "after playing"
    ESCAPE_LEADS_OUT = True
    IS_RETURNED_TO = True

    BINDINGS = bindings(DEBRIEF_KEYS)
    AUTO_FOCUS = "#highlights"
    FILE_ACTIONS = ("export", "copy")

    def __init__(self, source: PlaybackSource, best: BestScores, *, again: bool, opening: str = "") -> None:
        super().__init__()
        self._source = source
        self._again = again
        self._opening = opening
        self._whole = False  # whether all switches and measures are shown
        self.trace = with_inferred_skills(source.trace)
        self._reading = partner_reading(self.trace) if self.trace.ticks else None
        self._highlights = highlights(self.trace)
        self._cooks = cook_names(self.trace.config.agents)
        self._declared = tuple(declaration_lines(self.trace))
        self._timeline = Timeline()
        self._standing = ScoreStanding(source.trace, best)
        self._worth: dict[int, str] = {}  # by step; "" where nothing is known
        self._background: BackgroundTask[int | None] = BackgroundTask(self.call_later)

    def compose(self) -> ComposeResult:
        config = self.trace.config
        labels = ", ".join(config.labels)
        masthead = line(
            (" bba-tui ", f"bold {palette.GOOD}"),
            (f" {config.layout.name} with {labels}", f"bold {palette.TEXT}"),
        )
        yield Static(masthead, id="masthead")
        with Horizontal(id="body"):
            summary = ExplainedLines(self._summary())
            yield titled(
                VerticalScroll(Static(id="sentences", markup=False), Static(id="standing"), summary, id="went"),
                "how it went",
                MORE,
            )
            own = self._reading is not None and self._reading.own
            steps = [highlight_line(highlight, self._cooks, own=own) for highlight in self._highlights]
            if not steps:
                steps = [NOTHING_STANDS_OUT]
            keys = f"{key_of(self.app, 'travel')} go, {key_of(self.app, 'what_if')} what if"  # in 80 columns
            yield titled(
                Vertical(OptionList(*steps, id="highlights", markup=False), Static(id="worth"), id="look"),
                "steps worth a look",
                keys,
            )
        yield self._timeline
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self.call_after_refresh(self._timeline.show_snapshot, Snapshot(self.trace, len(self.trace.ticks)))
        self._show_standing()
        self._standing.play(self.call_later, self._show_standing)

    def _show_standing(self) -> None:
        self.query_one("#sentences", Static).update("\n".join(self._told()))
        lines = [*self._declared, *self._standing.lines()]
        file = self._source.file
        if file is not None:
            lines.append(line((f"recorded in {visible_line(file)}", palette.DIM)))
        lines.append(line(""))
        self.query_one("#standing", Static).update(Content("\n").join(lines))

    def _told(self) -> Iterator[str]:
        """Yields how the ego read its partner, in sentences, then an empty line."""
        if self._opening:
            yield self._opening
        if self._reading is None:
            return
        sentences = [*reading_sentences(self.trace, self._reading), dishes_sentence(self.trace, self._reading)]
        yield " ".join(sentence for sentence in sentences if sentence)
        if self._standing.reference is not None:
            yield worth_sentence(self.trace, self._standing.reference)
        yield ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "again":
            return self._again
        return super().check_action(action, parameters)

    @on(Timeline.StepRequested)
    def go(self, message: Timeline.StepRequested) -> None:
        self._request(message.step)

    @on(OptionList.OptionSelected)
    def action_travel(self, *, what_if: bool = False) -> None:
        """Goes to the chosen step; where the focus is on how the game went, shows all of that, or less."""
        if self.focused is self.query_one("#went") and not what_if:
            self._whole = not self._whole
            self.query_one(ExplainedLines).show_lines(self._summary())
            self.query_one("#went").border_subtitle = LESS if self._whole else MORE
            return
        number = self.query_one(OptionList).highlighted or 0
        step = self._highlights[number].step if self._highlights else 0
        self._request(step, what_if=what_if)

    def action_what_if(self) -> None:
        self.action_travel(what_if=True)

    def action_export(self) -> None:
        self.post_message(ExportRequested(self, Snapshot(self._source.trace, len(self.trace.ticks))))

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The command that shows the game again."""
        return (("command of this game", self._source.command),)

    def action_again(self) -> None:
        self.post_message(NavigationRequested(self, "again"))

    @on(OptionList.OptionHighlighted)
    def show_worth(self) -> None:
        """Says what it would have been worth to know the partner's rule from the chosen step on, once that is known.

        It is found out in the background, where the rollout planner need not be compiled for it.
        """
        number = self.query_one(OptionList).highlighted
        if number is None or not self._highlights:
            return
        step = self._highlights[number].step
        text = self._worth.get(step, "")
        worth = self.query_one("#worth", Static)
        worth.update(text)
        worth.display = bool(text)
        if step not in self._worth and not self._background.busy and futures_are_compiled():
            self._background.begin(
                lambda: worth_of_knowing(self._source.trace, step, "rule", SeatSpec()),
                lambda points: self._keep_worth(step, points),
                lambda _: self._keep_worth(step, None),
            )

    def _keep_worth(self, step: int, points: int | None) -> None:
        if points is None:
            text = ""
        else:
            text = worth_text("rule", points)
            if self.trace.config.agents[EGO] == HUMAN:
                text += " to a planner in your place"
        self._worth[step] = text
        self.show_worth()

    def _request(self, step: int, *, what_if: bool = False) -> None:
        source = PlaybackSource(lambda: TracePlayback(self.trace), file=self._source.file, command=self._source.command)
        self.post_message(ReviewRequested(self, source, step, what_if))

    def _summary(self) -> Iterator[Content]:
        if self._reading is None:
            yield line(("no step was played", palette.DIM))
            return
        reading = self._reading
        believer = self._cooks.believer(own=reading.own)
        yield from switch_lines(reading.responses, self._cooks, believer, None if self._whole else FEW)
        yield line("")
        yield from measure_lines(self.trace, whole=self._whole)
