"""The lesson beside an agent goes by the agent's real belief and gate."""

import pytest

from bba.agents import Controls, HumanAgent, load_agent
from bba.kitchen import constants
from bba.play import Game
from human.learn.belief_lesson import BeliefLesson, Phase


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
    assert update.commitment >= gate.stability
    play(game, controls, lesson, Phase.NOTICED)
    notice, tick = lesson.notice, game.trace.ticks[-1]
    assert (notice.before, notice.after.step, notice.skill) == (believed, tick.step, tick.skills[0])
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
