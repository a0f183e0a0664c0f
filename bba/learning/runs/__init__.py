"""Training runs: the scheduler, one run, and the record that it leaves."""
