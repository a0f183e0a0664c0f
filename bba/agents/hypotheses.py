"""Hypotheses about a partner's strategy, each worth what its predictions have been worth: v ← v + 0.3 (±1 − v).

The rule is Rescorla and Wagner's, as Hypothetical Minds (Cross et al., 2024) uses it: +1 for a prediction that came
true, −1 for one that did not. A new hypothesis is worth 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bba.kitchen.constants import NO_SKILL

LEARNING_RATE = 0.3
SURE = 0.7  # the value above which no other hypothesis is looked for
TOP = 5  # hypotheses that are tested, and told to the planner


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What the partner may be up to.

    Attributes:
        text: in a sentence.
        value: how well it has predicted, −1 to 1.
        prediction: the skill that it expects next; NO_SKILL where none was foretold.
    """

    text: str
    value: float = 0.0
    prediction: int = NO_SKILL


def updated(value: float, *, came_true: bool) -> float:
    """A value after one more prediction."""
    return value + LEARNING_RATE * ((1.0 if came_true else -1.0) - value)


@dataclass(frozen=True, slots=True)
class HypothesisStore:
    """Those that an agent holds, the most valuable first, of equal ones the newest. Never changed, only replaced."""

    ranked: tuple[Hypothesis, ...] = ()

    @property
    def top(self) -> tuple[Hypothesis, ...]:
        """Those that count."""
        return self.ranked[:TOP]

    @property
    def predicting(self) -> tuple[Hypothesis, ...]:
        """The top ones with a prediction to be tested."""
        return tuple(hypothesis for hypothesis in self.top if hypothesis.prediction != NO_SKILL)

    @property
    def sure(self) -> bool:
        """Whether the best one predicts well enough."""
        return bool(self.ranked) and self.ranked[0].value > SURE

    def proposed(self, text: str) -> "HypothesisStore":
        """With a new hypothesis; one that was given up and is proposed again starts anew."""
        others = [hypothesis for hypothesis in self.ranked if hypothesis.text != text]
        known = [hypothesis.value for hypothesis in self.ranked if hypothesis.text == text]
        return _ranked([Hypothesis(text, max([0.0, *known])), *others])

    def evaluated(self, truths: Sequence[bool]) -> "HypothesisStore":
        """With the values of those that predicted brought up to date, one truth for each of them in order.

        A prediction counts once: it is gone then.
        """
        tested = {
            hypothesis.text: Hypothesis(hypothesis.text, updated(hypothesis.value, came_true=truth))
            for hypothesis, truth in zip(self.predicting, truths, strict=True)
        }
        return _ranked([tested.get(hypothesis.text, hypothesis) for hypothesis in self.ranked])

    def predicted(self, skills: Sequence[int]) -> "HypothesisStore":
        """With new predictions, one for each of the top ones in order, in place of all earlier ones; () for none."""
        skills = [*skills, *[NO_SKILL] * (len(self.ranked) - len(skills))]
        return HypothesisStore(
            tuple([replace(known, prediction=skill) for known, skill in zip(self.ranked, skills, strict=True)])
        )


def _ranked(hypotheses: Sequence[Hypothesis]) -> HypothesisStore:
    return HypothesisStore(tuple(sorted(hypotheses, key=lambda hypothesis: -hypothesis.value)))
