"""Reinforcement learning: the vectorised environment, masked PPO, evaluation and checkpoints."""
