"""Locked partners pursue their role and do not adapt, whether scripted or learned."""

import numpy as np
import pytest

from bba.agents import LOCKED_PARTNERS, SeatSpec, SwitchingPartner, agent_names, load_agent, unlocked
from bba.agents.role_partners import skills_within
from bba.agents.skill_policy import ROLE, draw_within_role
from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.bench.plan import plan_sweep
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.constants import HELD
from bba.planner.scripted.scene_facts import ME, SceneFacts, facts_of
from bba.planner.scripted.skill_choice import list_work, note_text, work_within
from bba.play import Game
from bba.report.appendix import command_of
from tests.helpers.planner_scenes import cook, facts, on, situation
from tests.helpers.tiny_sweeps import sweep

STEPS = 900
BOTH = ["switching+locked", "bp:G1-1+locked"]
PROTEIN, RICE, SERVE, ASSEMBLE, PASS = (
    ROLE_NAMES.index(name) for name in ("prep_protein", "prep_rice", "serve", "assemble", "stage_pass")
)


def played(partner, layout="open", seed=1, steps=STEPS, **options):
    return Game(layout, "proagent", load_agent(partner, SeatSpec(**options)), seed, horizon=steps, fast=True).run()


def choices(trace):
    """The partner's choices: what it held, its role by the schedule, and the decision."""
    before = [trace.start, *(tick.state for tick in trace.ticks)]
    for state, tick in zip(before, trace.ticks, strict=False):
        decision = tick.decisions[1]
        if decision.chosen:
            yield int(state[HELD + 1]), decision.scheduled_role, decision


def within(scene: SceneFacts, role: int) -> tuple[int, str]:
    """What a locked cook with free hands does, and its note."""
    list_work(scene, ME)
    skill, note = work_within(scene, role)
    return skill, note_text(note, role, skill)


def all_within(layout: str, role: int) -> list[set[int]]:
    """The skills among which locked cooks choose at the start of a game, by seat."""
    game = Game(layout, "proagent", SwitchingPartner(locked=True), 0)
    facts = facts_of(game.kitchen.layout)
    return [skills_within(game._now.observation(seat), role, (), facts) for seat in (0, 1)]


def test_every_locked_partner_has_a_name_and_is_otherwise_the_unlocked_one():
    assert len(LOCKED_PARTNERS) == 13
    assert set(LOCKED_PARTNERS) <= set(agent_names())
    assert [load_agent(name).profile.agent for name in BOTH] == BOTH
    assert [unlocked(name) for name in (*BOTH, "bayes")] == ["switching", "bp:G1-1", "bayes"]
    for name in ("gamma+locked", "bayes+locked"):
        with pytest.raises(BBAError, match="no agent named"):
            load_agent(name)


@pytest.mark.parametrize("partner", BOTH)
@pytest.mark.parametrize("layout", ["open", "ring"])
def test_with_free_hands_it_works_within_its_role_or_waits(partner, layout):
    seen = set()
    for held, role, decision in choices(played(partner, layout)):
        if held == constants.NOTHING:
            assert ROLE_OF_SKILL[decision.skill] in (role, NO_ROLE) or role == ASSEMBLE, decision
            seen.add((role, ROLE_OF_SKILL[decision.skill]))
    assert any(role == done for role, done in seen)
    assert any(done == NO_ROLE for _, done in seen), "it never waited, so this shows nothing"


def test_the_switching_partner_that_is_not_locked_does_other_work_then():
    free = [(role, d) for held, role, d in choices(played("switching")) if held == constants.NOTHING]
    assert any(ROLE_OF_SKILL[decision.skill] not in (role, NO_ROLE) for role, decision in free)


@pytest.mark.thorough
@pytest.mark.parametrize("partner", BOTH)
def test_it_follows_a_schedule_and_without_one_that_of_the_switching_partner(partner):
    pursued = [tick.decisions[1].scheduled_role for tick in played(partner, schedule=((0, RICE), (50, SERVE))).ticks]
    assert pursued == [RICE] * 50 + [SERVE] * (STEPS - 50)
    drawn, usual = played(partner), played("switching")
    assert [t.decisions[1].scheduled_role for t in drawn.ticks] == [t.decisions[1].scheduled_role for t in usual.ticks]


@pytest.mark.parametrize("partner", BOTH)
def test_at_a_switch_it_drops_work_that_is_not_of_the_new_role(partner):
    trace = played(partner)
    switches = 0
    for before, tick in zip(trace.ticks, trace.ticks[1:], strict=False):
        if tick.decisions[1].scheduled_role != before.decisions[1].scheduled_role:
            switches += 1
            kept = not tick.decisions[1].chosen
            assert not kept or ROLE_OF_SKILL[tick.skills[1]] == tick.decisions[1].scheduled_role
    assert switches > 3


def test_it_prepares_for_plating_with_a_clean_plate():
    plate, steak = on("counter", "clean_plate", 4, 6), on("grill", "chopped_steak", 7, 6, "ready", 90, 160)
    scene = facts(situation(cook(4, 5), cook(1, 1), plate, steak))
    assert within(scene, ASSEMBLE) == (constants.GRAB_CLEAN_PLATE, "prepares for assemble")
    assert within(scene, SERVE) == (constants.SKILL_STAY, "nothing for serve: waits")


def test_it_prepares_for_passing_with_what_is_needed_beyond_the_wall():
    ingredients, _ = all_within("forced_coordination", PASS)
    assert ingredients
    assert {ROLE_OF_SKILL[skill] for skill in ingredients} & {ROLE_NAMES.index("prep_protein"), RICE}
    assert all_within("open", PASS) == [set(), set()], "nothing is passed on open"


def test_it_puts_out_a_fire_whatever_its_role():
    fire, extinguisher = on("grill", "chopped_steak", 7, 6, "burning", 300, 220), on("counter", "fire_ext", 9, 5)
    scene = facts(situation(cook(8, 5), cook(1, 1), fire, extinguisher))
    assert within(scene, SERVE) == (constants.GRAB_FIRE_EXT, "nothing for serve: handles the fire")


def test_a_learned_one_draws_only_what_its_role_allows():
    trace = played("bp:G1-1+locked")
    narrowed = 0
    for held, role, decision in choices(trace):
        offered = set(np.flatnonzero(decision.policy.probabilities).tolist())
        assert decision.skill in offered
        if held == constants.NOTHING:
            assert {ROLE_OF_SKILL[skill] for skill in offered} <= {role, NO_ROLE} or role == ASSEMBLE
        else:
            assert constants.SKILL_STAY not in offered or len(offered) == 1
            narrowed += {ROLE_OF_SKILL[skill] for skill in offered} == {role}
    assert narrowed


def test_a_kernel_observes_nothing_for_a_learned_one_that_has_no_choice():
    agent = load_agent("bp:G1-1+locked")
    game = Game("open", "proagent", agent, 0, fast=True)
    policy, grid, state = agent._compiled, game.kitchen.grid, game.kitchen.state
    policy.numbers[ROLE] = SERVE
    assert draw_within_role(grid, state, policy) == constants.SKILL_STAY
    assert not policy.sampler.encoded.any()
    policy.numbers[ROLE] = PROTEIN
    draw_within_role(grid, state, policy)
    assert policy.sampler.encoded.any()


def test_with_full_hands_the_role_comes_first_and_then_every_use():
    class Full:
        player, state = 0, {HELD: constants.MEAT}

    uses = {constants.CHOP, constants.PUT_DOWN_OBJECT, constants.PASS_OBJECT}
    offered = {*uses, constants.SKILL_STAY}
    assert skills_within(Full, ROLE_NAMES.index("prep_protein"), offered, None) == {constants.CHOP}
    assert skills_within(Full, SERVE, offered, None) == uses
    assert skills_within(Full, PASS, offered, None) == uses
    assert skills_within(Full, SERVE, {constants.SKILL_STAY}, None) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("partner", BOTH)
@pytest.mark.parametrize("seed", [20, 21, 22])
def test_a_team_that_needs_its_partner_is_not_stuck_for_a_whole_game(partner, seed):
    assert played(partner, "forced_coordination", seed, steps=2400).score > 0


def test_a_sweep_names_it_and_the_partners_own_policy_is_not_locked():
    asked = sweep(agents=["bayes", "bp"], partners={"locked": BOTH})
    made = plan_sweep(asked, SeatSpec(schedule=((0, RICE),)))
    seats = {tuple(seat.agent for seat in episode.seats) for episode in made.episodes.values()}
    assert seats == {("bayes", BOTH[0]), ("bayes", BOTH[1]), ("bp:G1-1", BOTH[1])}
    episode = next(iter(made.episodes.values()))
    assert "--partner switching+locked" in command_of(episode)
    assert "--schedule 0:prep_rice" in command_of(episode)


def test_the_work_is_that_of_the_partners_own_seat():
    """A cook beyond the wall of forced_coordination has other work than one on this side."""
    game = Game("forced_coordination", "proagent", SwitchingPartner(locked=True), 0)
    game.step()
    facts = facts_of(game.kitchen.layout)
    own = {role: skills_within(game._now.observation(1), role, (), facts) for role in (RICE, ASSEMBLE, PASS)}
    assert own != {role: skills_within(game._now.observation(0), role, (), facts) for role in (RICE, ASSEMBLE, PASS)}
