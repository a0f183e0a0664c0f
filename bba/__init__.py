"""BayesBeliefAgent: a partner-aware planner for the two-cook Burrito kitchen.

The names in `bba/__init__.pyi` are the public interface (docs/reference/api.md); everything else may change between
versions. Each is imported when it is first used, so that `import bba` alone loads neither NumPy nor pydantic. In a
notebook, kitchens, beliefs, games and results show themselves as `bba.notebook` draws them.
"""

import sys
from importlib import import_module
from typing import Any
from warnings import warn

import lazy_loader

from bba.gymnasium_ids import register_when_imported
from bba.tabular import DRAWINGS, FRAMES

__version__ = "0.1.0"
RENAMED = {"AgentOptions": "SeatSpec"}

_public_name, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Returns a public name, or the new one of a name that goes with the next release."""
    if name not in RENAMED:
        return _public_name(name)
    warn(
        f"bba.{name} is {RENAMED[name]} now; the old name goes with the next release", DeprecationWarning, stacklevel=2
    )
    return _public_name(RENAMED[name])


# What reads a game is above it, and loaded only when it is asked for.
FRAMES["Trace"] = lambda trace, library: import_module("bba.analysis.trace_table").to_frame(trace, library)
DRAWINGS["StoredSweep"] = lambda sweep, measure: import_module("bba.report.content").leads_figure(sweep, measure)
register_when_imported()
if {"IPython", "marimo"} & {*sys.modules}:
    import_module("bba.notebook")
