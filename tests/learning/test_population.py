"""The population from which GAMMA and TALENTS learn."""

import numpy as np

from bba.kitchen import Layout
from bba.learning.recipes import cooperators
from bba.learning.recipes.cooperators import DISLIKED, LIKED, MANY, MEMBERS, SOME, member_weights, trained_population
from bba.learning.rl.trainer import CurvePoint, PPOConfig, TrainingResult

OPEN = Layout.load("open")
CLONE = ()


def test_a_member_dislikes_only_features_that_the_other_cook_can_do_too():
    for number in range(MEMBERS):
        assert set(member_weights(number, OPEN)) == {LIKED, DISLIKED}
        assert set(member_weights(number, Layout.load("forced_coordination"))) == {LIKED, 0}


def test_only_gamma_learns_from_early_members_and_only_talents_from_many_random_choices(monkeypatch, tmp_path):
    early, best = (((np.full((1, 1), value), np.zeros(1)),) for value in (0.0, 1.0))
    point = CurvePoint(0, 0, 0.0, 0.0, {}, {})
    finished = type("Finished", (), {"run": lambda _: TrainingResult(best, early, point, [])})()
    prepared = type("Prepared", (), {"trainer": finished})()
    monkeypatch.setattr(cooperators, "prepare_member", lambda *_: prepared)

    def levels(*, with_early):
        members = trained_population(OPEN, tmp_path, PPOConfig(), CLONE, early=with_early, members=1)
        assert all(member.teammate.layers is CLONE for member in members)
        return [(member.policy.layers is early, member.policy.epsilon) for member in members]

    assert levels(with_early=True) == [(True, 0), (False, 0), (False, SOME)]
    assert levels(with_early=False) == [(False, 0), (False, SOME), (False, MANY)]
