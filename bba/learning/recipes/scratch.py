"""The trainings from nothing: partners ``scratch:G1-1`` to ``scratch:G3-4``, as the kitchen's source trains them, and
the cooperators ``scratch:gamma`` and ``scratch:talents``.

Two random networks learn beside each other, neither from a clone nor from recorded states. The *partner* has the second
seat and is rewarded by the team's reward plus its preferences. Its *best response* has the first seat; steps towards a
burrito are worth something to it (`SHAPING_POINTS`), since a random network hardly ever finishes one. So a partner may
leave undone for ever what it dislikes: the other one learns to do it. What either knows of cooking, it found out.

Of all rounds in the second half, that with the most team reward is kept, and both policies with it.

The cooperators learn about partners as GAMMA and TALENTS do, from a population of the same specialists that is trained
in this way, too. They begin as random networks, and the same steps are worth something to them as to a best response.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bba.agents import Layers, feature_weights
from bba.agents.learned.families import RESPONSE, SCRATCH_TALENTS
from bba.kitchen import (
    CHOPPING,
    DELIVERING,
    GRILLING_MEAT,
    N_FEATURES,
    NO_WEIGHTS,
    PLATING,
    POTTING_RICE,
    WASHING,
    Float64Array,
    Layout,
    reachable_features,
)
from bba.learning.recipes.cooperators import MEMBERS, SEED, Member, learn_partners, member_levels, member_weights
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    PreparedRun,
    no_evaluation,
    policy_file,
    training_plan,
    untrained_policy,
)
from bba.learning.rl.pair_trainer import PairTrainer
from bba.learning.rl.trainer import EvaluationScore, PPOConfig, Trainer, evaluate_policy
from bba.learning.rl.vec_env import (
    ALTERNATING_SEATS,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    policy_layers,
    repeat_seats,
)

WITH_RESPONSE = "beside its best response"  # as in records
RESPONSE_SEED = 1_000_000  # is added to a training's seed for its best response
MEMBER = "scratch-member-"  # how the names of the population's members begin
FIRST_SEAT = np.array([[True, False]])
SECOND_SEAT = np.array([[False, True]])
SHAPING_POINTS = {
    CHOPPING: 1.0,  # two chops of 0.5
    WASHING: 3.0,  # three rinses of 1
    POTTING_RICE: 1.0,
    GRILLING_MEAT: 1.0,
    PLATING: 5.5,  # 3, and 5 for each part that joins another one on the plate
    DELIVERING: 10.0,
}


def shaping() -> Float64Array:
    """Returns what each feature is worth to a best response, (9,) in points per event."""
    points = np.zeros(N_FEATURES)
    for feature, value in SHAPING_POINTS.items():
        points[feature] = value
    return points


def scratch_settings(_: Layout, config: PPOConfig) -> PPOConfig:
    """Returns the parameters, those of the source; only the number of steps can be chosen."""
    return replace(
        config,
        games=128,
        length=2400,
        rollout=64,
        minibatch=768,
        epochs=4,
        rate=1e-3,
        gamma=0.999,
        lam=0.999,
        entropy=0.02,
        updates=2,
        critic_first=0,
    )


class _Pair:
    """The policies of a partner and of its best response as they are now; random ones before both are made."""

    def __init__(self, layout: Layout, hidden: int, seed: int) -> None:
        untrained = policy_layers(untrained_policy(layout, hidden=hidden, seed=seed))
        self._untrained = untrained
        self.partner: Trainer | None = None
        self.response: Trainer | None = None

    def partner_layers(self) -> Layers:
        return self._untrained if self.partner is None else self.partner.policy

    def response_layers(self) -> Layers:
        return self._untrained if self.response is None else self.response.policy


def prepare_scratch(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of a partner such as ``scratch:G1-1``; its checkpoints are in `folder`."""
    return prepare_pair(name, feature_weights(name), layout, folder, config, seed)


def prepare_pair(
    name: str, weights: Float64Array, layout: Layout, folder: Path, config: PPOConfig, seed: int
) -> PreparedRun:
    """Prepares the training of a partner with these weights, (9,) in points per event, and of its best response."""
    states = InitialStates(layout)
    pair = _Pair(layout, config.hidden, seed)

    def partner_env(round_seed: int, _: float) -> KitchenVecEnv:
        response = PolicyPartner(pair.response_layers())
        seats = repeat_seats(SECOND_SEAT, config.games)
        return KitchenVecEnv(layout, seats, response, weights, states, config.length, round_seed)

    def response_env(round_seed: int, _: float) -> KitchenVecEnv:
        partner = PolicyPartner(pair.partner_layers())
        seats = repeat_seats(FIRST_SEAT, config.games)
        return KitchenVecEnv(layout, seats, partner, shaping(), states, config.length, round_seed)

    def scores(policy: Layers, response: Layers, feature_points: Float64Array, games: int, game_seed: int) -> Scores:
        beside = PolicyPartner(response)
        score = evaluate_policy(policy, layout, beside, feature_points, games, game_seed, seats=SECOND_SEAT)
        return {WITH_RESPONSE: score}

    def along_curve(policy: Layers) -> Scores:
        return scores(policy, pair.response_layers(), NO_WEIGHTS, CURVE_GAMES, CURVE_SEED)

    def of_best(policy: Layers) -> Scores:
        assert pair.partner is not None
        response = pair.partner.result.companion
        assert response is not None
        return scores(policy, response, weights, FINAL_GAMES, FINAL_SEED)

    more = {"weights": weights.tolist(), "shaping": shaping().tolist()}
    plan = partial(training_plan, layout=layout, config=config, more=more)
    pair.response = Trainer(
        plan(name=f"{name}, its best response", seed=seed + RESPONSE_SEED),
        response_env,
        lambda _: {},
        None,
        config,
        seed + RESPONSE_SEED,
        policy_file(folder, f"{name}{RESPONSE}", layout, ".checkpoint"),
    )
    pair.partner = Trainer(
        plan(name=name, seed=seed),
        partner_env,
        along_curve,
        None,
        config,
        seed,
        policy_file(folder, name, layout, ".checkpoint"),
        companion=pair.response_layers,
    )
    return PreparedRun(PairTrainer(pair.partner, pair.response), weights, of_best, shaping=shaping())


def prepare_scratch_member(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares the training of a member such as ``scratch-member-3``: half as many steps as a playable policy.

    It has its own seed, whatever `seed` is, and no final evaluation.
    """
    number = int(name.rpartition("-")[2])
    shorter = replace(config, steps=config.steps // 2)
    pair = prepare_pair(name, member_weights(number, layout), layout, folder, shorter, SEED + number)
    return replace(pair, evaluate=no_evaluation)


def seats_are_alike(layout: Layout) -> bool:
    """Whether both cooks can do every feature: a member has learned one seat alone, and its games need both."""
    return bool((reachable_features(layout, 0) & reachable_features(layout, 1)).all())


def scratch_population(layout: Layout, folder: Path, config: PPOConfig, *, early: bool) -> list[Member]:
    """Trains the population of a layout, or reads it from complete checkpoints in `folder`, as `trained_population`.

    Each member's teammate is its best response.
    """
    population = []
    for number in range(MEMBERS):
        name = f"{MEMBER}{number}"
        trained = prepare_scratch_member(name, layout, folder, config, 0).trainer.run()
        assert trained.companion is not None
        population += member_levels(name, trained, trained.companion, early=early)
    return population


def prepare_scratch_cooperator(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Learns about partners, then prepares the training of a cooperator with them, in either seat."""
    with_clusters = name == SCRATCH_TALENTS
    population = scratch_population(layout, folder, config, early=not with_clusters)
    learned = learn_partners(layout, population, with_clusters=with_clusters, seed=seed)
    partner = learned.decoded(config.games)
    seats = repeat_seats(ALTERNATING_SEATS, config.games)
    states = InitialStates(layout)

    def make_env(round_seed: int, _: float) -> KitchenVecEnv:
        return KitchenVecEnv(layout, seats, partner, shaping(), states, config.length, round_seed)

    more = {"partners": learned.report, "shaping": shaping().tolist()}
    trainer = Trainer(
        training_plan(name, layout, config, seed, more),
        make_env,
        partial(learned.scores, layout=layout, games=2 * CURVE_GAMES, seed=CURVE_SEED),
        None,
        config,
        seed,
        policy_file(folder, name, layout, ".checkpoint"),
    )
    return replace(learned.prepared_run(trainer, layout), shaping=shaping())


Scores = dict[str, EvaluationScore]
