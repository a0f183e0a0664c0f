"""What if: a second game that shares its past with a first one and goes on from there in its own way."""

from dataclasses import replace

from bba.agents import HUMAN, Agent, AgentOptions, Profile, ReplayedHuman, agent_like
from bba.play.game import Game
from bba.play.trace import GameConfig, Trace


def fork(
    trace: Trace,
    step: int,
    seats: tuple[Profile, Profile] | None = None,
    options: AgentOptions | None = None,
    *,
    fast: bool = False,
) -> Game:
    """A game that has played the first `step` steps of a trace, and goes on with these agents (None: with its own).

    With the same agents it goes on exactly as the first game did. The past stays as it was: an agent that has a belief
    takes it over as it stood, and its own parameters count from here on. One that takes the place of an agent without a
    belief has watched from the start with its own.

    Args:
        trace: the game so far, at least `step` steps of it.
        step: how many of them are shared, 0 or more.
        seats: who goes on.
        options: what a profile does not say of an agent.
        fast: compiled kernels instead of plain ones.

    Raises:
        BBAError: an agent that cannot be made, or steps that were played by other rules than these.
    """
    before = trace.config
    seats = seats or trace.config_at(step + 1).seats
    first, second = (_agent(trace, player, seats[player], options) for player in (0, 1))
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
    game.trace.config = before
    changes = dict(trace.changes)
    for played, tick in enumerate(trace.ticks[:step]):
        if played in changes:
            _take_over(game, changes[played])
        game.replay_step(tick)
    _take_over(game, replace(trace.config_at(step + 1), seats=seats))
    return game


def _agent(trace: Trace, player: int, seat: Profile, options: AgentOptions | None) -> Agent:
    """The agent of this profile as it follows the past; a person acts in every future as it did in this one."""
    if seat.agent == HUMAN:
        return ReplayedHuman([tick.decisions[player] for tick in trace.ticks])
    return agent_like(_at_first(trace, player, seat), options)


def _at_first(trace: Trace, player: int, seat: Profile) -> Profile:
    """A profile with the parameters of the first belief that this seat had, if both have one."""
    belief_config = trace.first_belief_config(player)
    return seat if seat.belief_config is None or belief_config is None else replace(seat, belief_config=belief_config)


def _take_over(game: Game, config: GameConfig) -> None:
    """Let the agents go on with the parameters of a setup, and note it."""
    for agent, seat in zip(game.agents, config.seats, strict=True):
        if agent.profile.belief_config is not None and seat.belief_config is not None:
            agent.reconfigure(seat.belief_config)
    game.trace.change(config)
