"""A seat is put together of layers by the names of what they say."""

import pytest

from bba.agents import SeatSpec, merge, seat_of
from bba.errors import BBAError


def test_of_each_name_the_last_layer_counts_and_none_says_nothing():
    base = SeatSpec("bayes", planner="rollout", trigger="gate")
    seat = merge(base, {"trigger": "value", "ask": "always"}, {"trigger": None, "agent": "proagent"})
    assert (seat.agent, seat.planner, seat.trigger, seat.ask) == ("proagent", "rollout", "value", "always")
    assert base.trigger == "gate"


def test_tables_of_options_are_put_together_by_their_names():
    base = SeatSpec(belief_changes={"theta_obs": 0.1, "cooldown": 4}, agent_options={"words": 1})
    seat = merge(base, {"belief_changes": {"theta_obs": 0.2}}, {"belief_changes": {"gamma_conf": 0.5}})
    assert dict(seat.belief_changes) == {"theta_obs": 0.2, "cooldown": 4, "gamma_conf": 0.5}
    assert dict(seat.agent_options) == {"words": 1}


def test_a_layer_with_a_value_that_is_not_allowed_is_refused():
    with pytest.raises(BBAError, match="SeatSpec: ask"):
        merge(SeatSpec(), {"ask": "sometimes"})


def test_an_agent_alone_has_the_shared_settings_and_a_seat_its_own():
    shared = SeatSpec(planner="rollout")
    assert seat_of("proagent", shared) == SeatSpec("proagent", planner="rollout")
    assert seat_of(SeatSpec("proagent"), shared) == SeatSpec("proagent")
