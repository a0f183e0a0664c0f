"""Plots of trainings as SVG files: learning curves, and what GAMMA and TALENTS learned about partners.

There is one file of curves per kind of policy and layout, with one row per policy, and one file about partners per
policy, with one row per layout.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bba.bench.statistics import grouped
from bba.files import write_together
from bba.kitchen.observation import FEATURE_NAMES
from bba.learning.partner_model.clusters import DELAY_BIN
from bba.learning.rl.trainer import CurvePoint
from bba.learning.runs.run import TrainingRecord
from bba.palette import LIGHT
from bba.report.drawing import Axes, draw, page_colours, standalone

IDENTIFIED = 0.8  # share of the steps from which the cluster counts as identified
# inches
ROW_HEIGHT = 1.5
TITLE_HEIGHT = 0.6
LEGEND_SIZE = 7  # points
CURVE_TITLES = ("objective, points a game", "team reward a game", "features a game")


def draw_curves(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draws the curves of these trainings into the folder; the same records give the same bytes.

    Returns:
        The paths of the files, such as ``curves-bp-open.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    groups = grouped((_kind_and_layout(record), record) for record in sorted(records, key=_place))
    files = {}
    for (kind, layout), group in sorted(groups.items()):
        path = folder / f"curves-{kind}-{layout}.svg"
        files[path] = _svg(f"{kind} on {layout}", group, _draw_curve_row, _label_curves)
    write_together(files)
    return list(files)


def draw_partners(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draws what these trainings learned about partners, if any did; the same records give the same bytes.

    Returns:
        The paths of the files, such as ``partners-talents.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    with_partners = [record for record in sorted(records, key=_place) if record.partners]
    groups = grouped((record.policy, record) for record in with_partners)
    files = {}
    for policy, group in groups.items():
        path = folder / f"partners-{policy}.svg"
        files[path] = _svg(f"what {policy} knows of partners", group, _draw_partner_row)
    write_together(files)
    return list(files)


def _place(record: TrainingRecord) -> tuple[str, str]:
    return record.policy, record.layout


def _kind_and_layout(record: TrainingRecord) -> tuple[str, str]:
    kind, _, _ = record.policy.partition(":")
    return kind, record.layout


def _svg(
    title: str,
    records: Sequence[TrainingRecord],
    draw_row: Callable[[TrainingRecord, Sequence[Axes]], None],
    label: Callable[[Any], None] | None = None,
) -> str:
    """Returns an SVG with a row of three panels for each record; `label` then labels the whole grid of panels."""

    def paint(figure: Any, panels: list[list[Axes]]) -> None:
        figure.suptitle(title)
        for record, row in zip(records, panels, strict=True):
            draw_row(record, row)
        if label is not None:
            label(panels)

    height = TITLE_HEIGHT + ROW_HEIGHT * len(records)
    drawn = draw("training", (len(records), 3), height, paint, sharex=label is not None)
    return standalone(drawn, page_colours(LIGHT))


def _label_curves(panels: Any) -> None:
    for panel, name in zip(panels[0], CURVE_TITLES, strict=True):
        panel.set_title(name)
    panels[0][1].legend(fontsize=LEGEND_SIZE)
    for panel in panels[-1]:
        panel.set_xlabel("million steps")


def _draw_curve_row(record: TrainingRecord, panels: Sequence[Axes]) -> None:
    """The objective, by which the best policy was chosen, with a dot at the best point; the team's reward; features."""
    objective, reward, features = panels
    objective.set_ylabel(record.policy)
    steps = [point.steps / 1e6 for point in record.curve]
    objectives = [point.objective for point in record.curve]
    objective.plot(steps, objectives, color=LIGHT.text, linewidth=1.3)
    objective.plot([record.best.steps / 1e6], [record.best.objective], "o", color=LIGHT.good, markersize=5)
    for name, hue in zip(record.best.scores, LIGHT.cooks, strict=False):
        rewards = [point.scores[name].reward for point in record.curve]
        reward.plot(steps, rewards, color=hue, linewidth=1.3, label=name)
    _plot_rates(features, record, steps)


def _plot_rates(panel: Axes, record: TrainingRecord, steps: Sequence[float]) -> None:
    """How often the policy did each feature in all games: liked ones in colour, disliked ones in colour and dashed."""
    weighted: dict[str, Any] = {name: record.weights[name] for name in FEATURE_NAMES if record.weights.get(name)}
    for name in FEATURE_NAMES:
        means = [_mean_rate(point, name) for point in record.curve]
        if name not in weighted:
            panel.plot(steps, means, color=LIGHT.faint, linewidth=0.5, alpha=0.6)
            continue
        hue = LIGHT.roles[list(weighted).index(name) % len(LIGHT.roles)]
        style = "-" if weighted[name] > 0 else "--"
        label = f"{name.replace('_', ' ')} {weighted[name]:+g}"
        panel.plot(steps, means, style, color=hue, linewidth=1.3, label=label)
    if weighted:
        panel.legend(fontsize=LEGEND_SIZE, loc="center left", bbox_to_anchor=(1, 0.5))


def _mean_rate(point: CurvePoint, feature: str) -> float:
    """Returns how often the policy did a feature at a point of the curve, over all partners."""
    rates = [score.rates[feature] for score in point.scores.values()]
    return sum(rates) / len(rates)


def _draw_partner_row(record: TrainingRecord, panels: Sequence[Axes]) -> None:
    """The cross-entropy of held-out choices, with the partner's latent and without; then what is known of clusters."""
    quality, sizes, identified = panels
    loss = record.partners["quality"]
    quality.set(title="nats a choice, held out", ylabel=record.layout)
    quality.barh(["partner unknown", "known"], [loss["loss_without"], loss["loss"]], color=LIGHT.cooks[0])
    clusters = record.partners.get("clusters")
    if clusters is None:
        sizes.set_axis_off()
    else:
        _plot_cluster_sizes(sizes, clusters)
    identification = record.partners.get("identified")
    if identification is None:
        identified.set_axis_off()
    else:
        _plot_identification(identified, identification)


def _plot_cluster_sizes(panel: Axes, clusters: Mapping[str, Any]) -> None:
    """The number of games in each cluster, numbered as on the screen, and the silhouette."""
    sizes = clusters["sizes"]
    panel.set_title(f"games, silhouette {clusters['silhouette']:.2f}")
    names = [f"cluster {number}" for number in range(1, len(sizes) + 1)]
    panel.bar(names, sizes, color=LIGHT.cooks[1])


def _plot_identification(panel: Axes, identified: Mapping[str, Any]) -> None:
    """How often the cluster with the highest weight is the partner's, by steps since the partner switched."""
    shares = identified["by_delay"]
    panel.set(title="cluster right, steps since switch", ylim=(0, 1))
    delays = DELAY_BIN * np.arange(len(shares)) + DELAY_BIN / 2
    panel.plot(delays, shares, color=LIGHT.text, linewidth=1.3)
    panel.axhline(IDENTIFIED, color=LIGHT.faint, linewidth=0.8)
    panel.axhline(identified["chance"], color=LIGHT.faint, linewidth=0.8, linestyle="--")
