"""The trainings of partners from nothing: ``scratch:G1-1`` to ``scratch:G3-4``, as the kitchen's source trains them.

Two random networks learn beside each other, neither from a clone nor from recorded states. The *partner* has the second
seat and is rewarded by the team's reward plus its preferences. Its *best response* has the first seat; steps towards a
burrito are worth something to it (`SHAPING_POINTS`), since a random network hardly ever finishes one. So a partner may
leave undone for ever what it dislikes: the other one learns to do it. What either knows of cooking, it found out.

Of all rounds in the second half, that with the most team reward is kept, and both policies with it.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bba.agents import Layers, feature_weights
from bba.agents.learned.agent import RESPONSE
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
)
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    PreparedRun,
    policy_file,
    training_plan,
    untrained_policy,
)
from bba.learning.rl.pair_trainer import PairTrainer
from bba.learning.rl.trainer import EvaluationScore, PPOConfig, Trainer, evaluate_policy
from bba.learning.rl.vec_env import InitialStates, KitchenVecEnv, PolicyPartner, policy_layers, repeat_seats

WITH_RESPONSE = "beside its best response"  # as in records
RESPONSE_SEED = 1_000_000  # is added to a training's seed for its best response
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
    weights = feature_weights(name)
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


Scores = dict[str, EvaluationScore]
