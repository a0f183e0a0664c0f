"""What the model was asked and what it answered, word for word; or what the rollout planner weighed in its place."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bba import palette
from bba.analysis import names
from bba.analysis.call_log import CallLog, LoggedCall, LoggedComparison, Question
from bba.analysis.captions import captions
from bba.analysis.snapshot import Snapshot
from bba.analysis.unsent_prompt import unsent_prompt
from bba.planner import Message, Prompts
from bba.planner.chat import PLAN
from bba.play.trace import EGO, PARTNER
from human.keymap import MODEL_CALL_KEYS
from tui.style.base_app import bindings
from tui.widgets.cooks import NAMES
from tui.widgets.panel import Part, line
from tui.widgets.weighed import weighed

ROLE_COLOURS = {"system": palette.DIM, "user": palette.WARN, "assistant": palette.GOOD}

WEIGHED = 60  # cells of the table of skills
UNSENT = "not sent: a language model would have been asked this, after its earlier turns"


class ModelCallsScreen(ModalScreen[None]):
    """Lies over the game: one question with all its messages, at first the last one up to the shown step.

    Of the rollout planner it shows what it weighed, and what a language model would have been sent at that step.

    Args:
        snapshot: the step that is shown below; the partner's questions are shown only if the truth is.
        prompts: a folder of prompt templates, for what would have been sent; None for those that ship.
    """

    BINDINGS = bindings(MODEL_CALL_KEYS)

    def __init__(self, snapshot: Snapshot, prompts: Path | None = None) -> None:
        super().__init__()
        self._snapshot, self._prompts = snapshot, prompts
        seats = (EGO, PARTNER) if snapshot.truth else (EGO,)
        self._logs = {seat: CallLog(snapshot.trace, seat) for seat in seats}
        for call_log in self._logs.values():
            call_log.extend()
        self._seat = next((seat for seat, call_log in self._logs.items() if call_log.questions), EGO)
        self._place = self._last()

    def compose(self) -> ComposeResult:
        yield VerticalScroll(Static(id="call"), Static(id="messages"), id="exchange")

    def on_mount(self) -> None:
        self._show()

    @property
    def call(self) -> Question | None:
        """The question that is shown; None where none was asked up to the shown step."""
        questions = self._logs[self._seat].questions
        return questions[self._place] if 0 <= self._place < len(questions) else None

    # --- keys --------------------------------------------------------------------------------------------------
    def action_turn(self, by: int) -> None:
        """Shows a later question or an earlier one, if there is one; the game may have gone on meanwhile."""
        call_log = self._logs[self._seat]
        call_log.extend()
        if 0 <= self._place + by < len(call_log.questions):
            self._place += by
            self._show()

    def action_other_cook(self) -> None:
        """Shows what the other cook's model was last asked, if it has one."""
        other = 1 - self._seat
        if other in self._logs and self._logs[other].questions:
            self._seat = other
            self._place = self._last()
            self._show()

    def action_close(self) -> None:
        self.dismiss()

    # --- what is shown -----------------------------------------------------------------------------------------
    def _last(self) -> int:
        """Returns the place of the last question up to the shown step; -1 where there was none."""
        return self._logs[self._seat].questions_until(self._snapshot.step) - 1

    def _show(self) -> None:
        box, call = self.query_one("#exchange"), self.call
        box.border_title = Content(f"asked of {NAMES[self._seat]}")
        asked = len(self._logs[self._seat].questions)
        box.border_subtitle = Content(f"{self._place + 1} of {asked}   ←→ others   tab: other cook   esc closes")
        planner = self._snapshot.config.seats[self._seat].planner
        nothing = line(("no planner has been asked up to here", palette.DIM))
        self.query_one("#call", Static).update(heading(call, planner or "") if call else nothing)
        self.query_one("#messages", Static).update(Content("\n").join(self._messages(call)) if call else "")
        box.scroll_home(animate=False)

    def _messages(self, question: Question) -> Iterable[Content]:
        if isinstance(question, LoggedCall):
            return messages(question)
        unsent = unsent_prompt(self._snapshot.trace, question.step, self._seat, Prompts.load(self._prompts))
        return comparison_text(question, unsent)


def heading(logged: Question, planner: str) -> Content:
    """Returns a line on a call: its step, planner, result, attempts and cost; of a comparison the first three."""
    if isinstance(logged, LoggedComparison):
        return _title(logged.step, planner, names.skill(logged.comparison.chosen))
    call, usage = logged.call, logged.call.usage
    result = "late" if call.late else names.skill(call.skill) if call.kind == PLAN else call.kind
    parts: list[Part] = [
        _title(logged.step, planner, result),
        (f"  {call.attempts} attempt{'s' * (call.attempts != 1)}", palette.WARN if call.attempts > 1 else palette.DIM),
    ]
    if usage is not None:
        spent = f"  {usage.prompt_tokens} + {usage.completion_tokens} tokens, {usage.seconds:.1f} s"
        parts.append((spent, palette.DIM))
    if call.problem is not None:
        parts.append((f"\nunusable: {visible(call.problem)}", palette.BAD))
    return line(*parts)


def _title(step: int, planner: str, result: str) -> Content:
    return line(
        (f"step {step}", f"bold {palette.TEXT}"), (f"  {planner}  ", palette.DIM), (result, f"bold {palette.GOOD}")
    )


def comparison_text(logged: LoggedComparison, unsent: Iterable[Message]) -> Iterator[Content]:
    """Yields the decision in a sentence and what was weighed, then the messages that a model would have been sent."""
    yield line((captions(logged.comparison)[0], f"italic {palette.TEXT}"))
    yield line(("\n── weighed ", f"bold {ROLE_COLOURS['assistant']}"))
    yield from weighed(logged, WEIGHED)
    for message in unsent:
        role = message["role"]
        yield line((f"\n── {role} ", f"bold {ROLE_COLOURS[role]}"), (UNSENT, palette.DIM))
        yield Content(visible(message["content"]))


def messages(logged: LoggedCall) -> Iterable[Content]:
    """Yields all messages as they were sent, then the answer, each under its role."""
    sent = [(message["role"], message["content"]) for message in logged.call.messages]
    for role, text in (*sent, ("assistant", logged.call.response)):
        yield line((f"\n── {role} ", f"bold {ROLE_COLOURS.get(role, palette.TEXT)}"))
        yield Content(visible(text)) if text else line(("no answer", palette.BAD))


def visible(text: str) -> str:
    """Returns a text with its control characters written out, because a terminal would obey them."""
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text.expandtabs())
