"""A stand-in for a person: what the switching partner would do, pressed key by key."""

import numpy as np

from bba.agents import Controls, EpisodeContext, HumanAgent, Observation, SwitchingPartner, load_agent
from bba.belief import StayModel
from bba.kitchen import constants, controller
from bba.kitchen.controller import AGE, ENDED, SKILL
from bba.kitchen.grid import grid_of
from bba.play import Game, Trace

PLAYER, SERVE = 1, 4  # its seat, and the role of serving


class Typist:
    """Decides as the switching partner does, walks as the controller does, and presses the keys for it.

    `pursued` is the skill it was after in each step.
    """

    def __init__(self, game, controls, schedule=None, *, locked=False):
        self.game, self.controls = game, controls
        self.pursued = []
        self._agent = SwitchingPartner(schedule, locked=locked)
        self._agent.reset(EpisodeContext(PLAYER, game.kitchen.layout, game.trace.config.seed, StayModel.NOISY, False))
        self._runs = controller.new_skill_runs((False, True))
        self._actions = np.zeros(2, np.int32)
        self._previous = None

    def press(self):
        """Press the key for the next step."""
        layout, row, runs = self.game.kitchen.layout, self.game.kitchen.state.copy(), self._runs
        grid = grid_of(layout)
        controller.check_completion(grid, row, runs, PLAYER, 30)
        running, age, ended = (int(runs[PLAYER, column]) for column in (SKILL, AGE, ENDED))
        seen = Observation(PLAYER, layout, self._previous, row, running, age, ended, False)
        self._agent.observe(seen)
        decision = self._agent.decide(seen)
        if decision.chosen:
            assert controller.start_skill(grid, row, runs, PLAYER, decision.skill)
        controller.next_actions(grid, row, runs, self._actions)
        self._previous = row
        self.pursued.append(int(runs[PLAYER, SKILL]))
        if self._actions[PLAYER] != constants.ACTION_STAY:
            self.controls.press(int(self._actions[PLAYER]))


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
