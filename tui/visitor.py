"""What a visitor's process runs: the command, with settings that the server has made."""

import sys

from bba.errors import BBAError
from bba.settings import Settings


def main() -> int:
    """Do what the settings in the first argument (JSON) ask for; returns the exit code."""
    sys.stdout = sys.stderr  # what goes to the standard output is the visitor's screen
    from tui.cli import run

    try:
        settings = Settings.model_validate_json(sys.argv[1])
        run(settings.model_copy(update={"serve": None}))  # which a file of options may name again
    except BBAError as error:
        sys.stderr.write(f"bba-tui: a visitor's session: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
