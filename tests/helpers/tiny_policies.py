"""Tiny learned policies with random weights, written as the shipped ones are."""

from itertools import pairwise

import numpy as np

from bba.agents import SeatSpec
from bba.agents.learned.policy import Clusters
from bba.agents.learned.weights import PolicyWeights, ValueNetwork, save_weights
from bba.kitchen import Layout, layout_digest
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.layout import grid_of
from bba.kitchen.observation import observation_size
from bba.planner.rollout.networks import PlanningNetworks

HIDDEN, CLUSTERS, LATENT = 8, 3, 2


def layers(rng, *sizes):
    """Random layers from each size to the next."""
    return tuple(
        (rng.normal(0, 0.5, (after, before)).astype(np.float32), rng.normal(0, 0.5, after).astype(np.float32))
        for before, after in pairwise(sizes)
    )


def weights(name="gamma", layout="open", seed=0):
    """What such a policy is made of."""
    kitchen, rng = Layout.load(layout), np.random.default_rng(seed)
    size = observation_size(grid_of(kitchen))
    known = name.endswith("talents")
    if name == "planner":
        return planner_weights(kitchen, rng)
    return PolicyWeights(
        name=name,
        layout=kitchen.name,
        map=layout_digest(kitchen),
        policy=layers(rng, size + CLUSTERS * known, HIDDEN, N_SKILLS),
        clusters=clusters(rng, size) if known else None,
    )


def planner_weights(kitchen, rng):
    """The rollout planner's networks."""
    size = observation_size(grid_of(kitchen))
    behaviour, value = layers(rng, size + N_SKILLS, HIDDEN, HIDDEN, N_SKILLS), layers(rng, size, HIDDEN, HIDDEN, 1)
    value = ValueNetwork(value, discount=0.99, scale=10.0)
    return PolicyWeights("planner", kitchen.name, layout_digest(kitchen), behaviour, value=value)


def planning_networks(layout="open", seed=0):
    """The same, as the planner takes them."""
    made, kitchen = weights("planner", layout, seed), Layout.load(layout)
    return PlanningNetworks(kitchen, made.policy, made.value.layers, made.value.discount, made.value.scale)


def clusters(rng, size):
    """Clusters that expect different things."""
    mean = rng.normal(0, 3, (CLUSTERS, LATENT)).astype(np.float32)
    std = np.ones((CLUSTERS, LATENT), np.float32)
    return Clusters(mean, std, layers(rng, size + LATENT, HIDDEN, N_SKILLS), eta=2.0, alpha=0.05, decay=0.9)


def write(folder, *names, layout="open", seed=0):
    """Write policies into a folder; returns the folder."""
    for name in names:
        save_weights(folder / f"{name.replace(':', '-')}-{layout}.safetensors", weights(name, layout, seed))
    return folder


def write_clone(folder, pauses):
    """Writes a clone of people that always pauses so long before work in its last role and in another one."""
    rng, layout = np.random.default_rng(0), Layout.load("open")
    size = observation_size(grid_of(layout)) + 7
    layer = (rng.normal(0, 0.2, (27, size)).astype(np.float32), np.zeros(27, np.float32))
    table = np.zeros((2, 11), np.float32)
    table[[0, 1], pauses] = 1
    weights = PolicyWeights("human:tiny", "open", layout_digest(layout), (layer,), pauses=table)
    save_weights(folder / "human-tiny-open.safetensors", weights)
    return SeatSpec(weights=folder)
