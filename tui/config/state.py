"""The state that the app keeps between starts: the last game chosen, the theme, and whether the tour was shown."""

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
    """Remembers the settings in `CHOSEN`, the theme, and whether the tour was shown, from one start to the next.

    Nothing here is an error: where the file is missing or damaged the defaults are used, and where the folder cannot be
    written to nothing is remembered.

    Args:
        path: the file, JSON; None for ``start.json`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "start.json"

    def recall(self) -> Settings:
        """Returns the settings as chosen last, or the defaults."""
        data = self._read()
        with suppress(BBAError, ValueError, KeyError):  # a value that is no longer valid, or missing
            return Settings.model_validate({name: data[name] for name in CHOSEN})
        return Settings.model_validate({})

    def keep(self, settings: Settings) -> None:
        """Remembers the choice in these settings."""
        self._write(settings.model_dump(mode="json", include=set(CHOSEN)))

    def recall_theme(self) -> str | None:
        """Returns the theme as chosen last; None where none was."""
        data = self._read()
        with suppress(BBAError, ValueError):
            return Settings.model_validate({"theme": data.get("theme")}).theme
        return None

    def keep_theme(self, name: str) -> None:
        """Remembers the theme."""
        self._write({"theme": name})

    def first_time(self) -> bool:
        """Whether the tour has not been shown yet."""
        return self._read().get("toured") is not True

    def keep_toured(self) -> None:
        """Remembers that the tour was shown."""
        self._write({"toured": True})

    def _read(self) -> dict[str, Any]:
        """Returns the contents of the file; nothing where it cannot be used."""
        # ValueError: not JSON; RecursionError: too deep.
        with suppress(BBAError, ValueError, RecursionError):
            data = json.loads(read_text(self.path))
            if isinstance(data, dict):
                return data
        return {}

    def _write(self, changed: dict[str, Any]) -> None:
        """Writes these values and keeps the others."""
        known = {name: value for name, value in self._read().items() if name in KEPT}
        with suppress(OSError, BBAError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(known | changed, indent=2) + "\n")
