"""A torch policy as a partner: a small network that clones what a named agent does, beside any other.

pip install 'bba-tui[learn]'
python examples/torch_partner.py 8 results/cloned
bba-tui watch open --agent bayes --partner results/cloned/torch_partner.py:Cloned
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from bba import ObservationEncoder, PolicyAgent, feasible_mask, measure, play_game

FILE = Path(__file__).with_name("torch_partner.safetensors")  # beside the copy of this program, see `train`
PLUGIN_FILES = [FILE.name]  # counts as the source does: games with other weights are other games
CLONED, LAYOUT, STEPS = "bayes-no-belief", "open", 1200
SKILLS = 27


def network(inputs: int) -> torch.nn.Sequential:
    """Returns the network: from an observation to one logit a skill."""
    return torch.nn.Sequential(torch.nn.Linear(inputs, 64), torch.nn.Tanh(), torch.nn.Linear(64, SKILLS))


class Cloned(PolicyAgent):
    """Plays the skill that its network finds likeliest among the feasible ones."""

    def __init__(self) -> None:
        weights = load_file(FILE)
        self._network = network(weights["0.weight"].shape[1])
        self._network.load_state_dict(weights)
        super().__init__(self._choose, name="cloned")

    @torch.no_grad()
    def _choose(self, seen: np.ndarray, mask: np.ndarray) -> int:
        logits = self._network(torch.from_numpy(seen)).numpy()
        return int(np.where(mask, logits, -np.inf).argmax())


def examples(games: int) -> Iterator[tuple[np.ndarray, int]]:
    """Yields what the cloned agent saw and the skill that it ran, for each step and both seats of some games."""
    for seed in range(games):
        trace = play_game(LAYOUT, CLONED, CLONED, seed=seed, horizon=STEPS)
        encoder = ObservationEncoder(trace.config.layout, fast=True)
        states = (trace.start, *(tick.state for tick in trace.ticks))
        for state, tick in zip(states, trace.ticks, strict=False):
            for seen, skill in zip(encoder.of(state), tick.skills, strict=True):
                if feasible_mask(seen)[skill]:
                    yield seen.copy(), skill


def train(games: int, folder: Path) -> None:
    """Trains the network on so many games; writes its weights and this program, which plays them, into a folder."""
    torch.manual_seed(0)
    found = list(examples(games))
    seen, skills = torch.from_numpy(np.stack([one for one, _ in found])), torch.tensor([skill for _, skill in found])
    model = network(seen.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(200):
        loss = torch.nn.functional.cross_entropy(model(seen), skills)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.state_dict(), folder / FILE.name)
    copy(__file__, folder)
    print(f"{len(found)} examples, cross entropy {loss.item():.2f}")


if __name__ == "__main__":
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else mkdtemp(prefix="bba-cloned-"))
    train(int(sys.argv[1]) if len(sys.argv) > 1 else 8, folder)
    name = f"{folder / Path(__file__).name}:Cloned"
    trace = play_game(LAYOUT, "bayes", name, seed=100, horizon=STEPS)
    print(f"{trace.config.labels[0]} and {name} earned {measure(trace)['reward']} in {STEPS} steps")
