"""Score cards: what they say follows from games that are the same again, and a changed one is refused."""

import json
import math
import string
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bba.agents import SeatSpec, load_agent
from bba.analysis.coordination import LEAST_BELIEF
from bba.analysis.measures import measure
from bba.bench.score_card.card import card_text, checksum, read_card, sealed
from bba.bench.score_card.check import (
    check_contents,
    drawn,
    file_name,
    own_belief,
    play_again,
    repeatable,
    scored_game,
    trace_digest,
)
from bba.bench.score_card.summary import FOLLOWED, summary_of
from bba.errors import BBAError
from bba.files import data_dir
from bba.play import Game
from bba.play.trace import EGO
from benchmarks.card_schema import schema_text
from tests.helpers.tiny_benchmarks import forged, install_tiny_benchmark, play_card


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The benchmark, a card, and its text; plays its two games once."""
    with pytest.MonkeyPatch.context() as patch:
        protocol = install_tiny_benchmark(patch, tmp_path_factory.mktemp("protocols"))
        card = play_card(protocol)
        yield protocol, card, card_text(card)


def game(seed=100, agent="bayes"):
    return Game("open", load_agent(agent), "switching", seed, horizon=60, fast=True).run()


def test_a_card_says_of_each_game_what_the_game_says(tiny):
    protocol, card, _ = tiny
    assert [one.place for one in card.episodes] == [("open", "switching", "switching", seed) for seed in (100, 101)]
    for one in card.episodes:
        trace = game(one.seed)
        assert one.game == trace_digest(trace)
        assert one.decisions == sum(tick.decisions[EGO].deliberate for tick in trace.ticks) > 0
        found = measure(trace)
        assert one.measures == pytest.approx(
            {name: found[name] for name in (*protocol.measures, "planner_calls") if found[name] is not None}, abs=1e-6
        )
        assert len(one.followed) == len(FOLLOWED)
        assert one.belief.steps >= one.belief.right > 0


def test_means_belief_speed_and_cost_follow_from_the_games(tiny):
    _, card, _ = tiny
    rates = [one.measures["skill_accuracy"] for one in card.episodes]
    assert card.overall["skill_accuracy"].mean == pytest.approx(sum(rates) / 2, abs=1e-6)
    ends = card.overall["skill_accuracy"].low, card.overall["skill_accuracy"].high
    assert ends == pytest.approx(stats.ttest_1samp(rates, 0).confidence_interval(), abs=1e-5), (
        "its games have a seed each"
    )
    (cell,) = card.cells
    assert (cell.layout, cell.group, cell.measures) == ("open", "switching", card.overall)
    right, steps = (sum(getattr(one.belief, name) for one in card.episodes) for name in ("right", "steps"))
    assert card.calibration.accuracy.mean == pytest.approx(right / steps, abs=1e-6)
    assert card.recovery.switches == sum(one.measures["switches"] for one in card.episodes)
    assert card.speed.steps == 120
    assert card.cost.calls == sum(one.measures["planner_calls"] for one in card.episodes) > 0
    assert card.cost.dollars is None


def test_an_agent_without_a_belief_has_no_calibration(tiny):
    card = play_card(tiny[0], "proagent")
    assert card.calibration is None
    assert all(one.belief is None for one in card.episodes)
    assert file_name(card) == "proagent-scripted-v1-quick.json"


def test_the_belief_is_the_agents_own_and_a_share_of_nothing_is_not_infinitely_wrong():
    trace = game()
    sure = [tick.decisions[EGO].belief._replace(posterior=(0.0, 0.0, 0.0, 0.0, 0.0, 1.0)) for tick in trace.ticks]
    decisions = [
        (tick.decisions[0]._replace(belief=belief), tick.decisions[1])
        for tick, belief in zip(trace.ticks, sure, strict=True)
    ]
    ticks = [tick._replace(decisions=pair) for tick, pair in zip(trace.ticks, decisions, strict=True)]
    found = own_belief(replace(trace, ticks=ticks))
    assert found.log_loss <= -found.steps * math.log(LEAST_BELIEF) + 1
    assert found.bins[-1][0] == found.steps


def test_a_card_is_read_as_it_was_written(tiny, tmp_path):
    _, card, text = tiny
    (tmp_path / "card.json").write_text(text, "utf-8")
    assert read_card(tmp_path / "card.json") == card


@given(data=st.data())
def test_a_card_with_one_changed_digit_anywhere_is_refused(tiny, tmp_path_factory, data):
    text = tiny[2]
    place = data.draw(st.sampled_from([place for place, char in enumerate(text) if char in string.digits]))
    digit = data.draw(st.sampled_from([one for one in string.digits if one != text[place]]))
    file = tmp_path_factory.getbasetemp() / "changed.json"
    file.write_text(text[:place] + digit + text[place + 1 :], "utf-8")
    with pytest.raises(BBAError, match=r"changed\.json: ") as refused:
        read_card(file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no valid JSON"),
        ('{"format": NaN}', "no valid JSON"),
        ("[" * 100_000, "no valid JSON"),
        ("[]", "not a score card"),
        ('{"format": "bba-score-card", "version": true}', "version True"),
        ('{"format": "bba-score-card", "version": 2}', "this program reads version 1"),
        ('{"format": "bba-score-card", "version": 1}', "changed after it was written"),
    ],
)
def test_what_is_no_card_is_refused_in_one_line(text, problem, tmp_path):
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(BBAError, match=problem):
        read_card(tmp_path / "card.json")


def test_a_card_that_lacks_a_part_is_refused_though_its_checksum_fits(tiny, tmp_path):
    data = json.loads(tiny[2])
    del data["recovery"]
    (tmp_path / "card.json").write_text(json.dumps(data | {"checksum": checksum(data)}))
    with pytest.raises(BBAError, match="recovery: missing"):
        read_card(tmp_path / "card.json")


def test_the_games_of_a_card_are_the_same_when_they_are_played_again(tiny):
    protocol, card, _ = tiny
    check_contents(card, protocol)
    assert repeatable(card)
    assert list(play_again(card, protocol, list(card.episodes), SeatSpec())) == list(card.episodes)


def test_a_card_with_intervals_of_single_games_still_holds(tiny, tmp_path):
    protocol, card, _ = tiny
    before = sealed(dict(card) | dict(summary_of(protocol, card.episodes, None)))
    (tmp_path / "card.json").write_text(card_text(before))
    assert '"intervals"' not in card_text(before), "as such cards are"
    check_contents(read_card(tmp_path / "card.json"), protocol)
    assert before.overall["skill_accuracy"].low != card.overall["skill_accuracy"].low
    with pytest.raises(BBAError, match="does not follow from its games"):
        check_contents(sealed(dict(before) | {"intervals": "seeds"}), protocol)


def test_means_that_do_not_follow_are_found(tiny):
    protocol, card, _ = tiny
    first = card.episodes[0].measures
    lie = forged(card, protocol, summed=False, measures=first | {"reward": first["reward"] + 20})
    with pytest.raises(BBAError, match=r"overall\.reward\.mean does not follow from its games"):
        check_contents(lie, protocol)


@pytest.mark.parametrize("changes", [{"game": "0" * 16}, {"decisions": 1}, {"followed": (9, 9, 9, 9, 9, 9)}])
def test_games_that_were_not_played_so_are_found(tiny, changes):
    protocol, card, _ = tiny
    lie = forged(card, protocol, **changes)
    check_contents(lie, protocol)
    with pytest.raises(BBAError, match="open with switching, seed 100: played again, it"):
        list(play_again(lie, protocol, [lie.episodes[0]], SeatSpec()))


def test_measures_that_were_not_reached_are_found_and_tell_of_other_code(tiny):
    protocol, card, _ = tiny
    lie = forged(card, protocol, measures=card.episodes[0].measures | {"reward": 999})
    lie = lie.model_copy(update={"program": card.program.model_copy(update={"code": "0" * 16})})
    with pytest.raises(BBAError, match=r"its measures\.reward is another one \(played by version .*, code 0{16}"):
        list(play_again(lie, protocol, [lie.episodes[0]], SeatSpec()))


def test_a_card_from_when_each_choice_of_a_policy_was_a_replan_still_holds(tiny):
    protocol, _, _ = tiny
    card = play_card(protocol, "switching")
    first = card.episodes[0].measures
    assert "replans" not in first
    old = forged(
        card, protocol, measures=first | {"replans": 7, "needless_replans": 5, "reached_10": 1, "reached_30": 1}
    )
    check_contents(old, protocol)
    assert list(play_again(old, protocol, [old.episodes[0]], SeatSpec())) == [old.episodes[0]]
    lie = forged(card, protocol, measures=old.episodes[0].measures | {"reward": 999})
    with pytest.raises(BBAError, match=r"its measures\.reward is another one"):
        list(play_again(lie, protocol, [lie.episodes[0]], SeatSpec()))


@pytest.mark.parametrize("episodes", [slice(1), [0, 0]])
def test_a_card_without_a_game_or_with_one_twice_does_not_hold(tiny, episodes):
    protocol, card, _ = tiny
    kept = card.episodes[episodes] if isinstance(episodes, slice) else tuple(card.episodes[i] for i in episodes)
    with pytest.raises(BBAError, match="each of the 2 games of quick once"):
        check_contents(card.model_copy(update={"episodes": kept}), protocol)


def test_nobody_chooses_which_games_are_played_again(tiny):
    _, card, _ = tiny
    other = card.model_copy(update={"checksum": checksum({"another": "card"})})
    many = card.model_copy(update={"episodes": card.episodes * 50})
    assert len(drawn(many, 8)) == 8
    assert drawn(many, 8) == drawn(many, 8)
    assert drawn(card, "all") == drawn(card, 2) == list(card.episodes)
    assert [one.seed for one in drawn(many, 8)] != [
        one.seed for one in drawn(other.model_copy(update={"episodes": many.episodes}), 8)
    ]


def test_another_protocol_kitchen_or_other_weights_are_refused(tiny):
    protocol, card, _ = tiny
    with pytest.raises(BBAError, match="its protocol is another v1"):
        check_contents(card, protocol.model_copy(update={"digest": "0" * 16}))
    with pytest.raises(BBAError, match="the kitchen open is not that of the protocol"):
        protocol.model_copy(update={"kitchens": {"open": "0" * 16}}).check()
    with pytest.raises(BBAError, match="the partners' weights are not those"):
        protocol.model_copy(update={"weights": "0" * 16}).check()


def test_options_that_set_an_agent_apart_stand_in_the_name_of_its_file(tiny):
    protocol, card, _ = tiny
    tuned = play_card(protocol, options=SeatSpec(belief_changes={"theta_obs": 0.1}))
    assert file_name(card) == "bayes-scripted-v1-quick.json"
    assert file_name(tuned).startswith("bayes-scripted-")
    assert file_name(tuned) != file_name(card)
    assert list(play_again(tuned, protocol, list(tuned.episodes), SeatSpec()))


def test_the_shipped_schema_is_that_of_the_program_and_takes_a_card(tiny):
    text = (data_dir("configs/protocols") / "score_card.schema.json").read_text("utf-8")
    assert text == schema_text()
    jsonschema.validate(json.loads(tiny[2]), json.loads(text))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(tiny[2]) | {"checksum": "?"}, json.loads(text))


def test_a_frozen_benchmark_keeps_the_scoring_rule_of_its_time(tiny):
    protocol, _, _ = tiny
    first = protocol.model_copy(update={"measures": ("gap_rate", "comp_at_3", "duplicate_rate")})
    trace = Game("open", "bayes", "switching", 1, horizon=400, fast=True).run()
    found = measure(trace)
    by_rule_1 = scored_game(trace, first)["measures"]
    by_rule_2 = scored_game(trace, first.model_copy(update={"scoring": 2}))["measures"]
    assert by_rule_1["gap_rate"] == pytest.approx(found["gap_rate_all_points"], abs=1e-6)
    assert by_rule_1["comp_at_3"] == pytest.approx(found["comp_at_3_all_points"], abs=1e-6)
    assert by_rule_1["duplicate_rate"] == pytest.approx(found["same_role_rate"], abs=1e-6)
    assert by_rule_2 == pytest.approx({name: found[name] for name in by_rule_2}, abs=1e-6)
    assert by_rule_1["gap_rate"] > by_rule_2["gap_rate"]
