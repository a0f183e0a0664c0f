"""Fixed share (Herbster and Warmuth, 1998): tracks which of several experts predicts best, which may change.

The regret of an expert is its loss minus the lowest loss, 1 at most. The sum of its regrets decays, so that the distant
past is forgotten. Its weight is exp(−η · sum), normalised; each expert keeps 1 − α of its weight and gives α to the
others in equal parts, so that no weight vanishes and an expert that becomes the best soon leads.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bba.errors import BBAError

MAX_REGRET = 1.0  # of one prediction

Shares = NDArray[np.float64]


class FixedShare:
    """The weights of K experts, equal at first.

    Args:
        experts: K, 1 or more.
        eta: η, how strongly regret counts, above 0.
        alpha: α, the share that each expert gives to the others, above 0 and below 1.
        decay: the factor on the regrets from one prediction to the next, above 0 and at most 1.

    Attributes:
        weights: of the experts, (K,), summing to 1.
        regrets: the decayed sums of regrets, (K,).

    Raises:
        BBAError: a parameter out of range.
    """

    def __init__(self, experts: int, eta: float, alpha: float, decay: float) -> None:
        if not (eta > 0 and math.isfinite(eta)):
            raise BBAError(f"eta: {eta} is not allowed; above 0")
        if not 0 < alpha < 1:
            raise BBAError(f"alpha: {alpha} is not allowed; above 0 and below 1")
        if not 0 < decay <= 1:
            raise BBAError(f"decay: {decay} is not allowed; above 0 and at most 1")
        self._eta, self._alpha, self._decay = eta, alpha, decay
        self.weights: Shares = np.full(experts, 1 / experts)
        self.regrets: Shares = np.zeros(experts)

    @property
    def best(self) -> int:
        """The expert with the highest weight; the first among equals."""
        return int(self.weights.argmax())

    def update(self, losses: ArrayLike) -> Shares:
        """Returns the weights after one prediction.

        Args:
            losses: of each expert, (K,), finite.
        """
        loss = np.asarray(losses, np.float64)
        self.regrets = self._decay * self.regrets + np.minimum(loss - loss.min(), MAX_REGRET)
        powers = np.exp(-self._eta * (self.regrets - self.regrets.min()))
        kept: Shares = powers / powers.sum()
        others = len(kept) - 1
        self.weights = (1 - self._alpha) * kept + self._alpha * (1 - kept) / others if others else kept
        return self.weights
