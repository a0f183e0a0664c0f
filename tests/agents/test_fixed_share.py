"""Fixed share: the weights of experts of which another may become the best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.agents.learned.policy import fixed_share

EXPERTS = 4


class Share:
    """The weights of experts after one prediction after another."""

    def __init__(self, experts, eta, alpha, decay):
        self.regrets, self._rates = np.zeros(experts), {"eta": eta, "alpha": alpha, "decay": decay}

    def update(self, losses):
        self.regrets, self.weights = fixed_share(self.regrets, losses, **self._rates)
        return self.weights


STREAMS = st.lists(st.lists(st.floats(0, 30), min_size=EXPERTS, max_size=EXPERTS), min_size=1, max_size=60)
OF_ETA, OF_ALPHA, OF_DECAY = st.floats(0.01, 50), st.floats(0.001, 0.5), st.floats(0.1, 1)


@pytest.mark.thorough
@given(STREAMS, OF_ETA, OF_ALPHA, OF_DECAY)
def test_weights_sum_to_one_and_none_is_ever_nothing(stream, eta, alpha, decay):
    share = Share(EXPERTS, eta, alpha, decay)
    for losses in stream:
        weights = share.update(losses)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() > 0


@given(STREAMS, OF_ETA, OF_ALPHA, OF_DECAY, st.floats(-5, 5))
def test_only_differences_between_the_losses_count(stream, eta, alpha, decay, more):
    one, other = (Share(EXPERTS, eta, alpha, decay) for _ in range(2))
    for losses in stream:
        assert one.update(losses) == pytest.approx(other.update(np.array(losses) + more), abs=1e-6)


@given(st.permutations(range(EXPERTS)), STREAMS)
def test_experts_are_told_apart_by_their_losses_alone(order, stream):
    one, other = (Share(EXPERTS, 2.0, 0.05, 0.9) for _ in range(2))
    for losses in stream:
        assert one.update(losses)[list(order)] == pytest.approx(other.update(np.array(losses)[list(order)]))


@given(st.integers(0, EXPERTS - 1), st.integers(0, EXPERTS - 1))
def test_an_expert_that_becomes_the_best_soon_leads(first, then):
    share = Share(EXPERTS, 2.0, 0.05, 0.9)
    for best in (first, then):
        for _ in range(25):
            share.update(np.where(np.arange(EXPERTS) == best, 0.1, 2.0))
        assert share.weights.argmax() == best
        assert share.weights[best] > 0.9


def test_one_prediction_costs_at_most_a_regret_of_one():
    share = Share(2, 1.0, 0.1, 1.0)
    share.update([0.0, 1000.0])
    kept = np.exp([0, -1]) / np.exp([0, -1]).sum()
    assert share.regrets.tolist() == [0, 1]
    assert share.weights == pytest.approx(0.9 * kept + 0.1 * kept[::-1])


def test_an_expert_alone_has_all_the_weight():
    assert Share(1, 1.0, 0.1, 0.9).update([3.0]).tolist() == [1.0]
