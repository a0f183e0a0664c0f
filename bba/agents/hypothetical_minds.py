"""Hypothetical Minds: a planner that keeps hypotheses about its partner's strategy and tests their predictions.

When it has to choose a skill it asks a model up to four questions: whether the last predictions came true (evaluate),
for another hypothesis unless one is good enough (generate), what each hypothesis predicts next (predict), and for the
skill, with the hypotheses in the prompt (plan). After Cross et al., 2024, as the preprint uses it.

It asks nothing twice: without a new event since the last predictions there is nothing to evaluate, no reason for
another hypothesis, and the predictions stand. With `ask` "always" it generates and predicts before every decision. In
the layout "strict" of prompts it does as the preprint (`bba.agents.hypothesis_store`).
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, Self

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
    PLAYER,
    WHAT,
    SkillPolicy,
    new_numbers,
    no_policy,
)
from bba.agents.waiting import Wait
from bba.belief import ROLE_NAMES
from bba.config import PLANNER_DEFAULTS, USUAL_ASK, AnswerForm, Ask, ConversationName
from bba.kitchen.constants import POSITION, SKILL_STAY, STEP, StateVector
from bba.planner import (
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
from bba.planner.scripted.hypotheses import MOST_EVENTS, new_minds

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

    def __init__(self, policy: SkillPolicy, planner: "HypothesisPlanner") -> None:
        super().__init__(policy)
        self._planner = planner

    def record(self, choices: Iterable[KernelChoice], states: StateVector) -> None:
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
        self._asks_always = asks_always
        self._by_state = by_state
        self.unread = list[tuple[Iterable[KernelChoice], StateVector]]()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with no hypotheses and no events."""
        self._planner = self._planner.copy()
        super().reset(context)
        self._layout = context.layout
        self._noted_at = -1
        strict = self._planner.prompts.layout == "strict"
        self._hypotheses = PreprintStore() if strict else HypothesisStore()
        self._events: deque[str] = deque(maxlen=MOST_EVENTS)
        self._new_events: deque[str] = deque(maxlen=MOST_EVENTS)  # those that no evaluation has counted
        self._numbers = new_numbers(BY_AGENT if self._by_state is None else PLANS, context.player, context.layout.width)
        self.unread = list[tuple[Iterable[KernelChoice], StateVector]]()
        self.decided = dict[int, Decision]()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: what was not read yet is taken out of its generators."""
        self.unread = [(tuple(choices), states) for choices, states in self.unread]
        return vars(self)

    def copy(self) -> Self:
        """Returns an independent planner in the same state, which is asked."""
        self.read()
        clone = super().copy()
        clone._events = self._events.copy()
        clone._new_events = self._new_events.copy()
        clone.unread = []
        clone._numbers = self._numbers.copy()
        clone._numbers[KIND] = BY_AGENT
        return clone

    def observe(self, observation: Observation) -> None:
        """Remembers what the partner did at a station in the last step."""
        self.read()
        self._note(observation.state)

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> HypothesisChooser:  # noqa: ARG002 - it shows no belief
        """Returns what chooses in a kernel as this planner does, from the first step on."""
        self._numbers[ASKS_ALWAYS] = asks_always
        minds = new_minds(len(ROLE_NAMES))
        facts = facts_of(self._layout)
        turns = np.zeros((self._by_state or 0, 4), np.int32)
        policy = no_policy()._replace(numbers=self._numbers, facts=facts, turns=turns, wait=wait, minds=minds)
        return HypothesisChooser(policy, self)

    def read(self) -> None:
        """Asks what a kernel has not asked, in the same order."""
        unread = self.unread
        self.unread = []
        for choices, states in unread:
            observations = [choice.observation() for choice in choices if choice.fields[WHAT] & PLANNED]
            for state in states:
                self._note(state)
                if observations and observations[0].state[STEP] == state[STEP]:
                    observation = observations.pop(0)
                    decision = self.plan(observation, None)
                    self.decided[observation.step] = decision
                    self._take(observation, decision)

    def _note(self, state: StateVector) -> None:
        """Remembers what the partner did, once a step."""
        partner = 1 - int(self._numbers[PLAYER])
        width = self._layout.width
        step = int(state[STEP])
        event = describe_event(state, partner)
        tile = int(state[POSITION + partner])
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
        situation = planner_input(observation, belief)
        hypotheses = self._hypotheses
        calls = list[LLMCall]()
        news = bool(self._new_events)
        for kind in QUERIES:
            if hypotheses.is_due(kind, seen=bool(self._events), news=news, asks_always=self._asks_always):
                calls.append(self._query(kind, situation, hypotheses))
                hypotheses = hypotheses.updated_by(calls[-1], situation.scene.step)
        of_hypotheses = hypotheses.prompt_values(situation.scene.step)
        events = listed(self._events)
        template = self._planner.prompts.templates["hypotheses"]
        prefix = template.fill(other_id=1 - situation.player, events=events, **of_hypotheses)
        plan = self._planner.decide(situation, prefix)
        return Decision(plan.skill, chosen=True, calls=(*calls, plan))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Updates the hypotheses with the responses, and adds the plan to the history, without any kernel."""
        self._numbers[KIND] = BY_AGENT
        self._take(observation, decision)

    def _take(self, observation: Observation, decision: Decision) -> None:
        for call in decision.calls:
            self._hypotheses = self._hypotheses.updated_by(call, int(observation.state[STEP]))
            if call.kind == self._hypotheses.LAST_TO_SEE:
                self._new_events.clear()
        super().commit(observation, decision)

    def _query(self, kind: QueryKind, situation: PlannerInput, hypotheses: HypothesisStore) -> LLMCall:
        step = situation.scene.step

        def problem_with(answer: str) -> str | None:
            return UNUSABLE[kind] if hypotheses.after(kind, answer, step) is None else None

        return self._planner.ask(
            kind,
            situation,
            problem_with,
            events=listed(self._events),
            seen=listed(self._new_events),
            **hypotheses.prompt_values(step),
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
    ask: Ask = USUAL_ASK,
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
    turns_sent = history_turns if by_state and prompts.layout != "strict" else None
    return HypothesisPlanner(planner, backend.name, asks_always=ask == "always", by_state=turns_sent)
