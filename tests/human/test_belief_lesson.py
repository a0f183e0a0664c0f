"""The lesson beside an agent goes by the agent's real belief and gate."""

import pytest

from bba.agents import Controls, HumanAgent, load_agent
from bba.analysis.advice import Advice
from bba.belief.roles import ROLE_SKILLS
from bba.kitchen import constants
from bba.kitchen.constants import HELD, POSITION, STATE_HEADER
from bba.play import Game
from human.lesson import LESSON_PATIENCE, BeliefLesson, Phase


def begin(seed: int = 0) -> tuple[Game, Controls, BeliefLesson]:
    controls = Controls()
    game = Game("open", load_agent("bayes"), HumanAgent(controls), seed, horizon=1200, mobility=(0.35, 1.0))
    return game, controls, BeliefLesson(game.trace)


def play(game: Game, controls: Controls, lesson: BeliefLesson, until: Phase) -> None:
    """Does what the lesson suggests, until it is in a phase."""
    while lesson.phase is not until:
        assert not game.done, f"never {until}"
        controls.press(lesson.suggestion().action)
        game.step()
        lesson.see()


@pytest.mark.parametrize("seed", [0, 1])
def test_who_does_what_it_suggests_is_believed_and_then_noticed(seed):
    game, controls, lesson = begin(seed)
    play(game, controls, lesson, Phase.CHANGE)
    believed, update = lesson.believed, game.trace.ticks[-1].decisions[0].belief
    gate = game.trace.config.belief_config.gate
    assert (believed.role, believed.probability) == (update.map_index, update.confidence)
    assert update.confidence >= gate.gamma_conf
    assert update.stable_updates >= gate.stability
    play(game, controls, lesson, Phase.NOTICED)
    notice, tick = lesson.notice, game.trace.ticks[-1]
    assert (notice.before, notice.after.step, notice.skill) == (believed, tick.step, tick.skills[0])
    assert lesson.suggestion().skill not in ROLE_SKILLS[believed.role], "the other work goes on"
    if notice.contradiction is not None:
        assert tick.decisions[0].replanned
        assert notice.contradiction == tick.decisions[0].gate.contradiction_likelihood < gate.theta_obs
        assert notice.dropped == game.trace.ticks[-2].skills[0]
    else:
        assert notice.after.role == tick.decisions[0].belief.map_index != believed.role


def test_who_does_nothing_is_not_said_to_work():
    game, _, lesson = begin()
    for _ in range(200):
        game.step()
        lesson.see()
    assert lesson.phase is Phase.WORK


def test_who_goes_on_as_before_is_not_said_to_have_changed_unless_the_agent_thinks_so():
    game, controls, lesson = begin()
    play(game, controls, lesson, Phase.CHANGE)
    for _ in range(100):
        controls.press(constants.ACTION_STAY)
        game.step()
        lesson.see()
        if lesson.phase is Phase.NOTICED:
            assert lesson.notice.contradiction is not None or lesson.notice.after.role != lesson.notice.before.role
            break


POT, OTHER_POT = (3, 6), (2, 6)


def beside_a_pot(before_it: bool) -> tuple[Game, Controls, BeliefLesson]:
    """A game in which a person holds rice, one pot cooks, and the other cook stands still, perhaps before the other."""
    controls = Controls()
    game = Game("open", HumanAgent(), HumanAgent(controls), 0, horizon=1200, mobility=(1.0, 1.0))
    width, state = game.kitchen.layout.width, game.kitchen.state
    state[POSITION + 1], state[HELD + 1] = 4 + 5 * width, constants.RICE
    state[POSITION] = 3 + 5 * width if before_it else 1 + width
    state[STATE_HEADER + OTHER_POT[0] + OTHER_POT[1] * width] = constants.RICE
    return game, controls, BeliefLesson(game.trace)


def stand(game: Game, lesson: BeliefLesson, steps: int) -> Advice:
    for _ in range(steps):
        game.step()
        lesson.see()
    return lesson.suggestion()


def test_where_the_other_cook_stands_in_the_way_for_long_something_else_is_suggested():
    game, controls, lesson = beside_a_pot(before_it=True)
    blocked = stand(game, lesson, 2)
    assert (blocked.skill, blocked.target, blocked.action) == (constants.BOIL, POT, constants.ACTION_STAY)
    aside = stand(game, lesson, LESSON_PATIENCE)
    assert aside.skill == constants.PUT_DOWN_OBJECT
    assert aside.action != constants.ACTION_STAY
    while game.trace.ticks[-1].state[HELD + 1] == constants.RICE:
        assert len(game.trace.ticks) < 60, "never rid of it"
        controls.press(lesson.suggestion().action)
        stand(game, lesson, 1)


def test_who_stands_elsewhere_is_not_in_the_way():
    game, _, lesson = beside_a_pot(before_it=False)
    free = stand(game, lesson, LESSON_PATIENCE + 2)
    assert (free.skill, free.target) == (constants.BOIL, POT)
    assert free.action != constants.ACTION_STAY


def test_a_fire_comes_before_all_other_work():
    game, controls, lesson = beside_a_pot(before_it=False)
    state, pot = game.kitchen.state, OTHER_POT[0] + OTHER_POT[1] * game.kitchen.layout.width
    state[STATE_HEADER + game.kitchen.layout.width * game.kitchen.layout.height + pot] = 10_000  # far beyond burning
    done = []
    while not game.trace.ticks or any(thing.state == "burning" for thing in game.kitchen.scene().objects):
        assert len(done) < 200, done
        advice = stand(game, lesson, 1)
        done.append(advice.skill)
        controls.press(advice.action)
    assert list(dict.fromkeys(done)) == [constants.GRAB_FIRE_EXT, constants.PUT_OUT_FIRE, constants.PUT_DOWN_OBJECT]
