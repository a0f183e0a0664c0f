"""A stand-in for a person: what the switching partner would do, pressed key by key."""

from bba.agents import Controls, HumanAgent, load_agent
from bba.play import Game, Trace
from human.study.simulation import ScriptedPerson as Typist

PLAYER, SERVE = 1, 4  # its seat, and the role of serving


def game_of_a_typist(ego="bayes", layout="open", schedule=None, seed=0, horizon=2400, *, locked=False):
    """A game with a typist in seat 1; returns the game and the typist."""
    controls = Controls()
    game = Game(layout, load_agent(ego), HumanAgent(controls), seed, horizon=horizon, mobility=(0.35, 1.0))
    return game, Typist(game, controls, schedule, locked=locked)


def played_by_hand(steps, **kwargs) -> Trace:
    """The trace of so many steps with a typist."""
    game, typist = game_of_a_typist(horizon=steps, **kwargs)
    for _ in range(steps):
        typist.press()
        game.step()
    return game.trace


def actions_until_a_dish(ego="proagent", layout="open", seed=0):
    """What somebody does, step by step, who serves one dish beside this ego."""
    game, typist = game_of_a_typist(ego, layout, ((0, SERVE),), seed)
    while game.trace.score == 0:
        typist.press()
        game.step()
    return [tick.actions[PLAYER] for tick in game.trace.ticks]
