from itertools import islice, pairwise

import pytest

from bba.agents import EpisodeContext, Observation, SwitchingPartner, parse_schedule
from bba.agents.role_partners import LONGEST, SHORTEST, DrawnSchedule
from bba.belief import ROLE_NAMES, ROLE_OF_SKILL, StayModel
from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import HELD
from bba.play import Game


def test_a_random_schedule_starts_at_zero_keeps_its_durations_and_never_repeats_a_role():
    for seed in range(20):
        schedule = tuple(islice(DrawnSchedule(seed, (0, 1, 2, 3)), 20))
        steps, roles = zip(*schedule, strict=True)
        lengths = [later - earlier for earlier, later in pairwise(steps)]
        assert steps[0] == 0
        assert min(lengths) >= SHORTEST
        assert max(lengths) <= LONGEST
        assert all(a != b for a, b in pairwise(roles))


def test_the_same_seed_draws_the_same_schedule_and_another_another():
    three, again, four = (list(islice(DrawnSchedule(seed, (0, 1, 2)), 20)) for seed in (3, 3, 4))
    assert three == again
    assert three != four


def test_a_given_schedule_is_followed_to_the_step():
    partner = SwitchingPartner(parse_schedule("0:prep_rice, 50:plate_hygiene"))
    trace = Game("open", "proagent", partner, 0, horizon=100).run()
    pursued = [ROLE_NAMES[tick.decisions[1].scheduled_role] for tick in trace.ticks]
    assert pursued == ["prep_rice"] * 50 + ["plate_hygiene"] * 50


def test_at_a_switch_it_drops_work_that_is_not_of_the_new_role():
    dropped = 0
    for seed in range(6):
        trace = Game("open", "proagent", "switching", seed, horizon=600, fast=True).run()
        for before, tick in zip(trace.ticks, trace.ticks[1:], strict=False):
            if tick.decisions[1].scheduled_role != before.decisions[1].scheduled_role:
                same_skill_goes_on = not tick.decisions[1].chosen
                assert not same_skill_goes_on or ROLE_OF_SKILL[tick.skills[1]] == tick.decisions[1].scheduled_role
                dropped += tick.ended[1] == 4
    assert dropped > 0


def test_work_outside_its_role_is_explained_in_the_trace():
    trace = Game("open", "proagent", "switching", 1, horizon=800, fast=True).run()
    explained = 0
    for tick in trace.ticks:
        decision = tick.decisions[1]
        if decision.chosen:
            outside = ROLE_OF_SKILL[decision.skill] != decision.scheduled_role
            assert bool(decision.note) == outside
            explained += outside
    assert explained > 0


def test_it_does_the_work_of_its_role_where_there_is_some():
    trace = Game("open", "proagent", SwitchingPartner(((0, ROLE_NAMES.index("prep_rice")),)), 0, horizon=300).run()
    roles = [tick.role(1) for tick in trace.ticks]
    assert roles[0] == ROLE_NAMES.index("prep_rice")
    assert roles.count(ROLE_NAMES.index("prep_rice")) > 30


@pytest.mark.parametrize("layout", ["open", "forced_coordination"])
def test_it_does_not_take_up_again_what_it_has_just_put_down(layout):
    partner = SwitchingPartner(((0, ROLE_NAMES.index("plate_hygiene")),))
    trace = Game(layout, "proagent", partner, 0, horizon=600, fast=True).run()
    chosen = [step for step, tick in enumerate(trace.ticks) if tick.decisions[1].chosen]
    held = {step: trace.ticks[step - 1].state[HELD + 1] for step in chosen if step}
    for down, up, after in zip(chosen[1:], chosen[2:], chosen[3:], strict=False):
        if trace.ticks[down].skills[1] == constants.PUT_DOWN_OBJECT and held[up] == constants.NOTHING:
            assert held[after] != held[down]


def test_it_does_not_put_down_for_work_that_it_cannot_reach():
    partner = SwitchingPartner(((0, ROLE_NAMES.index("prep_rice")),))
    trace = Game("forced_coordination", "proagent", partner, 0, horizon=600, fast=True).run()
    assert not any(tick.decisions[1].note.startswith("puts down") for tick in trace.ticks)


@pytest.mark.parametrize(
    ("held", "skill"), [(constants.CHARCOAL, constants.THROW), (constants.MEAT, constants.PUT_DOWN_OBJECT)]
)
def test_it_puts_down_what_its_role_has_no_use_for_but_not_charcoal(held, skill):
    kitchen = Kitchen("open", 0)
    kitchen.state[HELD + 1] = held
    partner = SwitchingPartner(((0, ROLE_NAMES.index("prep_rice")),))
    layout = Layout.load("open")
    partner.reset(EpisodeContext(1, layout, 0, StayModel.NOISY, fast=False))
    seen = Observation(1, layout, None, kitchen.state, constants.NO_SKILL, 0, 0, fast=False)
    partner.observe(seen)
    assert partner.decide(seen).skill == skill


@pytest.mark.parametrize(
    "text", ["", "serve", "0:cook", "x:serve", "5:serve", "0:serve,0:prep_rice", "0:serve,-3:serve"]
)
def test_a_wrong_schedule_is_one_line(text):
    with pytest.raises(BBAError, match=r"^schedule: ") as caught:
        parse_schedule(text)
    assert "\n" not in str(caught.value)
