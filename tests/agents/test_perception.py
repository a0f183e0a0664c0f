"""What the ego can know: the public state and its own doings, nothing of its partner's inside."""

import gc
from types import FunctionType, ModuleType

import pytest

from bba.agents import Decision, Observation, Profile, load_agent
from bba.agents.planning_agent import PlanningAgent
from bba.kitchen.constants import STATE_HEADER
from bba.play import Game


class Spy:
    """An ego that keeps its observations."""

    profile = Profile("spy")

    def __init__(self):
        self.seen: list[Observation] = []
        self._inner = load_agent("proagent")

    def reset(self, context):
        self._inner.reset(context)

    def observe(self, observation):
        return self._inner.observe(observation)

    def decide(self, observation):
        self.seen.append(observation)
        return self._inner.decide(observation)

    def commit(self, observation, decision):
        self._inner.commit(observation, decision)


def reachable(root):
    """Every object that can be got at from `root` by following references, classes and modules aside."""
    found, queue = {}, [root]
    while queue:
        thing = queue.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType | FunctionType):
            continue
        found[id(thing)] = thing
        queue += gc.get_referents(thing)
    return list(found.values())


@pytest.fixture(scope="module")
def watched():
    spy = Spy()
    game = Game("open", spy, "switching", seed=0, horizon=60)
    game.run()
    return game, spy


def test_neither_partner_nor_game_nor_kitchen_can_be_reached_from_an_observation(watched):
    game, spy = watched
    seated, runs = game._seated, game._now.runs
    hidden = (game, game.kitchen, game.trace, game._now, seated, seated._observer, runs, game.agents[1])
    secrets = {id(thing) for thing in hidden}
    for observation in spy.seen[::10]:
        around = reachable(observation)
        assert not secrets & {id(thing) for thing in around}
        assert not any(isinstance(thing, Decision | PlanningAgent) for thing in around)
        assert not any(getattr(thing, "base", None) is runs for thing in around)


def test_the_state_in_an_observation_is_the_public_row_and_holds_no_skill_of_anybody(watched):
    game, spy = watched
    tiles = len(game.kitchen.grid.kind)
    for step, observation in enumerate(spy.seen):
        assert observation.state.shape == (STATE_HEADER + 2 * tiles,)
        state = game.trace.ticks[step - 1].state if step else game.trace.start
        assert (observation.state == state).all()


def test_the_same_public_state_gives_the_same_observation_whatever_the_partner_pursues():
    seen = []
    for schedule in (((0, 0),), ((0, 2),)):
        from bba.agents import SwitchingPartner

        spy = Spy()
        Game("open", spy, SwitchingPartner(schedule), seed=0, horizon=1).run()
        seen.append(spy.seen[0])
    first, second = seen
    assert (first.state == second.state).all()
    for name in ("player", "running", "age", "ended", "before", "layout"):
        assert getattr(first, name) == getattr(second, name)


def test_an_observation_cannot_be_written_to(watched):
    _, spy = watched
    with pytest.raises(AttributeError):
        spy.seen[0].running = 3
