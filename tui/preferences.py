"""What the user prefers, and what the app remembers.

The preferences are theme, speed, motion and keys. They are read from ``config.toml`` in the platform's configuration
folder, only for commands with a screen. The file may hold nothing else, so that no game depends on the home in which it
is played. The file that ``--config`` names, the environment and the command line take precedence.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from platformdirs import user_config_path
from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import make_folder, parse_toml, read_text, recalled, remember, write_whole
from human.keymap import DEFAULT, Keymap, changed_keys, remapped
from tui.arguments import completed, first_mistake
from tui.arguments.options import ChosenGame, ScreenOptions, WatchOptions
from tui.arguments.sources import KEYS_TABLE

PREFERRED = ("theme", "speed", "motion")
HELD_OPTIONS = (*PREFERRED, KEYS_TABLE)  # what the file may hold


class Preferences(NamedTuple):
    """What the user prefers.

    Attributes:
        theme: a theme's name; None if it is not set.
        speed: steps a second; None if it is not set.
        motion: whether anything slides, flickers or flashes; None if it is not set.
        keymap: the keys of every action.
    """

    theme: str | None
    speed: float | None
    motion: bool | None
    keymap: Keymap


def preferences(options: ScreenOptions, path: Path | None = None) -> Preferences:
    """Returns the preferences: from the options where they are set there, else from the file.

    Args:
        options: those of the command, with what environment and the file of ``--config`` say of them.
        path: the user's file; None for the one in the platform's configuration folder.

    Raises:
        BBAError: a file that cannot be read, holds something else, or has keys that are not valid.
    """
    file = path or user_config_path("bba-tui") / "config.toml"
    data = parse_toml(file) if file.is_file() else {}
    for name in data:
        if name not in HELD_OPTIONS:
            raise BBAError(
                f"{file}: {name}: this file holds only {', '.join(HELD_OPTIONS)}; "
                "for the rest there are files for --config"
            )
    try:
        in_file = WatchOptions.model_validate({name: data[name] for name in data if name != KEYS_TABLE})
    except ValidationError as error:
        raise BBAError(f"{file}: {first_mistake(error)}") from None
    preferred = _preferred(in_file) | _preferred(options)
    return Preferences(
        theme=preferred.get("theme"),
        speed=preferred.get("speed"),
        motion=preferred.get("motion"),
        keymap=_keymap(options.config, data, file),
    )


def _preferred(options: WatchOptions) -> dict[str, Any]:
    """Returns those of the preferred options that are set."""
    return {name: getattr(options, name) for name in PREFERRED if name in options.model_fields_set}


def check_keys(config: Path) -> None:
    """Checks the table of keys in the file of ``--config``, for commands that take no keys, too.

    Raises:
        BBAError: a key is not valid.
    """
    _keymap(config, {}, config)


def _keymap(config: Path | None, user_data: dict[str, Any], user_file: Path) -> Keymap:
    """Returns the keymap of the first file that has a table of keys, else the default.

    Args:
        config: the file of ``--config``; None for none.
        user_data: the content of the user's file.
        user_file: that file, for messages.
    """
    if config is not None:
        config_data = parse_toml(config)
        if KEYS_TABLE in config_data:
            return remapped(config_data[KEYS_TABLE], str(config))
    if KEYS_TABLE in user_data:
        return remapped(user_data[KEYS_TABLE], str(user_file))
    return DEFAULT


class PreferenceFile:
    """The file of preferences, in which a screen changes a value or the table of keys and leaves the rest as it is.

    Args:
        path: the file; None for ``config.toml`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "config.toml"

    def holds(self, name: str) -> bool:
        """Whether the file says something of a preference, which then comes before what the app remembers.

        Raises:
            BBAError: the file cannot be read.
        """
        return name in self._data()

    def set_value(self, name: str, value: str | float) -> None:
        """Writes another value of a preference that the file holds.

        Raises:
            BBAError: the file cannot be read or written, or has the value where it cannot be changed.
        """
        data = self._data()
        head, tables = _parted(self._text())
        lines = [f"{name} = {json.dumps(value)}" if _names(line, name) else line for line in head]
        self._write([*lines, *tables], data | {name: value})

    def set_keys(self, keymap: Keymap) -> None:
        """Writes the table of keys anew, whole or not at all; without a table where all keys are the usual ones.

        Raises:
            BBAError: a key would do two things, the file cannot be read or written, or has its keys where they cannot
                be changed.
        """
        changes = {name: list(keys) for name, keys in changed_keys(keymap).items()}
        remapped(changes, str(self.path))
        data = {name: value for name, value in self._data().items() if name != KEYS_TABLE}
        lines = _without_table(self._text().splitlines(), KEYS_TABLE)
        if changes:
            data[KEYS_TABLE] = {name: keys[0] if len(keys) == 1 else keys for name, keys in changes.items()}
            lines += [f"[{KEYS_TABLE}]", *(f"{name} = {_toml(keys)}" for name, keys in changes.items())]
        self._write(lines, data)

    def _data(self) -> dict[str, Any]:
        return parse_toml(self.path) if self.path.is_file() else {}

    def _text(self) -> str:
        return read_text(self.path) if self.path.is_file() else ""

    def _write(self, lines: Iterable[str], data: Mapping[str, Any]) -> None:
        """Writes these lines, if they say what the data do."""
        text = "\n".join(lines).strip("\n") + "\n"
        try:
            is_meant = tomllib.loads(text) == data
        except tomllib.TOMLDecodeError:
            is_meant = False
        if not is_meant:
            raise BBAError(f"{self.path}: is written in a way that this screen cannot change; change it there")
        make_folder(self.path.parent)
        write_whole(self.path, text)


def _parted(text: str) -> tuple[list[str], list[str]]:
    """Returns the lines before the first table, and the others."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return lines[:first], lines[first:]


def _names(line: str, name: str) -> bool:
    return line.partition("=")[0].strip() == name


def _without_table(lines: Iterable[str], name: str) -> list[str]:
    """Returns lines of TOML without those of a table."""
    kept: list[str] = []
    is_in_table = False
    for line in lines:
        if line.lstrip().startswith("["):
            is_in_table = line.partition("#")[0].strip() == f"[{name}]"
        if not is_in_table:
            kept.append(line)
    return kept


def _toml(keys: list[str]) -> str:
    """Returns a key, or several, as TOML writes texts."""
    return json.dumps(keys[0] if len(keys) == 1 else keys, ensure_ascii=False)


# The options of a game that are remembered. Keys of language models are never kept.
CHOSEN_OPTIONS = (
    "layout",
    "agent",
    "partner",
    "agents",
    "planner",
    "model",
    "base_url",
    "real_time",
    "seed",
    "horizon",
    "speed",
    "turns",
)
START_PAGES = ("watch", "play", "duel", "learn", "replay", "results", "design")  # beside the start screen: its actions
KEPT_OPTIONS = (
    *CHOSEN_OPTIONS,
    "theme",
    "motion",
    "toured",
    "taught",
    "changed",
    "panels",
    "thoughts",
    "start_page",
    "keep_watched",
)


class AppState:
    """Remembers `CHOSEN_OPTIONS`, theme, motion, and what newcomers were offered, from one start to the next.

    No problem with the file is an error: where it is missing or damaged the defaults are used, and where its folder
    cannot be written to nothing is remembered.

    Args:
        path: the file, JSON; None for ``start.json`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "start.json"

    def recall(self, names: Iterable[str] = CHOSEN_OPTIONS) -> ChosenGame:
        """Returns these options as chosen last, or the defaults."""
        data = recalled(self.path)
        with suppress(BBAError, ValueError):  # a value that is no longer valid
            return completed(ChosenGame, {name: data[name] for name in names if name in data})
        return completed(ChosenGame, {})

    def keep(self, options: ChosenGame) -> None:
        """Remembers the choice in these options."""
        self.note(**options.model_dump(mode="json", include=set(CHOSEN_OPTIONS)))

    def panels(self, known: Iterable[str]) -> tuple[str, ...]:
        """Returns the panels of the watch screen that were switched on last, of those that are known."""
        names = recalled(self.path).get("panels")
        return tuple(name for name in dict.fromkeys(known) if name in names) if isinstance(names, list) else ()

    def thoughts(self) -> bool:
        """Whether the watch screen shows what the ego thinks in a bubble."""
        return recalled(self.path).get("thoughts") is not False

    def offered(self, offer: Literal["toured", "taught", "changed"]) -> bool:
        """Whether newcomers were offered the tour, or the lesson, or shown how a plan changes."""
        return recalled(self.path).get(offer) is True

    @property
    def start_page(self) -> str:
        """What the app begins with where nothing else is asked for, one of `START_PAGES`; "" for the start screen."""
        page = recalled(self.path).get("start_page")
        return page if page in START_PAGES else ""

    @property
    def keeps_watched(self) -> bool:
        """Whether games that are watched are kept among the recordings."""
        return recalled(self.path).get("keep_watched") is not False

    def note(self, **values: Any) -> None:
        """Remembers these values, by name, and keeps the others."""
        kept = {name: value for name, value in recalled(self.path).items() if name in KEPT_OPTIONS}
        remember(self.path, kept | values)
