"""Hypothetical Minds: a planner that keeps hypotheses about its partner's strategy and tests their predictions.

When it has to choose a skill it asks up to four questions: whether the last predictions came true (evaluate), for
another hypothesis unless one is good enough (generate), what each hypothesis predicts next (predict), and for the
skill, with the hypotheses in the prompt (plan). After Cross et al., 2024, as the preprint uses it.

It asks nothing twice: without a new event since the last predictions there is nothing to evaluate, no reason for
another hypothesis, and the predictions stand. With `ask` "always" it generates and predicts before every decision. In
the layout "strict" of prompts it does as the preprint (`bba.agents.hypothesis_store`).

A language model answers in prompts. The scripted planner answers by the state (`ScriptedHypotheses`), and a kernel does
the same until an agent is asked (`bba.planner.scripted.hypotheses`).
"""

from collections import deque
from collections.abc import Iterable, Mapping, Reversible, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from bba.agents.base import WAITING, Decision, EpisodeContext, Observation
from bba.agents.hypothesis_store import HypothesisStore, PreprintStore, listed
from bba.agents.kernel_policy import Chooser, KernelChoice
from bba.agents.skill_planner import PartnerBelief, PromptPlanner, Shown, describe_event, planner_input
from bba.agents.skill_policy import (
    ASKS_ALWAYS,
    BY_AGENT,
    KIND,
    PLANNED,
    PLANS,
    WHAT,
    SkillPolicy,
    new_numbers,
    no_policy,
)
from bba.agents.waiting import Wait
from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.config import PLANNER_DEFAULTS, USUAL_ASK, AnswerForm, Ask, ConversationName
from bba.kernels import maybe_compiled
from bba.kitchen import EVENT, POSITION, SKILL_STAY, STEP, StateVector, grid_of
from bba.planner import (
    PLAN,
    CallKind,
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
from bba.planner.scripted.answers import (
    answer_text,
    evaluation,
    prediction,
    proposal,
    role_named,
    role_of_hypothesis,
)
from bba.planner.scripted.hypotheses import MOST_EVENTS, TOP, new_minds
from bba.planner.scripted.scene_facts import new_facts, read_state, remember_turn
from bba.planner.scripted.skill_choice import NO_BELIEF, NO_ROLES, PromptContents, mates_skill, plan_skill

QUERIES: tuple[QueryKind, ...] = ("evaluate", "generate", "predict")  # in the order in which they are asked
UNUSABLE: Mapping[QueryKind, str] = {  # what is wrong with an answer that cannot be used
    "evaluate": "it does not say TRUE or FALSE of every hypothesis by its number",
    "generate": "it holds no hypothesis, or several",
    "predict": "it does not name one skill for every hypothesis by its number",
}


class SeenWork(NamedTuple):
    """What the partner was seen to do at a station.

    Attributes:
        text: that as a line of a prompt.
        skill: the skill that it worked on.
    """

    text: str
    skill: int


class HypothesisChooser(Chooser):
    """Keeps what a kernel saw and chose for a planner with hypotheses, until somebody reads it.

    Args:
        policy: how the kernel chooses.
        planner: the planner for which it plays.
    """

    def __init__(self, policy: SkillPolicy, planner: "HypothesisPlanner") -> None:
        super().__init__(policy)
        self._planner = planner

    def record(self, choices: Reversible[KernelChoice], states: StateVector) -> None:
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

    Attributes:
        unread: the choices that a kernel has made, and the states that it saw, (n, S), in order.
        decided: what it has decided in place of a kernel, by step.
    """

    def __init__(self, planner: Planner, name: str, *, asks_always: bool) -> None:
        super().__init__(planner, name)
        self._asks_always = asks_always
        self.unread = list[tuple[Iterable[KernelChoice], StateVector]]()
        self.decided = dict[int, Decision]()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with no hypotheses and no events."""
        self._planner = self._planner.copy()
        super().reset(context)
        self._layout = context.layout
        self._player = context.player
        self._noted_at = -1
        strict = self._planner.prompts.layout == "strict"
        self._hypotheses = PreprintStore() if strict else HypothesisStore()
        self._events: deque[SeenWork] = deque(maxlen=MOST_EVENTS)
        self._new_events: deque[SeenWork] = deque(maxlen=MOST_EVENTS)  # those that no evaluation has counted
        self.unread = list[tuple[Iterable[KernelChoice], StateVector]]()
        self.decided = dict[int, Decision]()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: what was not read yet is taken out of its generators."""
        self.unread = [(tuple(choices), states) for choices, states in self.unread]
        return vars(self)

    def copy(self) -> Self:
        """Returns an independent planner in the same state."""
        self.read()
        clone = super().copy()
        clone._events = self._events.copy()
        clone._new_events = self._new_events.copy()
        clone.unread = []
        return clone

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> HypothesisChooser:  # noqa: ARG002 - the model chooses
        """Returns what lets it know the states that a kernel has seen; it is asked for every choice."""
        return HypothesisChooser(no_policy(), self)

    def observe(self, observation: Observation) -> None:
        """Remembers what the partner did at a station in the last step."""
        self.read()
        self._note(observation.state)

    def read(self) -> None:
        """Takes in what a kernel has seen and chosen since the last time."""
        unread = self.unread
        self.unread = []
        for choices, states in unread:
            self._read(choices, states)

    def _read(self, choices: Iterable[KernelChoice], states: StateVector) -> None:  # noqa: ARG002 - the model chooses
        """Takes in what a kernel has seen and chosen in a run."""
        for state in states:
            self._note(state)

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Asks about the partner, then for a skill.

        Raises:
            BBAError: the model will not answer.
        """
        situation = planner_input(observation, belief)
        hypotheses = self._hypotheses
        calls = list[LLMCall]()
        news = bool(self._new_events)
        for kind in QUERIES:
            if hypotheses.is_due(kind, seen=bool(self._events), news=news, asks_always=self._asks_always):
                answer = self._answer(kind, observation, hypotheses)
                calls.append(self._query(kind, situation, hypotheses, answer))
                hypotheses = hypotheses.updated_by(calls[-1], situation.scene.step)
        of_hypotheses = hypotheses.prompt_values(situation.scene.step)
        events = _lines(self._events)
        question = self._planner.prompts.with_hypotheses(situation, events=events, **of_hypotheses)
        plan = self._planner.decide(situation, question, self._answer(PLAN, observation, hypotheses))
        return Decision(plan.skill, chosen=True, calls=(*calls, plan))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Updates the hypotheses with the responses, and adds the plan to the history."""
        for call in decision.calls:
            self._hypotheses = self._hypotheses.updated_by(call, int(observation.state[STEP]))
            if call.kind == self._hypotheses.LAST_TO_SEE:
                self._new_events.clear()
        super().commit(observation, decision)

    def _answer(self, kind: CallKind, observation: Observation, hypotheses: HypothesisStore) -> str | None:  # noqa: ARG002 - the model knows
        """Returns the answer to a question, if it is known by rules; None to ask the model."""
        return None

    def _note(self, state: StateVector) -> None:
        """Remembers what the partner did, once a step."""
        partner = 1 - self._player
        width = self._layout.width
        step = int(state[STEP])
        event = describe_event(state, partner)
        tile = int(state[POSITION + partner])
        if event and step > self._noted_at:
            text = f"  step {step}: {event}, at {at((tile % width, tile // width))}"
            seen = SeenWork(text, int(state[EVENT + partner]))
            self._events.append(seen)
            self._new_events.append(seen)
            self._noted_at = step

    def _query(
        self, kind: QueryKind, situation: PlannerInput, hypotheses: HypothesisStore, answer: str | None
    ) -> LLMCall:
        """Returns a question about the partner with its answer, which is the model's for None."""
        step = situation.scene.step
        values = {
            "events": _lines(self._events),
            "seen": _lines(self._new_events),
            **hypotheses.prompt_values(step),
        }
        if answer is not None:
            return self._planner.answered(kind, situation, answer, **values)

        def problem_with(response: str) -> str | None:
            return UNUSABLE[kind] if hypotheses.after(kind, response, step) is None else None

        return self._planner.ask(kind, situation, problem_with, **values)


class ScriptedHypotheses(HypothesisPlanner):
    """A planner with hypotheses that answers by rules over the state; its prompts are written, but nobody reads them.

    Args:
        planner: writes the prompts.
        name: of the scripted planner.
        asks_always: whether questions about the partner do not wait for new events.
        turns_sent: how many earlier turns are sent along, 0 or more.
    """

    def __init__(self, planner: Planner, name: str, *, asks_always: bool, turns_sent: int) -> None:
        super().__init__(planner, name, asks_always=asks_always)
        self._turns_sent = turns_sent

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with no hypotheses and no events."""
        super().reset(context)
        self._grid = grid_of(context.layout)
        self._facts = facts_of(context.layout)
        self._fast = context.fast
        self._turns = np.zeros((self._turns_sent, 4), np.int32)
        self._turns_so_far = 0
        self._numbers = new_numbers(PLANS, context.player, context.layout.width)

    def copy(self) -> Self:
        """Returns an independent planner in the same state, which is asked."""
        clone = super().copy()
        clone._facts = new_facts(self._facts.stations, len(self._grid.kind))
        clone._turns = self._turns.copy()
        clone._numbers = self._numbers.copy()
        clone._numbers[KIND] = BY_AGENT
        return clone

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> HypothesisChooser:  # noqa: ARG002 - it shows no belief
        """Returns what chooses in a kernel as this planner does, from the first step on."""
        self._numbers[ASKS_ALWAYS] = asks_always
        minds = new_minds(len(ROLE_NAMES))
        facts = facts_of(self._layout)
        turns = np.zeros((self._turns_sent, 4), np.int32)
        policy = no_policy()._replace(numbers=self._numbers, facts=facts, turns=turns, wait=wait, minds=minds)
        return HypothesisChooser(policy, self)

    def _read(self, choices: Iterable[KernelChoice], states: StateVector) -> None:
        """Decides what a kernel has decided, in the same order, with what would have been asked and answered."""
        observations = [choice.observation() for choice in choices if choice.fields[WHAT] & PLANNED]
        for state in states:
            self._note(state)
            if observations and observations[0].state[STEP] == state[STEP]:
                observation = observations.pop(0)
                decision = self.plan(observation, None)
                self.decided[observation.step] = decision
                self._take(observation, decision)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Takes over a decision of this step; from now on no kernel chooses."""
        self._numbers[KIND] = BY_AGENT
        self._take(observation, decision)

    def _take(self, observation: Observation, decision: Decision) -> None:
        super().commit(observation, decision)
        call = decision.plan
        if call is not None and call.response:
            remember_turn(self._layout.width, observation.state, self._player, self._turns, self._turns_so_far)
            self._turns_so_far += 1

    def _answer(self, kind: CallKind, observation: Observation, hypotheses: HypothesisStore) -> str:
        """Returns the answer to a question by rules."""
        if kind == "evaluate":
            predictions = [skill_number(hypothesis.prediction) for hypothesis in hypotheses.predicting]
            return evaluation(_numbered(predictions), _roles_of(self._new_events))
        best = hypotheses.ranked[:TOP]
        if kind == "generate":
            return proposal(_roles_of(self._events), [hypothesis.text for hypothesis in best])
        if kind == "predict":
            roles = [role_of_hypothesis(hypothesis.text) for hypothesis in best]
            return prediction(_numbered(self._next_skills(observation, roles)))
        return self._plan_answer(observation, hypotheses)

    def _next_skills(self, observation: Observation, roles: Sequence[int]) -> list[int]:
        """Returns what the partner does next in each of some roles."""
        facts = self._facts
        maybe_compiled(read_state, fast=self._fast)(
            self._grid, self._layout.width, observation.state, self._player, facts
        )
        next_skill = maybe_compiled(mates_skill, fast=self._fast)
        return [int(next_skill(facts, role)) for role in roles]

    def _plan_answer(self, observation: Observation, hypotheses: HypothesisStore) -> str:
        """Returns the answer with the skill that is chosen; the best hypothesis counts unless its value is negative."""
        role = NO_ROLE
        contents = PromptContents(NO_BELIEF, NO_ROLES, 1.0, self._turns, self._turns_so_far)
        if hypotheses.ranked and hypotheses.ranked[0].value >= 0.0:
            role = role_named(hypotheses.ranked[0].text)
        if role != NO_ROLE:
            belief = np.array([hypotheses.ranked[0].value])
            contents = PromptContents(belief, np.array([role], np.int32), 0.0, self._turns, self._turns_so_far)
        choose = maybe_compiled(plan_skill, fast=self._fast)
        state = observation.state
        skill, expected = choose(self._grid, self._layout.width, state, self._player, contents, self._facts)
        role_name = None if role == NO_ROLE else ROLE_NAMES[role]
        return answer_text("strategy", self._player, int(skill), int(expected), role_name)


def skill_number(prediction: str) -> int:
    """Returns the skill that a hypothesis of a store expects."""
    number, _, _ = prediction.partition(":")
    return int(number)


def _numbered(skills: Iterable[int]) -> list[tuple[str, int]]:
    return [(str(number), skill) for number, skill in enumerate(skills, 1)]


def _roles_of(events: Iterable[SeenWork]) -> list[int]:
    roles = [ROLE_OF_SKILL[seen.skill] for seen in events]
    return [role for role in roles if role != NO_ROLE]


def _lines(events: Iterable[SeenWork]) -> str:
    return listed([seen.text for seen in events])


def prompt_planner(
    kind: PromptKind,
    backend: ChatBackend,
    prompts: Prompts,
    conversation: ConversationName = "roll",
    answer: AnswerForm = "text",
    *,
    history_turns: int = PLANNER_DEFAULTS.history_turns,
    retries: int = PLANNER_DEFAULTS.retries,
    ask: Ask = USUAL_ASK,
    by_state: bool = False,
) -> PromptPlanner:
    """Returns a planner that asks a backend in prompts, with hypotheses if its system prompt is of that kind.

    `by_state` is whether the backend is the scripted planner, which then goes by the state where it can.
    """
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
    asks_always = ask == "always"
    if by_state and prompts.layout != "strict":
        return ScriptedHypotheses(planner, backend.name, asks_always=asks_always, turns_sent=history_turns)
    return HypothesisPlanner(planner, backend.name, asks_always=asks_always)
