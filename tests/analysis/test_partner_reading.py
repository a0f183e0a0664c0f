"""How the ego read its partner, in the sentences with which a debrief begins."""

import re
from dataclasses import replace

import pytest

from bba.agents import HUMAN, Controls, HumanAgent, Profile
from bba.analysis import (
    cook_names,
    dishes_sentence,
    measure,
    names,
    partner_reading,
    plan_news,
    reading_sentences,
    worth_sentence,
)
from bba.analysis.cook_names import CookNames
from bba.analysis.coordination import SwitchResponse, as_the_ego_believes
from bba.analysis.partner_reading import PartnerReading, expected_gain
from bba.analysis.replans import replan_at
from bba.analysis.snapshot import likeliest_role
from bba.belief import NO_ROLE
from bba.config import BeliefConfig
from bba.kitchen.constants import DELIVERIES, SCORE
from bba.play import Game, Trace
from bba.play.trace import EGO
from tests.helpers.games import REPLAN, parting_game
from tests.helpers.traces import FILL, PLATES, PROTEIN, RICE, tick, trace
from tests.helpers.typist import played_by_hand

SCHEDULE = ((0, 0), (60, 1), (120, 2), (200, 3), (280, 0))


def of_people(game: Trace, *, ego: str = "bayes", belief: bool = True) -> Trace:
    """The same game, played by a person beside an ego of that name."""
    ego_profile = Profile(ego, "scripted", BeliefConfig() if belief else None)
    return replace(game, config=replace(game.config, seats=(ego_profile, Profile(HUMAN))))


def work(*believed: int) -> Trace:
    """A game whose partner turns from protein to rice, and so on, each believed as said."""
    kinds = (PROTEIN, RICE, PLATES)
    pairs = zip(kinds, believed, strict=False)
    return trace(*[tick(FILL, kind, believed=role) for kind, role in pairs for _ in range(12)])


def told(game: Trace) -> list[str]:
    return reading_sentences(game, partner_reading(game))


@pytest.mark.parametrize(
    ("served", "sentence"),
    [
        ((0, 0), ""),
        ((1, 0), "You served none of the one dish."),
        ((1, 2), "You served 2 of the 3 dishes."),
    ],
)
def test_a_person_is_told_how_many_dishes_it_served(served, sentence):
    assert dishes_sentence(of_people(work(0, 1)), READING._replace(served=served)) == sentence
    assert dishes_sentence(work(0, 1), READING._replace(served=served)) == ""


def test_dishes_are_counted_by_cook():
    game = played_by_hand(600, seed=2, schedule=SCHEDULE)
    served = partner_reading(game).served
    assert sum(served) == int(game.state(600)[DELIVERIES]) > 0


def test_the_sentences_have_the_numbers_of_the_measures():
    game = played_by_hand(360, seed=2, schedule=SCHEDULE)
    known = measure(game)
    reading = partner_reading(game)
    assert (reading.own, reading.right) == (True, known["belief_accuracy"])
    assert (len(reading.responses), reading.noticed) == (known["switches"], known["switches_detected"])
    right, noticed, changed = told(game)
    worked = int((as_the_ego_believes(game)[0].partner != NO_ROLE).sum())
    assert 0 < worked < 360
    assert right == (
        f"Your partner was right about your work in {known['belief_accuracy']:.0%} of the {worked} steps in which you "
        "did any."
    )
    assert noticed.startswith(f"It noticed {known['switches_detected']} of your {known['switches']} changes of work, ")
    assert noticed.endswith(f"after {known['detection_delay']:.1f} steps on average.".replace(".0 steps", " steps"))
    signs = [news.sign for news in (plan_news(game, step) for step in range(2, 361)) if news]
    assert (reading.replans, reading.changed) == (len(signs), signs.count("▲"))
    assert known["replans"] == reading.replans >= reading.changed
    assert changed.startswith("Your partner ")


@pytest.mark.parametrize(
    ("believed", "said"),
    [
        ((0,), "You turned to no other work for long, so there was no change to notice."),
        ((0, 1), "It noticed your one change of work, after 0 steps."),
        ((0, 0), "It did not notice your one change of work."),
        ((0, 1, 0), "It noticed 1 of your 2 changes of work, after 0 steps."),
        ((0, 0, 0), "It noticed none of your 2 changes of work."),
        ((0, 1, 2), "It noticed 2 of your 2 changes of work, after 0 steps on average."),
    ],
)
def test_changes_of_work_are_counted_in_words(believed, said):
    assert said in told(of_people(work(*believed)))


def test_nothing_is_said_of_a_belief_that_there_is_not():
    sentences = told(of_people(work(0, 1), ego="proagent", belief=False))
    assert sentences[0] == "Your partner has no belief about you; that of an observer counts."
    right = r"An observer was right about your work in 100% of the \d+ steps in which you did any\."
    assert re.fullmatch(right, sentences[1])
    assert sentences[3] == "Your partner never changed its plan in the middle of its work."
    assert len(told(of_people(work(0, 1), ego="switching", belief=False))) == 4


def test_a_person_in_the_egos_seat_is_told_of_the_partner_and_two_people_of_both_cooks():
    for people, named, sentences in (
        ((0,), CookNames("your partner", "your partner's", "you"), 2),
        ((0, 1), CookNames("cook 2", "cook 2's", "cook 1"), 2),
    ):
        seats = [HumanAgent(Controls()) if seat in people else "switching" for seat in (0, 1)]
        game = Game("open", *seats, 0, horizon=100).run()
        assert cook_names(game.config.agents) == named
        assert len(told(game)) == sentences
        assert not any("changed its plan" in sentence for sentence in told(game))
        assert not any(sentence.startswith("Your partner was right") for sentence in told(game))


def test_a_game_that_is_watched_is_told_in_the_third_person():
    game = parting_game(400).run()
    right, noticed, changed = told(game)
    assert right.startswith("Cook 1 was right about cook 2's work in ")
    assert re.search(r"% of the \d+ steps in which it did any\.$", right)
    assert noticed.startswith("It noticed ")
    assert " of cook 2's " in noticed
    assert changed.startswith("Cook 1 changed its plan for cook 2 ")


READING = PartnerReading(True, 30, 0.83, (SwitchResponse(8, 40, 1, 3, None),), 0, 0, None, True, (0, 0))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Your partner never changed its plan in the middle of its work."),
        ({"replans": 3}, "Your partner thought its plan over 3 times and kept it."),
        ({"replans": 1}, "Your partner thought its plan over once and kept it."),
        ({"replans": 1, "changed": 1}, "Your partner changed its plan for you once."),
        (
            {"replans": 5, "changed": 2, "gain": 30.6},
            "Your partner changed its plan for you 2 times, by its planner's estimate for 31 more points, and thought "
            "it over 3 times without a change.",
        ),
        ({"replans": 2, "changed": 2, "for_partner": False}, "Your partner changed its plan 2 times."),
    ],
)
def test_how_often_a_plan_was_changed_and_what_that_was_worth(changes, said):
    assert reading_sentences(of_people(work(0)), READING._replace(**changes))[-1] == said


def test_a_planner_that_compared_nothing_claims_no_worth():
    game = parting_game(REPLAN).run()
    assert expected_gain(replan_at(game, REPLAN)) is None
    assert partner_reading(game).gain is None


@pytest.mark.parametrize(("reference", "said"), [(80, "8 fewer"), (95, "7 more"), (88, "just as many")])
def test_what_a_belief_was_worth_is_a_difference_of_scores(reference, said):
    game = work(0)
    game.ticks[-1].state[SCORE] = 88
    assert worth_sentence(game, reference) == (
        f"Without its belief cook 1 would have reached {reference} points, {said}."
    )


def test_a_person_is_told_in_the_step_of_a_changed_plan_what_the_partner_thinks():
    game = parting_game(REPLAN + 20).run()
    assert not any(plan_news(game, step) for step in range(1, REPLAN + 21)), "nobody plays"
    people = of_people(game)
    role = likeliest_role(game.ticks[REPLAN - 1].decisions[EGO].belief)
    told = {step: plan_news(people, step) for step in range(1, REPLAN + 21)}
    assert {step: news.text for step, news in told.items() if news} == {
        REPLAN: f"your partner changed its plan, since you seemed to {names.role_does(role, to_you=True)}"
    }


def test_without_a_belief_the_partner_just_changes_its_plan_or_keeps_it():
    ticks = [tick(PROTEIN, RICE), tick(PLATES, RICE, replanned=True), tick(PLATES, RICE, replanned=True)]
    game = of_people(trace(*ticks), ego="proagent", belief=False)
    assert [plan_news(game, step) for step in (1, 2, 3)] == [
        None,
        ("▲", "your partner changed its plan"),
        ("△", "your partner thought again and keeps its plan"),
    ]
