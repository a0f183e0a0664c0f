"""Behaviour cloning: demonstrations of the scripted planner, and the network cloned from them."""
