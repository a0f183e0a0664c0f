"""Older results that are kept on purpose: episodes that other code has played stand for those of this code."""

from collections.abc import Collection
from dataclasses import replace

from bba.bench.plan import SweepPlan


def with_accepted(plan: SweepPlan, finished: Collection[str], codes: Collection[str]) -> SweepPlan:
    """Returns the plan with the finished episodes of other code in the place of the same episodes of this code.

    Args:
        plan: the sweep as this code would play it.
        finished: the keys of the episodes that are stored and did not fail.
        codes: the digests of the code whose results are accepted, the best first.
    """
    found = {}
    for key, episode in plan.episodes.items():
        older = (episode.of_code(code) for code in codes if key not in finished)
        found[key] = next((one for one in older if one.key in finished), episode)
    entries = [entry._replace(key=found[entry.key].key) for entry in plan.entries]
    return replace(plan, entries=entries, episodes={episode.key: episode for episode in found.values()})
