"""Calls the step kernels for one game: for a step in which both agents have decided, or for many steps in a run."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bba.agents.base import Belief
from bba.agents.kernel_policy import KernelPolicy
from bba.agents.skill_policy import SkillPolicy, no_policy
from bba.belief import PartnerModel, write_observed
from bba.config import BeliefConfig
from bba.kernels import compiled, is_plain, specialised
from bba.kitchen import Layout, StateVector, grid_of
from bba.play.game_state import GameState
from bba.play.step_kernel import AGENT_IS_NEXT, INFEASIBLE, play_step, play_steps
from bba.play.trace import Tick
from bba.play.trajectory import (
    AGENT_DECIDES,
    CHOOSES,
    NO_MODELS,
    NOBODY,
    OBSERVER_SEAT,
    AgentDecisions,
    Decisions,
    KernelPolicies,
    KernelRun,
    Players,
    ReadBelief,
    Rows,
    Trajectory,
    new_rows,
    tick_of,
    write_decision,
)

TRAJECTORY_ROWS = 512  # steps for which memory is taken at a time
PLAIN_STEPS = 16  # steps that are played plain at a time, so that the change to a compiled kernel is soon
NO_EXPECTATION = np.empty(0)


class InfeasibleSkill(Exception):
    """A player cannot start the skill that it has chosen.

    Args:
        player: the player.
        skill: the skill.
    """

    def __init__(self, player: int, skill: int) -> None:
        super().__init__(player, skill)
        self.player = player
        self.skill = skill


class RunResult(NamedTuple):
    """What a run has played.

    Attributes:
        trajectory: the steps, with those before in the same arrays.
        steps: how many were played now: the last ones of the trajectory.
        must_decide: the players whose agents have to decide in the next step.
        infeasible: what a player has chosen and cannot start, so that its step was not played; else None.
    """

    trajectory: Trajectory
    steps: int
    must_decide: tuple[int, ...] = ()
    infeasible: InfeasibleSkill | None = None


class StepRunner:
    """Plays the steps of one game with the kernels.

    Args:
        layout: the kitchen.
        observer: the passive observer's model.
        timeout: steps after which a skill ends unfinished.
        fast: whether the kernels are compiled.
    """

    def __init__(self, layout: Layout, observer: PartnerModel, timeout: int, *, fast: bool) -> None:
        self._layout = layout
        self._grid = grid_of(layout)
        self._observer = observer
        self._timeout = timeout
        self._fast = fast
        self._step: Callable[..., int] | None = None  # the kernel of a single step
        self._row: Rows | None = None  # of a single step
        self._compiled = compiled(play_steps) if fast else play_steps
        self._play = self._compiled
        self._arrays: tuple[Rows, Players] | None = None  # those that `_play` is for
        self._trajectory: Trajectory | None = None
        self._policies: KernelPolicies | None = None  # of the last run
        self._inputs: tuple[_KernelInput, ...] = ()  # what the kernel was given of them
        self._players: Players | None = None
        # of beliefs and readings
        self._sizes = NO_MODELS
        self._width = 0

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the specialised kernels and the trajectory, which are made anew."""
        return {**vars(self), "_step": None, "_play": self._compiled, "_arrays": None, "_trajectory": None}

    def step(self, now: GameState, kitchen: StateVector, decisions: Decisions, observed: Belief) -> Tick:
        """Plays one step in which both agents have decided; changes `now.runs`, and returns its tick.

        Args:
            now: where the game stands.
            kitchen: the state from which it plays on: that of `now`, unless somebody has changed the kitchen since.
            decisions: of both agents, with their beliefs.
            observed: what the passive observer believes before the step.

        Raises:
            InfeasibleSkill: a player cannot start the skill that it has chosen.
        """
        if decisions[0].deliberate:
            self._observer.remember()
        if self._row is None:
            self._row = new_rows(1, len(now.state), 0)
        row = self._row
        write_decision(row, 0, 0, decisions[0])
        write_decision(row, 0, 1, decisions[1])
        state = kitchen.copy()
        arguments = (self._grid, kitchen, state, row, 0, now.runs, self._timeout)
        if self._step is None:
            self._step = specialised(compiled(play_step), *arguments) if self._fast else play_step
        end = self._step(*arguments)
        if end >= INFEASIBLE:
            player = end - INFEASIBLE
            raise InfeasibleSkill(player, decisions[player].skill)
        self._trajectory = None
        return tick_of(row, 0, state, decisions, observed)

    def run(
        self,
        now: GameState,
        policies: KernelPolicies,
        decisions: AgentDecisions,
        beliefs: ReadBelief | None,
        most: int,
    ) -> RunResult:
        """Plays steps until an agent has to be asked, and changes `now.runs`.

        Args:
            now: where the game stands.
            policies: of the players.
            decisions: for the first step, of the agents that were asked; a kernel chooses for the others.
            beliefs: what the models say before the first step, if they have observed it.
            most: the most steps to play.
        """
        players = self._players_of(policies)
        trajectory = self._with_room(now, most)
        rows = trajectory.rows
        first = trajectory.steps
        outer_beliefs = None if trajectory.observed else beliefs
        if outer_beliefs is not None:
            observer_belief = outer_beliefs(OBSERVER_SEAT)
            assert observer_belief is not None
            write_observed(rows.readings[first, OBSERVER_SEAT], observer_belief)
        for player, decision in enumerate(decisions):
            if decision is not None:
                write_decision(rows, first, player, decision)
                players.moves[player] = AGENT_DECIDES
            elif now.before is None:
                players.moves[player] = CHOOSES
        if self._plays_plain:
            most = min(most, PLAIN_STEPS)
        last = min(first + most, len(rows.actions))
        observed = beliefs is not None
        arguments = (self._grid, rows, now.runs, players, NO_EXPECTATION, first, last, self._timeout, observed)
        same_arrays = self._arrays is not None and self._arrays[0] is rows and self._arrays[1] is players
        if self._fast and not same_arrays:
            self._play = specialised(self._compiled, *arguments)
            self._arrays = (rows, players)
        end, reason = self._play(*arguments)
        steps = end - first
        trajectory.add(KernelRun(first, policies, decisions, outer_beliefs), steps)
        trajectory.observed = reason == AGENT_IS_NEXT
        if reason >= INFEASIBLE:
            player = reason - INFEASIBLE
            skill = int(rows.skills[end, player])
            return RunResult(trajectory, steps, infeasible=InfeasibleSkill(player, skill))
        if reason != AGENT_IS_NEXT:
            return RunResult(trajectory, steps)
        moves = players.moves.tolist()
        must_decide = tuple([player for player in (0, 1) if moves[player] == AGENT_DECIDES])
        return RunResult(trajectory, steps, must_decide)

    @property
    def _plays_plain(self) -> bool:
        """Whether the kernel of runs is not compiled, or not yet."""
        return not self._fast or is_plain(self._play)

    def _with_room(self, now: GameState, steps: int) -> Trajectory:
        """Returns the trajectory that goes on, or a new one if there is none or its memory is full."""
        trajectory = self._trajectory
        sizes = self._sizes
        width = self._width
        if trajectory is not None and trajectory.steps < len(trajectory.rows.actions) and trajectory.fits(sizes, width):
            return trajectory
        rows = _rows_from(now, min(steps, TRAJECTORY_ROWS), reading_size=width)
        self._trajectory = Trajectory(self._layout, rows, sizes, fast=self._fast)
        return self._trajectory

    def _players_of(self, policies: KernelPolicies) -> Players:
        """Returns the players, made anew only if they differ from those of the last run."""
        last_policies = self._policies
        plain = self._plays_plain
        inputs = (_kernel_input(policies[0], plain=plain), _kernel_input(policies[1], plain=plain))
        players = self._players
        if players is None or not all(map(_same, self._inputs, inputs)):
            players = self._new_players(policies)
            self._players = players
        for player in (0, 1):
            if last_policies is None or last_policies[player] is not policies[player]:
                players.until[player] = policies[player].until
        self._policies = policies
        self._inputs = inputs
        return players

    def _skill_policy(self, policy: KernelPolicy) -> SkillPolicy:
        """Returns how a kernel chooses for a player; a network is left to NumPy until the kernel is compiled."""
        chooser = policy.chooser
        if chooser is None:
            return no_policy()
        if chooser.draws and self._plays_plain:
            return no_policy()
        return chooser.policy

    def _new_players(self, policies: KernelPolicies) -> Players:
        first, second = policies
        observer = self._observer
        self._sizes = (_size_of(first.model), _size_of(second.model), _size_of(observer))
        self._width = max(model.reading_size for model in (first.model, second.model, observer) if model)
        first_watched = first.model.partner if first.model else NOBODY
        second_watched = second.model.partner if second.model else NOBODY
        # A compiled call needs arrays for each seat: those of the observer stand in for a missing model.
        first_model = first.model or observer
        second_model = second.model or observer
        skill_policies = (self._skill_policy(first), self._skill_policy(second))
        last_players = self._players
        return Players(
            models=(first_model.state, second_model.state, observer.state),
            policies=skill_policies,
            tracks=np.array([len(skills.minds.ranked) + len(skills.sampler.regrets) > 0 for skills in skill_policies]),
            watched=np.array([first_watched, second_watched, observer.partner]),
            interrupted_by=np.array([first.interrupted_by, second.interrupted_by]),
            until=np.array([first.until, second.until]),
            moves=np.zeros(2, np.int64) if last_players is None else last_players.moves,
        )


def _rows_from(now: GameState, steps: int, *, reading_size: int) -> Rows:
    """Returns rows for so many steps, of which the first is the next one."""
    rows = new_rows(steps, len(now.state), reading_size)
    before: StateVector = now.state if now.before is None else now.before
    rows.states[0] = before
    rows.states[1] = now.state
    return rows


def _size_of(model: PartnerModel | None) -> int:
    return len(model.hypotheses.names) if model else 0


class _KernelInput(NamedTuple):
    """What the kernel is given of a player, but for `until`.

    A model that is reconfigured has other arrays and another configuration, which may equal the one before.
    """

    model: PartnerModel | None
    belief_config: BeliefConfig | None
    policy: SkillPolicy | None
    interrupted_by: int
    plain: bool


def _kernel_input(policy: KernelPolicy, *, plain: bool) -> _KernelInput:
    model = policy.model
    belief_config = model.belief_config if model else None
    skill_policy = policy.chooser.policy if policy.chooser else None
    return _KernelInput(model, belief_config, skill_policy, policy.interrupted_by, plain)


def _same(left: _KernelInput, right: _KernelInput) -> bool:
    """Whether the objects are the very same ones, and the numbers are equal."""
    return (
        left.model is right.model
        and left.belief_config is right.belief_config
        and left.policy is right.policy
        and left.interrupted_by == right.interrupted_by
        and left.plain == right.plain
    )
