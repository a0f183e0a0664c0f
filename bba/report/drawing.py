"""The drawings of a page as SVG: text stays text, and colours are those of the page's light or dark style."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from bba.bench import CURVE_STEPS, Summary, TableBlock, TableCell, share_within
from bba.bench.formatting import NONE, heading_text, measure_label, summary_text
from bba.errors import BBAError
from bba.palette import Palette

# Matplotlib draws in placeholder colours that are replaced by names of the style sheet.
TEXT = "#000101"
DIM = "#000102"
LINE = "#000103"
GROUND = "#000104"
SERIES = tuple(f"#0002{number:02x}" for number in range(6))  # a hue each: the roles' of the palette
SERIES_NAMES = {colour: f"series-{number}" for number, colour in enumerate(SERIES)}
COLOUR_NAMES = {TEXT: "text", DIM: "dim", LINE: "line", GROUND: "panel"} | SERIES_NAMES
# Every six series have the same marker and dash.
MARKERS = ("o", "s", "^")
DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
FIGURE_WIDTH = 9.0  # inches; text of 9 points is then as large as the page's small print
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.edgecolor": LINE,
    "axes.labelcolor": DIM,
    "axes.titlecolor": TEXT,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": DIM,
    "ytick.labelcolor": TEXT,
    "text.color": TEXT,
    "legend.frameon": False,
    "legend.labelcolor": TEXT,
}

Delays = dict[str, dict[str, tuple[list[int | None], list[int | None]]]]  # layout, agent: noticed, complemented
ROW = 0.17  # inches a dot
SPREAD_OF_ROW = 0.7  # the share of a row that its dots fill
Axes = Any  # matplotlib.axes.Axes: the library is loaded only where something is drawn


def check_drawing() -> None:
    """Checks that figures can be drawn.

    Raises:
        BBAError: a library is missing.
    """
    if not (find_spec("jinja2") and find_spec("matplotlib")):
        raise BBAError("--report: needs matplotlib and jinja2: pip install 'bba-tui[report]'")


def draw(
    name: str,
    panels: tuple[int, int],
    height: float,
    paint: Callable[[Any, list[list[Axes]]], None],
    **sharing: Any,
) -> str:
    """Returns a drawing as an SVG element; the same data give the same text.

    Args:
        name: one word, unique on the page.
        panels: rows and columns of axes.
        height: inches.
        paint: draws; is given the figure and its axes, row by row.
        sharing: which axes share their scales, as matplotlib's `subplots` takes it.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(FIGURE_WIDTH, height), layout="constrained")
        paint(figure, figure.subplots(*panels, squeeze=False, **sharing).tolist())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _for_page(file.getvalue(), name)


def _for_page(svg: str, name: str) -> str:
    """Returns the SVG element alone, its colours by name and its ids made unique by `name`."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"#000[12][0-9a-f]{2}", lambda match: f"var(--{COLOUR_NAMES[match[0]]})", svg)
    svg = re.sub(r"(font: [^;\"']*?px) [^;\"]*", r"\1 sans-serif", svg)
    return re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)


def standalone(svg: str, colours: Mapping[str, str]) -> str:
    """Returns a drawing as a file of its own, in these colours by name, on a background of the colour "panel"."""
    coloured = re.sub(r"var\(--([\w-]+)\)", lambda match: colours[match[1]], svg)
    start = coloured.index(">", coloured.index("<svg")) + 1
    background = f'<rect width="100%" height="100%" fill="{colours["panel"]}"/>'
    return f"{coloured[:start]}{background}{coloured[start:]}\n"


def page_colours(palette: Palette) -> dict[str, str]:
    """Returns the colours of the style sheet by name."""
    plain = {
        "text": palette.text,
        "dim": palette.dim,
        "line": palette.ground,
        "panel": palette.panel,
        "background": palette.background,
        "accent": palette.title,
        "warn": palette.warn,
        "bad": palette.bad,
    }
    return plain | {f"series-{number}": colour for number, colour in enumerate(palette.roles)}


def colour(number: int) -> str:
    """Returns the colour of a series."""
    return SERIES[number % len(SERIES)]


def marker(number: int) -> str:
    """Returns the marker of a series."""
    return MARKERS[number // len(SERIES) % len(MARKERS)]


# --- what is drawn -----------------------------------------------------------------------------------------------
def dots(name: str, blocks: Sequence[TableBlock], *, zero: bool = False) -> str:
    """Draws a panel for each measure: a row a setting, a dot an agent; `zero` marks no difference."""
    rows = blocks[0].rows
    columns = blocks[0].columns
    height = 0.9 + ROW * max(len(rows) * (len(columns) + 1.5), 5)

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, block in zip(axes[0], blocks, strict=True):
            _dots_of_block(panel, block)
            if zero:
                panel.axvline(0, color=DIM, linewidth=1)
        names = [column["agent"] for column in columns if "agent" in column]
        if names:
            legend(canvas, axes[0][0], names)

    return draw(name, (1, len(blocks)), height, paint, sharey="row")


def leads(name: str, blocks: Sequence[TableBlock], measure: str) -> str:
    """Draws two panels: the mean of each agent, and the differences of all pairs; one panel for one agent.

    Args:
        name: one word, unique on the page.
        blocks: the means, and the differences if there are any: a row each, in one column.
        measure: whose they are.
    """
    most_rows = max(len(block.rows) for block in blocks)

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for panel, block in zip(axes[0], blocks, strict=True):
            difference = ", differences" if block.differences else ""
            panel.set(title=measure_label(measure) + difference, ylim=(len(block.rows) - 0.5, -0.5))
            for row, (cell,) in enumerate(block.cells):
                dot(panel, cell.ours, row, 0)
            if block.differences:
                panel.axvline(0, color=DIM, linewidth=1)
            panel.set_yticks(range(len(block.rows)), [heading_text(row) for row in block.rows])
            panel.grid(visible=False, axis="y")

    return draw(name, (1, len(blocks)), 0.9 + ROW * max(1.5 * most_rows, 5), paint)


def _dots_of_block(panel: Axes, block: TableBlock) -> None:
    panel.set(title=measure_label(block.title["measure"]), ylim=(len(block.rows) - 0.5, -0.5))
    for column in range(len(block.columns)):
        shift = SPREAD_OF_ROW * ((column + 0.5) / len(block.columns) - 0.5)
        for row, cells in enumerate(block.cells):
            cell = cells[column]
            dot(panel, cell.ours, row + shift, column)
            if cell.paper is not None:
                _hollow(panel, cell.paper.mean, row + shift, column, 5)
    settings = [heading_text(row, " · ").replace("forced_coordination", "forced") for row in block.rows]
    panel.set_yticks(range(len(block.rows)), settings)
    panel.grid(visible=False, axis="y")


def dot(panel: Axes, summary: Summary | None, y: float, number: int, scale: int = 1) -> None:
    """Draws a mean with its interval, or else its standard deviation, in the colour of a series; nothing for None."""
    if summary is not None:
        ends = [scale * end for end in _interval(summary)]
        panel.plot(ends, [y, y], color=colour(number), linewidth=1.3, solid_capstyle="round")
        panel.plot([scale * summary.mean], [y], marker(number), color=colour(number), markersize=5)


def _hollow(panel: Axes, x: float, y: float, number: int, size: int) -> None:
    panel.plot([x], [y], marker(number), markersize=size, markerfacecolor="none", markeredgecolor=colour(number))


def _interval(summary: Summary) -> tuple[float, float]:
    if summary.low is not None and summary.high is not None:
        return summary.low, summary.high
    deviation = summary.sd or 0
    return summary.mean - deviation, summary.mean + deviation


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
            panel.set_xscale("symlog", linthresh=1)
            panel.set(title=layout, xlabel="replans a game", xlim=(-0.3, 3000))
            panel.set_xticks([0, 1, 10, 100, 1000], ["0", "1", "10", "100", "1000"])
            panel.minorticks_off()
            for row, reward_cells, replan_cells in zip(rewards.rows, rewards.cells, replans.cells, strict=True):
                if row["layout"] == layout:
                    _pairs(panel, reward_cells, replan_cells)
        axes[0][0].set_ylabel("reward")
        legend(canvas, axes[0][0], agents)

    return draw(name, (1, len(layouts)), 2.7 + _legend_height(len(agents)), paint)


def _legend_height(agents: int) -> float:
    """Returns the height of a legend of so many agents in inches: three of them stand in a row."""
    rows = -(-agents // 3)
    return 0.18 * rows


def _pairs(panel: Axes, rewards: Sequence[TableCell], replans: Sequence[TableCell]) -> None:
    for number, (reward, replan) in enumerate(zip(rewards, replans, strict=True)):
        if reward.ours is not None and replan.ours is not None:
            x = replan.ours.mean
            panel.plot([x, x], _interval(reward.ours), color=colour(number), linewidth=1)
            panel.plot([x], [reward.ours.mean], marker(number), color=colour(number), markersize=6)
        if reward.paper is not None and replan.paper is not None:
            _hollow(panel, replan.paper.mean, reward.paper.mean, number, 6)


def recovery(name: str, delays: Delays) -> str:
    """Draws two panels for each kitchen: the share of switches that belief and agent have followed over steps."""
    by_agent: dict[str, None] = {}
    for of_layout in delays.values():
        by_agent |= dict.fromkeys(of_layout)
    agents = list(by_agent)

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for row, follower in enumerate(("belief", "agent")):
            for panel, (layout, of_layout) in zip(axes[row], delays.items(), strict=True):
                below = "steps since the switch" if row == 1 else ""
                panel.set(title=f"{layout}: {follower}", xlabel=below, xlim=(0, CURVE_STEPS), ylim=(0, 1.02))
                for number, agent in enumerate(agents):
                    curve = share_within(of_layout[agent][row], CURVE_STEPS) if agent in of_layout else []
                    label = agent if panel is axes[0][0] else None
                    _curve(panel, curve, number, label)
            axes[row][0].set_ylabel("share followed")
        canvas.legend(loc="outside upper left", ncols=3, fontsize=9)

    return draw(name, (2, len(delays)), 4.4 + _legend_height(len(agents)), paint)


def _curve(panel: Axes, curve: Sequence[float], number: int, label: str | None) -> None:
    """Draws a curve in steps in the style of a series."""
    dash = DASHES[number // len(SERIES) % len(DASHES)]
    style = {"color": colour(number), "linestyle": dash, "linewidth": 1.4}
    panel.step(range(len(curve)), curve, where="post", label=label, **style)


def sensitivity(name: str, blocks: Sequence[TableBlock], parameters: Mapping[str, Mapping[str, float]]) -> str:
    """Draws a panel for each measure and parameter, its values at equal distances."""

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for row, (panels, block) in enumerate(zip(axes, blocks, strict=True)):
            cells = {heading["variant"]: cells for heading, cells in zip(block.rows, block.cells, strict=True)}
            for panel, (parameter, values) in zip(panels, parameters.items(), strict=True):
                _effect(panel, [cells.get(label, []) for label in values])
                panel.set_xticks(range(len(values)), [f"{value:g}" for value in values.values()])
                panel.set(title=parameter if row == 0 else "", xlim=(-0.4, len(values) - 0.6))
            panels[0].set_ylabel(measure_label(block.title["measure"]))

    return draw(name, (len(blocks), len(parameters)), 0.4 + 1.5 * len(blocks), paint, sharey="row")


def _effect(panel: Axes, values: Sequence[Sequence[TableCell]]) -> None:
    """Draws a line for each agent over the values of a parameter; hollow and dashed for the preprint's."""
    for number in range(max(map(len, values))):
        means: dict[int, float] = {}
        paper_means: dict[int, float] = {}
        for x, cells in enumerate(values):
            if not cells:
                continue
            cell = cells[number]
            if cell.ours is not None:
                means[x] = cell.ours.mean
                panel.plot([x, x], _interval(cell.ours), color=colour(number), linewidth=1.2)
            if cell.paper is not None:
                paper_means[x] = cell.paper.mean
        panel.plot(list(means), list(means.values()), "o-", color=colour(number), markersize=5)
        style = {"color": colour(number), "markerfacecolor": "none", "linewidth": 0.9, "linestyle": (0, (3, 3))}
        panel.plot(list(paper_means), list(paper_means.values()), marker="o", markersize=5, **style)


def matrix(name: str, blocks: Sequence[TableBlock], measure: str) -> str:
    """Draws a panel for each kitchen: a square for each pair of agents, the higher the darker, with its values."""
    means = []
    for block in blocks:
        for cells in block.cells:
            means += [cell.ours.mean for cell in cells if cell.ours is not None]
    top = max(means, default=0) or 1
    columns = max(len(block.columns) for block in blocks) * len(blocks)
    rows = max(len(block.rows) for block in blocks)
    height = 0.6 + (7.4 / max(columns, 4)) * 0.55 * rows

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, block) in enumerate(zip(axes[0], blocks, strict=True)):
            limits = {"xlim": (-0.5, len(block.columns) - 0.5), "ylim": (len(block.rows) - 0.5, -0.5)}
            panel.set(title=heading_text(block.title), **limits)
            _squares(panel, block, measure, top)
            panel.set_xticks(range(len(block.columns)), [heading_text(column) for column in block.columns])
            panel.set_yticks(range(len(block.rows)), [heading_text(row) for row in block.rows] if number == 0 else [])
            panel.tick_params(length=0, labelcolor=TEXT)
            panel.spines[:].set_visible(False)
            panel.grid(visible=False)

    return draw(name, (1, len(blocks)), height, paint)


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
