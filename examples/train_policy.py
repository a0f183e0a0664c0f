"""Trains a policy beside a named agent with MaskablePPO, and plays it in a game of its own, or anywhere else by name.

pip install 'bba-tui[env,learn]'
python examples/train_policy.py 4096 results/policy         # 4096 decisions, each a skill that runs to its end
python examples/train_policy.py 4096 results/skills skill   # as many decisions, one in each step: it learns nothing yet
bba-tui watch open --agent results/policy/train_policy.py:Trained
"""

import sys
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

import gymnasium
import numpy as np

from bba import PolicyAgent, gym_env, measure, play_game

FILE = Path(__file__).with_name("policy.zip")  # beside the copy of this program, where the policy is written
LEVEL = Path(__file__).with_name("level.txt")  # at which level it was trained
PLUGIN_FILES = [FILE.name, LEVEL.name]  # count as the source does: games of another policy are other games
STEPS = 4096  # decisions, enough to see that it learns; a policy that cooks well needs some millions
PARTNER = "switching+locked"  # it keeps to a role even when that has no work, so it earns nothing beside one who waits
WORTH = {  # points for the work that is in an item, less than the 60 and more that a burrito brings
    **{"chopped_meat": 4, "chopped_mushroom": 4, "chopped_steak": 10, "fried_mushroom": 10, "boiled_rice": 8},
    **{"clean_plate": 6, "tortilla-plate": 12, "boiled_rice-plate": 14, "boiled_rice-tortilla-plate": 20},
    **{f"{fried}-plate": 16 for fried in ("chopped_steak", "fried_mushroom")},
    **{f"{fried}-tortilla-plate": 22 for fried in ("chopped_steak", "fried_mushroom")},
    **{f"{fried}-boiled_rice-plate": 24 for fried in ("chopped_steak", "fried_mushroom")},
    **{"steak_burrito": 40, "mushroom_burrito": 40},
}
POINTS = 0.05  # of a reward: with rewards of 60 points the value's gradient drowns the policy's


class WorkPays(gymnasium.Wrapper):
    """Adds to each reward what the work in the kitchen is worth more than before, which a game gives back at its end.

    So nothing is earned by doing and undoing (a potential, Ng et al. 1999); but an early step already shows its use.
    """

    def reset(self, **options):
        """Begins a game."""
        seen, info = self.env.reset(**options)
        self.worth = self.work()
        return seen, info

    def step(self, action):
        """Plays a step of the environment."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        worth = self.work()
        gained = worth - self.worth
        self.worth = worth
        return seen, POINTS * (reward + gained), terminated, truncated, info

    def work(self) -> int:
        """Returns what the work in all items of the kitchen is worth, in points."""
        trace = self.env.unwrapped.trace
        scene = trace.scene(len(trace.ticks))
        items = [item.name for item in scene.objects] + [player.held for player in scene.players]
        return sum(WORTH.get(item, 0) for item in items)

    def action_masks(self) -> np.ndarray:
        """Returns the possible actions, as MaskablePPO asks."""
        return self.env.action_masks()


class Trained(PolicyAgent):
    """The policy in policy.zip, beside this file, as an agent: on the command line, in Python, or in an environment.

    It takes the likeliest skill. One drawn with torch's random numbers would be another one in each fork and replay.
    """

    def __init__(self) -> None:
        from sb3_contrib import MaskablePPO

        model = MaskablePPO.load(FILE, device="cpu")

        def act(seen: np.ndarray, mask: np.ndarray) -> int:
            return int(model.predict(seen, action_masks=mask, deterministic=True)[0])

        super().__init__(act, name="trained", level=LEVEL.read_text(encoding="utf-8"))


def train(decisions: int, folder: Path, level: str) -> None:
    """Trains a policy for seat 0 beside the partner; writes it and this program, which plays it, into a folder."""
    from sb3_contrib import MaskablePPO

    # At the level "option" a decision lasts some eight steps: so many decisions are eight times as many games.
    env = WorkPays(gym_env("open", other=PARTNER, level=level, max_cycles=400))
    settings = {"learning_rate": 1e-3, "ent_coef": 0.01, "n_epochs": 8}
    model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, seed=0, device="cpu", **settings)
    model.learn(decisions)
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / FILE.name)
    (folder / LEVEL.name).write_text(level, encoding="utf-8")
    copy(__file__, folder)


if __name__ == "__main__":
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else mkdtemp(prefix="bba-policy-"))
    train(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS, folder, sys.argv[3] if len(sys.argv) > 3 else "option")
    name = f"{folder / Path(__file__).name}:Trained"
    points = [measure(play_game("open", name, PARTNER, seed=seed, horizon=400))["reward"] for seed in range(1000, 1010)]
    print(f"{name} and {PARTNER} earned {np.mean(points):.0f} in 400 steps, the mean of ten games")
