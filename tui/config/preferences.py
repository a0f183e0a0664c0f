"""What people prefer of the screen: its theme, its speed and its keys.

They come from ``config.toml`` in the platform's configuration folder, which is read only where there is a screen and
may hold nothing else: no game depends on whose home it is played in. The file that ``--config`` names, the environment
and the command line overrule it.
"""

from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_config_path
from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import parse_toml
from bba.settings import KEYS, Settings
from human.keymap import DEFAULT, Keymap
from human.remapping import remapped
from tui.arguments import first_mistake

HELD = ("theme", "speed", KEYS)  # what the file may hold


class Preferences(NamedTuple):
    """What is set somewhere.

    Attributes:
        theme: a theme's name; None where none is set.
        speed: steps a second; None where none is set.
        keymap: the keys of every action.
    """

    theme: str | None
    speed: float | None
    keymap: Keymap


def preferences(settings: Settings, path: Path | None = None) -> Preferences:
    """What holds for the screen: the settings where they say something, else the file.

    Args:
        settings: as options, environment and the file of ``--config`` give them.
        path: the file of one's own; None for the one in the platform's configuration folder.

    Raises:
        BBAError: a file that cannot be read, holds something else, or has keys that will not do.
    """
    own = path or user_config_path("bba-tui") / "config.toml"
    held = parse_toml(own) if own.is_file() else {}
    strange = [name for name in held if name not in HELD]
    if strange:
        raise BBAError(
            f"{own}: {strange[0]}: this file holds only {', '.join(HELD)}; for the rest there are files for --config"
        )
    chosen = _checked({name: held[name] for name in held if name != KEYS}, own)
    chosen |= {name: getattr(settings, name) for name in ("theme", "speed") if name in settings.model_fields_set}
    return Preferences(chosen.get("theme"), chosen.get("speed"), _keymap(settings.config, held, own))


def _checked(values: dict[str, Any], where: Path) -> dict[str, Any]:
    """The values as the settings take them."""
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise BBAError(f"{where}: {first_mistake(error)}") from None
    return {name: getattr(settings, name) for name in values}


def _keymap(config: Path | None, held: dict[str, Any], own: Path) -> Keymap:
    """The keys of the first file that has a table of them."""
    named = parse_toml(config) if config is not None else {}
    for path, data in ((config, named), (own, held)):
        if KEYS in data:
            return remapped(data[KEYS], str(path))
    return DEFAULT
