"""Where every training on a layout begins: a clone of the scripted planner, and states to start games from."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from filelock import FileLock
from stable_baselines3.common.utils import set_random_seed

from bba.agents.learned.policy import Layers
from bba.kitchen.layout import Layout, layout_digest
from bba.kitchen.state import StateVector
from bba.learning.bc.behaviour_cloning import clone_behaviour
from bba.learning.bc.demonstrations import EXPERT, demonstrate
from bba.learning.rl.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.ppo import make_ppo
from bba.learning.rl.trainer import Tensors, actor, part
from bba.learning.rl.vec_env import BOTH, KitchenVecEnv

DEMONSTRATIONS, EPOCHS = 160, 25


@dataclass(frozen=True, slots=True)
class PretrainedBase:
    """What trainings on a layout have in common.

    Attributes:
        network: the learner's network, its policy cloned, its value untrained.
        clone: the cloned policy's layers.
        states: states of games under way, (R, …).
    """

    network: Tensors
    clone: Layers
    states: StateVector


def pretrained_base(
    layout: Layout, folder: Path, *, hidden: int, seed: int = 0, games: int = DEMONSTRATIONS
) -> PretrainedBase:
    """The base of a layout; made once and kept in `folder` (some minutes), for whoever comes first.

    Raises:
        BBAError: the file that is kept is damaged or was made otherwise.
    """
    path = folder / f"base-{layout.name}.safetensors"
    plan = {
        "base": layout.name,
        "map": layout_digest(layout),
        "expert": EXPERT,
        "games": games,
        "epochs": EPOCHS,
        "hidden": hidden,
        "seed": seed,
    }
    with FileLock(path.with_suffix(".lock")):
        kept = read_checkpoint(path, plan)
        if kept is None:
            kept = made(plan, layout, hidden, seed, games)
            write_checkpoint(path, kept)
    model = make_ppo(idle_games(layout), hidden=hidden, seed=seed)
    network = {name: torch.from_numpy(array) for name, array in part(kept.arrays, "network.").items()}
    model.policy.load_state_dict(network)
    return PretrainedBase(network, actor(model.policy), kept.arrays["rows"])


def made(plan: dict[str, object], layout: Layout, hidden: int, seed: int, games: int) -> Checkpoint:
    """Play the demonstrations and imitate them."""
    shown = demonstrate(layout, games, seed)
    set_random_seed(seed)
    model = make_ppo(idle_games(layout), hidden=hidden, seed=seed)
    losses = clone_behaviour(model.policy, shown, EPOCHS, seed)
    arrays = {f"network.{name}": tensor.numpy() for name, tensor in model.policy.state_dict().items()}
    return Checkpoint(arrays | {"rows": shown.states}, {"plan": plan, "losses": losses, "choices": len(shown.skills)})


def idle_games(layout: Layout) -> KitchenVecEnv:
    """A game that nobody plays: it tells a learner the sizes."""
    return KitchenVecEnv(layout, BOTH, None, np.zeros(9), InitialStates(layout), 1, 0)
