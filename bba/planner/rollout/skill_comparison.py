"""The comparison of skills by futures: which skill is best against what the partner is believed to do.

The behaviour network is a model of how cooks choose. The likeliest future by it is for the screen to show.
"""

import time
from collections.abc import Sequence
from math import log

import numpy as np

from bba.belief.partner_types import NO_SAMPLES, TypeBelief, roles_in
from bba.belief.propensities import WEIGHTS, PopulationNetwork
from bba.belief.tendencies import SHARE, Tendencies
from bba.config import RolloutOptions
from bba.kernels import is_compiled, is_loaded, maybe_compiled
from bba.kitchen import (
    AGE,
    KEY,
    N_SKILLS,
    NO_SKILL,
    POSITION,
    PRIORITY,
    SKILL,
    SKILL_STAY,
    BoolArray,
    Float64Array,
    Int32Array,
    Int64Array,
    StateVector,
    game_step,
    grid_of,
    hash_random,
    new_skill_runs,
    start_skill,
)
from bba.planner.rollout.choices import (
    ChoiceWeights,
    choice_probabilities,
    choices_of_types,
    new_buffers,
)
from bba.planner.rollout.futures import (
    CERTAIN,
    RETURN_DIGITS,
    Comparison,
    FutureParams,
    Partners,
    Returns,
    SkillValue,
    begin,
    option_of,
    play_futures,
    settle,
)
from bba.planner.rollout.networks import Network, PlanningNetworks

NOTHING_KNOWN = np.empty(0)


class BehaviourNetwork:
    """What a cook would choose if it chose a skill now, by the behaviour network.

    Args:
        networks: of the layout.
        fast: whether to compute with compiled kernels; the numbers are the same.
        patient: whether compiled kernels are waited for.
    """

    def __init__(self, networks: PlanningNetworks, *, fast: bool, patient: bool = False) -> None:
        self._patient = patient
        self._grid = grid_of(networks.layout)
        self._width = networks.layout.width
        self._network = Network.of(networks.behaviour)
        self._population = population_of(networks)
        self._fast = fast
        self._n_roles = roles_in(networks.layout)
        self._buffers = new_buffers(networks.layout, self._network, self._network, self._population)

    def probabilities(self, state: StateVector, player: int, partner: Float64Array | None = None) -> Float64Array:
        """Returns the probability of each skill, (27,); 0 for infeasible ones.

        Args:
            state: the present state.
            player: who chooses.
            partner: the probabilities, (27,), of what the other cook runs; None if nothing is known of it.
        """
        if partner is None:
            partner = NOTHING_KNOWN
        probabilities = np.zeros(N_SKILLS)
        choose = maybe_compiled(choice_probabilities, fast=self._fast, patient=self._patient)
        choose(self._grid, state, player, partner, self._network, self._width, self._buffers, probabilities)
        return probabilities

    def choices_of_types(self, state: StateVector, samples: Int64Array, player: int) -> Float64Array:
        """Returns how a player of each type would choose in a state (`bba.belief.partner_types.TypeSpace`), (C, 27).

        `samples`, (K, 27), are the weights of sampled propensities; with K = 0 no type chooses by them.
        """
        choices = np.zeros((1 + 3 * self._n_roles + (len(samples) > 0), N_SKILLS))
        choose = maybe_compiled(choices_of_types, fast=self._fast, patient=self._patient)
        networks = self._network, self._population
        choose(self._grid, state, player, self._n_roles, *networks, samples, self._width, self._buffers, choices)
        return choices


def population_of(networks: PlanningNetworks) -> Network:
    """Returns the network of a population of partners; without one, the behaviour network, which is not asked."""
    if networks.population is None:
        return Network.of(networks.behaviour)
    return population_network(networks.population)


def population_network(population: PopulationNetwork) -> Network:
    """Returns how the partners of a population choose, as kernels read it."""
    return Network.of(population.layers, tanh=population.tanh)


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
    grid = grid_of(networks.layout)
    behaviour = BehaviourNetwork(networks, fast=is_loaded(choice_probabilities))
    network = Network.of(networks.behaviour)
    buffers = new_buffers(networks.layout, network, Network.of(networks.value), network)
    skill, age = running
    run = _skill_run(player, skill, age)
    if skill == NO_SKILL:
        skill = _likeliest_skill(behaviour, state, player, partner)
    buffers.state[:] = state
    buffers.state[KEY] = LUCK
    begin(grid, buffers, run, player, skill, partner)
    path = [int(state[POSITION + player])]
    for _ in range(steps):
        for cook in range(2):
            if buffers.runs[cook, SKILL] == NO_SKILL:
                partner_skill = int(buffers.runs[1 - cook, SKILL])
                chosen = _likeliest_skill(behaviour, buffers.state, cook, partner_skill)
                start_skill(grid, buffers.state, buffers.runs, cook, chosen)
        game_step(grid, buffers.state, buffers.runs, buffers.actions, timeout)
        path.append(int(buffers.state[POSITION + player]))
    return path


def _likeliest_skill(behaviour: BehaviourNetwork, state: StateVector, cook: int, partner_skill: int) -> int:
    """Returns the skill that the network finds likeliest for a cook, given the skill that the other cook runs."""
    partner = None
    if partner_skill != NO_SKILL:
        partner = np.zeros(N_SKILLS)
        partner[partner_skill] = 1.0
    return int(behaviour.probabilities(state, cook, partner).argmax())


def _skill_run(player: int, skill: int, age: int) -> Int32Array:
    """Returns a player's row of the controller state while it runs a skill, for so many steps."""
    run: Int32Array = new_skill_runs()[player]
    run[SKILL] = skill
    run[AGE] = age
    run[PRIORITY] = age
    return run


RAREST = 1e-6  # the least probability that counts: a network is never surer than that
LIGHTEST = 1e-3  # the least weight of a choice, relative to the greatest
ROUND = 8  # futures of each skill that are played between two looks at the ranks and the clock
GOLDEN = 0.6180339887498949  # by which the samples of two rounds are shifted: together they are even as well
CLOCK_DIGITS = 4  # decimal places of measured seconds: tenths of a millisecond


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
        layout = networks.layout
        self._options = options
        self._grid = grid_of(layout)
        self._behaviour = Network.of(networks.behaviour)
        self._value = Network.of(networks.value)
        self._layout = layout
        self._believed = networks.population
        self._population = population_of(networks)
        self._params = FutureParams(
            steps=options.future_steps,
            discount=networks.discount,
            timeout=timeout,
            width=layout.width,
            value_scale=networks.value_scale,
            n_roles=roles_in(layout),
        )
        self._buffers = new_buffers(layout, self._behaviour, self._value, self._population)
        self._fast = fast
        self.behaviour = BehaviourNetwork(networks, fast=fast, patient=True)

    @property
    def ready(self) -> bool:
        """Whether it can compare at once: it computes with plain kernels, or the compiled ones are loaded."""
        return not self._fast or (is_loaded(play_futures) and is_loaded(choice_probabilities))

    def compare(
        self,
        state: StateVector,
        player: int,
        running: int,
        age: int,
        partner: Float64Array | TypeBelief | None,
        key: int,
        tendencies: Tendencies | None = None,
    ) -> Comparison:
        """Compares the likeliest skills with the default, which is the running skill, else the network's likeliest.

        The default is no wait if other work is likely enough. Rounds of futures are played until the set number, or the
        budget, is reached, or the ranks are settled: a skill that falls behind by more than chance is played no more.

        Args:
            state: the present state.
            player: the seat of the cook that decides.
            running: its running skill; NO_SKILL for none.
            age: for how many steps it has been running.
            partner: a belief over who the partner is, or the probabilities, (27,), of its present skill; None lets the
                network draw that.
            key: of all random draws, 0 to 2^31 - 1.
            tendencies: how the later choices of a partner of no type differ from the network's; None: not at all.
        """
        began = time.perf_counter()
        if isinstance(partner, TypeBelief) and partner.propensities is not None:
            self._take_population(partner.propensities.population)
        by_skill = partner.by_skill if isinstance(partner, TypeBelief) else partner
        probabilities = self.behaviour.probabilities(state, player, by_skill)
        skills = self._candidates(probabilities, running)
        doubts = self._doubts(probabilities, skills)
        ego_run = new_skill_runs()[player]
        if running != NO_SKILL:
            ego_run = _skill_run(player, running, age)
        weights = choice_weights(tendencies, player)
        open_skills = np.ones(len(skills), np.bool_)
        futures_began = time.perf_counter()
        returns = np.zeros((len(skills), 0))
        futures = 0  # of each skill that is still compared
        futures_of_skill = np.zeros(len(skills), np.int64)
        size = self._next_round(futures, began, futures_began)
        while size:
            round_returns = self._play_futures(
                state, player, ego_run, skills, partner, weights, key, open_skills, futures, size
            )
            returns = np.concatenate([returns, round_returns], axis=1)
            futures += size
            futures_of_skill[open_skills] = futures
            if settle(returns, doubts, open_skills):
                break
            size = self._next_round(futures, began, futures_began)
        options = []
        for number, skill in enumerate(skills):
            of_default_and_skill = returns[[0, number], : futures_of_skill[number]]
            options.append(option_of(skill, float(probabilities[skill]), of_default_and_skill))
        assumed = ()
        if by_skill is not None:
            assumed = tuple(np.round(by_skill, RETURN_DIGITS).tolist())
        chosen = self._best(options, doubts, open_skills).skill
        seconds = round(time.perf_counter() - began, CLOCK_DIGITS)
        return Comparison(tuple(options), chosen, assumed, futures, seconds)

    def _take_population(self, population: PopulationNetwork) -> None:
        """Lets partners that choose by propensity be of the population that a belief knows them to be of."""
        if population is self._believed:
            return
        self._believed = population
        self._population = population_network(population)
        self._buffers = new_buffers(self._layout, self._behaviour, self._value, self._population)

    def _doubts(self, probabilities: Float64Array, skills: list[int]) -> Returns:
        """Returns by how much the network prefers the default to each skill, (skills,), in points.

        A doubt is below 0 if the network prefers the skill.
        """
        default_probability = max(probabilities[skills[0]], RAREST)
        doubts = []
        for skill in skills:
            odds = default_probability / max(probabilities[skill], RAREST)
            doubts.append(round(self._options.prior_weight * log(odds), RETURN_DIGITS))
        return np.array(doubts)

    def _play_futures(
        self,
        state: StateVector,
        player: int,
        ego_run: Int32Array,
        skills: list[int],
        partner: Float64Array | TypeBelief | None,
        weights: ChoiceWeights,
        key: int,
        open_skills: BoolArray,
        first: int,
        count: int,
    ) -> Returns:
        """Returns the returns of the next `count` futures, after `first` of them, (skills, count)."""
        returns = np.zeros((len(skills), count))
        keys = np.array([hash_random(key, first + i) >> 1 for i in range(count)], np.int64)
        offset = (hash_random(key, ~0) / 2**32 + first / ROUND * GOLDEN) % 1
        play = maybe_compiled(play_futures, fast=self._fast, patient=True)
        play(
            self._grid,
            state,
            ego_run,
            player,
            np.array(skills, np.int32),
            open_skills,
            draw_partners(partner, count, offset, first),
            keys,
            weights,
            self._behaviour,
            self._population,
            self._value,
            self._params,
            self._buffers,
            returns,
        )
        return returns

    def _next_round(self, futures: int, began: float, futures_began: float) -> int:
        """Returns how many futures of each skill are played next: at least one round, 0 to stop.

        Args:
            futures: of each skill so far.
            began: when the comparison began, in seconds of the performance counter.
            futures_began: when its first future began.
        """
        budget = self._options.budget_ms
        if budget is None:
            return min(ROUND, self._options.futures - futures)
        if not futures:
            return ROUND
        clock = time.perf_counter()
        round_seconds = (clock - futures_began) * ROUND / futures
        return ROUND if clock - began + round_seconds <= budget / 1000 else 0

    def _best(self, options: Sequence[SkillValue], doubts: Returns, open_skills: BoolArray) -> SkillValue:
        """Returns the option with the highest gain less its doubt, if that is clearly above 0; else the default."""
        best = options[0]
        highest = 0.0
        for option, doubt, is_open in zip(options[1:], doubts[1:], open_skills[1:], strict=True):
            score = option.gain - float(doubt)
            if is_open and score > self._options.margin * option.error and score > highest:
                best = option
                highest = score
        return best

    def _candidates(self, probabilities: Float64Array, running: int) -> list[int]:
        """Returns the default skill, then the likeliest skills that are likely enough."""
        order = np.argsort(-probabilities, kind="stable").tolist()
        least = self._options.least_probability
        ranked = order[:1]
        ranked += [skill for skill in order[1:] if probabilities[skill] >= least]
        ranked = ranked[: self._options.candidates]
        default = SKILL_STAY
        if running != NO_SKILL:
            default = running
        else:
            working = [skill for skill in ranked if skill != SKILL_STAY]
            if working:
                default = working[0]
        alternatives = [skill for skill in ranked if skill != default]
        return [default, *alternatives]


def draw_partners(partner: Float64Array | TypeBelief | None, count: int, offset: float, first: int = 0) -> Partners:
    """Returns who the partner is in each of `count` futures, after `first` of them; `offset` in [0, 1).

    `partner` is as in `SkillComparer.compare`. The shares are as near as possible to the probabilities.
    """
    if not isinstance(partner, TypeBelief):
        return Partners(
            skills=systematic_sample(partner, count, offset),
            choosers=np.zeros(count, np.int32),
            roles=np.zeros(count, np.int32),
            hazards=np.zeros(count, np.int64),
            schedule=np.zeros((0, 2), np.int32),
            samples=NO_SAMPLES,
        )
    types = partner.types
    drawn = systematic_sample(partner.joint.ravel(), count, offset)
    drawn_types = drawn // N_SKILLS
    drawn_skills = drawn % N_SKILLS
    samples = NO_SAMPLES
    if partner.propensities is not None:
        weights = partner.propensities.weights
        samples = weights[(first + np.arange(count)) % len(weights)]
    return Partners(
        skills=drawn_skills.astype(np.int32),
        choosers=types.choosers[drawn_types],
        roles=types.roles[drawn_types],
        hazards=np.round(types.hazards[drawn_types] * CERTAIN).astype(np.int64),
        schedule=np.array(partner.known.schedule, np.int32).reshape(-1, 2),
        samples=samples,
    )


def choice_weights(tendencies: Tendencies | None, player: int) -> ChoiceWeights:
    """Returns how the cooks' choices differ from the network's: the partner's by its tendencies, the ego's not."""
    lift = np.zeros(2, np.int64)
    weights = np.full((2, N_SKILLS), WEIGHTS)
    acceptance = np.full((2, N_SKILLS), WEIGHTS)
    if tendencies is not None:
        partner = 1 - player
        relative = tendencies.weights / tendencies.weights.max()
        lift[partner] = round(SHARE * WEIGHTS)
        weights[partner] = np.round(np.clip(relative, LIGHTEST, 1) * WEIGHTS)
        acceptance[partner] = np.round(tendencies.acceptance * WEIGHTS)
    return ChoiceWeights(lift, weights, acceptance)


def futures_are_compiled() -> bool:
    """Whether the kernels of futures are compiled on this machine; until then a comparison waits for them."""
    return is_compiled(play_futures)


def systematic_sample(probabilities: Float64Array | None, count: int, offset: float) -> Int32Array:
    """Returns `count` choices whose shares are as near as possible to the probabilities; `offset` in [0, 1).

    Without probabilities every entry is NO_SKILL.
    """
    if probabilities is None:
        return np.full(count, NO_SKILL, np.int32)
    cumulative = np.cumsum(np.round(probabilities, RETURN_DIGITS))
    points = (np.arange(count) + offset) / count * cumulative[-1]
    chosen: Int32Array = np.searchsorted(cumulative, points, side="right").astype(np.int32)
    return np.minimum(chosen, len(probabilities) - 1)
