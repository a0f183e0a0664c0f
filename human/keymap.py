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
    Key("pause", ("space",), "pause", "pause, go on; in the past: play up to the newest step"),
    Key("step_back", ("left", "comma"), "earlier", "one step back into the past"),
    Key("step", ("right", "."), "step", "one step forward; at the newest, play one"),
    Key("leap_back", ("shift+left", "["), "", "20 steps back"),
    Key("leap", ("shift+right", "]"), "", "20 steps forward"),
    Key("first", ("home",), "", "to the start"),
    Key("newest", ("end",), "", "to the newest step"),
    Key("next_replan", ("n",), "", "to the next replan"),
    Key("previous_replan", ("N",), "", "to the replan before"),
    Key("next_contradiction", ("c",), "", "to the next contradiction"),
    Key("previous_contradiction", ("C",), "", "to the contradiction before"),
    Key("next_delivery", ("d",), "", "to the next delivery"),
    Key("previous_delivery", ("D",), "", "to the delivery before"),
    Key("zoom_in", ("z",), "", "fewer steps on the timeline, in more detail"),
    Key("zoom_out", ("Z",), "", "more steps on the timeline, in the end all"),
    Key("faster", ("+", "="), "faster", "more steps a second, up to 50"),
    Key("slower", ("-", "_"), "", "fewer steps a second, down to 1"),
    Key("restart", ("r",), "", "begin this game again"),
    Key("truth", ("t",), "truth", "show or hide what the partner really does"),
)

START_KEYS = (
    Key("start", ("enter",), "start", "play the game that is chosen"),
    Key("replay", ("o",), "open a recording", "watch a recorded game"),
    Key("app.focus_next", ("down",), "", "the next field"),
    Key("app.focus_previous", ("up",), "", "the field before"),
)

CHOICE_KEYS = (
    Key("show_overlay", ("space",), "choose", "show what there is to choose from"),
    Key("change(1)", ("right",), "", "choose the next one"),
    Key("change(-1)", ("left",), "", "choose the one before"),
)

# Keys of the app that count on some screens only.
BACK_KEYS = (Key("to_start", ("escape",), "menu", "back to the start screen"),)
TYPING_KEYS = (Key("leave", ("ctrl+c", "ctrl+q"), "", "leave while a field takes the letters"),)
