"""What learned partners do against what they like: what is counted, what can be done at all, what is compared."""

import numpy as np
import pytest

from bba.agents import SeatSpec
from bba.agents.learned.families import LEARNED_PARTNERS, feature_weights
from bba.bench.partner_check import (
    CheckGame,
    GameCounts,
    PartnerRow,
    check_games,
    counts_of,
    group_effects,
    partner_rows,
    play_check_game,
    seats_to_check,
)
from bba.errors import BBAError
from bba.kitchen import Layout, Skill
from bba.kitchen.observation import FEATURE_NAMES, N_FEATURES
from bba.play import Game
from tests.helpers.tiny_policies import write

OPEN, FORCED = Layout.load("open"), Layout.load("forced_coordination")


def test_the_other_seat_is_checked_where_it_can_do_other_things() -> None:
    assert seats_to_check(OPEN) == (1,)
    assert seats_to_check(FORCED) == (1, 0)


def test_every_partner_with_weights_plays_every_seed_beside_the_ego_and_with_itself(tmp_path) -> None:
    write(tmp_path, "bp:G1-2")
    found = check_games([OPEN, FORCED], [3, 4], 50, SeatSpec(weights=tmp_path))
    assert [(match.partner, match.seat, match.seed) for match in found] == [
        ("bp:G1-2", seat, seed) for seat in (1, None) for seed in (3, 4)
    ]
    with pytest.raises(BBAError, match=r"bp:G1-1: has no weights for the layout forced_coordination"):
        check_games([FORCED], [0], 50, SeatSpec(weights=tmp_path))


def test_a_match_counts_what_the_partner_did_in_its_seats(tmp_path) -> None:
    write(tmp_path, "bp:G1-2")
    options = SeatSpec(weights=tmp_path)
    beside, itself = (play_check_game(CheckGame("bp:G1-2", OPEN, seat, 0, 400), options) for seat in (1, None))
    assert beside.counts.sum() > 0
    assert itself.counts.sum() > beside.counts.sum()


def test_what_is_counted_of_a_game_is_what_happened_in_it() -> None:
    trace = Game(OPEN, "proagent", "proagent", horizon=600, fast=True).run()
    served = sum(
        event.complete and event.skill is Skill.GO_TO_SERVE_DISH for tick in trace.ticks for event in tick.events
    )
    both = counts_of(trace, 0) + counts_of(trace, 1)
    assert both[FEATURE_NAMES.index("delivering")] == served > 0


def line(partner: str, rates: dict[str, float], layout: str = "open", seat: int = 1, **can: bool) -> PartnerRow:
    rate, possible = np.zeros(N_FEATURES), np.ones(N_FEATURES, np.bool_)
    for name, value in rates.items():
        rate[FEATURE_NAMES.index(name)] = value
    for name, value in can.items():
        possible[FEATURE_NAMES.index(name)] = value
    return PartnerRow(partner, layout, seat, rate, feature_weights(partner), possible, 0, 0)


def test_those_who_like_a_feature_are_held_against_those_who_do_not() -> None:
    found = [
        line("bp:G1-1", {"plating": 8, "washing": 5}),
        line("bp:G1-2", {"plating": 6, "washing": 0}),
        line("bp:G1-3", {"plating": 3, "washing": 5}),
        line("bp:G1-4", {"plating": 1, "washing": 0}),
    ]
    plating, washing = group_effects(found)
    assert (plating.group, plating.liked, plating.disliked, plating.ratio) == ("G1", 7, 2, 3.5)
    assert (washing.liked, washing.disliked, washing.ratio) == (5, 0, None)


def test_what_cannot_be_done_has_no_ratio() -> None:
    found = [line(partner, {"plating": 2}, washing=False) for partner in LEARNED_PARTNERS[:4]]
    plating, washing = group_effects(found)
    assert (plating.ratio, plating.able) == (1, True)
    assert (washing.ratio, washing.able) == (None, False)


def test_a_line_is_the_mean_over_the_seeds() -> None:
    def played(seat: int | None, seed: int, reward: int, count: int) -> tuple[CheckGame, GameCounts]:
        return CheckGame("bp:G1-2", OPEN, seat, seed, 9), GameCounts(reward, np.full(N_FEATURES, count))

    (only,) = partner_rows(
        [played(1, 0, 100, 1), played(1, 1, 300, 2), played(None, 0, 500, 7), played(None, 1, 700, 7)]
    )
    assert (only.partner, only.layout, only.seat) == ("bp:G1-2", "open", 1)
    assert (only.reward, only.self_play) == (200, 600)
    assert only.rates.tolist() == [1.5] * N_FEATURES
