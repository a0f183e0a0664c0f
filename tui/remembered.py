"""The last choice on the start screen, kept in the platform's configuration folder."""

import json
from contextlib import suppress
from pathlib import Path

from platformdirs import user_config_path

from bba.errors import BBAError
from bba.files import read_text, write_whole
from bba.settings import Settings

CHOSEN = ("layout", "agent", "partner", "planner", "seed", "horizon", "speed")  # the settings that are remembered


class Memory:
    """Remembers the settings in `CHOSEN` from one start to the next.

    Remembering is a comfort: a file that is missing, damaged or somebody else's stands for the defaults, and a folder
    that cannot be written to for nothing remembered. Neither is an error.

    Args:
        path: the file, JSON; None for ``start.json`` in the platform's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_config_path("bba-tui") / "start.json"

    def recall(self) -> Settings:
        """The settings as chosen last, or the defaults."""
        # ValueError: not JSON, or a value that no longer passes; the others: JSON of another shape or too deep.
        with suppress(BBAError, ValueError, KeyError, TypeError, RecursionError):
            data = json.loads(read_text(self.path))
            return Settings.model_validate({name: data[name] for name in CHOSEN})
        return Settings.model_validate({})

    def keep(self, settings: Settings) -> None:
        """Write the choice in these settings down, if that is possible."""
        data = settings.model_dump(mode="json", include=set(CHOSEN))
        with suppress(OSError, BBAError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(data, indent=2) + "\n")
