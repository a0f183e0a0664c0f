"""What the server says of requests that it cannot read: a line each, and no traceback."""

import logging
import sys

LOGGER = "bba-tui.serve"


class OneLine(logging.Formatter):
    """Formats a problem as one line: what it is, without where in the program it was noticed."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        problem = record.exc_info[1] if record.exc_info else None
        words = f"{record.getMessage()}: {problem}" if problem is not None else record.getMessage()
        plain = " ".join("".join(char if char.isprintable() else " " for char in words).split())
        return f"bba-tui: {plain[:200]}"


def one_line_logger() -> logging.Logger:
    """Returns a logger that writes lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    logger = logging.Logger(LOGGER, logging.WARNING)
    logger.addHandler(handler)
    return logger
