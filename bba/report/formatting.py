"""What is measured, as people read it: the names of measures and headings, and figures with their spread."""

from bba.bench.paper import PaperValue
from bba.bench.plan import TableEntry
from bba.bench.presets import TableSpec
from bba.bench.statistics import Summary
from bba.bench.tables import Heading

LABELS = {
    "skill_accuracy": "skill accuracy",
    "gap_rate": "gap rate",
    "comp_at_3": "Comp@3",
    "duplicate_rate": "duplicate rate",
    "catch_delay": "steps until noticed",
    "recovery": "recovery steps",
    "br_prox": "BR-Prox (IQM)",
}
SCRIPTED = "scripted"  # the planner that is no language model
SHOWN = ("reward", "replans", "gap_rate", "comp_at_3", "skill_accuracy", "duplicate_rate", "recovery")  # of an episode
WHOLE = {"reward"}  # measures whose fractions say nothing
TENTHS = {"replans", "recovery", "catch_delay", "contradictions", "planner_calls"}


def word(axis: str, value: str) -> str:
    """A value of an axis."""
    return LABELS.get(value, value.replace("_", " ")) if axis == "measure" else value


def words(heading: Heading, between: str = " ") -> str:
    """A heading: the values of its axes."""
    return between.join(word(axis, value) for axis, value in heading.items())


def named_shortly(cases: list[TableEntry]) -> list[TableEntry]:
    """The same without their planner in their labels, where the scripted one plans for all; say so elsewhere."""
    scripted = {case.planner for case in cases} - {None} == {SCRIPTED}
    return [case._replace(planner=None) for case in cases] if scripted else cases


def measure_under(spec: TableSpec, *headings: Heading) -> str:
    """The measure of a cell under these headings; where none of them names it, the table's only one."""
    return next((heading["measure"] for heading in headings if "measure" in heading), spec.measures[0])


def figure(summary: Summary, measure: str) -> str:
    """A mean with its interval or standard deviation, rounded as the measure deserves."""
    # z: nothing that rounds to zero is shown as less than zero
    places = 0 if measure in WHOLE else 1 if measure in TENTHS else 2
    if summary.low is not None and summary.high is not None:
        return f"{summary.mean:+z.{places}f} [{summary.low:z.{places}f}, {summary.high:z.{places}f}]"
    return f"{summary.mean:.{places}f}" + ("" if summary.sd is None else f" ± {summary.sd:.{places}f}")


def number(value: float | None) -> str:
    """A measure of one episode."""
    return "–" if value is None else str(value) if isinstance(value, int) else f"{value:.2f}"


def preprint(found: PaperValue, measure: str) -> str:
    """The same of a figure of the preprint."""
    return figure(Summary(found.mean, 0, found.sd, found.low, found.high), measure)
