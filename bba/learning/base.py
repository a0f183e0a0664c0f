"""Where every training on a layout begins: a clone of the scripted planner, and states to start games from."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from filelock import FileLock
from stable_baselines3.common.utils import set_random_seed

from bba.agents.learned.policy import Layers
from bba.kitchen.layout import Layout, layout_digest
from bba.kitchen.state import Row
from bba.learning.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from bba.learning.clone import imitate
from bba.learning.demonstrations import EXPERT, demonstrate
from bba.learning.games import BOTH, Games
from bba.learning.ppo import learner
from bba.learning.starts import Starts
from bba.learning.training import Tensors, actor, part

DEMONSTRATIONS, EPOCHS = 160, 25


@dataclass(frozen=True, slots=True)
class Base:
    """What trainings on a layout have in common.

    Attributes:
        network: the learner's network, its policy cloned, its value untrained.
        clone: the cloned policy's layers.
        rows: states of games under way, (R, …).
    """

    network: Tensors
    clone: Layers
    rows: Row


def base_of(layout: Layout, folder: Path, *, hidden: int, seed: int = 0, games: int = DEMONSTRATIONS) -> Base:
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
    model = learner(idle_games(layout), hidden=hidden, seed=seed)
    network = {name: torch.from_numpy(array) for name, array in part(kept.arrays, "network.").items()}
    model.policy.load_state_dict(network)
    return Base(network, actor(model.policy), kept.arrays["rows"])


def made(plan: dict[str, object], layout: Layout, hidden: int, seed: int, games: int) -> Checkpoint:
    """Play the demonstrations and imitate them."""
    shown = demonstrate(layout, games, seed)
    set_random_seed(seed)
    model = learner(idle_games(layout), hidden=hidden, seed=seed)
    losses = imitate(model.policy, shown, EPOCHS, seed)
    arrays = {f"network.{name}": tensor.numpy() for name, tensor in model.policy.state_dict().items()}
    return Checkpoint(arrays | {"rows": shown.rows}, {"plan": plan, "losses": losses, "choices": len(shown.skills)})


def idle_games(layout: Layout) -> Games:
    """A game that nobody plays: it tells a learner the sizes."""
    return Games(layout, BOTH, None, np.zeros(9), Starts(layout), 1, 0)
