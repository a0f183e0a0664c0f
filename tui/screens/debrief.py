"""The screen on a game that is over: measures, how each switch was followed, what people said, steps worth a look."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
    Highlight,
    Snapshot,
    declarations,
    highlight_text,
    highlights,
    measure,
    names,
    pursued_steps,
    switch_responses,
    with_inferred_skills,
)
from bba.analysis.comparison import worth_text
from bba.bench.formatting import measure_label, value_text
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


class CookNames(NamedTuple):
    """How the debrief names the cooks.

    Attributes:
        partner: player 1, whose switches are reported.
        ego: player 0.
        ego_possessive: the ego as the owner of the action that followed a switch.
    """

    partner: str
    ego: str
    ego_possessive: str


# How the cooks are named where one of them is a person, by the seat of that person.
ONE_PERSON = (CookNames("your partner", "you", "yours"), CookNames("you", "your partner", "your partner's"))
NO_PERSON = CookNames("cook 2", "cook 1", "cook 1's")  # nor where both are people


def cook_names(agents: tuple[str, str]) -> CookNames:
    """Returns how the cooks are named to the people among them, given the names of the agents."""
    if agents.count(HUMAN) != 1:
        return NO_PERSON
    return ONE_PERSON[agents.index(HUMAN)]


def switch_lines(trace: Trace, named: CookNames) -> Iterator[Content]:
    """Yields how often the partner turned to other work, then how belief and action followed each time."""
    responses = switch_responses(pursued_steps(trace))
    times = _counted(len(responses), "time")
    yield line((f"{named.partner} turned to other work {times}", f"bold {palette.TEXT}"))
    if responses:
        yield line(("belief: steps until an observer saw it", palette.DIM))
        yield line((f"action: {named.ego_possessive}", palette.DIM))
        yield line(("  step   role           belief  action", palette.DIM))
    for response in responses:
        step, role = _step_and_role(response.start + 1, response.role)
        yield line(step, role, _delay(response.noticed), _delay(response.complemented))


def _delay(steps: int | None) -> tuple[str, str]:
    """Returns after how many steps a switch was followed, right-aligned, and the colour of that."""
    if steps is None:
        return f"{'never':>7} ", palette.WARN
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
    yield line(("  step   role           believed", palette.DIM))
    for declaration in declared:
        step, role = _step_and_role(declaration.start, declaration.role)
        share = declaration.believed / declaration.steps
        yield line(step, role, (f"{share:>8.0%} of {declaration.steps} steps", palette.TEXT))
    yield line("")


def _step_and_role(start: int, role: int) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the step of a switch or a declaration, and its role, as the beginning of a line."""
    step_part = (f"{start:>6}   ", palette.DIM)
    role_part = (f"{names.role(role):14}", palette.ROLE_COLOURS[role])
    return step_part, role_part


REPLAN_SIGNS = {"replan": CHANGED_SIGN, "kept plan": KEPT_SIGN}


def highlight_line(highlight: Highlight, named: CookNames) -> str:
    """Returns the number of a step that is worth a look, and what happened in it."""
    text = highlight_text(highlight, named.partner, named.ego)
    sign = REPLAN_SIGNS.get(highlight.kind)
    if sign is not None:
        text = f"{sign} {text}"
    return f"{highlight.step:>5}  {text}"


# The measures that are shown, in order.
SUMMARY_MEASURES = ("skill_accuracy", "gap_rate", "comp_at_3", "duplicate_rate", "waiting", "replans")
NOTHING_STANDS_OUT = "nothing stands out: go to the start"
MEASURE_CELLS = 22  # cells of a measure's label


def measure_lines(trace: Trace) -> Iterator[Content]:
    """Yields a line for each measure of a game that has a step."""
    values = measure(trace)
    for name in SUMMARY_MEASURES:
        label = f"{measure_label(name):{MEASURE_CELLS}}"
        value = value_text(values[name], name)
        yield line((label, palette.DIM), (value, palette.TEXT))


class DebriefScreen(BaseScreen[None]):
    """Sums up a game that is over.

    Args:
        source: the game.
        best: the best scores so far.
        again: whether the same can be played again.
    """

    SITUATION = "after playing"
    ESCAPE_LEADS_OUT = True
    IS_RETURNED_TO = True

    BINDINGS = bindings(DEBRIEF_KEYS)
    AUTO_FOCUS = "#highlights"
    FILE_ACTIONS = ("export", "copy")

    def __init__(self, source: PlaybackSource, best: BestScores, *, again: bool) -> None:
        super().__init__()
        self._source = source
        self._again = again
        self.trace = with_inferred_skills(source.trace)
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
                VerticalScroll(Static(id="standing"), summary, id="went"),
                "how it went",
                "TAB, then ↓: more",
            )
            steps = [highlight_line(highlight, self._cooks) for highlight in self._highlights]
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
        lines = [*self._standing.lines(), *self._declared]
        file = self._source.file
        if file is not None:
            lines.append(line((f"recorded in {visible_line(file)}", palette.DIM)))
        lines.append(line(""))
        self.query_one("#standing", Static).update(Content("\n").join(lines))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "again":
            return self._again
        return super().check_action(action, parameters)

    @on(Timeline.StepRequested)
    def go(self, message: Timeline.StepRequested) -> None:
        self._request(message.step)

    @on(OptionList.OptionSelected)
    def action_travel(self, *, what_if: bool = False) -> None:
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
        if not self.trace.ticks:
            yield line(("no step was played", palette.DIM))
            return
        yield from switch_lines(self.trace, self._cooks)
        yield line("")
        yield from measure_lines(self.trace)
