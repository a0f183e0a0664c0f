"""Learned policies, played without what they were trained with."""

from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.fixed_share import FixedShare
from bba.agents.learned.model import Clusters, Weights
from bba.agents.learned.policy import Layers, forward, masked_softmax
from bba.agents.learned.talents import expected, losses
from bba.agents.learned.weights import NoWeights, load_weights, save_weights, weights_for, weights_path

__all__ = [
    "Clusters",
    "FixedShare",
    "Layers",
    "LearnedAgent",
    "NoWeights",
    "Weights",
    "expected",
    "forward",
    "load_weights",
    "losses",
    "masked_softmax",
    "save_weights",
    "weights_for",
    "weights_path",
]
