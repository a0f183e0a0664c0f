"""What is computed from a trace: measures, snapshots, timelines, logs, comparisons and tables. Needs no screen."""
