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
from bba.settings import KEYS_TABLE, Settings
from human.keymap import DEFAULT, Keymap, remapped
from tui.arguments import first_mistake

PREFERRED = ("theme", "speed", "motion")
HELD_SETTINGS = (*PREFERRED, KEYS_TABLE)  # what the file may hold


class Preferences(NamedTuple):
    """The preferences.

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


def preferences(settings: Settings, path: Path | None = None) -> Preferences:
    """Returns the preferences: from the settings where they are set there, else from the file.

    Args:
        settings: the settings from options, environment and the file of ``--config``.
        path: the user's file; None for the one in the platform's configuration folder.

    Raises:
        BBAError: a file that cannot be read, holds something else, or has keys that are not valid.
    """
    own = path or user_config_path("bba-tui") / "config.toml"
    held = parse_toml(own) if own.is_file() else {}
    for name in held:
        if name not in HELD_SETTINGS:
            raise BBAError(
                f"{own}: {name}: this file holds only {', '.join(HELD_SETTINGS)}; "
                "for the rest there are files for --config"
            )
    try:
        valid = Settings.model_validate({name: held[name] for name in held if name != KEYS_TABLE})
    except ValidationError as error:
        raise BBAError(f"{own}: {first_mistake(error)}") from None
    sources = [(one, one.model_fields_set) for one in (settings, valid)]
    theme, speed, motion = (
        next((getattr(one, name) for one, given in sources if name in given), None) for name in PREFERRED
    )
    return Preferences(theme, speed, motion, _keymap(settings.config, held, own))


def check_keys(config: Path) -> None:
    """Checks the table of keys in the file of ``--config``, for commands that take no keys, too.

    Raises:
        BBAError: a key is not valid.
    """
    _keymap(config, {}, config)


def _keymap(config: Path | None, held: dict[str, Any], own: Path) -> Keymap:
    """Returns the keymap of the first file that has a table of keys, else the default."""
    named = parse_toml(config) if config is not None else {}
    tables = ((data[KEYS_TABLE], str(path)) for path, data in ((config, named), (own, held)) if KEYS_TABLE in data)
    return next((remapped(*table) for table in tables), DEFAULT)


# Of a game. Keys of language models are never kept.
CHOSEN_SETTINGS = (
    "layout",
    "agent",
    "partner",
    "planner",
    "model",
    "base_url",
    "real_time",
    "seed",
    "horizon",
    "speed",
    "turns",
)
KEPT_SETTINGS = (*CHOSEN_SETTINGS, "theme", "motion", "toured", "taught")


class AppState:
    """Remembers, from one start to the next, the settings in `CHOSEN`, theme, motion, and what newcomers were offered.

    Nothing here is an error: where the file is missing or damaged the defaults are used, and where the folder cannot be
    written to nothing is remembered.

    Args:
        path: the file, JSON; None for ``start.json`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "start.json"

    def recall(self, names: Iterable[str] = CHOSEN_SETTINGS) -> Settings:
        """Returns these settings as chosen last, or the defaults."""
        data = recalled(self.path)
        with suppress(BBAError, ValueError):  # a value that is no longer valid
            return Settings.model_validate({name: data[name] for name in names if name in data})
        return Settings.model_validate({})

    def keep(self, settings: Settings) -> None:
        """Remembers the choice in these settings."""
        self.note(**settings.model_dump(mode="json", include=set(CHOSEN_SETTINGS)))

    def offered(self, what: Literal["toured", "taught"]) -> bool:
        """Whether newcomers were offered the tour, or the lesson."""
        return recalled(self.path).get(what) is True

    def note(self, **values: Any) -> None:
        """Remembers these values, by name, and keeps the others."""
        known = {name: value for name, value in recalled(self.path).items() if name in KEPT_SETTINGS}
        remember(self.path, known | values)
