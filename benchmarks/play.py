"""The subjects above the kitchen: the belief and the gate, and whole games with an agent in each seat."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from bba.agents import EpisodeContext, Observation
from bba.agents.role_partners import RoleWork
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.skill_planner import PartnerBelief, PromptPlanner, SkillPlanner
from bba.analysis.measures import measure
from bba.belief import ROLE_NAMES, PartnerModel, StayModel, hypothesis_space
from bba.belief.partner_model import observe_action
from bba.config import PLANNER_DEFAULTS, BeliefConfig
from bba.kernels import compiled, specialised
from bba.kitchen import Layout
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.layout import grid_of
from bba.planner import Planner, Prompts, ScriptedBackend
from bba.play import Game
from bba.play.trace import PARTNER
from benchmarks.kitchens import LAYOUT, Watcher, skills_one_by_one, skills_plain
from benchmarks.timing import Subject


def subjects() -> list[Subject]:
    """Everything that is timed above the kitchen."""
    return [
        Subject("random skills, with belief and gates", "plain", skills_plain(500, watcher(fast=False))),
        Subject("random skills, with belief and gates", "compiled", skills_one_by_one(1_500, watcher(fast=True))),
        Subject("belief and gates, one update", "plain", updates(fast=False, horizon=600)),
        Subject("belief and gates, one update", "compiled", updates(fast=True, horizon=2400)),
        Subject("belief and gates, one update", "the kernel alone", kernel_updates(horizon=2400)),
        Subject("scripted planner, one choice", "from a prompt", choices(by_text(), fast=False, horizon=150)),
        Subject("scripted planner, one choice", "plain", choices(by_state(), fast=False, horizon=150)),
        Subject("scripted planner, one choice", "compiled", choices(by_state(), fast=True, horizon=1200)),
        Subject("switching partner, one choice", "compiled", role_choices(horizon=1200)),
        Subject("game of bayes and switching", "plain", games(fast=False, horizon=300)),
        Subject("game of bayes and switching", "compiled", games(fast=True, horizon=2400)),
        Subject("the same with its measures", "compiled", games(fast=True, horizon=2400, measured=True)),
    ]


def watcher(*, fast: bool) -> Watcher:
    """A filter and both gates that take in one step of the partner, as in games."""
    grid = grid_of(Layout.load(LAYOUT))
    model = PartnerModel(grid, PARTNER, BeliefConfig(), stay_model=StayModel.NOISY, fast=fast)
    return lambda before, after: model.observe(before, after, mid_skill=True)


def updates(*, fast: bool, horizon: int) -> Callable[[], int]:
    """The filter and the gates watch the partner of a recorded game."""
    trace = Game(LAYOUT, "proagent", "switching", horizon=horizon, fast=True).run()
    rows = [trace.start, *(tick.state for tick in trace.ticks)]

    def run() -> int:
        watch = watcher(fast=fast)
        for before, after in pairwise(rows):
            watch(before, after)
        return horizon

    return run


def kernel_updates(horizon: int) -> Callable[[], int]:
    """The same as numbers, as in runs of the step kernel: nothing is made that Python reads."""
    trace = Game(LAYOUT, "proagent", "switching", horizon=horizon, fast=True).run()
    rows, grid = [trace.start, *(tick.state for tick in trace.ticks)], grid_of(Layout.load(LAYOUT))
    take_in, expected = compiled(observe_action), np.empty(0)

    def run() -> int:
        model = PartnerModel(grid, PARTNER, BeliefConfig(), stay_model=StayModel.NOISY, fast=True)
        told = model.state, np.empty(model.reading_size)
        one = specialised(take_in, grid, rows[0], rows[1], PARTNER, expected, True, *told)
        for before, after in pairwise(rows):
            one(grid, before, after, PARTNER, expected, True, *told)
        return horizon

    return run


def by_text() -> SkillPlanner:
    """The scripted planner as it is asked in prompts, like a language model."""
    return PromptPlanner(Planner(ScriptedBackend(), Prompts.load(), kind="bayes"), "scripted")


def by_state() -> SkillPlanner:
    """The scripted planner as it plays: its prompts and answers are written when somebody reads them."""
    return ScriptedPlanner(Prompts.load(), "bayes", PLANNER_DEFAULTS.history_turns)


def choices(planner: SkillPlanner, *, fast: bool, horizon: int) -> Callable[[], int]:
    """A planner that chooses in every state of a game of others, given what a model believes of the partner."""
    layout = Layout.load(LAYOUT)
    trace = Game(LAYOUT, "bayes", "switching", horizon=horizon, fast=True).run()
    hypotheses, conf = hypothesis_space("roles"), BeliefConfig().gate.gamma_conf
    asked = [
        (Observation(0, layout, None, tick.state, NO_SKILL, 0, 0, fast), PartnerBelief(hypotheses, belief, conf))
        for tick in trace.ticks
        if (belief := tick.decisions[0].belief) is not None
    ]

    def run() -> int:
        planner.reset(EpisodeContext(0, layout, 0, StayModel.NOISY, fast))
        for observation, belief in asked:
            planner.commit(observation, planner.plan(observation, belief))
        return len(asked)

    return run


def role_choices(*, horizon: int) -> Callable[[], int]:
    """The switching partner's work in every state of a game, each role in turn."""
    layout = Layout.load(LAYOUT)
    trace = Game(LAYOUT, "bayes", "switching", horizon=horizon, fast=True).run()
    seen = [Observation(1, layout, None, tick.state, NO_SKILL, 0, 0, True) for tick in trace.ticks]
    work = RoleWork(layout, fast=True)

    def run() -> int:
        for number, observation in enumerate(seen):
            work.skill(observation, number % (len(ROLE_NAMES) - 1), locked=False)
        return len(seen)

    return run


def games(*, fast: bool, horizon: int, measured: bool = False) -> Callable[[], int]:
    """A whole headless game: scripted planner, belief, gate, observer, controllers, rules and trace; with measures."""

    def run() -> int:
        trace = Game(LAYOUT, "bayes", "switching", horizon=horizon, fast=fast).run()
        if measured:
            measure(trace)
        return horizon

    return run
