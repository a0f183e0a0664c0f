"""The report of a folder of results: one self-contained page, and its tables as files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bba.report.page import write_report

__all__ = ["write_report"]


def __getattr__(name: str) -> object:
    """Returns what writes a report, which reads results; texts of single games need neither."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bba.report import page

    return getattr(page, name)
