"""What is typed in plain mode, keys that act at once or lines, and what is said: no sign that moves a cursor."""

import os
import re
import select
import sys
import termios
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from bba.errors import BBAError

READ = 4096  # bytes at most that are read at once
END = (b"", b"\x04")  # the end of what is typed: of a file, and Ctrl+D where each key counts at once
# What terminals send, as a line would have it.
SPELT = {"\x1b[A": "w", "\x1b[B": "s", "\x1b[C": "d", "\x1b[D": "a", "\r": "\n"}
QUESTIONS = {  # how a line begins: the action that it asks for
    "where am i": "stand",
    "where": "seek",
    "what can i do": "skills",
    "what does it believe": "mind",
    "why": "why",
    "help": "help",
}
BEFORE = re.compile(r"^(?:(?:is|are|the|a|an|my)\s+)*")  # words before what is looked for
WITH_WORDS = ("seek", "skills")  # actions after which words may follow


def say(*texts: str) -> None:
    """Prints sentences at once; what a terminal would obey, as in a model's answer, is left out."""
    for text in texts:
        shown = "".join(char for char in text if char.isprintable())
        sys.stdout.write(f"{shown[:1].upper()}{shown[1:]}{'' if shown.endswith(('.', '?', '!', ':')) else '.'}\n")
    sys.stdout.flush()


def say_recorded(path: Path) -> None:
    """Prints where a game is recorded."""
    sys.stdout.write(f"recorded in {path}\n")
    sys.stdout.flush()


class Typing:
    """Reads what is typed: a key at a time where `single`, else a line at a time.

    Args:
        stream: where it is typed; None for nowhere.
        single: whether each key counts at once, without Enter, but for those in `worded`; for a terminal alone.
    """

    worded: Collection[str] = ()

    def __init__(self, stream: TextIO | None, *, single: bool = False) -> None:
        self.ended, self._single, self._waiting = stream is None, single, ""
        self._descriptor = -1 if stream is None else stream.fileno()

    def read(self, timeout: float | None = None) -> str | None:
        """Returns the next line or key, Enter alone as ""; None at the end, or if none comes in `timeout` seconds."""
        while True:
            at_once = self._single and self._waiting[:1] not in ("", *self.worded)
            size = 1 if at_once else self._waiting.find("\n") + 1
            if size:
                taken, self._waiting = self._waiting[:size], self._waiting[size:]
                if at_once and taken != "\n":
                    sys.stdout.write("\n")  # the terminal has shown the key
                return "u" if taken == " " else taken.rstrip("\n")
            if self.ended:
                time.sleep(timeout or 0.0)
                return None
            if not select.select([self._descriptor], [], [], timeout)[0]:
                return None
            self._take()

    def _take(self) -> None:
        data = os.read(self._descriptor, READ)
        self.ended = data in END
        self._waiting += "\n" * bool(self._waiting) if self.ended else data.decode(errors="replace")
        for sent, key in SPELT.items() if self._single else ():
            self._waiting = self._waiting.replace(sent, key)


@contextmanager
def typing() -> Iterator[Typing]:
    """Reads standard input in the block: key by key on a terminal that can do so, else line by line."""
    stream = sys.stdin
    if stream is None or not stream.isatty() or os.environ.get("TERM") in (None, "", "dumb"):
        yield Typing(stream)
        return
    before = termios.tcgetattr(stream)
    termios.tcsetattr(stream, termios.TCSANOW, [*before[:3], before[3] & ~termios.ICANON, *before[4:]])
    try:
        yield Typing(stream, single=True)
    finally:
        termios.tcsetattr(stream, termios.TCSANOW, before)


def understood(typed: str, letters: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the actions that a line or key asks for, in order, each with the words that follow it.

    Args:
        typed: what was typed.
        letters: the action of each key.

    Raises:
        BBAError: it is neither a question nor made of keys; then nothing of it counts.
    """
    text = typed.strip().lower()
    asked = next((start for start in QUESTIONS if text.startswith(start)), None)
    if asked is not None:
        return [(QUESTIONS[asked], BEFORE.sub("", text.removeprefix(asked).strip(" ?")))]
    first, _, rest = text.partition(" ")
    if letters.get(first) in WITH_WORDS:
        return [(letters[first], rest.strip())]
    keys = typed.replace(" ", "")
    wrong = next((key for key in keys if key not in letters), None)
    if wrong is not None:
        shown = wrong if wrong.isprintable() else "a control key"
        raise BBAError(f"{shown}: no such key, and nothing was done; ? lists the keys")
    return [(letters[key], "") for key in keys]
