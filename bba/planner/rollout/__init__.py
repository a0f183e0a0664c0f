"""The rollout planner: Bayesian best response by simulation in the compiled kitchen."""
