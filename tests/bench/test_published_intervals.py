"""The published tables' intervals over seeds, worked out again by SciPy from the games that ship with them."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bba.agents.role_partners import LOCKED
from bba.bench.score_card.card import read_card
from benchmarks.knowledge import ONE_ROLE

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def rows_of(name):
    with (RESULTS / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_seed(games):
    """The mean of each seed over the games of all places, (kitchen, partner, seed), each of which has every seed."""
    seeds = sorted({place[-1] for place in games})
    places = {place[:-1] for place in games}
    assert len(games) == len(seeds) * len(places), "each place has every seed"
    kitchens = sorted({place[0] for place in places})
    means = []
    for seed in seeds:
        of_kitchens = [[games[*place, seed] for place in places if place[0] == kitchen] for kitchen in kitchens]
        means.append(np.mean([np.mean(values) for values in of_kitchens]))
    return np.array(means)


def near(found, expected, unit):
    """Whether the ends of an interval are SciPy's to 1 % of its width and what rounding to this unit leaves."""
    width = expected.high - expected.low
    return np.allclose(found, (expected.low, expected.high), rtol=0, atol=0.01 * width + unit / 2)


def is_in(group, place):
    layout, partner, _ = place
    kind = "locked" if partner.endswith(LOCKED) else "one role" if partner in ONE_ROLE else "adaptive"
    of_group = {partner, kind} | (set() if kind == "one role" else {"all"})
    return group[0] in ("all", layout) and group[1] in of_group


def test_every_lead_is_scipys_paired_t_of_the_means_of_the_seeds():
    rewards = {}
    for row in rows_of("knowledge"):
        place = (row["layout"], row["partner"], int(row["seed"]))
        rewards.setdefault(row["ego"], {})[place] = float(row["reward"])
    leads = rows_of("knowledge_leads")
    for row in leads:
        group = row["layout"], row["partners"]
        shared = [place for place in rewards[row["ego"]].keys() & rewards[row["other"]].keys() if is_in(group, place)]
        one, other = (by_seed({place: rewards[row[name]][place] for place in shared}) for name in ("ego", "other"))
        if np.ptp(one - other) == 0:
            continue
        test = stats.ttest_rel(one, other)
        assert near((float(row["low"]), float(row["high"])), test.confidence_interval(), 0.1), row
        assert float(row["p"]) == pytest.approx(test.pvalue, rel=0.05), row
    assert len(leads) > 300


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_every_reward_of_the_leaderboard_is_scipys_t_of_the_means_of_the_seeds(protocol):
    page = (RESULTS / "leaderboard.md").read_text("utf-8").split(f"## {protocol} full")[1].split("\n## ")[0]
    whole, kitchens = (table.splitlines() for table in page.strip().split("\n\n")[1:3])
    games = {}
    for file in sorted((RESULTS / "data" / "cards").glob(f"*-{protocol}-full.json")):
        card = read_card(file)
        games[card.agent.name] = {
            (one.layout, f"{one.group} {one.partner}", one.seed): one.measures["reward"] for one in card.episodes
        }
    assert len(games) > 5
    for name, interval, *_ in rows_in(whole, games):
        expected = stats.ttest_1samp(by_seed(games[name]), 0).confidence_interval()
        assert near(ends_of(interval), expected, 1), name
    (first, *_), *others = rows_in(kitchens, games)
    for name, *_, lead in others:
        expected = stats.ttest_rel(by_seed(games[name]), by_seed(games[first])).confidence_interval()
        assert near(ends_of(lead), expected, 1), name
    assert len(others) == len(games) - 1


def rows_in(lines, names):
    """The cells of the rows of a table in Markdown that begin with one of these names."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [cells for cells in rows if cells[0] in names]


def ends_of(text):
    """The ends of an interval that is written as "mean [low, high]"."""
    return [float(end) for end in re.search(r"\[(.+), (.+)\]", text).groups()]
