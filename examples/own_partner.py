"""A partner of your own, in a kitchen of your own: it washes plates, and waits where it cannot.

python examples/own_partner.py
"""

from bba import Layout, Skill, measure, play_game

MAP = """
XMZRTXX
B     W
G 1 2 D
P     S
XXXUXXX
"""
WANTED = (Skill.GO_TO_SINK_TO_WASH_PLATE, Skill.GRAB_DIRTY_PLATE, Skill.PUT_DOWN_OBJECT)


class Washer:
    """Washes plates: takes a dirty one, washes it, puts it down."""

    def reset(self, context) -> None:
        """A game begins; `context` says where and with whom."""

    def observe(self, observation) -> None:
        """Sees a step; what it returns is its belief, and this partner has none."""

    def decide(self, observation) -> int | None:
        """Returns the skill to begin; the same one goes on."""
        feasible = set(observation.feasible())
        return next((int(skill) for skill in WANTED if skill in feasible), int(Skill.STAY))

    def commit(self, observation, decision) -> None:
        """The decision counts now."""


layout = Layout(name="galley", map=tuple(MAP.strip().splitlines()), extinguisher=(1, 4))
for partner in (Washer, "switching"):
    found = measure(play_game(layout, "bayes", partner, 0, horizon=600, fast=False, progress=False))
    print(f"beside {getattr(partner, '__name__', partner):10} reward {found['reward']}, replans {found['replans']}")
