"""What can be said of clones of people, and what cannot, in numbers and in words."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from bba.analysis.human_choices import HumanChoices
from bba.bench.statistics import Summary, mean_difference
from bba.learning.recipes.human import HeldOutPerson

ENOUGH = 6  # people; with fewer, a sign test cannot reach 5 %, even if everybody is predicted better


def clone_record(
    layout: str, people: Sequence[HumanChoices], scores: Sequence[HeldOutPerson], seed: int
) -> dict[str, Any]:
    """Returns everything measured on one layout, JSON-serialisable."""
    gain = mean_difference([score.clone - score.counts for score in scores])
    return {
        "layout": layout,
        "seed": seed,
        "people": len(people),
        "choices": sum(len(one.skills) for one in people),
        "left_out": sum(one.left_out for one in people),
        "pause": float(np.concatenate([one.pauses for one in people]).mean()),
        "duration": float(np.concatenate([one.durations for one in people]).mean()),
        "held_out": [asdict(score) for score in scores],
        "clone_minus_counts": None if gain is None else gain._asdict(),
        "conclusion": conclusion(len(people), gain),
    }


def conclusion(people: int, gain: Summary | None) -> str:
    """Returns in one sentence what follows for people who have not taken part.

    Args:
        people: how many were recorded.
        gain: the clone's log-likelihood minus that of pooled counts, over the held-out people.
    """
    if gain is None:
        return "One person: nobody can be held out, so nothing is known about how well it predicts other people."
    by = f"{gain.mean:+.3f} nats a choice beside pooled counts"
    if people < ENOUGH:
        return (
            f"{people} people ({by}): too few to conclude anything about others; even if it were better for each of "
            f"them, that could be chance (a sign test needs {ENOUGH})."
        )
    assert gain.low is not None
    assert gain.high is not None
    interval = f"{by}, 95 % interval over people {gain.low:+.3f} to {gain.high:+.3f}"
    if gain.low <= 0 <= gain.high:
        return f"{people} people ({interval}): not shown to predict people better than how often each skill is chosen."
    return f"{people} people ({interval}): it predicts people it has not seen {'better' if gain.low > 0 else 'worse'}."


def clone_table(records: Sequence[dict[str, Any]]) -> str:
    """Returns the held-out likelihoods of all layouts as a Markdown table, then the conclusions."""
    head = ("layout", "person held out", "choices", "clone", "counts", "uniform", "switches", "expected by the clone")
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "---:|" * (len(head) - 2)]
    for record in records:
        for one in record["held_out"]:
            numbers = [f"{one[name]:.3f}" for name in ("clone", "counts", "uniform", "switches", "predicted_switches")]
            lines.append(f"| {' | '.join([record['layout'], one['person'], str(one['choices']), *numbers])} |")
    said = [f"- {record['layout']}: {record['conclusion']}" for record in records]
    return "\n".join([*lines, "", *said]) + "\n"
