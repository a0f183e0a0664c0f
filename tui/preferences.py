"""What the user prefers, and what the app remembers.

The preferences are theme, speed, motion and keys. They are read from ``config.toml`` in the platform's configuration
folder, only for commands with a screen. The file may hold nothing else, so that no game depends on the home in which it
is played. The file that ``--config`` names, the environment and the command line take precedence.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from platformdirs import user_config_path
from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import parse_toml, recalled, remember
from human.keymap import DEFAULT, Keymap, remapped
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
KEPT_OPTIONS = (*CHOSEN_OPTIONS, "theme", "motion", "toured", "taught", "changed", "panels", "thoughts")


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

    def note(self, **values: Any) -> None:
        """Remembers these values, by name, and keeps the others."""
        kept = {name: value for name, value in recalled(self.path).items() if name in KEPT_OPTIONS}
        remember(self.path, kept | values)
