"""Benchmarks: sweeps of episodes, their stored results, and the tables made from them."""
