"""The hypotheses of Hypothetical Minds: what they are worth, when they are asked about, and what an answer changes.

A hypothesis is valued by how well it predicts: v ← v + 0.3 (±1 − v), the Rescorla-Wagner rule, +1 for a prediction that
came true, −1 for one that did not. A new hypothesis has the value 0.

`PreprintStore` is that of the preprint: strategies and predictions in free words, none forgotten. In
`HypothesisStore` predictions are skills, the best five predict, and nothing is asked twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from bba.planner import NUMBERED_SKILLS, CallKind, LLMCall, QueryKind
from bba.planner.scripted.hypotheses import LEARNING_RATE, SURE, TOP
from bba.planner.short_answers import read_free_words, read_hypothesis, read_skills, read_truths


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A hypothesis about the partner's strategy.

    Attributes:
        text: one sentence.
        value: how well it has predicted, −1 to 1.
        prediction: what it expects next, by default a skill with its number; "" for nothing.
        created: the step of its creation, where that counts.
    """

    text: str
    value: float = 0.0
    prediction: str = ""
    created: int = 0


def updated(value: float, *, came_true: bool) -> float:
    """Returns a value after one more prediction."""
    return value + LEARNING_RATE * ((1.0 if came_true else -1.0) - value)


@dataclass(frozen=True)
class HypothesisStore:
    """An agent's hypotheses, the highest value first, the newest first among equals. Immutable."""

    ranked: tuple[Hypothesis, ...] = ()
    LAST_TO_SEE: ClassVar[CallKind] = "predict"  # what was seen until then, no evaluation counts again

    @property
    def predicting(self) -> tuple[Hypothesis, ...]:
        """Those of the best that have a prediction to evaluate."""
        return tuple(hypothesis for hypothesis in self.ranked[:TOP] if hypothesis.prediction)

    @property
    def sure(self) -> bool:
        """Whether the best one predicts so well that no other is needed."""
        return any(hypothesis.value > SURE for hypothesis in self.ranked)

    def is_due(self, kind: QueryKind, *, seen: bool, news: bool, asks_always: bool) -> bool:
        """Returns whether a question has to be asked before a decision.

        Args:
            kind: what is asked.
            seen: whether the partner was ever seen at work.
            news: whether it was since `LAST_TO_SEE`.
            asks_always: whether hypotheses and predictions do not wait for that.
        """
        if kind == "evaluate":
            return bool(self.predicting) and news
        if kind == "generate":
            return seen and (asks_always or news) and not self.sure
        return bool(self.ranked) and (asks_always or news or not self.predicting)

    def prompt_values(self, step: int) -> dict[str, str]:  # noqa: ARG002 - one is as good as another in any step
        """Returns what prompts say of the hypotheses in a step, by placeholder."""
        return {"predictions": hypothesis_list(self.predicting), "hypotheses": hypothesis_list(self.ranked[:TOP])}

    def after(self, kind: CallKind, answer: str, step: int) -> Self | None:  # noqa: ARG002 - as `prompt_values`
        """Returns the hypotheses after an answer to a question about them; None if it cannot be used.

        A prediction is evaluated once. A known hypothesis that is proposed anew with a value below 0 starts again at 0.
        """
        match kind:
            case "evaluate":
                truths = read_truths(answer, len(self.predicting))
                if truths is None:
                    return None
                evaluated = {
                    hypothesis.text: Hypothesis(hypothesis.text, updated(hypothesis.value, came_true=truth))
                    for hypothesis, truth in zip(self.predicting, truths, strict=False)
                }
                return self._ranked(evaluated.get(hypothesis.text, hypothesis) for hypothesis in self.ranked)
            case "generate":
                text = read_hypothesis(answer)
                if text is None:
                    return None
                value = 0.0
                kept: list[Hypothesis] = []
                for hypothesis in self.ranked:
                    if hypothesis.text == text:
                        value = max(0.0, hypothesis.value)
                    else:
                        kept.append(hypothesis)
                return self._ranked([Hypothesis(text, value), *kept])
            case "predict":
                skills = read_skills(answer, len(self.ranked[:TOP]))
                return None if skills is None else self.predicted(skills)
        return self  # a plan; or a judge, of another agent, whose game this one continues

    def updated_by(self, call: LLMCall, step: int) -> Self:
        """Returns the hypotheses after a call.

        If its response cannot be used, nothing is evaluated or added, and nothing is predicted.
        """
        updated_store = self.after(call.kind, call.response, step)
        if updated_store is not None:
            return updated_store
        return self.predicted(()) if call.kind == "predict" else self

    def predicted(self, skills: Sequence[int]) -> Self:
        """Returns the store with new predictions instead of all earlier ones.

        Args:
            skills: one for each of the best hypotheses, in order; () for no predictions.
        """
        predictions = [NUMBERED_SKILLS[skill] for skill in skills]
        predictions += [""] * (len(self.ranked) - len(skills))
        ranked = [
            replace(hypothesis, prediction=prediction)
            for hypothesis, prediction in zip(self.ranked, predictions, strict=True)
        ]
        return replace(self, ranked=tuple(ranked))

    def _ranked(self, hypotheses: Iterable[Hypothesis]) -> Self:
        return replace(self, ranked=tuple(sorted(hypotheses, key=lambda hypothesis: -hypothesis.value)))


def hypothesis_list(hypotheses: Iterable[Hypothesis]) -> str:
    """Formats hypotheses for a prompt: number, value, text, and the predicted skill, if any."""
    lines: list[str] = []
    for number, hypothesis in enumerate(hypotheses, 1):
        line = f"  {number}. ({hypothesis.value:+.2f}) {hypothesis.text}"
        if hypothesis.prediction:
            line += f" -> expects {hypothesis.prediction}"
        lines.append(line)
    return listed(lines)


def listed(lines: Iterable[str]) -> str:
    """Returns lines as one text, which says so if there are none."""
    return "\n".join(lines) or "  none yet"


def _preprint_line(number: int, hypothesis: Hypothesis) -> str:
    return (
        f"- h{number}: value={hypothesis.value:.2f}, strategy={hypothesis.text}, "
        f"predicted_next_behavior={hypothesis.prediction}"
    )


class PreprintStore(HypothesisStore):
    """An agent's hypotheses as in the preprint, in the order of their creation. Immutable.

    A decision follows the strategy that was generated for it, or the best one if it needed no other.
    """

    LAST_TO_SEE: ClassVar[CallKind] = "evaluate"

    def followed(self, step: int) -> Hypothesis:
        """Returns the strategy that a decision in this step follows; one without words if there is none."""
        return max(
            self.ranked,
            key=lambda hypothesis: (hypothesis.created == step, hypothesis.value, hypothesis.created),
            default=Hypothesis("none", prediction="none"),
        )

    def is_due(self, kind: QueryKind, *, seen: bool, news: bool, asks_always: bool) -> bool:  # noqa: ARG002 - it does
        """As in `HypothesisStore`; only an evaluation waits for news, without which there is nothing to evaluate."""
        if kind == "generate":
            return not self.sure
        return bool(self.ranked) and (news or kind == "predict")

    def prompt_values(self, step: int) -> dict[str, str]:
        """Returns what prompts say of the hypotheses in a step, by placeholder; "" where there are none."""
        followed = self.followed(step)
        lines = [_preprint_line(number, hypothesis) for number, hypothesis in enumerate(self.ranked, 1)]
        places = range(len(lines))
        best = sorted(places, key=lambda place: -self.ranked[place].value)[:TOP]
        return {
            "strategy": followed.text,
            "prediction": followed.prediction,
            "predictions": listed(lines),
            "hypotheses": "\n".join([lines[place] for place in best]),
        }

    def after(self, kind: CallKind, answer: str, step: int) -> Self | None:
        """Returns the hypotheses after an answer to a question about them; None if it cannot be used."""
        text = read_hypothesis(answer) or read_free_words(answer)
        if kind == "evaluate":
            truths = read_truths(answer, len(self.ranked)) or ()
            evaluated = tuple(
                replace(hypothesis, value=updated(hypothesis.value, came_true=truth))
                for hypothesis, truth in zip(self.ranked, truths, strict=False)
            )
            return replace(self, ranked=evaluated) if evaluated else None
        if kind == "generate" and text:
            return replace(self, ranked=(*self.ranked, Hypothesis(text, prediction="none", created=step)))
        if kind == "predict" and text:
            followed = self.followed(step)
            predicted = tuple(
                replace(hypothesis, prediction=text) if hypothesis is followed else hypothesis
                for hypothesis in self.ranked
            )
            return replace(self, ranked=predicted)
        return None if kind in ("generate", "predict") else self
