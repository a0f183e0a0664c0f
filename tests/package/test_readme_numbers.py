"""Every number of the README's first page is one that a command has written into a table.

`python -m benchmarks.knowledge` writes `knowledge_leads.csv`, `python -m benchmarks.beliefs` writes `beliefs.csv`, and
`python -m benchmarks --out …` (`make bench`) writes `bench.csv`. After they have run anew, this says what to change.
"""

import csv
import re
import tomllib
from pathlib import Path

from bba.kitchen.constants import N_SKILLS

ROOT = Path(__file__).parents[2]
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def table(name: str) -> list[dict[str, str]]:
    with (ROOT / "docs" / "results" / "data" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lead(other: str, partners: str) -> dict[str, str]:
    """The mean lead of belief and gate over another ego, on all kitchens."""
    keys = {"ego": "belief and gate", "other": other, "layout": "all", "partners": partners}
    (row,) = (row for row in table("knowledge_leads.csv") if keys.items() <= row.items())
    return row


def percent(row: dict[str, str], column: str = "lead") -> float:
    return 100 * float(row[column]) / float(row["other_mean"])


def test_what_belief_and_gate_bring_is_what_the_games_say():
    found = re.search(
        r"belief and gate bring (\d+) % \[95 % interval: ([\d.]+), ([\d.]+)\], (\d+) % beside locked partners\.", README
    )
    overall = lead("nothing", "all")
    assert found.groups() == (
        f"{percent(overall):.0f}",
        f"{percent(overall, 'low'):.1f}",
        f"{percent(overall, 'high'):.1f}",
        f"{percent(lead('nothing', 'locked')):.0f}",
    )


def test_what_watching_the_partner_adds_and_the_lead_over_talents_are_what_the_games_say():
    assert f"watching this one adds {percent(lead('prior', 'locked')):.0f} %." in README
    assert f"It is {percent(lead('talents', 'all')):.0f} % ahead of `talents`." in README


def test_what_they_bring_beside_partners_from_nothing_is_what_the_games_say():
    rewards: dict[str, dict[tuple[str, ...], float]] = {"propensities": {}, "nothing": {}}
    for row in table("propensities_rewards.csv"):
        if row["partner"].startswith("scratch:") and row["ego"] in rewards:
            rewards[row["ego"]][row["layout"], row["partner"], row["seed"]] = float(row["reward"])
    places = rewards["propensities"].keys() & rewards["nothing"].keys()
    assert len(places) == 216
    with_belief, without = (sum(rewards[ego][place] for place in places) for ego in rewards)
    assert f"they bring {100 * (with_belief / without - 1):.0f} %." in README


def test_the_belief_is_right_as_often_as_the_tables_say():
    assert "the belief is right in more than four of five steps" in README
    rows = [row for row in table("beliefs.csv") if row["belief"] == "the preprint's"]
    assert {row["layout"] for row in rows} >= {"open", "ring"}
    assert min(float(row["accuracy"]) for row in rows) > 0.8


def test_the_speed_is_the_measured_one():
    game = "game of bayes and switching, compiled"
    figures = {
        row["figure"]: row["value"] for row in table("bench.csv") if row["what"] == game and "open" in row["table"]
    }
    steps = round(int(figures["steps/s"].replace(",", "")), -3)
    assert f"plays {steps:,} steps a second on one core" in README
    assert f"{figures['× reference']} times as many as overcooked-ai 1.1.0" in README


def test_skills_and_versions_are_those_of_the_code():
    assert f"The agent plans with {N_SKILLS} skills" in README
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"].startswith(">=" + re.search(r"You need Python (\S+) or newer", README)[1])


def test_no_other_number_stands_among_the_results():
    results = README[README.index("## Results") : README.index("## Where to go from here")]
    text = re.sub(r"`[^`]*`|\([^)]*\)", "", results)
    numbers = re.findall(r"\d[\d,.]*(?<![.,])", text)
    assert numbers == ["6", "95", "5.5", "7.2", "13", "3", "11", "8", "181,000", "14.2", "1.1.0"], (
        "a number without a test"
    )
