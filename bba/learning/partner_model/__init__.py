"""Learned models of partners: trajectories, the autoencoder, clusters, and partners decoded from latents."""
