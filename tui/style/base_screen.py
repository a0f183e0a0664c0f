"""The base class of screens, and the sizes of the terminal and of what is in it, in columns and rows."""

SMALLEST = (80, 24)  # the smallest terminal that the screens fit into
BARS = 2  # rows of title and footer
FRAME = 2  # cells that a box's border takes, across as well as down
SIDE, SIDE_SHARE = 30, 0.31  # the column of panels beside a kitchen: its least width, and its share of the terminal

# The classes by which the style sheet hides or shrinks panels; on forms and tables only the smallest size matters.
WIDTHS = ((0, "-narrow"), (SMALLEST[0], "-fits-across"))
ROOMY = "-ample"
HEIGHTS = ((0, "-low"), (SMALLEST[1], "-short"), (28, "-medium"), (34, "-tall"), (38, "-full"), (47, ROOMY))
FORM_HEIGHTS = ((0, "-low"), (SMALLEST[1], "-fits-down"))


def too_small(columns: int, rows: int) -> str:
    """Returns the line that is shown where a screen does not fit."""
    return f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {columns}x{rows}"


def side_width(columns: int) -> int:
    """Returns the width of the column of panels beside a kitchen."""
    return max(SIDE, round(SIDE_SHARE * columns))
