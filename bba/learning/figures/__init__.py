"""Figures about training: learning curves and partner clusters."""
