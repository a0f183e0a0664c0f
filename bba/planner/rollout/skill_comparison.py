"""The comparison of skills by futures: which skill is best against what the partner is believed to do.

The behaviour network is a model of how cooks choose. The likeliest future by it is for the screen to show.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import log
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from bba.belief.tendencies import SHARE, Tendencies
from bba.config import RolloutOptions
from bba.kernels import is_compiled, is_loaded, maybe_compiled
from bba.kitchen import constants
from bba.kitchen.constants import N_SKILLS, NO_SKILL
from bba.kitchen.controller import AGE, PRIORITY, SKILL, game_step, new_skill_runs, start_skill
from bba.kitchen.grid import grid_of
from bba.kitchen.rules import hash_random
from bba.kitchen.state import KEY, POSITION, StateVector
from bba.limits import Share
from bba.planner.chat import SkillNumber
from bba.planner.rollout.futures import (
    WEIGHTS,
    ChoiceWeights,
    FutureParams,
    Returns,
    begin,
    choice_probabilities,
    new_buffers,
    play_futures,
)
from bba.planner.rollout.network import Network, PlanningNetworks

NOTHING_KNOWN = np.empty(0)


class BehaviourNetwork:
    """What a cook would choose if it chose a skill now, by the behaviour network.

    Args:
        networks: of the layout.
        fast: whether to compute with compiled kernels; the numbers are the same.
    """

    def __init__(self, networks: PlanningNetworks, *, fast: bool) -> None:
        self._grid, self._width = grid_of(networks.layout), networks.layout.width
        self._network = Network.of(networks.behaviour)
        self._fast = fast
        self._buffers = new_buffers(self._grid, self._network, self._network)

    def probabilities(
        self, state: StateVector, player: int, partner: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Returns the probability of each skill, (27,); 0 for infeasible ones.

        Args:
            state: the present state.
            player: who chooses.
            partner: the probabilities, (27,), of what the other cook runs; None if nothing is known of it.
        """
        known, found = NOTHING_KNOWN if partner is None else partner, np.zeros(constants.N_SKILLS)
        choose = maybe_compiled(choice_probabilities, fast=self._fast)
        choose(self._grid, state, player, known, self._network, self._width, self._buffers, found)
        return found


LUCK = 0  # the random key of every likeliest future, which must not be the game's own


def likeliest_path(
    networks: PlanningNetworks,
    state: StateVector,
    player: int,
    running: tuple[int, int],
    partner: int,
    *,
    steps: int,
    timeout: int,
) -> list[int]:
    """Returns the tile on which a cook is now and after each step of the likeliest future.

    Both cooks go on with their skills; whenever one has ended, they run the one that the behaviour network finds
    likeliest. It computes with plain kernels, but for the network if its compiled kernel is loaded.

    Args:
        networks: of the layout.
        state: the present state.
        player: the cook's seat.
        running: the skill that it runs, and for how many steps it has; NO_SKILL for none.
        partner: the skill that its partner is assumed to run; NO_SKILL lets the network choose.
        steps: of the future.
        timeout: steps after which a skill ends unfinished.
    """
    grid, behaviour = grid_of(networks.layout), BehaviourNetwork(networks, fast=is_loaded(choice_probabilities))
    buffers = new_buffers(grid, Network.of(networks.behaviour), Network.of(networks.value))
    run, (skill, age) = new_skill_runs()[player], running
    run[SKILL], run[AGE], run[PRIORITY] = skill, age, age
    if skill == NO_SKILL:
        skill = _likeliest(behaviour, state, player, partner)
    buffers.state[:], buffers.state[KEY] = state, LUCK
    begin(grid, buffers, run, player, skill, partner)
    path = [int(state[POSITION + player])]
    for _ in range(steps):
        for cook in range(2):
            if buffers.runs[cook, SKILL] == NO_SKILL:
                chosen = _likeliest(behaviour, buffers.state, cook, int(buffers.runs[1 - cook, SKILL]))
                start_skill(grid, buffers.state, buffers.runs, cook, chosen)
        game_step(grid, buffers.state, buffers.runs, buffers.actions, timeout)
        path.append(int(buffers.state[POSITION + player]))
    return path


def _likeliest(behaviour: BehaviourNetwork, state: StateVector, cook: int, other: int) -> int:
    """Returns the skill that the network finds likeliest for a cook, given what the other one runs."""
    known = None if other == NO_SKILL else np.eye(N_SKILLS)[other]
    return int(behaviour.probabilities(state, cook, known).argmax())


RAREST = 1e-6  # the least probability that counts: a network is never surer than that
LIGHTEST = 1e-3  # the least weight of a choice, relative to the greatest
RETURN_DIGITS = 6  # decimal places to which returns are rounded before they are compared
ROUND = 8  # futures of each skill that are played between two looks at the clock
CLOCK_DIGITS = 4  # decimal places of measured seconds: tenths of a millisecond

Points = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SkillValue:
    """What one skill promises. The annotations are the limits that a recording is validated against.

    Attributes:
        skill: the skill.
        probability: by the behaviour network, 0 to 1.
        value: mean return of its futures, in points.
        gain: mean difference to the default skill's futures, in points.
        error: standard error of the gain, in points.
    """

    skill: SkillNumber
    probability: Share
    value: Points
    gain: Points
    error: Annotated[Points, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the planner compared at one decision. The annotations are the limits that a recording is validated against.

    Attributes:
        options: the skills compared, in the order of their probability under the behaviour network; the default first.
        chosen: the skill to run.
        partner: the assumed probabilities of the partner's present skill, (27,); () if the network draws it.
        futures: futures per skill.
        seconds: time that the comparison took; 0 if it is not known. It is not part of the game: it differs from one
            time to the next, so that it counts in no comparison of games and is not recorded.
    """

    options: Annotated[tuple[SkillValue, ...], Field(min_length=1, max_length=N_SKILLS + 1)]
    chosen: SkillNumber
    partner: Annotated[tuple[Share, ...], Field(max_length=N_SKILLS)]
    futures: Annotated[int, Field(ge=2)]
    seconds: Annotated[float, Field(exclude=True)] = field(default=0.0, compare=False)

    @property
    def best(self) -> SkillValue:
        """The option that was chosen."""
        return next(option for option in self.options if option.skill == self.chosen)


class SkillComparer:
    """Compares skills by futures.

    Args:
        networks: of the layout.
        options: number and length of the futures.
        timeout: steps after which a skill ends unfinished.
        fast: whether to compute with compiled kernels; the numbers are the same.

    Attributes:
        behaviour: the behaviour network.
    """

    def __init__(self, networks: PlanningNetworks, options: RolloutOptions, *, timeout: int, fast: bool) -> None:
        self._options = options
        self._grid = grid_of(networks.layout)
        self._behaviour, self._value = Network.of(networks.behaviour), Network.of(networks.value)
        self._params = FutureParams(
            options.future_steps, networks.discount, timeout, networks.layout.width, networks.value_scale
        )
        self._buffers = new_buffers(self._grid, self._behaviour, self._value)
        self._fast = fast
        self.behaviour = BehaviourNetwork(networks, fast=fast)

    @property
    def ready(self) -> bool:
        """Whether it can compare at once: it computes with plain kernels, or the compiled ones are loaded."""
        return not self._fast or (is_loaded(play_futures, allocates=False) and is_loaded(choice_probabilities))

    def compare(
        self,
        state: StateVector,
        player: int,
        running: int,
        age: int,
        partner: NDArray[np.float64] | None,
        key: int,
        tendencies: Tendencies | None = None,
    ) -> Comparison:
        """Compares the likeliest skills with the default, which is the running skill, else the network's likeliest.

        Args:
            state: the present state.
            player: the seat of the cook that decides.
            running: its running skill; NO_SKILL for none.
            age: for how many steps it has been running.
            partner: the probabilities, (27,), of the partner's present skill; None lets the network draw it.
            key: of all random draws, 0 to 2^31 - 1.
            tendencies: how the partner's later choices differ from the behaviour network's; None: not at all.
        """
        since = time.perf_counter()
        probabilities = self.behaviour.probabilities(state, player, partner)
        skills = self._candidates(probabilities, running)
        age = age if running != NO_SKILL else -1
        weights = choice_weights(tendencies, player)
        returns = self._within_budget(since, key, partial(self._returns, state, player, skills, age, partner, weights))
        gains = returns - returns[0]
        errors = gains.std(axis=1, ddof=1) / np.sqrt(returns.shape[1])
        options = tuple(
            SkillValue(skill, *(round(float(number), RETURN_DIGITS) for number in numbers))
            for skill, *numbers in zip(
                skills, probabilities[skills], returns.mean(axis=1), gains.mean(axis=1), errors, strict=True
            )
        )
        assumed = () if partner is None else tuple(np.round(partner, RETURN_DIGITS).tolist())
        seconds = round(time.perf_counter() - since, CLOCK_DIGITS)
        return Comparison(options, self._best(options).skill, assumed, returns.shape[1], seconds)

    def _best(self, options: tuple[SkillValue, ...]) -> SkillValue:
        """Returns the option with the highest gain less its doubt, if that is clearly above 0; else the default."""
        scores = {option: option.gain - self._doubt(option, options[0]) for option in options}
        better = [option for option in options if scores[option] > self._options.margin * option.error]
        return max(better, key=scores.__getitem__, default=options[0])

    def _doubt(self, option: SkillValue, default: SkillValue) -> float:
        """Returns by how much the behaviour network prefers the default, in points; below 0 if it prefers the other."""
        odds = max(default.probability, RAREST) / max(option.probability, RAREST)
        return round(self._options.prior_weight * log(odds), RETURN_DIGITS)

    def _candidates(self, probabilities: NDArray[np.float64], running: int) -> list[int]:
        """Returns the default skill and the likeliest others that are likely enough."""
        order, least = np.argsort(-probabilities, kind="stable").tolist(), self._options.least_probability
        ranked = [order[0], *(skill for skill in order[1:] if probabilities[skill] >= least)]
        default = running if running != NO_SKILL else ranked[0]
        return [default, *(skill for skill in ranked[: self._options.candidates] if skill != default)]

    def _within_budget(self, since: float, key: int, play: Callable[[int, int], Returns]) -> Returns:
        """Returns the set number of futures or, with a budget, rounds of them until another one would not fit into it.

        `play` returns so many futures for a random key; the budget began at `since`, and one round is always played.
        """
        budget = self._options.budget_ms
        if budget is None:
            return play(self._options.futures, key)
        rounds: list[Returns] = []
        begun = time.perf_counter()
        while not rounds or (now := time.perf_counter()) - since + (now - begun) / len(rounds) <= budget / 1000:
            rounds.append(play(ROUND, hash_random(key, len(rounds)) >> 1))
        return np.concatenate(rounds, axis=1)

    def _returns(
        self,
        state: StateVector,
        player: int,
        skills: list[int],
        age: int,
        partner: NDArray[np.float64] | None,
        weights: ChoiceWeights,
        count: int,
        key: int,
    ) -> Returns:
        """Returns the return of every one of `count` futures of every skill, (skills, count)."""
        keys = np.array([hash_random(key, i) >> 1 for i in range(count)], np.int64)
        returns = np.zeros((len(skills), count))
        run = new_skill_runs()[player]
        if age >= 0:
            run[SKILL], run[AGE], run[PRIORITY] = skills[0], age, age
        play = maybe_compiled(play_futures, fast=self._fast, allocates=False)
        play(
            self._grid,
            state,
            run,
            player,
            np.array(skills, np.int32),
            systematic_sample(partner, count, hash_random(key, count) / 2**32),
            keys,
            weights,
            self._behaviour,
            self._value,
            self._params,
            self._buffers,
            returns,
        )
        return returns


def choice_weights(tendencies: Tendencies | None, player: int) -> ChoiceWeights:
    """Returns how the cooks' choices differ from the network's: the partner's by its tendencies, the ego's not."""
    lift, weights, acceptance = np.zeros(2, np.int64), np.full((2, N_SKILLS), WEIGHTS), np.full((2, N_SKILLS), WEIGHTS)
    if tendencies is not None:
        partner = 1 - player
        lift[partner] = round(SHARE * WEIGHTS)
        weights[partner] = np.round(np.clip(tendencies.weights / tendencies.weights.max(), LIGHTEST, 1) * WEIGHTS)
        acceptance[partner] = np.round(tendencies.acceptance * WEIGHTS)
    return ChoiceWeights(lift, weights, acceptance)


def futures_are_compiled() -> bool:
    """Whether the futures' kernels are compiled on this machine; compiling them takes up to a minute."""
    return is_compiled(play_futures)


def systematic_sample(probabilities: NDArray[np.float64] | None, count: int, offset: float) -> NDArray[np.int32]:
    """Returns `count` skills whose shares are as near as possible to the probabilities; `offset` in [0, 1).

    Without probabilities every entry is NO_SKILL.
    """
    if probabilities is None:
        return np.full(count, NO_SKILL, np.int32)
    cumulative = np.cumsum(np.round(probabilities, RETURN_DIGITS))
    points = (np.arange(count) + offset) / count * cumulative[-1]
    skills: NDArray[np.int32] = np.searchsorted(cumulative, points, side="right").astype(np.int32)
    return np.minimum(skills, N_SKILLS - 1)
