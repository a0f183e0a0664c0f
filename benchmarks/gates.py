"""`python -m benchmarks.gates`: how the three gates follow a partner's changes of role; writes a table and a figure.

It plays `bayes` (scripted planner) with `switching`, lets each gate judge these games with many thresholds, and plays
the agents that go by them. In a simulation the ego's skills and own decisions are those of the game; its replans are
left out, and the gate's openings take their place. A change is *reached* if the ego replans, or decides of its own with
the right MAP, within so many steps after it. A replan is *needless* without a change in the `RECENT` steps before it.

The third gate asks simulated futures, which a recorded game does not hold: it plays, with the rollout planner and its
belief over who the partner is, once for each cost of a replan.

Seeds 0 to 19 and 100 to 119 are for reported results and are not to be used here.
"""

import argparse
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bba.agents import SeatSpec, load_agent
from bba.analysis.human_choices import RoleChange, role_changes
from bba.analysis.snapshot import role_posterior
from bba.belief import CommitmentGate, Gate, hypothesis_space, likeliest
from bba.bench.statistics import GameRatio, Summary, ratio_with_interval
from bba.config import NAMED_GROUPS, BeliefConfig, CommitmentConfig, GateConfig, RolloutOptions
from bba.files import write_whole
from bba.palette import LIGHT
from bba.play import Game, Trace
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Tick
from bba.report.drawing import Axes, colour, draw, page_colours, standalone
from bba.tabular import to_csv
from benchmarks.summaries import OUT

LAYOUTS = ("open", "ring")
THETAS = (0.001, 0.01, 0.04, 0.1, 0.2, 0.4, 0.7, 1.0)
RATIOS = (0.5, 1.0, 1.5, 2.0, 2.3, 2.6, 3.0, 4.0, 5.0, 7.0)
COSTS = (0.0, 0.5, 2.0, 5.0, 10.0)  # points
SOON, LATER = 10, 30  # steps within which a change is to be reached
RECENT = 30  # steps
PREPRINT, SELECTIVE, RESPONSIVE, VALUE = "preprint", "selective", "responsive", "value"
MEASURES = {  # column: the count, and the count that it is a share of ("" for a mean over games)
    "soon": ("soon", "changes"),
    "later": ("later", "changes"),
    "replans": ("replans", ""),
    "needless": ("needless", ""),
}


class Point(NamedTuple):
    """One gate with one threshold in one kitchen: its measures, by the name of their column."""

    layout: str
    how: str
    gate: str
    threshold: float
    games: int
    measures: dict[str, Summary]


class GateTally(NamedTuple):
    """Counts over one game.

    Attributes:
        changes: of the partner's role.
        soon, later: of these, reached within `SOON` and `LATER` steps.
        replans: of the ego.
        needless: of these, needless.
    """

    changes: int
    soon: int
    later: int
    replans: int
    needless: int


def main() -> None:
    """Plays, measures, and writes ``data/gates.csv`` and ``gates.svg``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gates", description=__doc__)
    parser.add_argument("--first-seed", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--horizon", type=int, default=2400)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    points = [point for layout in LAYOUTS for point in measured(layout, seeds, arguments.horizon)]
    (arguments.out / "data").mkdir(parents=True, exist_ok=True)
    write_whole(arguments.out / "data" / "gates.csv", as_csv(points))
    write_whole(arguments.out / "gates.svg", figure(points))


def measured(layout: str, seeds: Sequence[int], horizon: int) -> Iterator[Point]:
    """Yields the points of a kitchen."""
    traces = [played(layout, "bayes", "selective", seed, horizon) for seed in seeds]
    for name, threshold in gates():
        tallies = [tally(trace.ticks, openings(trace.ticks, gate_of(name, threshold))) for trace in traces]
        yield Point(layout, "simulated", name, threshold, len(seeds), summaries(layout, seeds, tallies))
    default = default_threshold(PREPRINT)
    found = [tally(trace.ticks, replans(trace.ticks)) for trace in traces]
    yield Point(layout, "played", PREPRINT, default, len(seeds), summaries(layout, seeds, found))
    for name in NAMED_GROUPS["commitment"]:
        games = (played(layout, "bayes-commit", name, seed, horizon) for seed in seeds)
        found = [tally(trace.ticks, replans(trace.ticks)) for trace in games]
        yield Point(layout, "played", name, default_threshold(name), len(seeds), summaries(layout, seeds, found))
    for cost in COSTS:
        games = (played_by_value(layout, cost, seed, horizon) for seed in seeds)
        found = [tally(trace.ticks, replans(trace.ticks)) for trace in games]
        yield Point(layout, "played", VALUE, cost, len(seeds), summaries(layout, seeds, found))


def played_by_value(layout: str, cost: float, seed: int, horizon: int) -> Trace:
    """Returns a game with `switching` of an ego that decides again where that is worth more than this cost."""
    belief = {"belief": "types"}
    options = SeatSpec(
        planner="rollout", trigger="value", belief_changes=belief, rollout=RolloutOptions(replan_cost=cost)
    )
    return Game(layout, load_agent("bayes", options), "switching", seed, horizon=horizon, fast=True).run()


def played(layout: str, agent: str, setting: str, seed: int, horizon: int) -> Trace:
    """Returns a game of an ego with `switching`."""
    options = SeatSpec(belief_config=BeliefConfig.of({"commitment": setting}))
    return Game(layout, load_agent(agent, options), "switching", seed, horizon=horizon, fast=True).run()


def gates() -> Iterator[tuple[str, float]]:
    """Yields each gate with each threshold: θ of the preprint's, λ of the commitment gate's two settings."""
    yield from ((PREPRINT, theta) for theta in THETAS)
    for name in NAMED_GROUPS["commitment"]:
        yield from ((name, ratio) for ratio in RATIOS)


def gate_of(name: str, threshold: float) -> Gate | CommitmentGate:
    """Returns a new gate with this threshold."""
    if name == PREPRINT:
        return Gate.of(GateConfig(theta_obs=threshold))
    values = {**NAMED_GROUPS["commitment"][name], "commitment_ratio": threshold}
    return CommitmentGate.of(CommitmentConfig(**values), hypothesis_space("roles"))


def default_threshold(name: str) -> float:
    """Returns the threshold with which a gate is shipped."""
    if name in (PREPRINT, VALUE):
        return GateConfig().theta_obs if name == PREPRINT else RolloutOptions().replan_cost
    return float(NAMED_GROUPS["commitment"][name]["commitment_ratio"])


def summaries(layout: str, seeds: Sequence[int], tallies: Sequence[GateTally]) -> dict[str, Summary]:
    """Returns the measures over games, a game of a kitchen for each seed, with intervals over seeds."""
    found = {}
    for column, (count, of) in {**MEASURES, "changes": ("changes", "")}.items():
        games = []
        for seed, tally_of_game in zip(seeds, tallies, strict=True):
            below = getattr(tally_of_game, of) if of else 1
            games.append(GameRatio(layout, "switching", seed, getattr(tally_of_game, count), below))
        found[column] = ratio_with_interval(games) or Summary(0.0, len(seeds))  # of no changes none is reached
    return found


def as_csv(points: Sequence[Point]) -> str:
    """Returns the table: a row for each point, three columns for each measure."""
    names = list(points[0].measures)
    columns = ["layout", "how", "gate", "threshold", "games"]
    columns += [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    rows = []
    for point in points:
        numbers = [number for name in names for number in _rounded(point.measures[name])]
        values = [point.layout, point.how, point.gate, f"{point.threshold:g}", point.games, *numbers]
        rows.append(dict(zip(columns, values, strict=True)))
    return to_csv(rows, columns)


def _rounded(summary: Summary) -> list[str]:
    """Returns a mean and its interval; "" for what too few games do not have."""
    values = (summary.mean, summary.low, summary.high)
    return ["" if value is None else f"{value:.3f}" for value in values]


def figure(points: Sequence[Point]) -> str:
    """Returns the figure: what is reached against what is needless, a line for each gate."""

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, layout in zip(axes[0], LAYOUTS, strict=True):
            panel.set_title(layout)
            panel.set_xlabel("needless replans a game")
            for number, name in enumerate(NAMES):
                _curve(panel, [one for one in points if (one.layout, one.gate) == (layout, name)], number)
        axes[0][0].set_ylabel(f"changes reached within {LATER} steps")
        axes[0][0].legend(loc="lower right", fontsize=9)

    return standalone(draw("gates", (1, len(LAYOUTS)), 3.6, paint, sharey="row"), page_colours(LIGHT))


NAMES = {
    PREPRINT: "the preprint's gate, over θ",
    SELECTIVE: "commitment gate, selective, over λ",
    RESPONSIVE: "commitment gate, responsive, over λ",
    VALUE: "value gate (rollout planner), over the cost of a replan",
}


def _curve(panel: Axes, points: Sequence[Point], number: int) -> None:
    """Draws one gate: a line over its threshold, and its shipped setting with the interval of what is reached."""
    simulated = [one for one in points if one.how == ("played" if one.gate == VALUE else "simulated")]
    if not simulated:
        return
    places = [(one.measures["needless"].mean, one.measures["later"].mean) for one in simulated]
    style = {"color": colour(number), "linewidth": 1.2, "markersize": 3}
    panel.plot([x for x, _ in places], [y for _, y in places], "o-", label=NAMES[simulated[0].gate], **style)
    shipped = next(one for one in simulated if one.threshold == default_threshold(one.gate))
    x, reached = shipped.measures["needless"].mean, shipped.measures["later"]
    panel.plot([x, x], [reached.low, reached.high], color=colour(number), linewidth=2)
    panel.plot([x], [reached.mean], "o", color=colour(number), markersize=8)


def openings(ticks: Sequence[Tick], gate: Gate | CommitmentGate) -> list[int]:
    """Returns the indices of the steps of a game at which a new gate opens; the ego needs a belief."""
    found = []
    for index, tick in enumerate(ticks):
        decision = tick.decisions[EGO]
        belief, judged = decision.belief, decision.gate
        if belief is not None and judged is not None and gate.evaluate(belief, mid_skill=judged.mid_skill).opens:
            found.append(index)
        if isinstance(gate, CommitmentGate) and belief is not None and decision.deliberate and not decision.replanned:
            gate.remember(belief)
    return found


def replans(ticks: Sequence[Tick]) -> list[int]:
    """Returns the indices of the steps in which the ego replanned."""
    return [index for index, tick in enumerate(ticks) if tick.decisions[EGO].replanned]


def tally(ticks: Sequence[Tick], replanned: Sequence[int]) -> GateTally:
    """Returns the counts of a game for these replans, whether it had them or they are simulated."""
    changes = role_changes(step_arrays(ticks))
    reactions = sorted({(index, None) for index in replanned} | set(_own_decisions(ticks)), key=lambda one: one[0])
    starts = [change.start for change in changes]
    return GateTally(
        len(changes),
        sum(_reached(change, reactions, SOON) for change in changes),
        sum(_reached(change, reactions, LATER) for change in changes),
        len(replanned),
        sum(not _follows(starts, index) for index in replanned),
    )


def _own_decisions(ticks: Sequence[Tick]) -> Iterator[tuple[int, int | None]]:
    """Yields index and MAP role of the ego's decisions that are no replans."""
    for index, tick in enumerate(ticks):
        decision = tick.decisions[EGO]
        if decision.deliberate and not decision.replanned and decision.belief is not None:
            yield index, likeliest(role_posterior(decision.belief))


def _reached(change: RoleChange, reactions: Sequence[tuple[int, int | None]], within: int) -> bool:
    """Returns whether a change is reached; the role of a reaction is None for a replan."""
    first = bisect_right(reactions, change.start, key=lambda reaction: reaction[0])
    last = bisect_right(reactions, change.start + within, key=lambda reaction: reaction[0])
    return any(role in (None, change.role) for _, role in reactions[first:last])


def _follows(starts: Sequence[int], index: int) -> bool:
    """Returns whether a change was at most `RECENT` steps ago."""
    before = bisect_right(starts, index)
    return before > 0 and index - starts[before - 1] <= RECENT


if __name__ == "__main__":
    main()
