"""Hypotheses about a partner's strategy, valued by how well they predict: v ← v + 0.3 (±1 − v).

This is the Rescorla-Wagner rule, as Hypothetical Minds (Cross et al., 2024) uses it: +1 for a prediction that came
true, −1 for one that did not. A new hypothesis has the value 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bba.kitchen.constants import NO_SKILL

LEARNING_RATE = 0.3
SURE = 0.7  # no other hypothesis is asked for if the best value is above this
TOP = 5  # the number of hypotheses that predict and that the planner is told


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A hypothesis about the partner's strategy.

    Attributes:
        text: one sentence.
        value: how well it has predicted, −1 to 1.
        prediction: the skill that it expects next; NO_SKILL for none.
    """

    text: str
    value: float = 0.0
    prediction: int = NO_SKILL


def updated(value: float, *, came_true: bool) -> float:
    """Returns a value after one more prediction."""
    return value + LEARNING_RATE * ((1.0 if came_true else -1.0) - value)


@dataclass(frozen=True, slots=True)
class HypothesisStore:
    """An agent's hypotheses, the highest value first, the newest first among equals. Immutable."""

    ranked: tuple[Hypothesis, ...] = ()

    @property
    def top(self) -> tuple[Hypothesis, ...]:
        """The best ones, which predict and are told to the planner."""
        return self.ranked[:TOP]

    @property
    def predicting(self) -> tuple[Hypothesis, ...]:
        """The best ones that have a prediction to evaluate."""
        return tuple(hypothesis for hypothesis in self.top if hypothesis.prediction != NO_SKILL)

    @property
    def sure(self) -> bool:
        """Whether the best one predicts so well that no other is needed."""
        return bool(self.ranked) and self.ranked[0].value > SURE

    def proposed(self, text: str) -> "HypothesisStore":
        """Returns the store with a new hypothesis; a known one with a value below 0 starts again at 0."""
        others = [hypothesis for hypothesis in self.ranked if hypothesis.text != text]
        known = [hypothesis.value for hypothesis in self.ranked if hypothesis.text == text]
        return _ranked([Hypothesis(text, max([0.0, *known])), *others])

    def evaluated(self, truths: Sequence[bool]) -> "HypothesisStore":
        """Returns the store with updated values, and without the predictions that were evaluated.

        Args:
            truths: whether the prediction came true, one for each hypothesis of `predicting`, in order.
        """
        tested = {
            hypothesis.text: Hypothesis(hypothesis.text, updated(hypothesis.value, came_true=truth))
            for hypothesis, truth in zip(self.predicting, truths, strict=True)
        }
        return _ranked([tested.get(hypothesis.text, hypothesis) for hypothesis in self.ranked])

    def predicted(self, skills: Sequence[int]) -> "HypothesisStore":
        """Returns the store with new predictions instead of all earlier ones.

        Args:
            skills: one for each hypothesis of `top`, in order; () for no predictions.
        """
        skills = [*skills, *[NO_SKILL] * (len(self.ranked) - len(skills))]
        return HypothesisStore(
            tuple([replace(known, prediction=skill) for known, skill in zip(self.ranked, skills, strict=True)])
        )


def _ranked(hypotheses: Sequence[Hypothesis]) -> HypothesisStore:
    return HypothesisStore(tuple(sorted(hypotheses, key=lambda hypothesis: -hypothesis.value)))
