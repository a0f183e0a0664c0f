"""The shipped protocols stay as they are, and their partners play as their groups say."""

from itertools import chain

import pytest

from bba.agents import SCRATCH_PARTNERS, SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.score_card import card as protocols
from bba.bench.score_card.card import load_protocol, protocol_names
from bba.bench.score_card.check import play_again
from tests.helpers.tiny_benchmarks import install_tiny_benchmark, play_card


@pytest.mark.parametrize("name", protocol_names())
def test_the_shipped_protocols_are_as_they_were_frozen(name):
    protocol = load_protocol(name)
    protocol.check()
    assert protocol.digest == {"v1": "1c3043e88bed1509", "v2": "6f900cb009a2c686", "v3": "f3a08bf22c57f0bd"}[name], (
        "a protocol is never edited; make another version"
    )
    assert protocol.places("quick") < protocol.places("full")


def test_in_v2_some_partners_are_slow_and_some_keep_one_role():
    plan = plan_sweep(load_protocol("v2").sweep("quick", "proagent"), SeatSpec())
    played = {(entry.group, entry.partner): plan.episodes[entry.key] for entry in plan.entries}
    assert played["slow", "switching"].mobility == (0.35, 0.1)
    assert played["adaptive", "switching"].mobility == 0.35
    kept = [game.seats[1].schedule for (group, _), game in played.items() if group.startswith("keeps_")]
    assert kept == [((0, role),) for role in range(5)]


def test_v3_has_the_partners_from_nothing_and_the_rule_that_scores_no_standing_still():
    protocol = load_protocol("v3")
    assert protocol.scoring == 2
    assert set(chain(*protocol.partners.values())) == set(SCRATCH_PARTNERS)
    assert {load_protocol(name).scoring for name in ("v1", "v2")} == {1}


def test_a_card_of_a_slow_partner_that_keeps_its_role_is_played_again_so(monkeypatch, tmp_path):
    install_tiny_benchmark(monkeypatch, tmp_path)
    file = tmp_path / "v1.toml"
    text = file.read_text("utf-8").replace("[kitchens]", 'slow = ["switching+locked"]\n\n[kitchens]')
    file.write_text(text + "\n[partner_settings]\nslow = { mobility = 0.1, schedule = [[0, 4]] }\n", "utf-8")
    protocol = protocols.load_protocol("v1")
    card = play_card(protocol, "proagent")
    slow = [game for game in card.episodes if game.group == "slow"]
    assert {game.measures["switches"] for game in slow} == {0}
    assert list(play_again(card, protocol, slow, SeatSpec())) == slow
