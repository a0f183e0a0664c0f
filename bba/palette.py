"""The palette: the colours that carry a meaning, by name and by theme.

Text styles use the names, which Textual resolves with the variables of the current theme. Code that draws pixels takes
the `Palette` of a theme. The map of the kitchen has the dark theme's colours in every theme.
"""

from typing import NamedTuple

ROLE_COLOURS = tuple(f"$role-{number}" for number in range(6))  # by role
COOK_COLOURS = ("$cook-0", "$cook-1")  # by player, the colours of the players' sprites

BACKGROUND = "$ink-background"
PANEL = "$ink-panel"
TEXT = "$ink-text"
DIM = "$ink-dim"
FAINT = "$ink-faint"  # lamps that are off
GROUND = "$ink-ground"  # background of bars
GOOD = "$ink-good"
WARN = "$ink-warn"
BAD = "$ink-bad"


class Palette(NamedTuple):
    """The colours of one theme, each "#rrggbb".

    Attributes:
        roles: one colour for each role, distinguishable with any kind of colour vision.
        cooks: one colour for each player.
        background, panel, strip: backgrounds of the screen, of boxes, and of title and footer.
        border, title, subtitle, focus: parts of a box, and the background of the focused field.
        bright, text, dim, faint, ground, good, warn, bad: as named above; bright has the strongest contrast.
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

# Text has a contrast of at least 4.5 to 1 on each background.
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

# Text has a contrast of at least 7 to 1.
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
    """Returns the colours by the variable names that text styles and style sheets use, without the dollar sign."""
    inks = {f"ink-{name}": colour for name, colour in palette._asdict().items() if isinstance(colour, str)}
    roles = {f"role-{number}": colour for number, colour in enumerate(palette.roles)}
    cooks = {f"cook-{seat}": colour for seat, colour in enumerate(palette.cooks)}
    return inks | roles | cooks


def rgb(colour: str) -> tuple[int, int, int]:
    """Returns a colour "#rrggbb" as three numbers, 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
