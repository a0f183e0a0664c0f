"""Plots of what GAMMA and TALENTS learned about partners: one SVG file per policy, one row per layout."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from bba.files import write_whole
from bba.learning.figures.training_curves import render_svg
from bba.learning.partner_model.cluster_identification import DELAY_BIN
from bba.learning.runs.record import TrainingRecord
from bba.palette import LIGHT
from bba.report.drawing import Axes

IDENTIFIED = 0.8  # share of the steps from which the cluster counts as identified


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
