"""Plays a game in a kitchen of your own, made from a map of characters.

python examples/custom_layout.py
"""

from bba import Game, Kitchen, Layout, Skill

# X counter, M meat, Z mushroom, R rice, T tortilla, U trash, B board, G grill, P pot, W sink, D dirty plates,
# S serving window; 1 and 2 are the floor on which the two players start.
MAP = """
XMZRTXX
B     W
G 1 2 D
P     S
XXXUXXX
"""

layout = Layout(name="galley", map=tuple(MAP.strip().splitlines()), extinguisher=(1, 4))

kitchen = Kitchen(layout, seed=0)
feasible = [Skill(number).name for number in kitchen.mask(0).nonzero()[0]]
print(f"{layout.name}: {layout.width} by {layout.height} tiles")
print(f"player 0 could start: {', '.join(feasible)}")

trace = Game(layout, "bayes", "switching", seed=0, horizon=600).run()
print(f"reward after {len(trace.ticks)} steps: {trace.score}")
