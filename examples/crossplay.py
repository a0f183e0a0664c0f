"""Cross-play: two egos, one of them yours, with two partners, in two kitchens; all differences, and the games.

python examples/crossplay.py
"""

from collections import Counter

from bba import Layout, Skill, crossplay

MAP = """
XMZRTXX
B     W
G 1 2 D
P     S
XXXUXXX
"""
WANTED = (Skill.GO_TO_SINK_TO_WASH_PLATE, Skill.GRAB_DIRTY_PLATE, Skill.PUT_DOWN_OBJECT)


class Washer:
    """Washes plates, in every step or in one of several."""

    def __init__(self, one_of: int = 1) -> None:
        self.one_of = one_of

    def reset(self, context) -> None:
        """A game begins."""

    def observe(self, observation) -> None:
        """Sees a step; it has no belief."""

    def decide(self, observation) -> int | None:
        """Returns the skill to begin; the same one goes on."""
        feasible = set(observation.feasible()) if observation.step % self.one_of == 0 else set()
        return next((int(skill) for skill in WANTED if skill in feasible), int(Skill.STAY))

    def commit(self, observation, decision) -> None:
        """The decision counts now."""


if __name__ == "__main__":  # the worker processes import this file
    galley = Layout(name="galley", map=tuple(MAP.strip().splitlines()), extinguisher=(1, 4))
    egos = {"bayes": "bayes", "washer": Washer, "slow washer": Washer(one_of=5)}  # a name, a class, an object
    result = crossplay(egos, [Washer, "switching"], ["open", galley], seeds=5, horizon=600, workers=1)
    print(result)  # a notebook shows the tables of all pairs; result.plot() draws them

    for row in result.differences("duplicate_rate", by=["kitchen"]):
        print(f"{row['kitchen']}: duplicates, {row['ego']} − {row['other']}: {row['mean']:.2f}")
    skills = Counter()
    for trace in result.traces(ego="washer", kitchen="galley", partner="switching"):
        skills.update(Skill(tick.skills[0]).name for tick in trace.ticks if tick.skills[0] >= 0)
    print("the washer's steps in the galley:", skills.most_common(3))
