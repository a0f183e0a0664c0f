"""Learned policies at play, without the libraries that trained them."""

from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.policy import (
    Clusters,
    FixedShare,
    Layers,
    forward,
    losses,
    masked_softmax,
    predicted_skills,
)
from bba.agents.learned.weights import NoWeights, PolicyWeights, load_weights, save_weights, weights_for, weights_path

__all__ = [
    "Clusters",
    "FixedShare",
    "Layers",
    "LearnedAgent",
    "NoWeights",
    "PolicyWeights",
    "forward",
    "load_weights",
    "losses",
    "masked_softmax",
    "predicted_skills",
    "save_weights",
    "weights_for",
    "weights_path",
]
