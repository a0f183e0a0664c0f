"""Games by name: what the command line plays, and a whole game in one call for Python callers."""

from dataclasses import replace

from bba.agents.base import Agent
from bba.agents.human import HUMAN, Controls
from bba.agents.registry import AgentOptions, load_agent
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.batch import SKILL_TIMEOUT
from bba.play.game import Game
from bba.play.trace import Trace
from bba.progress import progress_bar

NO_SEATS: tuple[None, None] = (None, None)
PERSON_MOBILITY = 1.0  # the mobility of people: each of their steps is carried out


def make_game(
    layout: str | Layout = "open",
    ego: str | Agent = "bayes",
    partner: str | Agent = "switching",
    seed: int = 0,
    options: AgentOptions | None = None,
    *,
    partner_options: AgentOptions | None = None,
    horizon: int = EPISODE_DEFAULTS.horizon,
    mobility: float = EPISODE_DEFAULTS.mobility,
    skill_timeout: int = SKILL_TIMEOUT,
    fast: bool = False,
    controls: tuple[Controls | None, Controls | None] = NO_SEATS,
) -> Game:
    """Returns a game at its first step.

    Args:
        layout: the name of a shipped layout, the path of a layout file, or a `Layout`.
        ego, partner: players 0 and 1: an agent or its name.
        seed: of everything random, 0 or more.
        options: of the agents that are named; None for the scripted planner with default parameters. Trigger, partner
            model and the options of plug-ins are the ego's alone.
        partner_options: of player 1, if it has options of its own.
        horizon: steps of the game, 1 or more.
        mobility: the probability that a direction action of an agent is carried out, 0 to 1; that of people is 1.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.
        fast: whether to compute with compiled kernels. They play the same game; plain ones start without a delay.
        controls: the controls of each seat that a person takes.

    Raises:
        BBAError: a name, an option or a number that is not allowed, or a person without controls.
    """
    options = options or AgentOptions()
    if any(agent == HUMAN and device is None for agent, device in zip((ego, partner), controls, strict=True)):
        raise BBAError("human: a person needs the screen; see --play")
    others = partner_options or replace(
        options, trigger=None, trigger_options={}, agent_options={}, partner_model=None, partner_model_options={}
    )
    first = _seated(ego, replace(options, controls=controls[0]))
    second = _seated(partner, replace(others, controls=controls[1]))
    return Game(
        layout,
        first,
        second,
        seed,
        horizon=horizon,
        mobility=(_mobility(first, mobility), _mobility(second, mobility)),
        skill_timeout=skill_timeout,
        fast=fast,
    )


def _seated(agent: str | Agent, options: AgentOptions) -> Agent:
    return load_agent(agent, options) if isinstance(agent, str) else agent


def _mobility(agent: Agent, mobility: float) -> float:
    return PERSON_MOBILITY if agent.profile.agent == HUMAN else mobility


def play_game(
    layout: str | Layout = "open",
    ego: str | Agent = "bayes",
    partner: str | Agent = "switching",
    seed: int = 0,
    options: AgentOptions | None = None,
    *,
    horizon: int = EPISODE_DEFAULTS.horizon,
    mobility: float = EPISODE_DEFAULTS.mobility,
    skill_timeout: int = SKILL_TIMEOUT,
    fast: bool = True,
    progress: bool | None = None,
) -> Trace:
    """Plays a game to its end and returns its trace.

    Args:
        layout, ego, partner, seed, options, horizon, mobility, skill_timeout: as in `make_game`.
        fast: whether to compute with compiled kernels, which plays the same game much faster. The first fast game on a
            machine compiles them, which takes up to a minute.
        progress: whether to show a bar; None for in a notebook only.

    Raises:
        BBAError: a name, an option or a number that is not allowed, or an agent that cannot decide.
    """
    game = make_game(
        *(layout, ego, partner, seed, options),
        horizon=horizon,
        mobility=mobility,
        skill_timeout=skill_timeout,
        fast=fast,
    )
    with progress_bar(game.horizon, "steps", progress) as bar:
        while not game.done:
            for _ in range(game.advance()):
                bar.advance()
    return game.trace
