"""Drawings as SVG inside a page: text stays text, and colours are those of the page's light or dark style."""

import io
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from bba.errors import BBAError
from bba.palette import Palette

# Matplotlib draws in placeholder colours that are replaced by names of the style sheet.
TEXT, DIM, LINE, GROUND = "#000101", "#000102", "#000103", "#000104"
SERIES = tuple(f"#0002{number:02x}" for number in range(6))  # a hue each: the roles' of the palette
COLOUR_NAMES = {TEXT: "text", DIM: "dim", LINE: "line", GROUND: "panel"} | {
    colour: f"series-{number}" for number, colour in enumerate(SERIES)
}
MARKERS, DASHES = ("o", "s", "^"), ("-", (0, (5, 2)), (0, (1.5, 1.5)))  # from the seventh series on, the next
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
    *,
    shared: bool = False,
) -> str:
    """Returns a drawing as an SVG element; the same data give the same text.

    Args:
        name: one word, unique on the page.
        panels: rows and columns of axes.
        height: inches.
        paint: draws; is given the figure and its axes, row by row.
        shared: whether the axes of a row share their vertical scale.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(FIGURE_WIDTH, height), layout="constrained")
        paint(figure, figure.subplots(*panels, squeeze=False, sharey="row" if shared else False).tolist())
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _for_page(file.getvalue(), name)


def _for_page(svg: str, name: str) -> str:
    """Returns the SVG element alone, its colours by name and its ids made unique by `name`."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'( id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"#000[12][0-9a-f]{2}", lambda found: f"var(--{COLOUR_NAMES[found[0]]})", svg)
    svg = re.sub(r"(font: [^;\"']*?px) [^;\"]*", r"\1 sans-serif", svg)
    return re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)


def standalone(svg: str, colours: Mapping[str, str]) -> str:
    """Returns a drawing as a file of its own, in these colours by name, on a background of the colour "panel"."""
    drawn = re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)
    start = drawn.index(">", drawn.index("<svg")) + 1
    return f'{drawn[:start]}<rect width="100%" height="100%" fill="{colours["panel"]}"/>{drawn[start:]}\n'


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


def dash(number: int) -> Any:
    """Returns the dash pattern of a series."""
    return DASHES[number // len(SERIES) % len(DASHES)]
