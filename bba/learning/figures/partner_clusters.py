"""What GAMMA and TALENTS know of partners, as pictures: a file a kind, a row a layout."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from bba.files import write_whole
from bba.learning.figures.training_curves import picture
from bba.learning.runs.record import TrainingRecord
from bba.palette import LIGHT
from bba.report.drawing import Axes

SPAN = 20  # steps since a switch that each share is about
ENOUGH = 0.8  # the share of steps at which the cluster counts as told


def draw_partners(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draw what these trainings found out about partners, if any did; the same records give the same bytes.

    Returns:
        The files, such as ``partners-talents.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    knowing = sorted((record for record in records if record.partners), key=lambda r: (r.policy, r.layout))
    paths = []
    for policy, group in groupby(knowing, lambda record: record.policy):
        paths.append(folder / f"partners-{policy}.svg")
        write_whole(paths[-1], _picture(policy, list(group)))
    return paths


def _picture(policy: str, records: Sequence[TrainingRecord]) -> str:
    def draw(figure: Any) -> None:
        rows = figure.subplots(len(records), 3, squeeze=False)
        for record, (explained, sizes, told) in zip(records, rows, strict=True):
            explained.set_ylabel(record.layout)
            _explained(explained, record.partners["quality"])
            _clusters(sizes, record.partners.get("clusters"))
            _told(told, record.partners.get("identified"))

    return picture(f"what {policy} knows of partners", len(records), draw)


def _explained(panel: Axes, quality: Mapping[str, float]) -> None:
    """How well held-out choices are explained, with the partner known and without."""
    panel.set_title("nats a choice, held out")
    panel.barh(["partner unknown", "known"], [quality["loss_without"], quality["loss"]], color=LIGHT.cooks[0])


def _clusters(panel: Axes, clusters: Mapping[str, Any] | None) -> None:
    """How many games are in each cluster, numbered as on the screen, and how far the clusters are apart."""
    if clusters is None:
        panel.set_axis_off()
        return
    sizes = clusters["sizes"]
    panel.set_title(f"games, silhouette {clusters['silhouette']:.2f}")
    panel.bar([f"cluster {number}" for number in range(1, len(sizes) + 1)], sizes, color=LIGHT.cooks[1])


def _told(panel: Axes, identified: Mapping[str, Any] | None) -> None:
    """How often the heaviest cluster is the partner's, by steps since the partner switched."""
    if identified is None:
        panel.set_axis_off()
        return
    shares = identified["by_delay"]
    panel.set_title("cluster right, steps since switch")
    panel.plot(SPAN * np.arange(len(shares)) + SPAN / 2, shares, color=LIGHT.text, linewidth=1.3)
    panel.axhline(ENOUGH, color=LIGHT.faint, linewidth=0.8)
    panel.axhline(identified["chance"], color=LIGHT.faint, linewidth=0.8, linestyle="--")
    panel.set_ylim(0, 1)
