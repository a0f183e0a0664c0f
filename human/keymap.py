"""Every key in one table: what the terminal binds, the footer names and the help explains.

Keys are written as the character that they type, or by name: ``space``, ``left``, ``escape``, ``f1``, ``ctrl+c``.
"""

from typing import NamedTuple


class Key(NamedTuple):
    """One thing that keys can do.

    Attributes:
        action: its name in the program.
        keys: the keys that do it, the one to show first.
        label: a word or two for the footer; "" keeps it out of there.
        description: one line for the help.
    """

    action: str
    keys: tuple[str, ...]
    label: str
    description: str


APP_KEYS = (
    Key("help", ("?", "f1"), "help", "what the keys do and what the panels show"),
    Key("quit", ("q", "ctrl+c"), "quit", "leave"),
)

WATCH_KEYS = (
    Key("pause", ("space",), "pause", "pause, go on"),
    Key("step", (".", "right"), "step", "play one step (and pause)"),
    Key("faster", ("+", "="), "faster", "more steps a second, up to 50"),
    Key("slower", ("-", "_"), "slower", "fewer steps a second, down to 1"),
    Key("restart", ("r",), "restart", "begin this game again"),
    Key("truth", ("t",), "truth", "show or hide what the partner really does"),
)
