"""Trains a policy beside a named agent with MaskablePPO, and plays it in a game of its own, or anywhere else by name.

pip install 'bba-tui[env,learn]'
python examples/train_policy.py 4096 results/policy
bba-tui watch open --agent results/policy/train_policy.py:Trained
"""

import sys
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

import numpy as np

from bba import PolicyAgent, gym_env, measure, play_game

FILE = Path(__file__).with_name("policy.zip")  # beside the copy of this program, where the policy is written
PLUGIN_FILES = [FILE.name]  # counts as the source does: games of another policy are other games
STEPS = 4096  # enough to see that it runs; a policy that cooks needs some millions


class Trained(PolicyAgent):
    """The policy in policy.zip, beside this file, as an agent: on the command line, in Python, or in an environment.

    It takes the likeliest skill. One drawn with torch's random numbers would be another one in each fork and replay.
    """

    def __init__(self) -> None:
        from sb3_contrib import MaskablePPO

        model = MaskablePPO.load(FILE, device="cpu")

        def act(seen: np.ndarray, mask: np.ndarray) -> int:
            return int(model.predict(seen, action_masks=mask, deterministic=True)[0])

        super().__init__(act, name="trained", level="option")


def train(steps: int, folder: Path) -> None:
    """Trains a policy for seat 0 beside bayes-no-belief; writes it and this program, which plays it, into a folder."""
    from sb3_contrib import MaskablePPO

    # A step lasts until a choice is due: so many steps are some eight times as many games as at the level "skill".
    env = gym_env("open", other="bayes-no-belief", level="option", max_cycles=400)
    model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, seed=0, device="cpu")
    model.learn(steps)
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / FILE.name)
    copy(__file__, folder)


if __name__ == "__main__":
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else mkdtemp(prefix="bba-policy-"))
    train(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS, folder)
    name = f"{folder / Path(__file__).name}:Trained"
    trace = play_game("open", name, "bayes-no-belief", seed=1, horizon=400)
    print(f"{name} and {trace.config.labels[1]} earned {measure(trace)['reward']} in 400 steps")
