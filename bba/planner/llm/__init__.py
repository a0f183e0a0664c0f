"""Language models behind OpenAI-compatible endpoints: client, retries, budget, log and cache."""

from bba.planner.llm.backend import model_backend, shared_backend
from bba.planner.llm.options import ModelOptions

__all__ = ["ModelOptions", "model_backend", "shared_backend"]
