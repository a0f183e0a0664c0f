"""Benchmarks: what is measured of a game, and how."""
