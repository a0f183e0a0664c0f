"""The text on a question: its heading, its messages word for word, what was weighed, what differs from another one."""

import difflib
from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.call_log import LoggedCall, LoggedComparison, Question
from bba.analysis.captions import captions
from bba.planner import Message
from bba.planner.chat import PLAN
from tui.widgets.model_words import money
from tui.widgets.panel import Part, line
from tui.widgets.weighed import weighed

ROLE_COLOURS = {"system": palette.DIM, "user": palette.WARN, "assistant": palette.GOOD}
WEIGHED = 60  # cells of the table of skills
UNSENT = "not sent: a language model would have been asked this, after its earlier turns"
CHANGED = {"+": palette.GOOD, "-": palette.BAD, "@": palette.DIM}  # colours of lines, by their first character


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


def difference(question: str, before: str) -> Iterator[Content]:
    """Yields what differs from another question, a line each: - only there, + only here, and what stands around."""
    lines = difflib.unified_diff(visible(before).splitlines(), visible(question).splitlines(), lineterm="", n=1)
    for text in list(lines)[2:]:  # without the names of files
        yield line((text, CHANGED.get(text[:1], palette.TEXT)))
