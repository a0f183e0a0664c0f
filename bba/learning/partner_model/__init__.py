"""Learned partner models: the autoencoder, its trajectories, and partners decoded from it."""
