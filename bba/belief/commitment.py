"""The commitment gate: whether the partner's actions are told apart from what was believed when the ego decided.

The gate remembers a hypothesis m, the MAP of the belief at the ego's last decision, if its probability was at least Γc.
Every action of the partner since then is evidence for another hypothesis ψ as far as it fits ψ better than m:

    W_ψ ← max(0, W_ψ + log r(a | ψ) − log r(a | m))       0 at first; r: relative likelihood (bba.belief.likelihood)
    Λ   = W_ψ̂                                             ψ̂: the MAP now; 0 if nothing is remembered

W_ψ is the largest log-likelihood ratio of ψ against m over all spans of actions that end now (CUSUM), so an hour of
agreement does not have to be outweighed first. Λ is 0 while the MAP is m. Passing and putting down belong to the work
around them: where the MAP is of that role, Λ is 0.

    told apart      Λ ≥ λ
    confident       b_t(ψ̂_t) ≥ Γc
    mid-skill       the ego is running a skill
    cooled down     the gate did not open in the last `commitment_cooldown` steps

The gate opens when all four conditions hold; an opening renews what is remembered. With `renewal` "completion" a
visible completion of the partner does so too, before the completing action is counted, so that what was just completed
is the first evidence of what comes next. Whether an opening interrupts the ego is up to its trigger
(`bba.agents.triggers`).
"""

from math import log
from typing import NamedTuple

from bba.belief.filter import BeliefUpdate
from bba.belief.roles import STAGE_PASS, HypothesisSpace
from bba.config import CommitmentConfig

NOTHING = -1  # remembered: no hypothesis


class CommitmentResult(NamedTuple):
    """The four conditions of one step, in the order of `COMMITMENT_CONDITIONS`, and what they are about.

    Attributes:
        told_apart, confident, mid_skill, cooled_down: the conditions.
        ratio: Λ, 0 or more.
        remembered: the remembered hypothesis m by number; NOTHING if the belief was not confident.
        age: the number of the partner's actions since it was remembered.
    """

    told_apart: bool
    confident: bool
    mid_skill: bool
    cooled_down: bool
    ratio: float
    remembered: int
    age: int

    @property
    def opens(self) -> bool:
        """Whether all four conditions hold."""
        return self.told_apart and self.confident and self.mid_skill and self.cooled_down

    @property
    def blocked_by(self) -> str | None:
        """The name of the first condition that does not hold; None if the gate opens."""
        return next((name for name in COMMITMENT_CONDITIONS if not getattr(self, name)), None)


COMMITMENT_CONDITIONS = ("told_apart", "confident", "mid_skill", "cooled_down")


class CommitmentGate:
    """The commitment gate of one ego: its parameters, what it remembers, and the evidence since then.

    Args:
        config: the parameters.
        hypotheses: Ψ.
    """

    def __init__(self, config: CommitmentConfig, hypotheses: HypothesisSpace) -> None:
        self.config = config
        self._roles = hypotheses.roles
        self._cooldown = 0
        self._remembered, self._age = NOTHING, 0
        self._sums = [0.0] * len(self._roles)  # W; replaced as a whole, so that copies of the gate may share it

    def remember(self, belief: BeliefUpdate) -> None:
        """Remembers the MAP of a belief, if it is confident enough, and begins to count anew."""
        self._remembered = belief.map_index if belief.confidence >= self.config.commitment_conf else NOTHING
        self._age, self._sums = 0, [0.0] * len(self._roles)

    def evaluate(self, belief: BeliefUpdate, *, mid_skill: bool) -> CommitmentResult:
        """Counts the partner's last action, evaluates the four conditions, and advances the cooldown."""
        if belief.new_segment and self.config.renewal == "completion":
            self.remember(belief)
        self._count(belief.relative_likelihoods)
        config, ratio = self.config, self._ratio(belief.map_index)
        result = CommitmentResult(
            told_apart=self._remembered not in (NOTHING, belief.map_index) and ratio >= config.commitment_ratio,
            confident=belief.confidence >= config.commitment_conf,
            mid_skill=mid_skill,
            cooled_down=self._cooldown == 0,
            ratio=ratio,
            remembered=self._remembered,
            age=self._age,
        )
        self._cooldown = config.commitment_cooldown if result.opens else max(0, self._cooldown - 1)
        if result.opens:
            self.remember(belief)
        return result

    def _count(self, relative_likelihoods: tuple[float, ...]) -> None:
        """Adds one action to W."""
        self._age += 1
        if self._remembered != NOTHING:
            base = log(relative_likelihoods[self._remembered])
            pairs = zip(self._sums, relative_likelihoods, strict=True)
            self._sums = [max(0.0, total + log(likelihood) - base) for total, likelihood in pairs]

    def _ratio(self, hypothesis: int) -> float:
        """Returns Λ for the MAP."""
        return 0.0 if self._roles[hypothesis] == STAGE_PASS else self._sums[hypothesis]
