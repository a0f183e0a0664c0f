"""The table of all keys: the terminal binds it, footer and help show it, and users change it in a table ``[keys]``.

The file `keymap.csv` has a row for each key of each table:

    table        the screen or the situation that has it, as in `TABLES`
    name         the name that users write in `[keys]` of their file
    keys         the keys that run it, with spaces between; the first one is shown
    label        a word or two for the footer; without one the key is not in the footer
    description  one line for the help
    action       the action as the program calls it, where that is not the name

Keys are written as the character that they type, or by name: ``space``, ``left``, ``escape``, ``f1``, ``ctrl+c``.
"""

import csv
import string
import unicodedata
from collections.abc import Container, Iterable, Mapping
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from bba.errors import BBAError, instead
from bba.kitchen import constants
from bba.language import say


class Key(NamedTuple):
    """An action and its keys.

    Attributes:
        action: the action as the program calls it, such as "hand(0, 'north')".
        keys: the keys that run it; the first one is shown.
        label: a word or two for the footer; "" leaves it out of the footer.
        description: one line for the help.
        alias: the name that users write in `[keys]`, where the action itself is not a plain name.
    """

    action: str
    keys: tuple[str, ...]
    label: str
    description: str
    alias: str = ""

    @property
    def name(self) -> str:
        """The name that users write in `[keys]`: one word."""
        return self.alias or self.action


KeyTable = tuple[Key, ...]  # the keys that a screen or a situation has, in the order of the help
FILE = Path(__file__).with_name("keymap.csv")


def _read_tables() -> dict[str, KeyTable]:
    """Returns the tables of the file by name; a row that has only a name stands for the row of this name above it."""
    entries: dict[str, Key] = {}
    tables: dict[str, KeyTable] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name = row["name"]
            if row["keys"]:
                entries[name] = _key(row)
            tables[row["table"]] = (*tables.get(row["table"], ()), entries[name])
    return tables


def _key(row: Mapping[str, str]) -> Key:
    name = row["name"]
    keys = tuple(row["keys"].split())
    if row["action"]:
        return Key(row["action"], keys, row["label"], row["description"], alias=name)
    return Key(name, keys, row["label"], row["description"])


TABLES = _read_tables()

# On every screen.
APP_KEYS = TABLES["app"]
# Everywhere but where the kitchen is drawn, which undoes by this key, and in a study.
SHELL_KEYS = TABLES["shell"]
# On every screen that shows a game.
TRAVEL_KEYS = TABLES["travel"]
# While a game is watched, beside those of travel.
WATCH_KEYS = TRAVEL_KEYS + TABLES["watch"]
# In the question what if; each plays on with a change at once.
WHAT_IF_KEYS = TABLES["what_if"]
# On the comparison of a game and its fork.
COMPARISON_KEYS = TABLES["comparison"]
# In one of two games that is watched alone.
FORK_KEYS = TABLES["fork"]
# In a duel; what if is asked of the marked game.
DUEL_KEYS = TABLES["duel"]
# While the cursor is on, these take precedence over other actions on the same keys.
CURSOR_KEYS = TABLES["cursor"]
# While parameters are tuned, these take precedence over other actions on the same keys.
TUNING_KEYS = TABLES["tuning"]
# On the screen of model calls.
MODEL_CALL_KEYS = TABLES["model_calls"]
# While words are typed there.
SEARCH_KEYS = TABLES["search"]
# In a dialog.
DIALOG_KEYS = TABLES["dialog"]
# In a question with two answers, too.
ANSWER_KEYS = TABLES["answer"]
# In a dialog with fields, too.
FORM_KEYS = TABLES["form"]
# In the settings.
SETTINGS_KEYS = TABLES["settings"]
# In the editor of keys.
KEY_EDITOR_KEYS = TABLES["key_editor"]
# In the help.
HELP_KEYS = TABLES["help"]
# On the tour.
TOUR_KEYS = TABLES["tour"]
# On the start screen.
START_KEYS = TABLES["start"]
# In a list to choose from, of the start screen or a dialog.
CHOICE_KEYS = TABLES["choice"]
# On the kitchen designer.
DESIGN_KEYS = TABLES["design"]
# On the results screen, in the table.
TABLE_KEYS = TABLES["table"]
# On the results screen, next to the table.
RESULTS_KEYS = TABLES["results"]
# In a table of results.
CELL_KEYS = TABLES["cell"]
# Among the pairs of two cells.
PAIR_KEYS = TABLES["pair"]
# On the lists of recorded games and of folders with results.
BROWSER_KEYS = TABLES["browser"]
# On the list of recorded games, too.
RECORDING_KEYS = TABLES["recording"]
# On the list of folders with results, too.
BENCHMARK_KEYS = TABLES["benchmark"]
# In the field that filters a table.
FILTER_KEYS = TABLES["filter"]
# On the screens that the start screen leads to.
MENU_KEYS = TABLES["menu"]
# Where there is a screen before, in the place of the menu.
BACK_KEYS = TABLES["back"]
# While a field takes the letters. These cannot be changed, and are in no situation.
TYPING_KEYS = TABLES["typing"]
# A person's keys. One person has both hands' keys; of two, the first has these.
LEFT_HAND = TABLES["left_hand"]
# Of two people, the second has these.
RIGHT_HAND = TABLES["right_hand"]
# In a game that a person plays.
PLAY_KEYS = TABLES["play"]
# After a game.
DEBRIEF_KEYS = TABLES["debrief"]
# In the debrief of a recorded game, which is not played again.
PAST_DEBRIEF_KEYS = TABLES["past_debrief"]
# In a study.
STUDY_KEYS = TABLES["study"]
# In the tutorial of a study.
PRACTICE_KEYS = TABLES["practice"]

INTERACT_DESCRIPTION = LEFT_HAND[-1].description

# In each of these situations a key must have one meaning. The table "typing" is in none: its keys cannot be changed.
SITUATION_TABLES = {
    "while watching": "travel watch menu app",
    "while looking back": "travel watch back app",
    "while the cursor is on": "cursor app",
    "in what if": "what_if form choice dialog app",
    "beside a fork": "travel comparison app",
    "in a duel": "travel duel menu app",
    "in a fork": "travel watch fork app",
    "while tuning": "tuning app",
    "over the questions": "model_calls app",
    "while searching": "search",
    "in a question": "dialog answer app",
    "in a dialog": "form choice dialog app",
    "in the settings": "settings choice dialog app",
    "while changing keys": "key_editor app",
    "in the help": "help app",
    "on the tour": "tour app",
    "while playing": "left_hand right_hand play app",
    "in the lesson": "left_hand right_hand lesson practice app",
    "in the lesson's second part": "left_hand right_hand lesson app",
    "in a study": "left_hand right_hand play practice study",
    "after playing": "debrief menu app",
    "in a debrief": "past_debrief back app",
    "in a list of files": "table results browser benchmark menu app",
    "among recordings": "table results browser recording menu app",
    "among results": "table results cell menu app",
    "among tables and games of a result": "table results cell back app",
    "among pairs of games": "table results pair back app",
    "while filtering": "filter",
    "while drawing a kitchen": "design app",
    "on the start screen": "start choice app",
    "in a terminal": "shell",
}


def _situation(names: str) -> KeyTable:
    return tuple(chain.from_iterable(TABLES[name] for name in names.split()))


SITUATIONS = {situation: _situation(names) for situation, names in SITUATION_TABLES.items()}

Keymap = Mapping[str, tuple[str, ...]]  # name of an action -> its keys

ENTRIES = {entry.name: entry for entry in chain.from_iterable(SITUATIONS.values())}
DEFAULT: Keymap = {name: entry.keys for name, entry in ENTRIES.items()}


# The primitive actions of LEFT_HAND and RIGHT_HAND, in their order.
HAND_ACTIONS = (constants.NORTH, constants.SOUTH, constants.EAST, constants.WEST, constants.INTERACT)

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
MOVES = ("left", "right", "up", "down", "home", "end", "pageup", "pagedown", "insert", "delete")
NAMED_KEYS = ("space", "enter", "tab", "escape", "backspace", "comma", "shift+tab")
FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))
# Control with h, i, j or m reaches a program as backspace, tab, line feed or enter.
CHORDS = tuple(f"ctrl+{letter}" for letter in string.ascii_lowercase if letter not in "hijm")
MODIFIERS = ("shift", "ctrl", "ctrl+shift")
SHIFTED_KEYS = tuple(f"{modifier}+{move}" for modifier, move in product(MODIFIERS, MOVES))
KEY_NAMES = frozenset(NAMED_KEYS + FUNCTION_KEYS + MOVES + CHORDS + SHIFTED_KEYS)
SPELT_KEYS = {",": "comma", " ": "space"}  # characters that the table of keys has by name
ALLOWED = "one character, or such as space, left, shift+left, f2, ctrl+s"


KEYS_IN_VAIN = 3  # keys in a row that do nothing, after which it is said which ones walk

# What other layouts have on the letter keys of a Latin keyboard, row by row from the left.
# Where two layouts of a script differ in a letter, both lie here; an unused place is a space.
LATIN_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
OTHER_ROWS = (
    ("йцукенгшщз", "фывапролд", "ячсмить"),  # Russian
    ("йцукенгшщз", "фівапролд", "ячсмить"),  # Ukrainian, Belarusian
    (" ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"),  # Greek
    (" 'קראטוןםפ", "שדגכעיחלך", "זסבהנמצ"),  # Hebrew
    ("ضصثقفغعهخح", "شسيبلاتنم", "ئءؤر ىة"),  # Arabic
    ("ضصثقفغعهخح", "شسیبلاتنم", "ظطزرذدئ"),  # Persian
    ("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ", "ㅁㄴㅇㄹㅎㅗㅓㅏㅣ", "ㅋㅌㅊㅍㅠㅜㅡ"),  # Korean
)


def _letters_on_same_key() -> dict[str, str]:
    """Returns the Latin letter of each key, by the letter that another layout has on it."""
    latin_letters: dict[str, str] = {}
    for rows in OTHER_ROWS:
        for row, latin_row in zip(rows, LATIN_ROWS, strict=True):
            latin_letters |= zip(row, latin_row, strict=True)
    del latin_letters[" "]
    return latin_letters


SAME_KEY = _letters_on_same_key()


def on_latin_keyboard(key: str) -> str:
    """Returns the letter that a Latin keyboard has where another layout has this one; any other key as it is."""
    if len(key) != 1 or (key.isascii() and key not in SAME_KEY):
        return key
    wide = unicodedata.normalize("NFKC", key)  # letters as wide as a Chinese character, as input methods type them
    small = wide.lower()
    latin = SAME_KEY.get(key.lower()) or SAME_KEY.get(small, small)
    return latin.upper() if wide.isupper() else latin


def meant(key: str, walking: Container[str], commands: Container[str]) -> str:
    """Returns the key that is meant by one, whatever the layout of the keyboard, and while walking whatever the case.

    A key that walks comes first, then what the key means itself: T is not t.

    Args:
        key: the key, as it was typed.
        walking: the keys that walk; empty where nobody does.
        commands: the keys that mean something else.
    """
    latin = on_latin_keyboard(key)
    small = latin.lower() if len(latin) == 1 else latin
    for candidate in (key, latin, small):
        if candidate in walking:
            return candidate
    for candidate in (key, latin):
        if candidate in commands:
            return candidate
    if walking and small in commands:
        return small
    return key


def walking_keys(keymap: Keymap) -> str:
    """Returns in a line which keys walk."""
    right_hand = " ".join(directions(RIGHT_HAND, keymap))
    left_hand = " ".join(directions(LEFT_HAND, keymap))
    return say("these keys walk: {keys}", keys=f"{right_hand}; {left_hand}")


def directions(hand: KeyTable, keymap: Keymap) -> list[str]:
    """Returns the first key of each direction of a hand, as people read it."""
    entries = hand[: len(HAND_ACTIONS) - 1]  # the last action works with what is in front
    keys = [keymap[entry.name][0] for entry in entries]
    return [ARROWS.get(key, key) for key in keys]


def remapped(table: object, file: str) -> Keymap:
    """Returns the keys of all actions, with the changes of the table.

    Args:
        table: action names, each with a key (str) or a list of keys.
        file: its name, for messages.

    Raises:
        BBAError: the table has another shape, an action or a key is unknown, or a key would have two meanings.
    """
    if not isinstance(table, Mapping):
        raise BBAError(f'{file}: keys: got {table!r}; it should be a table, as [keys] with pause = "x" below')
    changes = {str(name): _keys(name, value, file) for name, value in table.items()}
    keymap = {**DEFAULT, **changes}
    problem = clash(keymap)
    if problem:
        raise BBAError(f"{file}: keys: {problem}")
    return keymap


def clash(keymap: Keymap) -> str:
    """Returns which key would run two actions in a situation, the first that there is; "" for none."""
    for situation, entries in SITUATIONS.items():
        actions: dict[str, str] = {}
        for entry in entries:
            for key in keymap[entry.name]:
                action = actions.setdefault(key, entry.name)
                if action != entry.name:
                    return f"{key} would be both {action} and {entry.name} {situation}; a key does one thing"
    return ""


def changed_keys(keymap: Keymap) -> Keymap:
    """Returns the actions whose keys are not the usual ones, with their keys, as a table `[keys]` has them."""
    return {name: keys for name, keys in keymap.items() if keys != DEFAULT[name]}


def with_keys(entries: Iterable[Key], keymap: Keymap) -> tuple[Key, ...]:
    """Returns the entries with their keys in this key map."""
    return tuple(entry._replace(keys=keymap.get(entry.name, entry.keys)) for entry in entries)


def movement_keys(people: tuple[int, ...], keymap: Keymap) -> dict[str, tuple[int, int]]:
    """Returns the seat and the primitive action of each movement key; one person alone has both hands' keys."""
    movements: dict[str, tuple[int, int]] = {}
    for hand, seat in ((LEFT_HAND, people[0]), (RIGHT_HAND, people[-1])):
        for entry, action in zip(hand, HAND_ACTIONS, strict=True):
            for key in keymap[entry.name]:
                movements[key] = (seat, action)
    return movements


def _keys(name: object, value: object, file: str) -> tuple[str, ...]:
    """Returns the keys of an action, as the table of keys spells them, from what a user has written."""
    if name not in DEFAULT:
        raise BBAError(f"{file}: keys: {name}: no such action; {instead(str(name), DEFAULT)}; --list names all")
    keys: list[Any] = value if isinstance(value, list) and value else [value]
    for key in keys:
        if not is_key(key):
            raise BBAError(f"{file}: keys: {name}: got {key!r}; a key is {ALLOWED}")
    spelt = [SPELT_KEYS.get(key, key) for key in keys]
    return tuple(dict.fromkeys(spelt))


def is_key(key: object) -> bool:
    """Whether this is the name of a key, as the table spells it."""
    if not isinstance(key, str):
        return False
    return key in KEY_NAMES or (len(key) == 1 and key.isprintable())
