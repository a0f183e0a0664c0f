"""What the model was asked and what it answered, word for word; or what the rollout planner weighed in its place."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from bba import palette
from bba.analysis import CallLog, LoggedCall, PlannerQuestion, Snapshot, captions, names, unsent_prompt
from bba.planner import PLAN, Comparison, LLMCall, Prompts
from bba.play.trace import EGO, PARTNER
from bba.terminal_text import visible
from human.keymap import MODEL_CALL_KEYS, SEARCH_KEYS
from tui.style import Layer, bindings
from tui.widgets import COOK_NAMES, Part, cooks_on, line, money, weighed

MESSAGE_COLOURS = {"system": palette.DIM, "user": palette.WARN, "assistant": palette.GOOD}
WEIGHED = 60  # cells of the table of skills
UNSENT = "not sent: a language model would have been asked this, after its earlier turns"
CHANGED = {"+": palette.GOOD, "-": palette.BAD, "@": palette.DIM}  # colours of lines, by their first character


def heading(logged: PlannerQuestion, planner: str) -> Content:
    """Returns a line on a call: its step, planner, result, attempts and cost; of a comparison the first three."""
    call = logged.call
    if isinstance(call, Comparison):
        return _title(logged.step, planner, names.skill(call.chosen))
    if call.attempts == 1:
        attempts = ("  1 attempt", palette.DIM)
    else:
        attempts = (f"  {call.attempts} attempts", palette.WARN)
    parts: list[Part] = [_title(logged.step, planner, _result(call)), attempts]
    usage = call.usage
    if usage is not None:
        tokens = f"{usage.prompt_tokens} + {usage.completion_tokens} tokens"
        parts.append((f"  {tokens}, {usage.seconds:.1f} s, cost {money(usage)}", palette.DIM))
    if call.problem is not None:
        parts.append((f"\nunusable: {visible(call.problem)}", palette.BAD))
    return line(*parts)


def _result(call: LLMCall) -> str:
    """Returns the skill that came of a call, or in a word what else did."""
    if call.late:
        return "late"
    if call.kind == PLAN:
        return names.skill(call.skill)
    return call.kind


def _title(step: int, planner: str, result: str) -> Content:
    return line(
        (f"step {step}", f"bold {palette.TEXT}"),
        (f"  {planner}  ", palette.DIM),
        (result, f"bold {palette.GOOD}"),
    )


def messages(call: LLMCall) -> Iterable[Content]:
    """Yields all messages as they were sent, then the answer, each under its role."""
    for message in call.messages:
        yield from _message(message["role"], message["content"])
    yield from _message("assistant", call.response)


def _message(role: str, text: str) -> Iterator[Content]:
    yield line((f"\n── {role} ", f"bold {MESSAGE_COLOURS.get(role, palette.TEXT)}"))
    if text:
        yield Content(visible(text))
    else:
        yield line(("no answer", palette.BAD))


def difference(question: str, earlier: str) -> Iterator[Content]:
    """Yields what differs from an earlier question, a line each: - only there, + only here, and what stands around."""
    earlier_lines = visible(earlier).splitlines()
    question_lines = visible(question).splitlines()
    changes = difflib.unified_diff(earlier_lines, question_lines, lineterm="", n=1)
    for text in list(changes)[2:]:  # without the names of files
        yield line((text, CHANGED.get(text[:1], palette.TEXT)))


MATCH = f"{palette.BACKGROUND} on {palette.DIM}"  # the style of a match
CURRENT_MATCH = f"bold {palette.BACKGROUND} on {palette.WARN}"  # of the match that the search has gone to
ROWS_ABOVE = 2  # rows that stay visible above the place that is scrolled to


class ModelCallsScreen(Layer[None]):
    """Lies over the game: one question with all its messages, at first the last one up to the shown step.

    It opens at the answer. Of the rollout planner it shows what it weighed, and what a language model would have been
    sent at that step.

    Args:
        snapshot: the step that is shown below; the partner's questions are shown only if the truth is.
        prompts: a folder of prompt templates, for what would have been sent; None for those that ship.
    """

    SITUATION = "over the questions"

    BINDINGS = bindings((*SEARCH_KEYS, *MODEL_CALL_KEYS))
    AUTO_FOCUS = "#exchange"

    def __init__(self, snapshot: Snapshot, prompts: Path | None = None) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._prompts = prompts
        seats = (EGO, PARTNER) if snapshot.truth else (EGO,)
        self._logs = {seat: CallLog(snapshot.trace, seat) for seat in seats}
        for call_log in self._logs.values():
            call_log.extend()
        self._seat = EGO
        if not self._logs[EGO].questions and PARTNER in self._logs and self._logs[PARTNER].questions:
            self._seat = PARTNER
        self._number = self._number_of_last()  # of the question that is shown, from 0
        self._text = Content("")  # what is shown
        self._answer = 0  # where in the text the answer begins
        self._differs = False  # whether the difference to the question before is shown
        self._matches: list[int] = []  # where in the text the search matches
        self._match = 0  # the number of the match that the search has gone to

    def compose(self) -> ComposeResult:
        with Vertical(id="questions"):
            yield VerticalScroll(Static(id="call"), Static(id="messages"), id="exchange")
            yield Input(placeholder="search; enter goes to the next one", id="search")

    def on_mount(self) -> None:
        self.query_one("#search").display = False
        self._show()

    @property
    def logged_call(self) -> PlannerQuestion | None:
        """The question that is shown; None where none was asked up to the shown step."""
        questions = self._logs[self._seat].questions
        if 0 <= self._number < len(questions):
            return questions[self._number]
        return None

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        searching = isinstance(self.focused, Input)  # then all other keys are typed
        if searching != (action == "leave_search"):
            return False
        return super().check_action(action, parameters)

    def action_turn(self, by: int) -> None:
        """Shows a later question or an earlier one, if there is one; the game may have gone on meanwhile."""
        call_log = self._logs[self._seat]
        call_log.extend()
        number = self._number + by
        if 0 <= number < len(call_log.questions):
            self._number = number
            self._show()

    def action_other_cook(self) -> None:
        seat = 1 - self._seat
        if seat in self._logs and self._logs[seat].questions:
            self._seat = seat
            self._number = self._number_of_last()
            self._show()

    def action_difference(self) -> None:
        self._differs = not self._differs
        if self._differs and self._earlier_call() is None:
            self._differs = False
            self.notify("there is no question to a language model before this one", markup=False)
        self._show()

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The answer, and everything that is shown; of a comparison, all of it either way."""
        text = self._text.plain
        call = self._llm_call
        answer = text if call is None else visible(call.response)
        return ("answer", answer), ("text that is shown", text)

    # --- search ------------------------------------------------------------------------------------------------
    def action_search(self) -> None:
        search = self.query_one("#search", Input)
        search.display = True
        self.set_focus(search)  # before the next key

    def action_leave_search(self) -> None:
        search = self.query_one("#search", Input)
        search.value = ""
        search.display = False
        self.query_one("#exchange").focus()

    @on(Input.Changed, "#search")
    @on(Input.Submitted, "#search")
    def search(self, event: Input.Changed | Input.Submitted) -> None:
        """Marks what is searched for, whatever its case; goes to the first one, and with enter to the next."""
        if event.value:
            matches = re.finditer(re.escape(event.value), self._text.plain, re.IGNORECASE)
            self._matches = [match.start() for match in matches]
        else:
            self._matches = []
        count = len(self._matches)
        if isinstance(event, Input.Submitted) and count > 0:
            self._match = (self._match + 1) % count
        else:
            self._match = 0
        text = self._text
        for number, start in enumerate(self._matches):
            style = CURRENT_MATCH if number == self._match else MATCH
            text = text.stylize(style, start, start + len(event.value))
        self.query_one("#messages", Static).update(text)
        position = f"{self._match + 1} of {count}" if count > 0 else "nothing found"
        self.query_one("#exchange").border_subtitle = f"{position}   enter: next   esc: end the search"
        if count > 0:
            self._go_to(self._matches[self._match])

    # --- what is shown -----------------------------------------------------------------------------------------
    def _number_of_last(self) -> int:
        """Returns the number of the last question up to the shown step; -1 where there was none."""
        return self._logs[self._seat].questions.until(self._snapshot.step) - 1

    @property
    def _llm_call(self) -> LLMCall | None:
        """The call of a language model that is shown; None where there is none, or a comparison."""
        question = self.logged_call
        if question is None or not isinstance(question.call, LLMCall):
            return None
        return question.call

    def _earlier_call(self) -> LoggedCall[LLMCall] | None:
        """Returns the call of a language model before the one that is shown; None if there is no such pair."""
        question = self.logged_call
        if question is None or self._llm_call is None:
            return None
        call_log = self._logs[self._seat]
        earlier_in_step = self._number - call_log.questions.until(question.step - 1)
        earlier_calls = call_log.calls.until(question.step - 1) + earlier_in_step
        return call_log.calls[earlier_calls - 1] if earlier_calls else None

    def _show(self) -> None:
        question = self.logged_call
        count = len(self._logs[self._seat].questions)
        box = self.query_one("#exchange")
        box.border_title = Content(f"asked of {COOK_NAMES[self._seat]}")
        box.border_subtitle = Content(f"{self._number + 1} of {count}   ←→ others   / search   y copy   d diff   esc")
        if question is None:
            parts: list[Content] = []
            title = line(("no planner has been asked up to here", palette.DIM))
        else:
            parts = list(self._parts(question))
            title = heading(question, self._snapshot.config.seats[self._seat].planner or "")
        self.query_one("#call", Static).update(title)
        self._text = Content("\n").join(parts)
        self._answer = 0  # of a comparison, everything from the top
        if self._llm_call is not None:
            text_above = Content("\n").join(parts[:-2])  # the answer is the last message and its heading
            self._answer = len(text_above.plain) + 1
        self.query_one("#messages", Static).update(self._text)
        self.call_after_refresh(self._go_to, 0 if self._differs else self._answer)

    def _parts(self, question: PlannerQuestion) -> Iterable[Content]:
        """Yields the messages of a question and its answer, or what differs from the question before it."""
        call = question.call
        if isinstance(call, Comparison):
            yield from self._comparison(question.step, call)
            return
        earlier = self._earlier_call()
        if self._differs and earlier is not None:
            yield line((f"\n── changed since step {earlier.step} ", f"bold {palette.WARN}"))
            yield from difference(call.question, earlier.call.question)
            yield from _message("assistant", call.response)
        else:
            yield from messages(call)

    def _comparison(self, step: int, comparison: Comparison) -> Iterable[Content]:
        """Yields the decision in a sentence, what was weighed, and what a language model would have been sent."""
        cooks = cooks_on(self, self._snapshot.config)
        yield line((captions(comparison, cooks)[0], f"italic {palette.TEXT}"))
        yield line(("\n── weighed ", f"bold {MESSAGE_COLOURS['assistant']}"))
        yield from weighed(step, comparison, WEIGHED)
        prompts = Prompts.load(self._prompts)
        for message in unsent_prompt(self._snapshot.trace, step, self._seat, prompts):
            role = message["role"]
            yield line((f"\n── {role} ", f"bold {MESSAGE_COLOURS[role]}"), (UNSENT, palette.DIM))
            yield Content(visible(message["content"]))

    def _go_to(self, position: int) -> None:
        """Scrolls to a position in the text, given in characters; 0 is the very top."""
        box = self.query_one("#exchange")
        row = 0
        if position > 0:
            text = self.query_one("#messages", Static)
            width = text.content_size.width
            rows_before = self._text[:position].get_height({}, width) if width else 0
            row = max(0, text.virtual_region.y + rows_before - ROWS_ABOVE)
        box.scroll_to(y=row, animate=False, immediate=True)
