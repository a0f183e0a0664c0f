"""Sizes of the terminal, in columns and lines."""

SMALLEST = (80, 24)  # that the screen needs
