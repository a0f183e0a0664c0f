"""Learned policies at play, without the libraries that trained them."""

from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.clusters import Clusters, FixedShare, losses, predicted_skills
from bba.agents.learned.policy import Layers, forward, masked_softmax
from bba.agents.learned.weights import NoWeights, load_weights, save_weights, weights_for, weights_path
from bba.agents.learned.weights_reader import PolicyWeights

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
