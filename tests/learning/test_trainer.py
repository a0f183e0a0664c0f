"""Trainings learn what they are rewarded for, continue after an interruption, and depend on their seed alone."""

from dataclasses import replace

import numpy as np
import pytest

from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.observation import TAKING_MEAT
from bba.learning.rl.trainer import CurvePoint, PPOConfig, best_point, config_for
from tests.helpers.tiny_trainings import SMALL, tiny_trainer, weights_with


class Interrupted(Exception):
    """Raised to interrupt a training."""


def interrupt_at(point_number):
    """A report that interrupts the training at a point of its curve, after the checkpoint is written."""
    points = []

    def report(point):
        points.append(point)
        if len(points) == point_number:
            raise Interrupted

    return report


def same_layers(first, second):
    return all(
        np.array_equal(one, other)
        for layer, counterpart in zip(first, second, strict=True)
        for one, other in zip(layer, counterpart, strict=True)
    )


def without_seconds(curve):
    return [replace(point, seconds=0.0) for point in curve]


def test_a_liked_feature_is_done_more_often():
    trained = tiny_trainer(weights=weights_with(TAKING_MEAT), steps=20_000).run()
    first, last = (trained.curve[at].scores["self-play"] for at in (0, -1))
    assert last.rates["taking_meat"] > 1.5 * first.rates["taking_meat"] > 0
    assert last.objective == pytest.approx(last.reward + 100 * last.rates["taking_meat"])


def test_the_best_point_has_the_highest_objective():
    trained = tiny_trainer(weights=weights_with(TAKING_MEAT), steps=5_000).run()
    assert trained.best.objective == max(point.objective for point in trained.curve)
    assert trained.curve[-1].steps >= 5_000 > trained.curve[-2].steps


def test_a_map_that_divides_the_work_has_longer_horizons_whatever_its_name():
    given = PPOConfig(steps=9)
    for name, divided in (("open", False), ("ring", False), ("forced_coordination", True), ("burrito", False)):
        layout = Layout.load(name).model_copy(update={"name": "mine"})
        found = config_for(layout, given)
        assert (found.gamma > given.gamma, found.lam > given.lam, found.rate < given.rate) == (divided,) * 3
        assert found.steps == 9


def test_the_best_policy_is_a_late_one_and_never_one_before_the_policy_was_trained():
    config = replace(SMALL, steps=100, critic_first=1)  # a round has 512 decisions
    points = ((10, 512, 9.0), (60, 512, 8.0), (70, 1024, 1.0), (80, 1536, 3.0), (90, 2048, 3.0))
    curve = [CurvePoint(steps, decisions, 0.0, objective, {}, {}) for steps, decisions, objective in points]
    assert [best_point(curve[:n], config) for n in range(6)] == [None, None, None, curve[2], curve[3], curve[3]]


def test_the_policy_is_trained_however_short_the_training():
    trained = tiny_trainer(steps=1, critic_first=1).run()
    assert len(trained.curve) == 3  # before the training, after the value-only round, after the round that trains both
    assert trained.best is trained.curve[-1]
    assert not same_layers(trained.policy, trained.early)


def test_an_interrupted_training_continues_as_if_it_had_not_been_interrupted(tmp_path):
    whole = tiny_trainer(steps=6_000).run()
    for stop in (1, 3):
        path = tmp_path / f"{stop}.checkpoint"
        with pytest.raises(Interrupted):
            tiny_trainer(steps=6_000, checkpoint=path).run(interrupt_at(stop))
        resumed = tiny_trainer(steps=6_000, checkpoint=path).run()
        assert same_layers(resumed.policy, whole.policy)
        assert same_layers(resumed.early, whole.early)
        assert without_seconds(resumed.curve) == without_seconds(whole.curve)


def test_the_seed_determines_the_weights():
    first, again, other = (tiny_trainer(seed=seed, steps=4_000).run() for seed in (3, 3, 4))
    assert same_layers(first.policy, again.policy)
    assert without_seconds(first.curve) == without_seconds(again.curve)
    assert not same_layers(first.policy, other.policy)


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    path = tmp_path / "a.checkpoint"
    with pytest.raises(Interrupted):
        tiny_trainer(checkpoint=path).run(interrupt_at(1))
    with pytest.raises(BBAError, match=r"a\.checkpoint: is the checkpoint of another training; choose another --out"):
        tiny_trainer(checkpoint=path, plan="another")


def with_flipped_bit(data):
    return data[:-100] + bytes([data[-100] ^ 1]) + data[-99:]


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda _: b"no checkpoint", lambda data: data[:-100], with_flipped_bit]
)
def test_a_damaged_checkpoint_gives_one_line(tmp_path, damage):
    path = tmp_path / "a.checkpoint"
    with pytest.raises(Interrupted):
        tiny_trainer(checkpoint=path).run(interrupt_at(1))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BBAError, match=r"a\.checkpoint: is not a checkpoint, or is damaged; delete it") as caught:
        tiny_trainer(checkpoint=path)
    assert "\n" not in str(caught.value)
