"""Plots of trainings as SVG files: learning curves, and what GAMMA and TALENTS learned about partners.

There is one file of curves per kind of policy and layout, with one row per policy, and one file about partners per
policy, with one row per layout.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from bba.files import write_whole
from bba.kitchen.features import FEATURE_NAMES
from bba.learning.partner_model.clusters import DELAY_BIN
from bba.learning.runs.record import TrainingRecord
from bba.palette import LIGHT
from bba.report.drawing import DIM, FIGURE_WIDTH, GROUND, LINE, SERIES, STYLE, TEXT, Axes

IDENTIFIED = 0.8  # share of the steps from which the cluster counts as identified
ROW_HEIGHT, TITLE_HEIGHT = 1.5, 0.6  # inches
LEGEND_SIZE = 7  # points
FIGURE_COLOURS = {TEXT: LIGHT.text, DIM: LIGHT.dim, LINE: LIGHT.ground, GROUND: LIGHT.panel} | dict(
    zip(SERIES, LIGHT.roles, strict=True)
)
CURVE_TITLES = ("objective, points a game", "team reward a game", "features a game")


def draw_curves(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draws the curves of these trainings into the folder; the same records give the same bytes.

    Returns:
        The paths of the files, such as ``curves-bp-open.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    paths = []
    for (kind, layout), group in groupby(sorted(records, key=_kind_and_layout), _kind_and_layout):
        paths.append(folder / f"curves-{kind}-{layout}.svg")
        write_whole(paths[-1], _curves_svg(sorted(group, key=lambda record: record.policy), f"{kind} on {layout}"))
    return paths


def _kind_and_layout(record: TrainingRecord) -> tuple[str, str]:
    return record.policy.partition(":")[0], record.layout


def render_svg(title: str, rows: int, draw: Callable[[Any], None]) -> str:
    """Returns an SVG of `rows` rows, which `draw` draws into a Matplotlib figure."""
    import matplotlib
    from matplotlib.figure import Figure

    style = {key: FIGURE_COLOURS.get(value, value) if isinstance(value, str) else value for key, value in STYLE.items()}
    with matplotlib.rc_context(style | {"svg.hashsalt": title}):
        figure = Figure(
            figsize=(FIGURE_WIDTH, TITLE_HEIGHT + ROW_HEIGHT * rows), layout="constrained", facecolor=LIGHT.panel
        )
        figure.suptitle(title)
        draw(figure)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _curves_svg(records: Sequence[TrainingRecord], title: str) -> str:
    def draw(figure: Any) -> None:
        rows = figure.subplots(len(records), len(CURVE_TITLES), squeeze=False, sharex=True)
        for record, (objective, reward, rates) in zip(records, rows, strict=True):
            objective.set_ylabel(record.policy)
            _plot_objective(objective, record)
            _plot_rewards(reward, record)
            _plot_rates(rates, record)
        for panel, name in zip(rows[0], CURVE_TITLES, strict=True):
            panel.set_title(name)
        rows[0][1].legend(fontsize=LEGEND_SIZE)
        for panel in rows[-1]:
            panel.set_xlabel("million steps")

    return render_svg(title, len(records), draw)


def _million_steps(record: TrainingRecord) -> list[float]:
    return [point.steps / 1e6 for point in record.curve]


def _plot_objective(panel: Axes, record: TrainingRecord) -> None:
    """The objective, by which the best policy was chosen, with a dot at the best point."""
    panel.plot(_million_steps(record), [point.objective for point in record.curve], color=LIGHT.text, linewidth=1.3)
    panel.plot([record.best.steps / 1e6], [record.best.objective], "o", color=LIGHT.good, markersize=5)


def _plot_rewards(panel: Axes, record: TrainingRecord) -> None:
    """The team's reward in each kind of game."""
    for name, hue in zip(record.best.scores, LIGHT.cooks, strict=False):
        rewards = [point.scores[name].reward for point in record.curve]
        panel.plot(_million_steps(record), rewards, color=hue, linewidth=1.3, label=name)


def _plot_rates(panel: Axes, record: TrainingRecord) -> None:
    """How often the policy did each feature in all games: liked ones in colour, disliked ones in colour and dashed."""
    weighted: dict[str, Any] = {name: record.weights[name] for name in FEATURE_NAMES if record.weights.get(name)}
    for name in FEATURE_NAMES:
        means = [sum(s.rates[name] for s in point.scores.values()) / len(point.scores) for point in record.curve]
        if name not in weighted:
            panel.plot(_million_steps(record), means, color=LIGHT.faint, linewidth=0.5, alpha=0.6)
            continue
        hue = LIGHT.roles[list(weighted).index(name) % len(LIGHT.roles)]
        line = "-" if weighted[name] > 0 else "--"
        panel.plot(
            _million_steps(record),
            means,
            line,
            color=hue,
            linewidth=1.3,
            label=f"{name.replace('_', ' ')} {weighted[name]:+g}",
        )
    if weighted:
        panel.legend(fontsize=LEGEND_SIZE, loc="center left", bbox_to_anchor=(1, 0.5))


def draw_partners(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draws what these trainings learned about partners, if any did; the same records give the same bytes.

    Returns:
        The paths of the files, such as ``partners-talents.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    with_partners = sorted((record for record in records if record.partners), key=lambda r: (r.policy, r.layout))
    paths = []
    for policy, group in groupby(with_partners, lambda record: record.policy):
        paths.append(folder / f"partners-{policy}.svg")
        write_whole(paths[-1], _partners_svg(policy, list(group)))
    return paths


def _partners_svg(policy: str, records: Sequence[TrainingRecord]) -> str:
    def draw(figure: Any) -> None:
        rows = figure.subplots(len(records), 3, squeeze=False)
        for record, (quality, sizes, identified) in zip(records, rows, strict=True):
            quality.set_ylabel(record.layout)
            _plot_quality(quality, record.partners["quality"])
            _plot_cluster_sizes(sizes, record.partners.get("clusters"))
            _plot_identification(identified, record.partners.get("identified"))

    return render_svg(f"what {policy} knows of partners", len(records), draw)


def _plot_quality(panel: Axes, quality: Mapping[str, float]) -> None:
    """The cross-entropy of held-out choices, with the partner's latent and without."""
    panel.set_title("nats a choice, held out")
    panel.barh(["partner unknown", "known"], [quality["loss_without"], quality["loss"]], color=LIGHT.cooks[0])


def _plot_cluster_sizes(panel: Axes, clusters: Mapping[str, Any] | None) -> None:
    """The number of games in each cluster, numbered as on the screen, and the silhouette."""
    if clusters is None:
        panel.set_axis_off()
        return
    sizes = clusters["sizes"]
    panel.set_title(f"games, silhouette {clusters['silhouette']:.2f}")
    panel.bar([f"cluster {number}" for number in range(1, len(sizes) + 1)], sizes, color=LIGHT.cooks[1])


def _plot_identification(panel: Axes, identified: Mapping[str, Any] | None) -> None:
    """How often the cluster with the highest weight is the partner's, by steps since the partner switched."""
    if identified is None:
        panel.set_axis_off()
        return
    shares = identified["by_delay"]
    panel.set_title("cluster right, steps since switch")
    panel.plot(DELAY_BIN * np.arange(len(shares)) + DELAY_BIN / 2, shares, color=LIGHT.text, linewidth=1.3)
    panel.axhline(IDENTIFIED, color=LIGHT.faint, linewidth=0.8)
    panel.axhline(identified["chance"], color=LIGHT.faint, linewidth=0.8, linestyle="--")
    panel.set_ylim(0, 1)
