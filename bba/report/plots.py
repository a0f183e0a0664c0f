"""Draws the figures of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

from bba.bench.statistics import Summary, share_within
from bba.bench.tables import CURVE_STEPS, Heading, TableBlock, TableCell
from bba.report.drawing import DIM, GROUND, SERIES, TEXT, Axes, colour, dash, draw, marker
from bba.report.formatting import NONE, heading_text, measure_label, summary_text

Delays = dict[str, dict[str, tuple[list[int | None], list[int | None]]]]  # layout, agent: noticed, complemented
ROW, SPREAD_OF_ROW = 0.17, 0.7  # inches a dot, and the share of a row that its dots fill


def dots(name: str, found: Sequence[TableBlock], *, zero: bool = False) -> str:
    """Draws a panel for each measure: a row a setting, a dot an agent; `zero` marks no difference."""
    rows, columns = found[0].rows, found[0].columns
    height = 0.9 + ROW * max(len(rows) * (len(columns) + 1.5), 5)

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, block in zip(axes[0], found, strict=True):
            panel.set_title(measure_label(block.title["measure"]))
            for column, _ in enumerate(block.columns):
                for row, cells in enumerate(block.cells):
                    shift = SPREAD_OF_ROW * ((column + 0.5) / len(block.columns) - 0.5)
                    _dot(panel, cells[column], row + shift, column)
            panel.set_yticks(range(len(block.rows)), [_setting(row) for row in block.rows])
            panel.set_ylim(len(block.rows) - 0.5, -0.5)
            panel.grid(visible=False, axis="y")
            if zero:
                panel.axvline(0, color=DIM, linewidth=1)
        if not zero:
            legend(canvas, axes[0][0], [column["agent"] for column in columns])

    return draw(name, (1, len(found)), height, paint, shared=True)


def _dot(panel: Axes, cell: TableCell, y: float, number: int) -> None:
    """Draws our mean with its spread, and the preprint's value."""
    if cell.ours is not None:
        low, high = _interval(cell.ours)
        panel.plot([low, high], [y, y], color=colour(number), linewidth=1.3, solid_capstyle="round")
        panel.plot([cell.ours.mean], [y], marker(number), color=colour(number), markersize=5)
    if cell.paper is not None:
        _hollow(panel, cell.paper.mean, y, number, 5)


def _hollow(panel: Axes, x: float, y: float, number: int, size: int) -> None:
    """Draws a hollow dot, for a value of the preprint."""
    panel.plot([x], [y], marker(number), markersize=size, markerfacecolor="none", markeredgecolor=colour(number))


def _interval(summary: Summary) -> tuple[float, float]:
    """Returns the ends of the bar of a summary."""
    if summary.low is not None and summary.high is not None:
        return summary.low, summary.high
    return summary.mean - (summary.sd or 0), summary.mean + (summary.sd or 0)


def _setting(heading: Heading) -> str:
    """Returns a kitchen and a group of partners as a label."""
    return heading_text(heading, " · ").replace("forced_coordination", "forced")


def legend(canvas: Any, panel: Axes, agents: Sequence[str]) -> None:
    """Draws the agents' markers above the panels."""
    for number, agent in enumerate(agents):
        panel.plot([], [], marker(number), color=colour(number), markersize=5, label=agent)
    canvas.legend(loc="outside upper left", ncols=min(len(agents), 3), fontsize=9)


def selectivity(name: str, rewards: TableBlock, replans: TableBlock) -> str:
    """Draws a panel for each kitchen: reward over replans, a dot for each agent and group of partners."""
    layouts = list(dict.fromkeys(row["layout"] for row in rewards.rows))
    agents = [column["agent"] for column in rewards.columns]

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, layout in zip(axes[0], layouts, strict=True):
            panel.set_title(layout)
            panel.set_xlabel("replans a game")
            panel.set_xscale("symlog", linthresh=1)
            panel.set_xlim(-0.3, 3000)
            panel.set_xticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1000"])
            panel.minorticks_off()
            for row, high, wide in zip(rewards.rows, rewards.cells, replans.cells, strict=True):
                if row["layout"] == layout:
                    _pairs(panel, high, wide)
        axes[0][0].set_ylabel("reward")
        legend(canvas, axes[0][0], agents)

    return draw(name, (1, len(layouts)), 2.7 + 0.18 * -(-len(agents) // 3), paint)


def _pairs(panel: Axes, rewards: Sequence[TableCell], replans: Sequence[TableCell]) -> None:
    """Draws a dot for each agent, hollow for values of the preprint."""
    for number, (reward, replan) in enumerate(zip(rewards, replans, strict=True)):
        if reward.ours is not None and replan.ours is not None:
            low, high = _interval(reward.ours)
            panel.plot([replan.ours.mean] * 2, [low, high], color=colour(number), linewidth=1)
            panel.plot([replan.ours.mean], [reward.ours.mean], marker(number), color=colour(number), markersize=6)
        if reward.paper is not None and replan.paper is not None:
            _hollow(panel, replan.paper.mean, reward.paper.mean, number, 6)


def recovery(name: str, delays: Delays) -> str:
    """Draws two panels for each kitchen: the share of switches that belief and agent have followed over steps."""
    agents = list(dict.fromkeys(agent for found in delays.values() for agent in found))

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for row, what in enumerate(("belief", "agent")):
            for panel, (layout, found) in zip(axes[row], delays.items(), strict=True):
                panel.set_title(f"{layout}: {what}")
                for number, agent in enumerate(agents):
                    curve = share_within(found[agent][row], CURVE_STEPS) if agent in found else []
                    style = {"color": colour(number), "linestyle": dash(number), "linewidth": 1.4}
                    label = agent if panel is axes[0][0] else None
                    panel.step(range(len(curve)), curve, where="post", label=label, **style)
                panel.set_ylim(0, 1.02)
                panel.set_xlim(0, CURVE_STEPS)
                if row == 1:
                    panel.set_xlabel("steps since the switch")
            axes[row][0].set_ylabel("share followed")
        canvas.legend(loc="outside upper left", ncols=3, fontsize=9)

    return draw(name, (2, len(delays)), 4.4 + 0.18 * -(-len(agents) // 3), paint)


def sensitivity(name: str, found: Sequence[TableBlock], parameters: Mapping[str, Mapping[str, float]]) -> str:
    """Draws a panel for each measure and parameter, its values at equal distances."""

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for row, (panels, block) in enumerate(zip(axes, found, strict=True)):
            cells = {heading["variant"]: cells for heading, cells in zip(block.rows, block.cells, strict=True)}
            for panel, (parameter, values) in zip(panels, parameters.items(), strict=True):
                _effect(panel, [cells.get(label, []) for label in values])
                panel.set_xticks(range(len(values)), [f"{value:g}" for value in values.values()])
                panel.set_xlim(-0.4, len(values) - 0.6)
                if row == 0:
                    panel.set_title(parameter)
            panels[0].set_ylabel(measure_label(block.title["measure"]))

    return draw(name, (len(found), len(parameters)), 0.4 + 1.5 * len(found), paint, shared=True)


def _effect(panel: Axes, values: Sequence[Sequence[TableCell]]) -> None:
    """Draws a line for each agent over the values of a parameter; hollow and dashed for the preprint's."""
    for number in range(max(map(len, values))):
        ours = [(x, cells[number].ours) for x, cells in enumerate(values) if cells]
        points = [(x, summary) for x, summary in ours if summary is not None]
        for x, summary in points:
            panel.plot([x, x], _interval(summary), color=colour(number), linewidth=1.2)
        panel.plot([x for x, _ in points], [s.mean for _, s in points], "o-", color=colour(number), markersize=5)
        theirs = [(x, cells[number].paper) for x, cells in enumerate(values) if cells]
        known = [(x, paper.mean) for x, paper in theirs if paper is not None]
        style = {"color": colour(number), "markerfacecolor": "none", "linewidth": 0.9, "linestyle": (0, (3, 3))}
        panel.plot([x for x, _ in known], [mean for _, mean in known], marker="o", markersize=5, **style)


def matrix(name: str, found: Sequence[TableBlock], measure: str) -> str:
    """Draws a panel for each kitchen: a square for each pair of agents, the higher the darker, with its values."""
    means = [cell.ours.mean for block in found for cells in block.cells for cell in cells if cell.ours is not None]
    top = max(means, default=0) or 1
    width = max(len(block.columns) for block in found) * len(found)

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, block) in enumerate(zip(axes[0], found, strict=True)):
            panel.set_title(heading_text(block.title))
            _squares(panel, block, measure, top)
            panel.set_xticks(range(len(block.columns)), [heading_text(column) for column in block.columns])
            panel.set_yticks(range(len(block.rows)), [heading_text(row) for row in block.rows] if number == 0 else [])
            panel.set_xlim(-0.5, len(block.columns) - 0.5)
            panel.set_ylim(len(block.rows) - 0.5, -0.5)
            panel.tick_params(length=0, labelcolor=TEXT)
            panel.spines[:].set_visible(False)
            panel.grid(visible=False)

    return draw(name, (1, len(found)), 0.6 + (7.4 / max(width, 4)) * 0.55 * max(len(b.rows) for b in found), paint)


def _squares(panel: Axes, block: TableBlock, measure: str, top: float) -> None:
    from matplotlib.patches import Rectangle

    for row, cells in enumerate(block.cells):
        for column, cell in enumerate(cells):
            depth = 0.0 if cell.ours is None else 0.08 + 0.42 * max(cell.ours.mean, 0) / top
            corner = (column - 0.48, row - 0.47)
            panel.add_patch(Rectangle(corner, 0.96, 0.94, facecolor=SERIES[2], alpha=depth, edgecolor=GROUND))
            ours = NONE if cell.ours is None else summary_text(cell.ours._replace(sd=None), measure)
            paper = f"\n[{cell.paper.mean:g}]" if cell.paper is not None else ""
            panel.text(column, row, ours + paper, ha="center", va="center", color=TEXT, fontsize=9)
