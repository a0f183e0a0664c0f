"""Reads the tables of a study with pandas: who counts, how the agents differ, how soon they follow a switch.

bba-tui study tables results/example
python examples/analyse_study.py results/example/tables

The tables of --anonymous (results/example/tables-anonymous) do as well.
"""

import sys
from pathlib import Path

import pandas as pd
from scipy import stats


def interval(values: pd.Series) -> str:
    """The mean and Student's 95 % interval."""
    found = values.dropna().to_numpy(float)
    if not len(found):
        return "no values"
    if len(found) == 1:
        return f"{found[0]:.2f}, n = 1"
    low, high = stats.ttest_1samp(found, 0).confidence_interval()
    return f"{found.mean():.2f} [{low:.2f}, {high:.2f}], n = {len(found)}"


folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/example/tables")
tables = {file.stem: pd.read_csv(file) for file in sorted(folder.glob("*.csv"))}
people, games, answers = tables["participants"], tables["games"], tables["answers"]

# Who counts: complete, and no attention check failed; games that were played to their end, by somebody who counts.
failed = set(answers.loc[answers["as_expected"].eq(False), "participant"])
counted = set(people.loc[people["complete"], "participant"]) - failed
whole = games[games["participant"].isin(counted) & games["ended"].notna() & ~games["given_up"]]
print(f"{len(counted)} of {len(people)} participants count, with {len(whole)} games")

# How the agents differ: a participant is the unit, so the games of one participant with one agent are one value.
agents = list(dict.fromkeys(games["agent"]))
reward = whole.pivot_table(index="participant", columns="agent", values="reward")
for agent in reward.columns:
    print(f"reward with {agent}: {interval(reward[agent])}")
for agent in [name for name in reward.columns if name != agents[0] and agents[0] in reward.columns]:
    print(f"{agent} − {agents[0]}, within participants: {interval(reward[agent] - reward[agents[0]])}")

# How soon belief and agent follow a switch: the share of all switches, so that those never followed count, too.
switches = tables["switches"][tables["switches"]["participant"].isin(counted)]
for agent, found in switches.groupby("agent"):
    belief, action = ((found[name] <= 30).mean() for name in ("belief_delay", "action_delay"))
    print(f"{len(found)} switches beside {agent}: within 30 steps {belief:.0%} believed, {action:.0%} followed")

# Answers on scales and sliders, those about no game without an agent; and how long a key took to act.
scores = answers[answers["type"].isin(["scale", "slider"]) & answers["participant"].isin(counted)]
for (question, agent), found in scores.fillna({"agent": "no game"}).groupby(["question", "agent"]):
    print(f"{question}, {agent}: {interval(found.groupby('participant')['score'].mean())}")
keys = tables["keys"][~tables["keys"]["undone"].astype(bool)]
if keys["seconds"].notna().any():
    print(f"a key acts after {keys['seconds'].median():.3f} s (median of {keys['seconds'].count()})")
