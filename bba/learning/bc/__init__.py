"""Behaviour cloning: demonstrations of the scripted planner and the policy cloned from them."""
