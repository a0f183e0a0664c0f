"""A game over time as pixels: the posterior as a stacked bar in each column, and below it two bands of roles."""

import numpy as np
from numpy.typing import NDArray

from bba.analysis.timeline import TimelineData
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.kitchen.render.sprites import RGBImage
from bba.palette import DARK, rgb

STACK, BAND = 60, 10  # heights of the posterior over time and of a band of roles
_ROLES = np.array([rgb(colour) for colour in (*DARK.roles, DARK.ground)], np.uint8)


def bands(timeline: TimelineData, steps: range, columns: int) -> RGBImage:
    """Returns the timeline of these steps: in each column the posterior, the true role and the ego's role."""
    runs = min(steps[-1] - steps[0] + 1, columns)
    edges = np.linspace(steps[0] - 1, steps[-1], runs + 1).round().astype(np.intp)
    shown = timeline.over(edges)
    index = np.arange(columns) * runs // columns
    picture = np.empty((STACK + 2 * (BAND + 3), columns, 3), np.uint8)
    picture[:] = rgb(DARK.panel)
    picture[:STACK] = _stacked(shown.posterior[index])
    for band, roles in enumerate((shown.true, shown.ego)):
        top = STACK + 3 + band * (BAND + 3)
        picture[top : top + BAND] = _ROLES[np.where(roles == NO_ROLE, len(ROLE_NAMES), roles)[index]]
    return picture


def _stacked(posterior: NDArray[np.float64]) -> RGBImage:
    """Returns a stacked bar of role colours for each column, from the bottom up, (STACK, columns, 3)."""
    centres = (np.arange(STACK)[::-1] + 0.5) / STACK
    below = np.cumsum(posterior, axis=1)[:, :-1]
    return np.asarray(_ROLES[(below[None] < centres[:, None, None]).sum(axis=2)])
