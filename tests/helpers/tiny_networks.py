"""Tiny networks of the rollout planner with random weights, written as the shipped ones are."""

from pathlib import Path

import numpy as np

from bba.agents.learned import PolicyWeights, save_weights
from bba.agents.learned.weights import PLANNER_NETWORKS
from bba.agents.learned.weights_reader import ValueNetwork
from bba.kitchen import Layout, layout_digest
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.grid import grid_of
from bba.kitchen.observation import observation_size
from tests.helpers.tiny_policies import HIDDEN, layers


def write_networks(folder: Path, layout: str = "open", seed: int = 0) -> Path:
    """Write behaviour and value network of a layout into a folder; returns the folder."""
    kitchen, rng = Layout.load(layout), np.random.default_rng(seed)
    size = observation_size(grid_of(kitchen))
    weights = PolicyWeights(
        name=PLANNER_NETWORKS,
        layout=kitchen.name,
        map=layout_digest(kitchen),
        policy=layers(rng, size, HIDDEN, HIDDEN, N_SKILLS),
        value=ValueNetwork(layers(rng, size, HIDDEN, HIDDEN, 1), discount=0.997, scale=100.0),
    )
    save_weights(folder / f"{PLANNER_NETWORKS}-{kitchen.name}.safetensors", weights)
    return folder
