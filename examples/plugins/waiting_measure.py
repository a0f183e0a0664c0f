"""A measure, a table and a figure for a report: how long each agent waits.

bba-tui bench examples/plugins/plugins.toml
bba-tui report results/plugins --plugins examples/plugins/waiting_measure.py
"""

from html import escape
from statistics import fmean

from bba.bench.results_reader import StoredSweep
from bba.kitchen.constants import SKILL_STAY
from bba.play import Trace
from bba.report.content import OwnTable

NAME = "examples/plugins/waiting_measure.py:share_waiting"
ROW = 30  # pixels of a bar with its label


def share_waiting(trace: Trace) -> float:
    """Share of the steps in which the ego waits."""
    return fmean(tick.skills[0] == SKILL_STAY for tick in trace.ticks)


def by_agent(run: StoredSweep) -> dict[str, float]:
    """Returns the mean of the measure for each agent of a sweep."""
    values: dict[str, list[float]] = {}
    for entry in run.entries:
        result = run.results.get(entry.key)
        if result is not None and result.measures is not None and result.measures[NAME] is not None:
            values.setdefault(entry.label, []).append(result.measures[NAME])
    return {agent: fmean(found) for agent, found in values.items()}


def waiting_table(run: StoredSweep) -> OwnTable:
    """Waiting by agent."""
    rows = tuple((agent, f"{100 * mean:.1f}") for agent, mean in by_agent(run).items())
    return OwnTable(("agent", "steps of 100"), rows)


def waiting_figure(run: StoredSweep) -> str:
    """Waiting by agent, as bars."""
    bars = "".join(
        f'<text x="0" y="{ROW * number + 18}" fill="currentColor" font-size="12">{escape(agent)}</text>'
        f'<rect x="320" y="{ROW * number + 6}" width="{400 * mean:.0f}" height="16" fill="currentColor"/>'
        for number, (agent, mean) in enumerate(by_agent(run).items())
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {ROW * len(by_agent(run))}">{bars}</svg>'
