"""A decision of the rollout planner in a sentence, and the last one up to a step."""

import pytest

from bba.analysis import names
from bba.analysis.captions import caption_at, captions, last_comparison, ranked
from bba.analysis.cook_names import BY_COLOUR, ONE_PERSON
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.kitchen.constants import BOIL, CHOP, GRAB_MEAT, WASH
from bba.planner import SkillValue
from bba.play import Game
from tests.helpers.comparisons import assumption, compared, compared_game

BELIEVES = "if the partner is now boiling rice, which the ego believes at 71 %"


def options(gain: float, error: float = 4.0) -> tuple[SkillValue, ...]:
    return SkillValue(CHOP, 0.6, 600.0, 0.0, 0.0), SkillValue(GRAB_MEAT, 0.4, 600.0 + gain, gain, error)


REASONS = (
    (compared(), "12 points better than chopping"),
    (compared(options=options(3.14)), "3.1 points better than chopping"),
    (compared(options=options(-0.2)), "about as good as chopping, and likelier by the network"),
    (compared(options=options(0.04)), "about as good as chopping, and likelier by the network"),
    (compared(CHOP, options=options(0.01)), "as good as getting meat"),
    (compared(CHOP, options=options(3)), "no other is surely better (getting meat by 3.0 ± 4.0)"),
    (compared(CHOP, options=options(-20)), "20 points better than getting meat"),
    (compared(CHOP, options=options(0)[:1]), "no other skill was worth a look"),
)


@pytest.mark.parametrize(("comparison", "reason"), REASONS)
def test_a_decision_in_a_sentence(comparison, reason):
    decision = f"{names.skill_doing(comparison.chosen)}: {reason}"
    shorter = f"{decision}, if the partner is now boiling rice (71 %)"
    assert captions(comparison) == (f"{decision}, {BELIEVES}", shorter, decision)


@pytest.mark.parametrize(
    ("partner", "assumed"),
    [
        ((), "with the network's guess of what the partner does"),
        (assumption({WASH: 0.5, BOIL: 0.3}), "if the partner is now washing a plate, which the ego believes at 50 %"),
    ],
)
def test_what_was_assumed_of_the_partner_is_part_of_the_sentence(partner, assumed):
    assert captions(compared(partner=partner))[0] == f"getting meat: 12 points better than chopping, {assumed}"


def test_where_there_are_colours_the_cooks_are_called_by_them():
    assert captions(compared(), BY_COLOUR)[0].endswith("if orange is now boiling rice, which blue believes at 71 %")


def test_a_person_is_told_what_was_assumed_of_it():
    you = ONE_PERSON[1]
    assert captions(compared(), you)[1].endswith(", if you are now boiling rice (71 %)")
    assert captions(compared(partner=()), you)[0].endswith(", with the network's guess of what you do")


def test_the_chosen_skill_comes_first_then_the_best_others():
    assert [option.skill for option in ranked(compared(BOIL))] == [BOIL, GRAB_MEAT, CHOP]


def test_the_last_comparison_up_to_a_step_counts():
    trace = compared_game()
    first, last = (tick.step for tick in trace.ticks if tick.decisions[0].comparison)
    assert last_comparison(trace, first - 1) is None
    assert last_comparison(trace, last - 1) == (first, trace.ticks[first - 1].decisions[0].comparison)
    assert last_comparison(trace, len(trace.ticks)) == (last, trace.ticks[last - 1].decisions[0].comparison)
    assert last_comparison(trace, len(trace.ticks), player=1) is None


def test_the_caption_is_shortened_to_its_room_and_empty_for_other_planners():
    snapshot = Snapshot(compared_game(), 60)
    assert caption_at(snapshot, 200).endswith(BELIEVES)
    assert caption_at(snapshot, 100).endswith("if the partner is now boiling rice (71 %)")
    assert caption_at(snapshot, 60) == "step 59: getting meat: 12 points better than chopping"
    assert caption_at(snapshot, 40) == "step 59: getting meat: 12 points better", "no text is cut"
    assert caption_at(snapshot, 36) == "59: getting meat: 12 points better"
    assert caption_at(Snapshot(snapshot.trace, 59), 60) == "getting meat: 12 points better than chopping"
    assert caption_at(snapshot, 10) == ""
    scripted = Game("open", "bayes", "switching", 3, horizon=5).run()
    assert caption_at(Snapshot(scripted, 5), 200) == ""


def test_what_one_does_who_runs_a_skill_is_said_in_one_form():
    doing = [names.skill_doing(skill) for skill in range(constants.N_SKILLS)]
    assert len(set(doing)) == constants.N_SKILLS
    assert all(text.split()[0].endswith("ing") for text in doing)
    assert {"frying on the grill", "boiling rice", "chopping", "putting it down", "waiting"} <= set(doing)
    assert names.skill_doing(constants.NO_SKILL) == "doing nothing"
