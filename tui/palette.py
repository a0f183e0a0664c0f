"""The colours that carry a meaning, each fixed in one place (the theme's own are in `tui.app`)."""

# One hue a role, told apart by people with any kind of colour vision (after Okabe and Ito), in the order of the roles.
ROLE_COLOURS = ("#ee7733", "#f0dc4e", "#4fb4ee", "#e08ac0", "#2fc48d", "#7f86f2")
COOK_COLOURS = ("#62b2ff", "#ff8a50")  # seat 0, seat 1: as their coats

BACKGROUND, PANEL = "#101218", "#151821"
TEXT = "#d8dce6"
DIM = "#7d8597"
FAINT = "#3a4050"  # unlit lamps
GROUND = "#232733"  # behind bars
GOOD = "#4fd67a"
WARN = "#ffbe3d"
BAD = "#f0604e"


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour "#rrggbb" as three numbers, 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
