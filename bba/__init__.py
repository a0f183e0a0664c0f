"""BayesBeliefAgent: a partner-aware planner for the two-cook Burrito kitchen."""

__version__ = "0.1.0"
