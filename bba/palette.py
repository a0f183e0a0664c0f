"""The colours that carry a meaning: their names, and what they are in each theme.

Text styles use the names; Textual finds them among the variables of the theme that is on. What paints pixels is given
that theme's `Palette`. The board is painted in the dark theme's colours in every theme.
"""

from typing import NamedTuple

ROLE_COLOURS = tuple(f"$role-{number}" for number in range(6))  # in the order of the roles
COOK_COLOURS = ("$cook-0", "$cook-1")  # seat 0, seat 1: as their coats

BACKGROUND, PANEL = "$ink-background", "$ink-panel"
TEXT = "$ink-text"
DIM = "$ink-dim"
FAINT = "$ink-faint"  # unlit lamps
GROUND = "$ink-ground"  # behind bars
GOOD = "$ink-good"
WARN = "$ink-warn"
BAD = "$ink-bad"


class Palette(NamedTuple):
    """What the colours are in one theme, each "#rrggbb".

    Attributes:
        roles: one hue a role, told apart by people with any kind of colour vision.
        cooks: seat 0, seat 1.
        background, panel, strip: under everything; in boxes; under title and footer.
        border, title, subtitle, focus: of boxes; behind the field that has the focus.
        bright, text, dim, faint, ground, good, warn, bad: as named above; bright is what stands out most.
    """

    roles: tuple[str, str, str, str, str, str]
    cooks: tuple[str, str]
    background: str
    panel: str
    strip: str
    border: str
    title: str
    subtitle: str
    focus: str
    bright: str
    text: str
    dim: str
    faint: str
    ground: str
    good: str
    warn: str
    bad: str


DARK = Palette(
    roles=("#ee7733", "#f0dc4e", "#4fb4ee", "#e08ac0", "#2fc48d", "#7f86f2"),  # after Okabe and Ito
    cooks=("#62b2ff", "#ff8a50"),
    background="#101218",
    panel="#151821",
    strip="#1d2230",
    border="#3d5a73",
    title="#4a90c2",
    subtitle="#5d6374",
    focus="#3a4050",
    bright="#ffffff",
    text="#d8dce6",
    dim="#7d8597",
    faint="#3a4050",
    ground="#232733",
    good="#4fd67a",
    warn="#ffbe3d",
    bad="#f0604e",
)

# Dark enough for text on each of the grounds: 4.5 to 1.
LIGHT = Palette(
    roles=("#b34a00", "#6b6424", "#0b69b3", "#b02a78", "#007a3d", "#5b45c9"),
    cooks=("#155fb0", "#b5400c"),
    background="#f1f3f7",
    panel="#fbfcfe",
    strip="#e2e7ef",
    border="#8fa3b8",
    title="#1b5f97",
    subtitle="#555d6d",
    focus="#d3dfee",
    bright="#000000",
    text="#1f2430",
    dim="#555d6d",
    faint="#687184",
    ground="#e2e6ee",
    good="#126b31",
    warn="#8a5300",
    bad="#bd1f1f",
)

# Text at 7 to 1 or more.
CONTRAST = Palette(
    roles=("#ff9a3c", "#ffec40", "#5fcbff", "#ff9fd8", "#3fe894", "#b9adff"),
    cooks=("#7cc4ff", "#ffab70"),
    background="#000000",
    panel="#000000",
    strip="#101010",
    border="#ffffff",
    title="#9fd0ff",
    subtitle="#d6d6d6",
    focus="#303030",
    bright="#ffffff",
    text="#ffffff",
    dim="#d6d6d6",
    faint="#a0a0a0",
    ground="#303030",
    good="#60ff84",
    warn="#ffd23b",
    bad="#ff8c8c",
)


def variables(palette: Palette) -> dict[str, str]:
    """The colours under the names by which text styles and the style sheet find them, without the dollar sign."""
    single = {f"ink-{name}": colour for name, colour in palette._asdict().items() if isinstance(colour, str)}
    roles = {f"role-{number}": colour for number, colour in enumerate(palette.roles)}
    return single | roles | {f"cook-{seat}": colour for seat, colour in enumerate(palette.cooks)}


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour "#rrggbb" as three numbers, 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
