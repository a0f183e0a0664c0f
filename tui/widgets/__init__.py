"""The panels and other widgets, one a file."""
