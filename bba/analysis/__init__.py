"""What is computed from a trace: measures, snapshots, timelines, logs, comparisons and tables. Needs no screen."""

from bba.analysis.coordination import SwitchResponse, switch_responses
from bba.analysis.human_choices import RoleChange, with_inferred_skills
from bba.analysis.measures import EPISODE_MEASURES, MEASURES, MeasureValue, MeasureValues, measure, measure_columns
from bba.analysis.plugin_measures import find_measure, plugin_measure
from bba.analysis.snapshot import Advice, Adviser, BeliefSnapshot, Snapshot, StepsWhere, hypotheses_of
from bba.analysis.timeline import TRUTHS, TimelineData, TimelineMark, nearest

__all__ = [
    "EPISODE_MEASURES",
    "MEASURES",
    "TRUTHS",
    "Advice",
    "Adviser",
    "BeliefSnapshot",
    "MeasureValue",
    "MeasureValues",
    "RoleChange",
    "Snapshot",
    "StepsWhere",
    "SwitchResponse",
    "TimelineData",
    "TimelineMark",
    "find_measure",
    "hypotheses_of",
    "measure",
    "measure_columns",
    "nearest",
    "plugin_measure",
    "switch_responses",
    "with_inferred_skills",
]
