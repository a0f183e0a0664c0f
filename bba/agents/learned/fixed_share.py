"""Fixed share (Herbster and Warmuth, 1998): which of several experts predicts best now, where that may change.

Each expert's regret is what it lost above the best of them, 1 at most; the sum of regrets decays, so that what is long
past is forgotten. An expert weighs exp(−η · its sum); of that it keeps 1 − α and gives α to the others, in equal parts,
so that none ever falls to nothing and whichever becomes the best soon leads.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bba.errors import BBAError

MOST_REGRET = 1.0  # of one prediction

Shares = NDArray[np.float64]


class FixedShare:
    """The weights of K experts, equal at first.

    Args:
        experts: K, 1 or more.
        eta: how strongly regret counts, above 0.
        alpha: what each expert gives to the others, above 0 and below 1.
        decay: what remains of the regrets from one prediction to the next, above 0 and at most 1.

    Attributes:
        weights: of the experts, (K,); they sum to 1.
        regrets: the sums of their regrets, (K,).

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
        """The heaviest expert; of equal ones the first."""
        return int(self.weights.argmax())

    def update(self, losses: ArrayLike) -> Shares:
        """Take in what each expert lost in one prediction, (K,), finite; returns the new weights."""
        lost = np.asarray(losses, np.float64)
        self.regrets = self._decay * self.regrets + np.minimum(lost - lost.min(), MOST_REGRET)
        powers = np.exp(-self._eta * (self.regrets - self.regrets.min()))
        kept: Shares = powers / powers.sum()
        others = len(kept) - 1
        self.weights = (1 - self._alpha) * kept + self._alpha * (1 - kept) / others if others else kept
        return self.weights
