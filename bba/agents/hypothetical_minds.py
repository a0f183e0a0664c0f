"""Hypothetical Minds: a planner that keeps hypotheses about its partner's strategy and tests their predictions.

When it has to choose a skill it asks a model up to four questions: whether the last predictions came true (evaluate),
for another hypothesis unless one is good enough (generate), what each hypothesis predicts next (predict), and for the
skill, with the hypotheses in the prompt (plan). After Cross et al., 2024, as the preprint uses it.

It asks nothing twice: without a new event since the last predictions there is nothing to evaluate, no reason for
another hypothesis, and the predictions stand. With `ask` "always" it generates and predicts before every decision, as
in the preprint.

A hypothesis is valued by how well it predicts: v ← v + 0.3 (±1 − v), the Rescorla-Wagner rule, +1 for a prediction that
came true, −1 for one that did not. A new hypothesis has the value 0.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from bba.agents.base import WAITING, Decision, EpisodeContext, Observation
from bba.agents.skill_planner import PartnerBelief, PromptPlanner, Shown, describe_event, planner_input
from bba.agents.stretch_policy import (
    ASKED,
    ASKS_ALWAYS,
    KIND,
    PLANNED,
    PLANS,
    PLAYER,
    WHAT,
    Chooser,
    CompiledPolicy,
    KernelChoice,
    Wait,
    new_numbers,
    no_policy,
)
from bba.belief import ROLE_NAMES
from bba.config import PLANNER_DEFAULTS, AnswerForm, Ask, ConversationName
from bba.kitchen.constants import NO_SKILL, POSITION, SKILL_STAY, STEP, StateVector
from bba.planner import (
    NUMBERED_SKILLS,
    ChatBackend,
    LLMCall,
    Planner,
    PlannerInput,
    PromptKind,
    Prompts,
    QueryKind,
    at,
    facts_of,
)
from bba.planner.scripted.hypotheses import LEARNING_RATE, MOST_EVENTS, SURE, TOP, new_minds
from bba.planner.short_answers import read_hypothesis, read_skills, read_truths


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


QUERIES: tuple[QueryKind, ...] = ("evaluate", "generate", "predict")  # in the order in which they are asked
UNUSABLE: Mapping[QueryKind, str] = {  # what is wrong with an answer that cannot be used
    "evaluate": "it does not say TRUE or FALSE of every hypothesis by its number",
    "generate": "it holds no hypothesis, or several",
    "predict": "it does not name one skill for every hypothesis by its number",
}


class HypothesisChooser(Chooser):
    """Chooses in a kernel as the scripted planner does; questions and answers are written when somebody reads them.

    Args:
        policy: how the kernel chooses.
        planner: is asked what the kernel was not.
    """

    def __init__(self, policy: CompiledPolicy, planner: "HypothesisPlanner") -> None:
        super().__init__(policy)
        self._planner = planner

    def take_over(self, choices: Iterable[KernelChoice], states: StateVector) -> None:
        """Lets the planner know what it has not read yet."""
        self._planner.unread.append((choices, states))

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision: a plan, or to go on waiting."""
        if choice.fields[WHAT] & PLANNED:
            self._planner.read()
            return self._planner.decided[choice.observation().step]
        return Decision(SKILL_STAY, chosen=True, note=WAITING)


class HypothesisPlanner(PromptPlanner):
    """A planner with hypotheses.

    Args:
        planner: the chat with a model.
        name: the model's name.
        asks_always: whether questions about the partner do not wait for new events.
        by_state: how many earlier turns are sent along to the scripted planner, for which a kernel can choose until it
            is asked; None for another model, or in prompts of one's own.

    Attributes:
        unread: the choices that a kernel has made, and the states that it saw, (n, S), in order.
        decided: what it has decided as far as that was read, by step, with what would have been asked and answered.
    """

    def __init__(self, planner: Planner, name: str, *, asks_always: bool, by_state: int | None = None) -> None:
        super().__init__(planner, name)
        self._asks_always, self._by_state = asks_always, by_state

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with no hypotheses and no events."""
        self._planner = self._planner.copy()
        super().reset(context)
        self._layout, self._hypotheses, self._noted_at = context.layout, HypothesisStore(), -1
        self._events: deque[str] = deque(maxlen=MOST_EVENTS)
        self._new_events: deque[str] = deque(maxlen=MOST_EVENTS)  # those after the last predictions
        self._numbers = new_numbers(ASKED if self._by_state is None else PLANS, context.player, context.layout.width)
        self.unread = list[tuple[Iterable[KernelChoice], StateVector]]()
        self.decided = dict[int, Decision]()

    def copy(self) -> Self:
        """Returns an independent planner in the same state, which is asked."""
        self.read()
        other = super().copy()
        other._events, other._new_events = self._events.copy(), self._new_events.copy()
        other.unread, other._numbers = [], self._numbers.copy()
        other._numbers[KIND] = ASKED
        return other

    def observe(self, observation: Observation) -> None:
        """Remembers what the partner did at a station in the last step."""
        self.read()
        self._note(observation.state)

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> HypothesisChooser:  # noqa: ARG002 - it shows no belief
        """Returns what chooses in a kernel as this planner does, from the first step on."""
        self._numbers[ASKS_ALWAYS], minds = asks_always, new_minds(len(ROLE_NAMES))
        facts, turns = facts_of(self._layout), np.zeros((self._by_state or 0, 4), np.int32)
        policy = no_policy()._replace(numbers=self._numbers, facts=facts, turns=turns, wait=wait, minds=minds)
        return HypothesisChooser(policy, self)

    def read(self) -> None:
        """Asks what a kernel has not asked, in the same order."""
        unread, self.unread = self.unread, []
        for choices, states in unread:
            asked = [choice.observation() for choice in choices if choice.fields[WHAT] & PLANNED]
            for state in states:
                self._note(state)
                if asked and asked[0].state[STEP] == state[STEP]:
                    now = asked.pop(0)
                    self.decided[now.step] = self.plan(now, None)
                    self._take(now, self.decided[now.step])

    def _note(self, state: StateVector) -> None:
        """Remembers what the partner did, once a step."""
        partner, width, step = 1 - int(self._numbers[PLAYER]), self._layout.width, int(state[STEP])
        event, tile = describe_event(state, partner), int(state[POSITION + partner])
        if event and step > self._noted_at:
            line = f"  step {step}: {event}, at {at((tile % width, tile // width))}"
            self._events.append(line)
            self._new_events.append(line)
            self._noted_at = step

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Asks about the partner, then for a skill.

        Raises:
            BBAError: the model will not answer.
        """
        told = planner_input(observation, belief)
        hypotheses, calls = self._hypotheses, list[LLMCall]()
        for kind in QUERIES:
            if self._is_due(kind, hypotheses):
                calls.append(self._query(kind, told, hypotheses))
                hypotheses = update_hypotheses(hypotheses, calls[-1])
        known, events = hypothesis_list(hypotheses.top), _lines(self._events)
        template = self._planner.prompts.templates["hypotheses"]
        prefix = template.fill(other_id=1 - told.player, hypotheses=known, events=events)
        plan = self._planner.decide(told, prefix)
        return Decision(plan.skill, chosen=True, calls=(*calls, plan))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Updates the hypotheses with the responses, and adds the plan to the history, without any kernel."""
        self._numbers[KIND] = ASKED
        self._take(observation, decision)

    def _take(self, observation: Observation, decision: Decision) -> None:
        for call in decision.calls:
            self._hypotheses = update_hypotheses(self._hypotheses, call)
            if call.kind == "predict":
                self._new_events.clear()
        super().commit(observation, decision)

    def _is_due(self, kind: QueryKind, hypotheses: HypothesisStore) -> bool:
        """Whether a query has to be asked before this decision."""
        if kind == "evaluate":
            return bool(hypotheses.predicting and self._new_events)
        news = self._asks_always or bool(self._new_events)
        if kind == "generate":
            return bool(self._events) and news and not hypotheses.sure
        return bool(hypotheses.top) and (news or not hypotheses.predicting)

    def _query(self, kind: QueryKind, told: PlannerInput, hypotheses: HypothesisStore) -> LLMCall:
        return self._planner.ask(
            kind,
            told,
            lambda answer: UNUSABLE[kind] if read(kind, answer, hypotheses) is None else None,
            predictions=hypothesis_list(hypotheses.predicting),
            hypotheses=hypothesis_list(hypotheses.top),
            events=_lines(self._events),
            seen=_lines(self._new_events),
        )


def prompt_planner(
    kind: PromptKind,
    backend: ChatBackend,
    prompts: Prompts,
    conversation: ConversationName = "roll",
    answer: AnswerForm = "text",
    *,
    history_turns: int = PLANNER_DEFAULTS.history_turns,
    retries: int = PLANNER_DEFAULTS.retries,
    ask: Ask = PLANNER_DEFAULTS.ask,
    by_state: bool = False,
) -> PromptPlanner:
    """Returns a planner that asks a backend in prompts, with hypotheses if its system prompt is of that kind."""
    planner = Planner(
        backend,
        prompts,
        kind=kind,
        history_turns=history_turns,
        retries=retries,
        conversation=conversation,
        answer=answer,
    )
    if kind != "hypothetical":
        return PromptPlanner(planner, backend.name)
    turns_sent = history_turns if by_state else None
    return HypothesisPlanner(planner, backend.name, asks_always=ask == "always", by_state=turns_sent)


def read(kind: str, answer: str, hypotheses: HypothesisStore) -> HypothesisStore | None:
    """Returns the hypotheses after an answer to a question about them; None if it cannot be used."""
    match kind:
        case "evaluate":
            truths = read_truths(answer, len(hypotheses.predicting))
            return None if truths is None else hypotheses.evaluated(truths)
        case "generate":
            text = read_hypothesis(answer)
            return None if text is None else hypotheses.proposed(text)
        case "predict":
            skills = read_skills(answer, len(hypotheses.top))
            return None if skills is None else hypotheses.predicted(skills)
    return hypotheses  # a plan; or a judge, of another agent, whose game this one continues


def update_hypotheses(hypotheses: HypothesisStore, call: LLMCall) -> HypothesisStore:
    """Returns the hypotheses after a call.

    If its response cannot be used, nothing is evaluated or added, and nothing is predicted.
    """
    found = read(call.kind, call.response, hypotheses)
    if found is not None:
        return found
    return hypotheses.predicted(()) if call.kind == "predict" else hypotheses


def hypothesis_list(hypotheses: Iterable[Hypothesis]) -> str:
    """Formats hypotheses for a prompt: number, value, text, and the predicted skill, if any."""
    return _lines(
        f"  {number}. ({hypothesis.value:+.2f}) {hypothesis.text}"
        + ("" if hypothesis.prediction == NO_SKILL else f" -> expects {NUMBERED_SKILLS[hypothesis.prediction]}")
        for number, hypothesis in enumerate(hypotheses, 1)
    )


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) or "  none yet"
