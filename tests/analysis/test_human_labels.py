"""The skills of people, inferred from public events."""

import pytest

from bba.agents import Controls, HumanAgent, parse_schedule
from bba.analysis.human_choices import role_changes, with_inferred_skills
from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.kitchen import Skill, constants
from bba.kitchen.constants import COMPLETED, EVENT
from bba.play import Game
from bba.play.ticks import step_arrays
from tests.helpers.typist import game_of_a_typist, played_by_hand


def test_each_step_is_labelled_with_the_next_skill_that_the_person_completes():
    trace = played_by_hand(200)
    completed = [(i, int(t.state[EVENT + 1])) for i, t in enumerate(trace.ticks) if t.state[COMPLETED + 1]]
    labels = [tick.skills[1] for tick in with_inferred_skills(trace).ticks]
    start = 0
    for step, skill in completed:
        assert set(labels[start : step + 1]) == {skill}
        start = step + 1
    assert set(labels[start:]) <= {constants.NO_SKILL}
    assert len(completed) > 5


def test_nothing_else_is_changed_and_the_trace_itself_is_left_alone():
    trace = played_by_hand(60)
    before = list(trace.ticks)
    after = with_inferred_skills(trace)
    assert all(one is other for one, other in zip(trace.ticks, before, strict=True))
    assert [t._replace(skills=(0, 0)) for t in after.ticks] == [t._replace(skills=(0, 0)) for t in before]
    assert [t.skills[0] for t in after.ticks] == [t.skills[0] for t in before]


def test_a_game_without_people_stays_as_it_is():
    trace = Game("open", "switching", "switching", 0, horizon=5).run()
    assert with_inferred_skills(trace) is trace


def test_a_picked_skill_is_known_even_if_it_never_completes():
    controls = Controls()
    game = Game("open", "switching", HumanAgent(controls), 0, mobility=(0.35, 1.0))
    controls.choose(Skill.GRAB_RICE)
    game.step()
    assert with_inferred_skills(game.trace).ticks[0].skills[1] == Skill.GRAB_RICE


@pytest.mark.thorough
def test_the_labels_agree_with_the_truth_of_a_person_who_switches_at_known_steps():
    schedule = parse_schedule("0:prep_rice,300:prep_protein,600:plate_hygiene,900:assemble")
    game, typist = game_of_a_typist(schedule=schedule)
    for _ in range(1200):
        typist.press()
        game.step()
    truth = [NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill] for skill in typist.pursued]
    inferred = [tick.role(1) for tick in with_inferred_skills(game.trace).ticks]
    scored = [(one, other) for one, other in zip(truth, inferred, strict=True) if NO_ROLE not in (one, other)]
    assert len(scored) > 600
    assert sum(one == other for one, other in scored) / len(scored) >= 0.9


def true_and_found_switches(steps, **game):
    """The switches of a typist who says what it pursues, and those inferred from what it typed."""
    played, typist = game_of_a_typist(ego="proagent", horizon=steps, **game)
    for _ in range(steps):
        typist.press()
        played.step()
    known = [
        tick._replace(skills=(tick.skills[0], skill))
        for tick, skill in zip(played.trace.ticks, typist.pursued, strict=True)
    ]
    return role_changes(step_arrays(known)), role_changes(step_arrays(with_inferred_skills(played.trace).ticks))


def matched(true, found, within):
    """How many true switches were found: each by one of the same role that begins so near."""
    left = list(found)
    for change in true:
        match = next((one for one in left if one.role == change.role and abs(one.start - change.start) <= within), None)
        if match is not None:
            left.remove(match)
    return len(found) - len(left)


@pytest.mark.thorough
def test_typed_switches_are_found_and_hardly_any_others():
    true, found = true_and_found_switches(700)
    hits = matched(true, found, within=20)
    assert len(true) >= 20
    assert hits >= 0.9 * len(true)
    assert len(found) - hits <= 0.1 * len(found)


@pytest.mark.thorough
def test_a_switch_after_a_wait_begins_with_the_work_and_not_with_the_wait():
    """The typist keeps to one role, and waits where that has no work: three switches are three, at their steps."""
    schedule = parse_schedule("0:prep_protein,200:prep_rice,400:plate_hygiene,600:prep_protein")
    true, found = true_and_found_switches(760, schedule=schedule, locked=True)
    assert [change.role for change in true] == [1, 2, 0]
    assert [change.role for change in found] == [1, 2, 0]
    assert all(abs(one.start - other.start) <= 15 for one, other in zip(true, found, strict=True))
