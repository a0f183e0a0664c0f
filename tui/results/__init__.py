"""Stored results of benchmarks, and the way from a table to the games behind it."""
