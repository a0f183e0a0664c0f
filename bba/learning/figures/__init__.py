"""Plots of trainings: learning curves and clusters of partners."""
