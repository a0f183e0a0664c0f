"""Language models behind OpenAI-compatible endpoints: client, retries, budget, log and cache."""

from typing import TYPE_CHECKING

from bba.planner.llm.model_options import ModelOptions

if TYPE_CHECKING:
    from bba.planner.llm.pipeline import model_backend, shared_backend

__all__ = ["ModelOptions", "model_backend", "shared_backend"]


def __getattr__(name: str) -> object:
    """Returns a function of the pipeline, which takes a while to import and which most games do without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bba.planner.llm import pipeline

    return getattr(pipeline, name)
