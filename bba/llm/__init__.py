"""Language models behind OpenAI-compatible endpoints and on this machine: clients, retries, budget, log and cache.

`bba.planner.model_options.ModelOptions` says which model; `bba.llm.pipeline` makes its backend.
"""
