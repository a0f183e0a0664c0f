"""Forks a game: a second game that shares the past of a first one and continues in its own way."""

from dataclasses import replace

from bba.agents import HUMAN, Agent, AgentOptions, Profile, ReplayedHuman, agent_like, reconfigure
from bba.agents.plugin_agent import PluginAgent
from bba.errors import BBAError
from bba.play.game import Game
from bba.play.trace import GameConfig, Trace
from bba.play.truth import Truth


def fork(
    trace: Trace,
    step: int,
    seats: tuple[Profile, Profile] | None = None,
    options: AgentOptions | None = None,
    *,
    fast: bool = False,
) -> Game:
    """Returns a game that has played the first `step` steps of a trace.

    With the same agents it continues exactly as the first game did. The past stays as it was: an agent with a belief
    takes over the belief of the agent that it replaces, and its own parameters count from here on. If that one had no
    belief, the new agent has observed from the start with its own parameters. One whose profile says `oracle` is told
    the truth.

    Args:
        trace: the game so far, at least `step` steps of it.
        step: the number of shared steps, 0 or more.
        seats: the profiles of the agents that continue; None for those of the trace.
        options: what a profile does not contain.
        fast: whether to compute with compiled kernels.

    Raises:
        BBAError: an agent cannot be made, or the steps were played by other rules than these.
    """
    before = trace.config
    seats = seats or trace.config_at(step + 1).seats
    truth = Truth(trace)  # until the fork has a trace of its own; they share the first steps
    told = replace(options or AgentOptions(), oracle=truth.model_of)
    first, second = (_agent(trace, player, seats[player], told) for player in (0, 1))
    game = Game(
        before.layout,
        first,
        second,
        before.seed,
        horizon=before.horizon,
        mobility=before.mobility,
        skill_timeout=before.skill_timeout,
        fast=fast,
    )
    game.trace.config, truth.trace = before, game.trace
    changes = dict(trace.changes)
    for played, tick in enumerate(trace.ticks[:step]):
        if played in changes:
            _change_config(game, changes[played])
        game.replay_step(tick)
    _change_config(game, replace(trace.config_at(step + 1), seats=seats))
    return game


def _agent(trace: Trace, player: int, profile: Profile, options: AgentOptions) -> Agent:
    """Returns a new agent for a player; a person repeats its decisions of the trace."""
    if profile.agent == HUMAN:
        return ReplayedHuman([tick.decisions[player] for tick in trace.ticks])
    agent = agent_like(_first_profile(trace, player, profile), options)
    if isinstance(agent, PluginAgent) and not agent.forkable:
        raise BBAError(f"{profile.agent}: says that it cannot be forked")
    return agent


def _first_profile(trace: Trace, player: int, profile: Profile) -> Profile:
    """Returns a profile with the parameters of the player's first belief, if both have a belief."""
    first = trace.first_belief_config(player)
    return profile if profile.belief_config is None or first is None else replace(profile, belief_config=first)


def _change_config(game: Game, config: GameConfig) -> None:
    """Gives the agents the parameters of a configuration, and records it."""
    for agent, profile in zip(game.agents, config.seats, strict=True):
        if agent.profile.belief_config is not None and profile.belief_config is not None:
            reconfigure(agent, profile.belief_config)
    game.trace.change(config)
