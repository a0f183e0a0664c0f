"""The curves of trainings as pictures: a file a kind and layout, a row a policy."""

import io
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bba.files import write_whole
from bba.kitchen.features import FEATURE_NAMES
from bba.learning.runs.record import TrainingRecord
from bba.palette import LIGHT
from bba.report.drawing import DIM, GROUND, LINE, SERIES, STYLE, TEXT, WIDTH, Axes

ROW, HEAD = 1.5, 0.6  # inches of a policy, and above them all
SMALL = 7  # points, of legends
COLOURS = {TEXT: LIGHT.text, DIM: LIGHT.dim, LINE: LIGHT.ground, GROUND: LIGHT.panel} | dict(
    zip(SERIES, LIGHT.roles, strict=True)
)
TITLES = ("objective, points a game", "team reward a game", "features a game")


def draw_curves(records: Sequence[TrainingRecord], folder: Path) -> list[Path]:
    """Draw the curves of these trainings into the folder; the same records give the same bytes.

    Returns:
        The files, such as ``curves-bp-open.svg``.

    Raises:
        BBAError: a file cannot be written.
    """
    paths = []
    for (kind, layout), group in groupby(sorted(records, key=_place), _place):
        paths.append(folder / f"curves-{kind}-{layout}.svg")
        write_whole(paths[-1], _picture(sorted(group, key=lambda record: record.policy), f"{kind} on {layout}"))
    return paths


def _place(record: TrainingRecord) -> tuple[str, str]:
    return record.policy.partition(":")[0], record.layout


def picture(title: str, rows: int, draw: Callable[[Any], None]) -> str:
    """An SVG of so many rows that `draw` draws into a Matplotlib figure."""
    import matplotlib
    from matplotlib.figure import Figure

    style = {key: COLOURS.get(value, value) if isinstance(value, str) else value for key, value in STYLE.items()}
    with matplotlib.rc_context(style | {"svg.hashsalt": title}):
        figure = Figure(figsize=(WIDTH, HEAD + ROW * rows), layout="constrained", facecolor=LIGHT.panel)
        figure.suptitle(title)
        draw(figure)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _picture(records: Sequence[TrainingRecord], title: str) -> str:
    def draw(figure: Any) -> None:
        rows = figure.subplots(len(records), len(TITLES), squeeze=False, sharex=True)
        for record, (objective, reward, rates) in zip(records, rows, strict=True):
            objective.set_ylabel(record.policy)
            _objective(objective, record)
            _rewards(reward, record)
            _rates(rates, record)
        for panel, name in zip(rows[0], TITLES, strict=True):
            panel.set_title(name)
        rows[0][1].legend(fontsize=SMALL)
        for panel in rows[-1]:
            panel.set_xlabel("million steps")

    return picture(title, len(records), draw)


def _steps(record: TrainingRecord) -> list[float]:
    return [point.steps / 1e6 for point in record.curve]


def _objective(panel: Axes, record: TrainingRecord) -> None:
    """What the best policy was chosen by; a dot where it was best."""
    panel.plot(_steps(record), [point.objective for point in record.curve], color=LIGHT.text, linewidth=1.3)
    panel.plot([record.best.steps / 1e6], [record.best.objective], "o", color=LIGHT.good, markersize=5)


def _rewards(panel: Axes, record: TrainingRecord) -> None:
    """The team's reward in each kind of games."""
    for name, hue in zip(record.best.scores, LIGHT.cooks, strict=False):
        rewards = [point.scores[name].reward for point in record.curve]
        panel.plot(_steps(record), rewards, color=hue, linewidth=1.3, label=name)


def _rates(panel: Axes, record: TrainingRecord) -> None:
    """How often the policy did each feature, all games together: in colour those that it likes (full line) or not."""
    weighed: dict[str, Any] = {name: record.weights[name] for name in FEATURE_NAMES if record.weights.get(name)}
    for name in FEATURE_NAMES:
        means = [sum(s.rates[name] for s in point.scores.values()) / len(point.scores) for point in record.curve]
        if name not in weighed:
            panel.plot(_steps(record), means, color=LIGHT.faint, linewidth=0.5, alpha=0.6)
            continue
        hue = LIGHT.roles[list(weighed).index(name) % len(LIGHT.roles)]
        line = "-" if weighed[name] > 0 else "--"
        panel.plot(
            _steps(record), means, line, color=hue, linewidth=1.3, label=f"{name.replace('_', ' ')} {weighed[name]:+g}"
        )
    if weighed:
        panel.legend(fontsize=SMALL, loc="center left", bbox_to_anchor=(1, 0.5))
