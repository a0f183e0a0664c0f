"""Reinforcement learning: the environment, masked PPO, evaluation and checkpoints."""
