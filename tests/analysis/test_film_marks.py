"""The strip below a film: what happens in a step is marked in the picture of that step."""

import numpy as np

from bba.analysis.timeline import TimelineData, TimelineMark
from bba.film.film import FilmStrip
from bba.palette import DARK, rgb
from tests.helpers.games import game


def test_a_delivery_is_marked_from_its_own_step_on():
    trace = game(horizon=800, fast=True).run()
    timeline = TimelineData(trace)
    timeline.extend()
    first = min(timeline.marks[TimelineMark.DELIVERY])
    strip = FilmStrip(trace, range(1, 801), 700)

    def marked(step):
        below_the_bands = np.asarray(strip.draw(step, None))[-100:, 80:]
        return bool((below_the_bands == rgb(DARK.good)).all(axis=2).any())

    assert (marked(first - 1), marked(first)) == (False, True)
