"""Language models behind OpenAI-compatible endpoints: client, retries, budget, log and cache.

`ModelOptions` says which model; `bba.planner.llm.pipeline`, which takes a while to import, makes its backend.
"""

from bba.planner.llm.model_options import ModelOptions

__all__ = ["ModelOptions"]
