"""Benchmarks: sweeps of episodes, their stored results, and the tables of these results."""

from bba.bench.episode import (
    Episode,
    EpisodeResult,
    TableEntry,
    code_digest,
    label,
    other_code_note,
    play,
    prompts_digest,
    reason,
    scoring_note,
)
from bba.bench.names import OWN_PLANNERS
from bba.bench.plan import SweepPlan, in_condition, plan_sweep, with_accepted
from bba.bench.preprint_values import PaperValue, paper_values
from bba.bench.presets import Sweep, load_sweep, sweep_names
from bba.bench.results_store import COMMAND_FILE, RESULTS_FILE, ResultsStore
from bba.bench.statistics import Summary, matched, mean_difference, over_seeds, share_within
from bba.bench.stored_episode import StoredEpisode
from bba.bench.table_points import Heading
from bba.bench.table_spec import Axis, TableSpec
from bba.bench.tables import CURVE_STEPS, TableBlock, TableCell, recovery_curves, repeat_spreads, table_blocks

__all__ = [
    "COMMAND_FILE",
    "CURVE_STEPS",
    "OWN_PLANNERS",
    "RESULTS_FILE",
    "Axis",
    "Episode",
    "EpisodeResult",
    "Heading",
    "PaperValue",
    "ResultsStore",
    "StoredEpisode",
    "Summary",
    "Sweep",
    "SweepPlan",
    "TableBlock",
    "TableCell",
    "TableEntry",
    "TableSpec",
    "code_digest",
    "in_condition",
    "label",
    "load_sweep",
    "matched",
    "mean_difference",
    "other_code_note",
    "over_seeds",
    "paper_values",
    "plan_sweep",
    "play",
    "prompts_digest",
    "reason",
    "recovery_curves",
    "repeat_spreads",
    "scoring_note",
    "share_within",
    "sweep_names",
    "table_blocks",
    "with_accepted",
]
