"""Training runs: scheduling, one run from start to files, and its record."""
