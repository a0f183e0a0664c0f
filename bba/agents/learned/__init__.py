"""Learned policies at play, without the libraries that trained them."""
