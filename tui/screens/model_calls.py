"""What the model was asked and what it answered, word for word; or what the rollout planner weighed in its place."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from bba.analysis import CallLog, Logged, Question, Snapshot, captions, names, unsent_prompt
from bba.planner import PLAN, Comparison, LLMCall, Prompts
from bba.play.trace import EGO, PARTNER
from bba.terminal_text import visible
from human.keymap import MODEL_CALL_KEYS, SEARCH_KEYS
from tui.style import ComposeResult, Layer, bindings
from tui.widgets import COOK_NAMES, Content, Part, line, money, palette, weighed

MESSAGE_COLOURS = {"system": palette.DIM, "user": palette.WARN, "assistant": palette.GOOD}
WEIGHED = 60  # cells of the table of skills
UNSENT = "not sent: a language model would have been asked this, after its earlier turns"
CHANGED = {"+": palette.GOOD, "-": palette.BAD, "@": palette.DIM}  # colours of lines, by their first character


def heading(logged: Question, planner: str) -> Content:
    """Returns a line on a call: its step, planner, result, attempts and cost; of a comparison the first three."""
    if isinstance(logged.asked, Comparison):
        return _title(logged.step, planner, names.skill(logged.asked.chosen))
    call, usage = logged.asked, logged.asked.usage
    result = "late" if call.late else names.skill(call.skill) if call.kind == PLAN else call.kind
    parts: list[Part] = [
        _title(logged.step, planner, result),
        (f"  {call.attempts} attempt{'s' * (call.attempts != 1)}", palette.WARN if call.attempts > 1 else palette.DIM),
    ]
    if usage is not None:
        spent = (
            f"  {usage.prompt_tokens} + {usage.completion_tokens} tokens, {usage.seconds:.1f} s, cost {money(usage)}"
        )
        parts.append((spent, palette.DIM))
    if call.problem is not None:
        parts.append((f"\nunusable: {visible(call.problem)}", palette.BAD))
    return line(*parts)


def _title(step: int, planner: str, result: str) -> Content:
    return line(
        (f"step {step}", f"bold {palette.TEXT}"), (f"  {planner}  ", palette.DIM), (result, f"bold {palette.GOOD}")
    )


def messages(call: LLMCall) -> Iterable[Content]:
    """Yields all messages as they were sent, then the answer, each under its role."""
    sent = [(message["role"], message["content"]) for message in call.messages]
    for role, text in (*sent, ("assistant", call.response)):
        yield line((f"\n── {role} ", f"bold {MESSAGE_COLOURS.get(role, palette.TEXT)}"))
        yield Content(visible(text)) if text else line(("no answer", palette.BAD))


def difference(question: str, before: str) -> Iterator[Content]:
    """Yields what differs from another question, a line each: - only there, + only here, and what stands around."""
    lines = difflib.unified_diff(visible(before).splitlines(), visible(question).splitlines(), lineterm="", n=1)
    for text in list(lines)[2:]:  # without the names of files
        yield line((text, CHANGED.get(text[:1], palette.TEXT)))


FOUND, HERE = f"{palette.BACKGROUND} on {palette.DIM}", f"bold {palette.BACKGROUND} on {palette.WARN}"  # of matches
ROWS_ABOVE = 2  # rows that stay visible above the place that is scrolled to


class ModelCallsScreen(Layer[None]):
    """Lies over the game: one question with all its messages, at first the last one up to the shown step.

    It opens at the answer. Of the rollout planner it shows what it weighed, and what a language model would have been
    sent at that step.

    Args:
        snapshot: the step that is shown below; the partner's questions are shown only if the truth is.
        prompts: a folder of prompt templates, for what would have been sent; None for those that ship.
    """

    BINDINGS = bindings((*SEARCH_KEYS, *MODEL_CALL_KEYS))
    AUTO_FOCUS = "#exchange"

    def __init__(self, snapshot: Snapshot, prompts: Path | None = None) -> None:
        super().__init__()
        self._snapshot, self._prompts = snapshot, prompts
        seats = (EGO, PARTNER) if snapshot.truth else (EGO,)
        self._logs = {seat: CallLog(snapshot.trace, seat) for seat in seats}
        for call_log in self._logs.values():
            call_log.extend()
        self._seat = next((seat for seat, call_log in self._logs.items() if call_log.questions), EGO)
        self._place = self._last()
        self._text, self._answer = Content(""), 0  # what is shown, and where in it the answer begins
        self._differs = False  # whether the difference to the question before is shown
        self._matches: list[int] = []  # where the words that are searched for stand
        self._match = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="questions"):
            yield VerticalScroll(Static(id="call"), Static(id="messages"), id="exchange")
            yield Input(placeholder="search; enter goes to the next one", id="search")

    def on_mount(self) -> None:
        self.query_one("#search").display = False
        self._show()

    @property
    def call(self) -> Question | None:
        """The question that is shown; None where none was asked up to the shown step."""
        questions = self._logs[self._seat].questions
        return questions[self._place] if 0 <= self._place < len(questions) else None

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        searching = isinstance(self.focused, Input)  # the keys are those of the words then
        return searching == (action == "leave_search") and super().check_action(action, parameters)

    def action_turn(self, by: int) -> None:
        """Shows a later question or an earlier one, if there is one; the game may have gone on meanwhile."""
        call_log = self._logs[self._seat]
        call_log.extend()
        if 0 <= self._place + by < len(call_log.questions):
            self._place += by
            self._show()

    def action_other_cook(self) -> None:
        other = 1 - self._seat
        if other in self._logs and self._logs[other].questions:
            self._seat = other
            self._place = self._last()
            self._show()

    def action_difference(self) -> None:
        self._differs = not self._differs
        if self._differs and self._before() is None:
            self._differs = False
            self.notify("there is no question to a language model before this one", markup=False)
        self._show()

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The answer, and everything that is shown; of a comparison, all of it either way."""
        call, everything = self.call, self._text.plain
        answer = visible(call.asked.response) if call and isinstance(call.asked, LLMCall) else everything
        return ("answer", answer), ("text that is shown", everything)

    # --- search ------------------------------------------------------------------------------------------------
    def action_search(self) -> None:
        search = self.query_one("#search", Input)
        search.display = True
        self.set_focus(search)  # before the next key

    def action_leave_search(self) -> None:
        search = self.query_one("#search", Input)
        search.value, search.display = "", False
        self.query_one("#exchange").focus()

    @on(Input.Changed, "#search")
    @on(Input.Submitted, "#search")
    def search(self, event: Input.Changed | Input.Submitted) -> None:
        """Marks what is searched for, whatever its case; goes to the first one, and with enter to the next."""
        words = re.escape(event.value)
        self._matches = [found.start() for found in re.finditer(words, self._text.plain, re.I)] if words else []
        self._match = (self._match + 1) % max(1, len(self._matches)) if isinstance(event, Input.Submitted) else 0
        text = self._text
        for number, start in enumerate(self._matches):
            text = text.stylize(HERE if number == self._match else FOUND, start, start + len(event.value))
        self.query_one("#messages", Static).update(text)
        at = f"{self._match + 1} of {len(self._matches)}" if self._matches else "nothing found"
        self.query_one("#exchange").border_subtitle = f"{at}   enter: next   esc: end the search"
        if self._matches:
            self._show_place(self._matches[self._match])

    # --- what is shown -----------------------------------------------------------------------------------------
    def _last(self) -> int:
        """Returns the place of the last question up to the shown step; -1 where there was none."""
        return self._logs[self._seat].questions.until(self._snapshot.step) - 1

    def _before(self) -> Logged[LLMCall] | None:
        """Returns the question to a language model before the one that is shown; None if that is no such question."""
        log, shown = self._logs[self._seat], self.call
        if shown is None or not isinstance(shown.asked, LLMCall):
            return None
        earlier = log.calls.until(shown.step - 1) + self._place - log.questions.until(shown.step - 1)
        return log.calls[earlier - 1] if earlier else None

    def _show(self) -> None:
        box, call = self.query_one("#exchange"), self.call
        box.border_title = Content(f"asked of {COOK_NAMES[self._seat]}")
        asked = len(self._logs[self._seat].questions)
        box.border_subtitle = Content(f"{self._place + 1} of {asked}   ←→ others   / search   y copy   d diff   esc")
        planner = self._snapshot.config.seats[self._seat].planner
        nothing = line(("no planner has been asked up to here", palette.DIM))
        self.query_one("#call", Static).update(heading(call, planner or "") if call else nothing)
        parts = list(self._parts(call)) if call else []
        self._text = Content("\n").join(parts)
        # The answer is the last message and its heading; of a comparison, everything from the top.
        self._answer = len(Content("\n").join(parts[:-2]).plain) + 1 if call and isinstance(call.asked, LLMCall) else 0
        self.query_one("#messages", Static).update(self._text)
        self.call_after_refresh(self._show_place, 0 if self._differs else self._answer)

    def _parts(self, question: Question) -> Iterable[Content]:
        before, asked = self._before(), question.asked
        if isinstance(asked, LLMCall):
            if self._differs and before is not None:
                yield line((f"\n── changed since step {before.step} ", f"bold {palette.WARN}"))
                yield from difference(asked.question, before.asked.question)
                yield from list(messages(asked))[-2:]
            else:
                yield from messages(asked)
        else:
            # The decision in a sentence and what was weighed, then the messages that a model would have been sent.
            yield line((captions(asked)[0], f"italic {palette.TEXT}"))
            yield line(("\n── weighed ", f"bold {MESSAGE_COLOURS['assistant']}"))
            yield from weighed(question.step, asked, WEIGHED)
            prompts = Prompts.load(self._prompts)
            for message in unsent_prompt(self._snapshot.trace, question.step, self._seat, prompts):
                role = message["role"]
                yield line((f"\n── {role} ", f"bold {MESSAGE_COLOURS[role]}"), (UNSENT, palette.DIM))
                yield Content(visible(message["content"]))

    def _show_place(self, place: int) -> None:
        """Scrolls to a place in the text, given in characters; 0 is the very top."""
        box, shown = self.query_one("#exchange"), self.query_one("#messages", Static)
        width = shown.content_size.width
        above = self._text[:place].get_height({}, width) if place and width else 0
        row = shown.virtual_region.y + above - ROWS_ABOVE if place else 0
        box.scroll_to(y=max(0, row), animate=False, immediate=True)
