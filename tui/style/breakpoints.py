"""Sizes of the terminal and of what stands in it, in columns and lines."""

SMALLEST = (80, 24)  # that the screen needs
BARS = 2  # rows of title and footer
FRAME = 2  # cells that a box's border takes, across as well as down

# The classes by which the style sheet lets panels give way.
WIDTHS = ((0, "-narrow"), (SMALLEST[0], "-fits-across"))
ROOMY = "-ample"
HEIGHTS = ((0, "-low"), (SMALLEST[1], "-short"), (28, "-medium"), (34, "-tall"), (38, "-full"), (47, ROOMY))
