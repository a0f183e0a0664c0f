"""The table of all keys: the terminal binds it, footer and help show it, and users change it in a table ``[keys]``.

Keys are written as the character that they type, or by name: ``space``, ``left``, ``escape``, ``f1``, ``ctrl+c``.
"""

import string
import unicodedata
from collections.abc import Container, Iterable, Mapping
from itertools import chain, product
from typing import Any, NamedTuple

from bba.errors import BBAError, instead
from bba.kitchen import constants
from bba.language import marked, say


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


def _by_name(keys: Iterable[Key], *names: str) -> tuple[Key, ...]:
    """Returns the keys of these names, in the order of the table."""
    return tuple(key for key in keys if key.name in names)


HELP_DESCRIPTION = "help: keys, kitchen, panels; or at once words and symbols"
APP_KEYS = (
    Key("help", ("?", "f1"), "help", HELP_DESCRIPTION),
    Key("help(3)", ("f3",), "", HELP_DESCRIPTION, "words"),
    Key("quit", ("q", "ctrl+c", "ctrl+q"), "quit", "close what lies on top; end a game of your own; leave"),
    Key("command_palette", ("ctrl+p",), "find", "find a key or a theme by name, a step by number", "find"),
    Key("next_theme", ("T",), "", "dark, light or high contrast"),
)
# Everywhere but where the kitchen is drawn, which undoes by this key, and in a study.
SHELL_KEYS = (
    Key("suspend_process", ("ctrl+z",), "", "back to the shell, whose fg brings the program back", "suspend"),
)

# On every screen that shows a game.
TRAVEL_KEYS = (
    Key("pause", ("p", "space"), "pause", "pause, go on; in the past: play up to the newest step"),
    Key("travel(-1)", ("left", "comma"), "earlier", "one step back into the past", "step_back"),
    Key("step", ("right", "."), "step", "one step forward; at the newest, play one"),
    Key("travel(-20)", ("shift+left", "["), "", "20 steps back", "leap_back"),
    Key("travel(20)", ("shift+right", "]"), "", "20 steps forward", "leap"),
    Key("first", ("home",), "", "to the start"),
    Key("newest", ("end",), "", "to the newest step"),
    Key("jump('replan', True)", ("n",), "replan", "to the next replan", "next_replan"),
    Key("jump('replan', False)", ("N",), "", "to the replan before", "previous_replan"),
    Key("jump('contradiction', True)", ("c",), "", "to the next contradiction", "next_contradiction"),
    Key("jump('contradiction', False)", ("C",), "", "to the contradiction before", "previous_contradiction"),
    Key("jump('delivery', True)", ("d",), "", "to the next delivery", "next_delivery"),
    Key("jump('delivery', False)", ("D",), "", "to the delivery before", "previous_delivery"),
    Key(
        "jump('gap', True)",
        ("g",),
        "",
        "to the next gap: the partner's role is known, but not complemented",
        "next_gap",
    ),
    Key("jump('gap', False)", ("G",), "", "to the gap before", "previous_gap"),
    Key("zoom(True)", ("z",), "", "fewer steps on the timeline, in more detail", "zoom_in"),
    Key("zoom(False)", ("Z",), "", "more steps on the timeline, in the end all", "zoom_out"),
    Key("speed(True)", ("+", "="), "faster", "more steps a second, up to 50", "faster"),
    Key("speed(False)", ("-", "_"), "", "fewer steps a second, down to 1", "slower"),
    Key("restart", ("r",), "", "begin this game again"),
    Key("truth", ("t",), "truth", "show or hide what the partner really does"),
    Key("plan", ("P",), "plan", "show or hide the way that each cook means to go"),
    Key("copy(0)", ("y",), "", "copy the command that shows this game again", "copy_command"),
    Key("copy(1)", ("Y",), "", "copy the caption", "copy_caption"),
)

WATCH_KEYS = (
    *TRAVEL_KEYS,
    Key("what_if", ("w",), "what if", "play on from here otherwise, and see both futures side by side"),
    Key("debrief", ("s",), "debrief", "how the game went, once it is over: measures, and steps worth a look"),
    Key("export", ("e",), "", "write the game so far to a file: a film, a table, a picture of the screen"),
    Key("ghost", ("f",), "", "show or hide where the ego goes in the likeliest future, by the rollout planner"),
    Key("cursor", ("i",), "", "a cursor on the board that names tiles, on or off"),
    Key("asked", ("a",), "", "what the planner was asked and answered, word for word, or what it weighed"),
    Key("tune", ("u",), "", "change the parameters of belief and gate while the game runs"),
    Key("other_gate", ("o",), "", "the lamps of the other gate: the first one, or the commitment gate"),
    Key("planner", ("m",), "", "the planner's panel, or a policy's, or neither"),
    Key("bookmark", ("B",), "", "a bookmark with a note at this step: set it, change it, delete it"),
    Key("bookmarked(True)", ("}",), "", "to the next bookmark", "next_bookmark"),
    Key("bookmarked(False)", ("{",), "", "to the bookmark before", "previous_bookmark"),
    Key("tour", ("f2",), "", "a short tour of this screen"),
)

# In the question what if.
WHAT_IF_CHANGES = (
    "no gate interrupts the ego",
    "the ego replans here",
    "the ego has no belief",
    "the ego has another planner",
    "the two cooks are swapped",
    "the partner turns to prep protein",
    "the partner turns to prep rice",
    "the partner turns to plate hygiene",
    "the partner turns to assemble",
    "the partner turns to serve",
)
WHAT_IF_DIGITS = "1234567890"


def _what_if_key(preset: int) -> Key:
    """Returns the key that plays on with one of the changes, from 0, at once."""
    description = f"play on otherwise at once: {WHAT_IF_CHANGES[preset]}"
    return Key(f"preset({preset})", (WHAT_IF_DIGITS[preset],), "", description, f"what_if_{preset + 1}")


WHAT_IF_KEYS = tuple(_what_if_key(preset) for preset in range(len(WHAT_IF_CHANGES)))

# On the comparison of a game and its fork.
COMPARISON_KEYS = (
    Key("back", ("b", "escape"), "back", "from a fork back to the original game, at the step where it was left"),
    Key("keep", ("k",), "alone", "watch the fork alone, and keep it among the recordings"),
    Key(
        "difference(True)",
        ("v",),
        "differs",
        "play on to the next step in which the two games differ",
        "next_difference",
    ),
    Key("difference(False)", ("V",), "", "to the step before in which the two games differ", "previous_difference"),
)

# In one of two games that is watched alone.
FORK_KEYS = (Key("back", ("b", "k", "escape"), "both games", "back to both games side by side", "both_games"),)

# In a duel; what if is asked of the marked game.
DUEL_KEYS = (
    Key("other_side", ("tab",), "other", "mark the other game; on a small terminal, show it"),
    *COMPARISON_KEYS[2:],
    *_by_name(WATCH_KEYS, "what_if", "export"),
    Key("alone", ("k",), "alone", "watch the marked game alone, with all its panels"),
)

# While the cursor is on, these take precedence over other actions on the same keys.
CURSOR_KEYS = (
    Key("point(-1, 0)", ("left",), "", "the cursor one tile to the left", "cursor_left"),
    Key("point(1, 0)", ("right",), "", "the cursor one tile to the right", "cursor_right"),
    Key("point(0, -1)", ("up",), "", "the cursor one tile up", "cursor_up"),
    Key("point(0, 1)", ("down",), "", "the cursor one tile down", "cursor_down"),
    Key("leave_cursor", ("escape",), "", "hide the cursor"),
)

# While parameters are tuned, these take precedence over other actions on the same keys.
TUNING_KEYS = (
    Key("tune_choose(-1)", ("up",), "", "tuning: the parameter above", "parameter_above"),
    Key("tune_choose(1)", ("down",), "", "tuning: the parameter below", "parameter_below"),
    Key("tune_change(-1)", ("left",), "", "tuning: less", "less"),
    Key("tune_change(1)", ("right",), "", "tuning: more", "more"),
    Key("tune_change(-10)", ("shift+left",), "", "tuning: much less", "much_less"),
    Key("tune_change(10)", ("shift+right",), "", "tuning: much more", "much_more"),
    Key("tune_reset", ("backspace",), "", "tuning: the parameter's default"),
    Key("leave_tuning", ("escape",), "", "close the tuning panel"),
)

# On the screen of model calls.
MODEL_CALL_KEYS = (
    Key("turn(-1)", ("left",), "before", "the question before", "previous_question"),
    Key("turn(1)", ("right",), "next", "the next question", "next_question"),
    Key("other_cook", ("tab",), "other", "what the other cook's planner was asked"),
    Key("search", ("/",), "search", "search in what is shown"),
    Key(
        "copy(0)",
        ("y",),
        "copy",
        "copy the answer to the clipboard, where the terminal allows it",
        "copy_answer",
    ),
    Key("copy(1)", ("Y",), "", "copy everything that is shown", "copy_all"),
    Key("difference", ("d",), "differs", "what differs from the question before, or the whole question again"),
    Key("dismiss", ("escape", "a"), "back", "back to the game", "close_questions"),
)
# While words are typed there.
SEARCH_KEYS = (Key("leave_search", ("escape",), "end", "end the search"),)

# In a dialog.
DIALOG_KEYS = (
    Key("app.focus_next", ("tab",), "next", "the next field or button; enter takes it", "next_in_dialog"),
    Key("dismiss(None)", ("escape",), "close", "close without doing anything", "close_dialog"),
)

# In a question with two answers, too.
ANSWER_KEYS = (
    Key("answer(True)", ("y",), "", "a question: yes", "yes"),
    Key("answer(False)", ("n",), "", "a question: no", "no"),
)

# In a dialog with fields, too.
FORM_KEYS = (
    Key("take", ("enter",), "go", "do what the fields say", "take_form"),
    Key("app.focus_next", ("down",), "", "the next field", "next_field"),
    Key("app.focus_previous", ("up",), "", "the field before", "previous_field"),
)

# In the help.
HELP_KEYS = (
    Key("turn(-1)", ("left",), "page before", "the page before", "previous_page"),
    Key("turn(1)", ("right", "tab"), "next page", "the next page; up and down scroll it", "next_page"),
    *_by_name(MODEL_CALL_KEYS, "search"),
    *_by_name(WATCH_KEYS, "tour"),
    Key("dismiss", ("escape",), "close", "close the help", "close_help"),
)

# On the tour.
TOUR_KEYS = (
    Key("turn(1)", ("space", "right", "enter"), "next", "the next stop", "next_stop"),
    Key("turn(-1)", ("left",), "before", "the stop before", "previous_stop"),
    Key("dismiss", ("escape",), "end", "end the tour", "end_tour"),
)

START_KEYS = (
    Key("start", ("enter",), "start", "open what is marked; in a field, start the game"),
    Key("watch", ("w",), "", "watch the game that is chosen"),
    Key("play", ("p",), "", "play it yourself, as cook 2 if no cook is human"),
    Key("duel", ("v",), "", "two egos in the same game: what a belief changes"),
    Key("learn", ("l",), "", "learn the game: make a burrito, then see an agent read you"),
    Key("replay", ("o",), "", "browse the recorded games"),
    Key("go_on", ("g",), "", "play the last game on from where it was left; watch one that is over"),
    Key("results", ("r",), "", "browse the stored results of benchmarks"),
    Key("design", ("d",), "", "draw a kitchen", "design_kitchen"),
    Key("more", ("s",), "settings", "planner, language model and steps of the game", "more_settings"),
    *FORM_KEYS[1:],
    Key("leave_field", ("escape",), "", "from a field back to the choices"),
)

CHOICE_KEYS = (
    Key("show_overlay", ("space",), "choose", "show what there is to choose from", "choose"),
    Key("change(1)", ("right",), "", "choose the next one", "next_choice"),
    Key("change(-1)", ("left",), "", "choose the one before", "previous_choice"),
)

# On the kitchen designer.
DESIGN_KEYS = (
    Key("draw(' ')", ("space",), "", "draw floor under the cursor", "draw_floor"),
    Key("draw('X')", ("x",), "", "a counter", "draw_counter"),
    Key("draw('M')", ("m",), "", "the box of meat", "draw_meat"),
    Key("draw('Z')", ("z",), "", "the box of mushrooms", "draw_mushrooms"),
    Key("draw('R')", ("r",), "", "the box of rice", "draw_rice"),
    Key("draw('T')", ("t",), "", "the box of tortillas", "draw_tortillas"),
    Key("draw('B')", ("b",), "", "a board", "draw_board"),
    Key("draw('G')", ("g",), "", "a grill", "draw_grill"),
    Key("draw('P')", ("p",), "", "a pot", "draw_pot"),
    Key("draw('W')", ("w",), "", "a sink", "draw_sink"),
    Key("draw('D')", ("d",), "", "the stack of dirty plates", "draw_plates"),
    Key("draw('S')", ("s",), "", "a serving window", "draw_window"),
    Key("draw('U')", ("u",), "", "the trash", "draw_trash"),
    Key("draw('1')", ("1",), "", "the start of the ego", "draw_ego"),
    Key("draw('2')", ("2",), "", "the start of the partner", "draw_partner"),
    Key("draw('pass')", ("c",), "", "mark a pass counter, between the two cooks' floors, or unmark it", "draw_pass"),
    Key("draw('extinguisher')", ("e",), "", "the counter with the extinguisher", "draw_extinguisher"),
    Key("draw_again", ("enter",), "", "draw what was drawn last once more"),
    Key("move(-1, 0)", ("left",), "", "the cursor one tile to the left", "design_left"),
    Key("move(1, 0)", ("right",), "", "the cursor one tile to the right", "design_right"),
    Key("move(0, -1)", ("up",), "", "the cursor one tile up", "design_up"),
    Key("move(0, 1)", ("down",), "", "the cursor one tile down", "design_down"),
    Key("move(-1, 0, True)", ("shift+left",), "", "draw a line to the left", "stroke_left"),
    Key("move(1, 0, True)", ("shift+right",), "", "draw a line to the right", "stroke_right"),
    Key("move(0, -1, True)", ("shift+up",), "", "draw a line up", "stroke_up"),
    Key("move(0, 1, True)", ("shift+down",), "", "draw a line down", "stroke_down"),
    Key("resize('with_column')", ("]", "ctrl+right"), "", "one more column, right of the cursor", "add_column"),
    Key("resize('without_column')", ("[", "ctrl+left"), "", "take the cursor's column out", "remove_column"),
    Key("resize('with_row')", ("}", "ctrl+down"), "", "one more row, below the cursor", "add_row"),
    Key("resize('without_row')", ("{", "ctrl+up"), "", "take the cursor's row out", "remove_row"),
    Key("travel(-1)", ("ctrl+z", "backspace"), "undo", "undo what was drawn last", "undo"),
    Key("travel(1)", ("ctrl+y",), "redo", "draw again what was undone", "redo"),
    Key("play_here", ("f5",), "play", "play in this kitchen, as the partner"),
    Key("watch_here", ("f6",), "watch", "watch two agents in this kitchen"),
    Key("save_kitchen", ("ctrl+s",), "save", "save the kitchen as a TOML file"),
    Key("open_kitchen", ("ctrl+o",), "open", "open the kitchen of another file"),
    Key("new_kitchen", ("ctrl+n",), "new", "begin with an empty room"),
    Key("scroll_findings(1)", ("pagedown",), "", "scroll what was found down", "findings_down"),
    Key("scroll_findings(-1)", ("pageup",), "", "scroll what was found up", "findings_up"),
    Key("leave_design", ("escape",), "menu", "to the start screen; asks if something is not saved"),
)

# On the results screen: in the table, next to it, and in the filter field.
TABLE_KEYS = (Key("select_cursor", ("enter",), "open", "to the episodes of a cell, or into the game", "look"),)
RESULTS_KEYS = (
    Key("sort", ("s",), "sort", "sort by the cursor's column; again, the other way"),
    Key("filter", ("/",), "filter", "show only the rows with certain words"),
    Key("copy(0)", ("y",), "", "copy the row, or the command that shows a recording", "copy_row"),
)
# In a table of results.
CELL_KEYS = (
    Key(
        "compare",
        ("c",),
        "compare",
        "mark a cell of a table; on a second one, here or in another folder: the difference over their pairs",
        "compare_cells",
    ),
)
# Among the pairs of two cells.
PAIR_KEYS = (
    Key("open(1)", ("2",), "second", "open the second game of a pair; enter opens the first one", "open_second"),
    Key("open(0, 1)", ("c",), "both", "show both games of a pair side by side", "compare_pair"),
)
# On the lists of recorded games and of folders with results.
BROWSER_KEYS = (
    Key(
        "delete",
        ("d", "delete"),
        "delete",
        "delete what is marked, or what the cursor is on; asks first",
        "delete_file",
    ),
    Key("mark", ("space",), "mark", "mark what the cursor is on, or no longer"),
    Key("undelete", ("u",), "undo", "bring back what was deleted since this list was opened"),
    Key("open_path", ("o",), "path", "open a file or folder that lies elsewhere, by its path"),
    Key("export", ("e",), "export", "a recording as a film or a table, results as a page with figures", "export_file"),
)
RECORDING_KEYS = (
    Key("rename", ("n",), "", "give a recording another name"),
    Key("compare", ("c",), "", "show two marked games side by side: the same kitchen, seed and partner"),
    Key("note", ("B",), "", "a note on a recording, which is its bookmark at the start: set it, change it, delete it"),
    Key("open_folder", ("f",), "", "open the folder of a recording, or say where it is"),
    Key("copy(1)", ("Y",), "", "copy the path of a recording", "copy_path"),
)
BENCHMARK_KEYS = (
    Key("begin", ("b",), "begin", "play a benchmark, or go on with one; says before what it costs", "begin_benchmark"),
    Key("stop", ("x",), "stop", "stop the benchmark that is under way; what is finished is kept", "stop_benchmark"),
)
FILTER_KEYS = (Key("leave_filter", ("escape",), "", "clear the filter, back to the table; enter keeps it"),)

# Keys of the app that work on some screens only.
MENU_KEYS = (Key("to_start", ("escape",), "menu", "to the start screen", "menu"),)
# Where there is a screen before, in the place of the menu.
BACK_KEYS = (Key("pop_screen", ("escape",), "back", "back to the screen before", "go_back"),)
TYPING_KEYS = (
    Key("leave", ("ctrl+c", "ctrl+q"), "", "leave while a field takes the letters"),
    Key("help_while_typing", ("f1",), "", "help while a field takes the letters"),
)

# A person's keys. One person has all of them; of two, the first has the left half, the second the right half.
INTERACT_DESCRIPTION = marked("take, put down, chop, wash, serve: whatever is in front")
LEFT_HAND = (
    Key("hand(0, 'north')", ("w",), "", marked("go north"), "north"),
    Key("hand(0, 'south')", ("s",), "", marked("go south"), "south"),
    Key("hand(0, 'east')", ("d",), "", marked("go east"), "east"),
    Key("hand(0, 'west')", ("a",), "", marked("go west"), "west"),
    Key("hand(0, 'interact')", ("space",), "use", INTERACT_DESCRIPTION, "interact"),
)
RIGHT_HAND = (
    Key("hand(-1, 'north')", ("up",), "", "go north", "second_north"),
    Key("hand(-1, 'south')", ("down",), "", "go south", "second_south"),
    Key("hand(-1, 'east')", ("right",), "", "go east", "second_east"),
    Key("hand(-1, 'west')", ("left",), "", "go west", "second_west"),
    Key("hand(-1, 'interact')", ("enter",), "", INTERACT_DESCRIPTION, "second_interact"),
)
DECLARE_DESCRIPTION = "note your role, from prep protein to stage pass"
PLAY_KEYS = (
    Key("stay", (".",), "", "turn by turn: let a step pass"),
    Key("pause", ("p",), "pause", "pause, go on", "pause_play"),
    Key("skills", ("k",), "skills", "skill mode: type a skill's number, and it runs by itself"),
    Key("hint", ("h",), "hint", "show or hide one useful next thing, and frame its tile"),
    Key("mind", ("m",), "mind", "show or hide what the agent believes"),
    Key("declare(0)", ("f5",), "", DECLARE_DESCRIPTION, "declare_protein"),
    Key("declare(1)", ("f6",), "", DECLARE_DESCRIPTION, "declare_rice"),
    Key("declare(2)", ("f7",), "", DECLARE_DESCRIPTION, "declare_plates"),
    Key("declare(3)", ("f8",), "", DECLARE_DESCRIPTION, "declare_assembly"),
    Key("declare(4)", ("f9",), "", DECLARE_DESCRIPTION, "declare_serving"),
    Key("declare(5)", ("f10",), "", DECLARE_DESCRIPTION, "declare_passing"),
    Key("surrender", ("escape",), "end", "end the game here; asks first"),
)
LESSON_KEYS = LEFT_HAND + RIGHT_HAND + _by_name(PLAY_KEYS, "pause_play", "surrender")
DEBRIEF_KEYS = (
    Key("travel", ("enter",), "go there", "to the chosen step of the game"),
    Key("again", ("r",), "again", "play the same kitchen once more"),
    *_by_name(WATCH_KEYS, "what_if", "export", "copy_command"),
)
# In the debrief of a recorded game, which is not played again.
PAST_DEBRIEF_KEYS = tuple(key for key in DEBRIEF_KEYS if key.action != "again")
# In a study.
STUDY_KEYS = (
    Key("leave_study", ("ctrl+c", "ctrl+q"), "leave", marked("leave the study; it goes on from there another time")),
    Key("contrast", ("f2",), "contrast", "colours of high contrast, or those of before"),
)
PRACTICE_KEYS = (Key("again", ("r",), "anew", marked("begin the tutorial anew"), "practise_again"),)

# In each of these situations a key must have one meaning. TYPING_KEYS are missing: they cannot be changed.
SITUATIONS = {
    "while watching": WATCH_KEYS + MENU_KEYS + APP_KEYS,
    "while looking back": WATCH_KEYS + BACK_KEYS + APP_KEYS,
    "while the cursor is on": CURSOR_KEYS + APP_KEYS,
    "in what if": WHAT_IF_KEYS + FORM_KEYS + CHOICE_KEYS + DIALOG_KEYS + APP_KEYS,
    "beside a fork": TRAVEL_KEYS + COMPARISON_KEYS + APP_KEYS,
    "in a duel": TRAVEL_KEYS + DUEL_KEYS + MENU_KEYS + APP_KEYS,
    "in a fork": WATCH_KEYS + FORK_KEYS + APP_KEYS,
    "while tuning": TUNING_KEYS + APP_KEYS,
    "over the questions": MODEL_CALL_KEYS + APP_KEYS,
    "while searching": SEARCH_KEYS,
    "in a question": DIALOG_KEYS + ANSWER_KEYS + APP_KEYS,
    "in a dialog": FORM_KEYS + CHOICE_KEYS + DIALOG_KEYS + APP_KEYS,
    "in the help": HELP_KEYS + APP_KEYS,
    "on the tour": TOUR_KEYS + APP_KEYS,
    "while playing": LEFT_HAND + RIGHT_HAND + PLAY_KEYS + APP_KEYS,
    "in the lesson": LESSON_KEYS + PRACTICE_KEYS + APP_KEYS,
    "in the lesson's second part": LESSON_KEYS + APP_KEYS,
    "in a study": LEFT_HAND + RIGHT_HAND + PLAY_KEYS + PRACTICE_KEYS + STUDY_KEYS,
    "after playing": DEBRIEF_KEYS + MENU_KEYS + APP_KEYS,
    "in a debrief": PAST_DEBRIEF_KEYS + BACK_KEYS + APP_KEYS,
    "in a list of files": TABLE_KEYS + RESULTS_KEYS + BROWSER_KEYS + BENCHMARK_KEYS + MENU_KEYS + APP_KEYS,
    "among recordings": TABLE_KEYS + RESULTS_KEYS + BROWSER_KEYS + RECORDING_KEYS + MENU_KEYS + APP_KEYS,
    "among results": TABLE_KEYS + RESULTS_KEYS + CELL_KEYS + MENU_KEYS + APP_KEYS,
    "among tables and games of a result": TABLE_KEYS + RESULTS_KEYS + CELL_KEYS + BACK_KEYS + APP_KEYS,
    "among pairs of games": TABLE_KEYS + RESULTS_KEYS + PAIR_KEYS + BACK_KEYS + APP_KEYS,
    "while filtering": FILTER_KEYS,
    "while drawing a kitchen": DESIGN_KEYS + APP_KEYS,
    "on the start screen": START_KEYS + CHOICE_KEYS + APP_KEYS,
    "in a terminal": SHELL_KEYS,
}

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
    right_hand = _directions(RIGHT_HAND, keymap)
    left_hand = _directions(LEFT_HAND, keymap)
    return say("these keys walk: {keys}", keys=f"{right_hand}; {left_hand}")


def _directions(hand: tuple[Key, ...], keymap: Keymap) -> str:
    """Returns the first key of each direction of a hand, with spaces between."""
    directions = hand[: len(HAND_ACTIONS) - 1]  # the last action works with what is in front
    keys = [keymap[entry.name][0] for entry in directions]
    return " ".join(ARROWS.get(key, key) for key in keys)


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
    for situation, entries in SITUATIONS.items():
        _check_one_meaning(situation, entries, keymap, file)
    return keymap


def _check_one_meaning(situation: str, entries: tuple[Key, ...], keymap: Keymap, file: str) -> None:
    """Raises BBAError if a key would run two actions in a situation."""
    actions: dict[str, str] = {}
    for entry in entries:
        for key in keymap[entry.name]:
            action = actions.setdefault(key, entry.name)
            if action != entry.name:
                raise BBAError(
                    f"{file}: keys: {key} would be both {action} and {entry.name} {situation}; a key does one thing"
                )


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
        if not _is_key(key):
            raise BBAError(f"{file}: keys: {name}: got {key!r}; a key is {ALLOWED}")
    spelt = [SPELT_KEYS.get(key, key) for key in keys]
    return tuple(dict.fromkeys(spelt))


def _is_key(key: object) -> bool:
    if not isinstance(key, str):
        return False
    return key in KEY_NAMES or (len(key) == 1 and key.isprintable())
