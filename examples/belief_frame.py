"""A game's belief as a data frame: how sure the agent was, and how often it was right.

python examples/belief_frame.py
"""

from bba import ROLE_NAMES, play_game

trace = play_game("open", "bayes", "switching", seed=3, horizon=600, fast=False, progress=False)
frame = trace.to_frame("pandas")  # one row a step; docs/reference/columns.csv says what each column is

known = frame[frame["p1_role"].notna()]
right = known["p0_map"] == known["p1_role"]
print(f"{len(frame)} steps, the belief is right in {right.mean():.0%} of those in which the partner works in a role")
for role in ROLE_NAMES:
    steps = known[known["p1_role"] == role]
    if len(steps):
        print(f"{role:14} {len(steps):4} steps, believed likeliest in {(steps['p0_map'] == role).mean():.0%} of them")
