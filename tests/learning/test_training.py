"""Trainings learn what they are paid for, go on where they were stopped, and follow from their seed alone."""

from dataclasses import replace

import numpy as np
import pytest

from bba.errors import BBAError
from bba.kitchen import Layout, features
from bba.learning.rl.trainer import CurvePoint, PPOConfig, best_of, config_for
from tests.learning.tiny import SMALL, liking, tiny_training


class Stopped(Exception):
    """Somebody killed the training."""


def stop_at(point_number):
    """A report that stops the training at its so-many-th point, after the checkpoint is written."""
    points = []

    def report(point):
        points.append(point)
        if len(points) == point_number:
            raise Stopped

    return report


def same(first, second):
    return all(
        np.array_equal(one, other)
        for layer, counterpart in zip(first, second, strict=True)
        for one, other in zip(layer, counterpart, strict=True)
    )


def timeless(curve):
    return [replace(point, seconds=0.0) for point in curve]


def test_what_is_liked_is_done_more_often():
    trained = tiny_training(weights=liking(features.TAKING_MEAT), steps=20_000).run()
    first, last = (trained.curve[at].scores["self-play"] for at in (0, -1))
    assert last.rates["taking_meat"] > 1.5 * first.rates["taking_meat"] > 0
    assert last.objective == pytest.approx(last.reward + 100 * last.rates["taking_meat"])


def test_the_best_point_is_that_of_the_highest_objective():
    trained = tiny_training(weights=liking(features.TAKING_MEAT), steps=5_000).run()
    assert trained.best.objective == max(point.objective for point in trained.curve)
    assert trained.curve[-1].steps >= 5_000 > trained.curve[-2].steps


def test_a_map_that_divides_the_work_is_trained_with_more_patience_whatever_its_name():
    given = PPOConfig(steps=9)
    for name, divided in (("open", False), ("ring", False), ("forced_coordination", True), ("burrito", False)):
        layout = Layout.load(name).model_copy(update={"name": "mine"})
        found = config_for(layout, given)
        assert (found.gamma > given.gamma, found.lam > given.lam, found.rate < given.rate) == (divided,) * 3
        assert found.steps == 9


def test_a_policy_is_kept_from_late_in_the_training_and_only_after_it_learned():
    settings = replace(SMALL, steps=100, critic_first=1)  # a round has 512 decisions
    told = ((10, 512, 9.0), (60, 512, 8.0), (70, 1024, 1.0), (80, 1536, 3.0), (90, 2048, 3.0))
    curve = [CurvePoint(steps, decisions, 0.0, objective, {}, {}) for steps, decisions, objective in told]
    assert [best_of(curve[:n], settings) for n in range(6)] == [None, None, None, curve[2], curve[3], curve[3]]


def test_however_short_a_training_is_the_policy_learns():
    trained = tiny_training(steps=1, critic_first=1).run()
    assert len(trained.curve) == 3  # before it, after the round of the critic, after that of both
    assert trained.best is trained.curve[-1]
    assert not same(trained.policy, trained.early)


def test_a_stopped_training_goes_on_as_if_it_had_not_been(tmp_path):
    whole = tiny_training(steps=6_000).run()
    for stop in (1, 3):
        path = tmp_path / f"{stop}.checkpoint"
        with pytest.raises(Stopped):
            tiny_training(steps=6_000, checkpoint=path).run(stop_at(stop))
        resumed = tiny_training(steps=6_000, checkpoint=path).run()
        assert same(resumed.policy, whole.policy)
        assert same(resumed.early, whole.early)
        assert timeless(resumed.curve) == timeless(whole.curve)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others():
    first, again, other = (tiny_training(seed=seed, steps=4_000).run() for seed in (3, 3, 4))
    assert same(first.policy, again.policy)
    assert timeless(first.curve) == timeless(again.curve)
    assert not same(first.policy, other.policy)


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    path = tmp_path / "a.checkpoint"
    with pytest.raises(Stopped):
        tiny_training(checkpoint=path).run(stop_at(1))
    with pytest.raises(BBAError, match=r"a\.checkpoint: is the checkpoint of another training; choose another --out"):
        tiny_training(checkpoint=path, plan="another")


def flipped(data):
    return data[:-100] + bytes([data[-100] ^ 1]) + data[-99:]


@pytest.mark.parametrize("damage", [lambda _: b"", lambda _: b"no checkpoint", lambda data: data[:-100], flipped])
def test_a_damaged_checkpoint_is_refused_in_one_line(tmp_path, damage):
    path = tmp_path / "a.checkpoint"
    with pytest.raises(Stopped):
        tiny_training(checkpoint=path).run(stop_at(1))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BBAError, match=r"a\.checkpoint: is no checkpoint, or a damaged one; delete it") as caught:
        tiny_training(checkpoint=path)
    assert "\n" not in str(caught.value)
