"""The last choices, of a game on the start screen and of a theme, kept in the platform's configuration folder."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from bba.errors import BBAError
from bba.files import read_text, write_whole
from bba.settings import Settings

CHOSEN = ("layout", "agent", "partner", "planner", "seed", "horizon", "speed")  # of a game
KEPT = (*CHOSEN, "theme", "toured")


class AppState:
    """Remembers the settings in `CHOSEN`, the theme, and whether there was a tour, from one start to the next.

    Remembering is a comfort: a file that is missing, damaged or somebody else's stands for the defaults, and a folder
    that cannot be written to for nothing remembered. Neither is an error.

    Args:
        path: the file, JSON; None for ``start.json`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "start.json"

    def recall(self) -> Settings:
        """The settings as chosen last, or the defaults."""
        data = self._read()
        with suppress(BBAError, ValueError, KeyError):  # a value that no longer passes; one that is missing
            return Settings.model_validate({name: data[name] for name in CHOSEN})
        return Settings.model_validate({})

    def keep(self, settings: Settings) -> None:
        """Write the choice in these settings down, if that is possible."""
        self._write(settings.model_dump(mode="json", include=set(CHOSEN)))

    def recall_theme(self) -> str | None:
        """The theme as chosen last; None where none was."""
        data = self._read()
        with suppress(BBAError, ValueError):
            return Settings.model_validate({"theme": data.get("theme")}).theme
        return None

    def keep_theme(self, name: str) -> None:
        """Write the choice of this theme down, if that is possible."""
        self._write({"theme": name})

    def first_time(self) -> bool:
        """Whether nobody has been shown around yet."""
        return self._read().get("toured") is not True

    def keep_toured(self) -> None:
        """Write down that somebody has been shown around, if that is possible."""
        self._write({"toured": True})

    def _read(self) -> dict[str, Any]:
        """What the file holds; nothing where it cannot be used."""
        # ValueError: not JSON; RecursionError: too deep.
        with suppress(BBAError, ValueError, RecursionError):
            data = json.loads(read_text(self.path))
            if isinstance(data, dict):
                return data
        return {}

    def _write(self, changed: dict[str, Any]) -> None:
        """Write these down, and leave what else was known."""
        known = {name: value for name, value in self._read().items() if name in KEPT}
        with suppress(OSError, BBAError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(known | changed, indent=2) + "\n")
