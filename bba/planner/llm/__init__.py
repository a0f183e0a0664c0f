"""Language models behind OpenAI-compatible endpoints: asking, trying again, limits, log, cache."""

from bba.planner.llm.backend import model_backend, shared_backend
from bba.planner.llm.options import ModelOptions

__all__ = ["ModelOptions", "model_backend", "shared_backend"]
