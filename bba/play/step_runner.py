"""Runs the step kernel for one game: many steps in a call, up to one in which an agent has to be asked in Python."""

from typing import Any, NamedTuple

import numpy as np

from bba.agents.kernel_policy import KernelPolicy
from bba.agents.skill_policy import (
    CHOSEN,
    COMMITS,
    REPLANNED,
    SkillPolicy,
    no_policy,
)
from bba.belief import CONFIDENCE_NOW, MAP_NOW, PartnerModel
from bba.config import BeliefConfig
from bba.kernels import compiled, is_plain, specialised
from bba.kitchen import (
    Layout,
    SkillRuns,
    StateVector,
    grid_of,
)
from bba.play.step_kernel import AGENT_IS_NEXT, INFEASIBLE, play_steps
from bba.play.trajectory import (
    AGENT_DECIDES,
    CHOOSES,
    CONTRADICTED,
    NOBODY,
    OBSERVER_SEAT,
    AgentDecisions,
    KernelRun,
    Players,
    ReadBelief,
    Rows,
    Trajectory,
    new_rows,
)

TRAJECTORY_ROWS = 512  # steps for which memory is taken at a time
PLAIN_STEPS = 16  # steps that are played plain at a time, so that the change to a compiled kernel is soon
NO_EXPECTATION = np.empty(0)


class RunResult(NamedTuple):
    """What a call of the kernel has played.

    Attributes:
        trajectory: the steps, with those before in the same arrays.
        steps: how many were played now: the last ones of the trajectory.
        must_decide: the players whose agents have to decide in the next step.
        infeasible: the player that has chosen a skill that it cannot start, so that its step was not played, if any.
    """

    trajectory: Trajectory
    steps: int
    must_decide: tuple[bool, bool] = (False, False)
    infeasible: int | None = None


class StepRunner:
    """Plays the steps of one game with the kernel.

    Args:
        layout: the kitchen.
        observer: the passive observer's model.
        timeout: steps after which a skill ends unfinished.
    """

    def __init__(self, layout: Layout, observer: PartnerModel, timeout: int) -> None:
        self._layout = layout
        self._grid = grid_of(layout)
        self._observer = observer
        self._timeout = timeout
        self._play = compiled(play_steps)
        self._compiled = self._play
        self._arrays: tuple[Rows, Players] | None = None  # those that `_play` is for
        self._trajectory: Trajectory | None = None
        self._policies: tuple[KernelPolicy, KernelPolicy] | None = None  # of the last call
        self._inputs: tuple[_KernelInput, ...] = ()  # what the kernel was given of them
        self._players: Players | None = None
        # of beliefs and readings
        self._sizes = (0, 0, 0)
        self._width = 0

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the specialised kernel, which is found anew."""
        return {**vars(self), "_play": self._compiled, "_arrays": None}

    def leave(self) -> None:
        """Ends the trajectory: the next step is played otherwise."""
        self._trajectory = None

    def play(
        self,
        before: StateVector | None,
        state: StateVector,
        runs: SkillRuns,
        policies: tuple[KernelPolicy, KernelPolicy],
        decisions: AgentDecisions,
        beliefs: ReadBelief | None,
        until: int,
    ) -> RunResult:
        """Plays on from a state until an agent has to be asked, and changes `runs`.

        Args:
            before: the state before; None in the first step.
            state: the state now.
            runs: the running skills.
            policies: of the players.
            decisions: for the first step, of the agents that were asked; a kernel chooses for the others.
            beliefs: what the models say before the first step, if they have observed it.
            until: the most steps to play.
        """
        players = self._with_decisions(policies, decisions, first_step=before is None)
        last_trajectory = self._trajectory
        trajectory = self._with_room(before, state, until)
        rows = trajectory.rows
        first = trajectory.steps
        # In a trajectory that goes on a kernel has written them.
        outer_beliefs = None if trajectory is last_trajectory else beliefs
        if outer_beliefs is not None:
            observer = outer_beliefs(OBSERVER_SEAT)
            assert observer is not None
            reading = rows.readings[first, OBSERVER_SEAT]
            reading[MAP_NOW] = observer.belief.map_index
            reading[CONFIDENCE_NOW] = observer.belief.confidence
            reading[CONTRADICTED] = observer.gate is not None and observer.gate.contradiction
        most = min(until, PLAIN_STEPS) if is_plain(self._play) else until
        last = min(first + most, len(rows.actions))
        observed = beliefs is not None
        arguments = (self._grid, rows, runs, players, NO_EXPECTATION, first, last, self._timeout, observed)
        if self._arrays is None or self._arrays[0] is not rows or self._arrays[1] is not players:
            self._play = specialised(self._compiled, *arguments)
            self._arrays = (rows, players)
        end, reason = self._play(*arguments)
        steps = end - first
        trajectory.add(KernelRun(first, policies, decisions, outer_beliefs), steps)
        if reason >= INFEASIBLE:
            return RunResult(trajectory, steps, infeasible=reason - INFEASIBLE)
        if reason != AGENT_IS_NEXT:
            return RunResult(trajectory, steps)
        first, second = (players.moves == AGENT_DECIDES).tolist()
        return RunResult(trajectory, steps, (first, second))

    def _with_room(
        self,
        before: StateVector | None,
        state: StateVector,
        steps: int,
    ) -> Trajectory:
        """Returns the trajectory that goes on, or a new one if there is none or its memory is full."""
        trajectory = self._trajectory
        sizes = self._sizes
        width = self._width
        if trajectory is not None and trajectory.steps < len(trajectory.rows.actions) and trajectory.fits(sizes, width):
            return trajectory
        rows = new_rows(min(steps, TRAJECTORY_ROWS), len(state), width)
        rows.states[0] = state if before is None else before
        rows.states[1] = state
        self._trajectory = Trajectory(self._layout, rows, sizes)
        return self._trajectory

    def _with_decisions(
        self, policies: tuple[KernelPolicy, KernelPolicy], decisions: AgentDecisions, *, first_step: bool
    ) -> Players:
        """Returns the players, with what agents have decided for the next step."""
        players = self._players_of(policies)
        for player in (0, 1):
            decision = decisions[player]
            if decision is not None:
                bits = CHOSEN * decision.chosen | REPLANNED * decision.replanned | COMMITS * decision.commits
                players.decided[player, 0] = bits
                players.decided[player, 1] = decision.skill
                players.moves[player] = AGENT_DECIDES
            elif first_step:
                players.moves[player] = CHOOSES
        return players

    def _players_of(self, policies: tuple[KernelPolicy, KernelPolicy]) -> Players:
        """Returns the players, made anew only if they differ from those of the last call."""
        last_policies = self._policies
        plain = is_plain(self._play)
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
        if chooser.draws and is_plain(self._play):
            return no_policy()
        return chooser.policy

    def _new_players(self, policies: tuple[KernelPolicy, KernelPolicy]) -> Players:
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
            decided=np.zeros((2, 2), np.int64),
        )


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
