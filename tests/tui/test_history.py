"""The history strip: columns that never shimmer, the roles' colours stacked, marks where something happened."""

import numpy as np
import pytest

from bba.agents import Decision
from tests.tui.support import belief, played, reading, still_app, thinking
from tui import palette
from tui.moment import Moment, switched_to
from tui.widgets.history import STEPS, SWITCH, HistoryPanel, columns_of


def test_columns_begin_at_fixed_steps_and_end_with_the_moment():
    trace = played(60)
    assert columns_of(Moment(trace, 0), 10) == []
    assert columns_of(Moment(trace, 1), 10) == [range(1, 2)]
    assert columns_of(Moment(trace, STEPS + 2), 10) == [range(1, STEPS + 1), range(STEPS + 1, STEPS + 3)]


def test_only_as_many_columns_as_fit_are_kept_and_they_are_the_newest():
    columns = columns_of(Moment(played(60), 60), 3)
    assert len(columns) == 3
    assert columns[-1].stop == 61


async def shown(moment: Moment) -> HistoryPanel:
    app = still_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        panel = app.screen.query_one(HistoryPanel)
        panel.show_moment(moment)
        return panel


async def test_a_column_is_divided_in_proportion_to_the_posterior():
    moment = thinking(Decision(0, belief=belief((0.5, 0.0, 0.0, 0.0, 0.5, 0.0)), gate=reading()), played(1))
    panel = await shown(moment)
    column = panel._picture[: 2 * (panel.content_size.height - 2), 0]
    half = len(column) // 2
    assert np.array_equal(np.unique(column[:half], axis=0), [palette.rgb(palette.ROLE_COLOURS[4])])
    assert np.array_equal(np.unique(column[half:], axis=0), [palette.rgb(palette.ROLE_COLOURS[0])])


@pytest.mark.parametrize("truth", [True, False])
async def test_switches_and_the_true_role_appear_only_with_the_truth(truth):
    trace = played(200, horizon=2400)
    switches = [step for step in range(1, 201) if switched_to(trace, step) >= 0]
    assert switches
    panel = await shown(Moment(trace, 200, truth=truth))
    marked = [x for (x, _), (char, _) in panel._labels.items() if char == SWITCH]
    assert marked == [(step - 1) // STEPS for step in switches] * truth
    band = panel._picture[2 * (panel.content_size.height - 2) + 1]
    assert (band != palette.rgb(palette.PANEL)).any() == truth


async def test_a_replan_is_marked():
    panel = await shown(thinking(Decision(0, chosen=True, replanned=True, belief=belief(), gate=reading())))
    assert [char for char, _ in panel._labels.values()] == ["▲"]
