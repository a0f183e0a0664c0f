"""The scripted planner at play: it goes by the state itself, and writes its prompts and answers when they are read.

The rules are those of `bba.planner.scripted`, which reads the same facts from a prompt. With prompts of one's own it is
asked in these prompts, like a language model (`bba.agents.skill_planner`).
"""

from collections.abc import Callable, Iterator, Reversible, Sequence
from functools import cached_property, partial
from typing import Any, Self, cast

import numpy as np

from bba.agents.base import WAITING, Belief, Decision, EpisodeContext, Observation
from bba.agents.kernel_policy import Chooser, KernelChoice
from bba.agents.skill_planner import PartnerBelief, Shown, SkillPlanner, judge_values, planner_input
from bba.agents.skill_policy import (
    ASKS_ALWAYS,
    EXPECTED,
    PLANNED,
    PLANS,
    REPLANNED,
    SHOWN_ROLE,
    TURN,
    TURNS,
    WHAT,
    SkillPolicy,
    new_numbers,
    no_policy,
)
from bba.agents.waiting import Wait
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.kernels import maybe_compiled
from bba.kitchen import SKILL_STAY, StateVector, grid_of
from bba.planner import PLAN, LLMCall, PlannerInput, PromptKind, Prompts, Texts, parse_response
from bba.planner.scripted.answers import AnswerShape, answer_text, shape_of, verdict
from bba.planner.scripted.scene_facts import CONFIDENT, facts_of, new_facts, remember_turn
from bba.planner.scripted.skill_choice import NO_BELIEF, NO_ROLES, PromptContents, another_pays, judge_skill, plan_skill


class PlannerExchange:
    """A question and its answer, written when somebody reads them.

    Args:
        planner: is asked.
        observation: returns that of the player that asks.
        belief: returns what the question says of the partner.
        skill: what is chosen.
        expected: the skill that the partner probably runs.
        role: the partner's role as the question shows it; NO_ROLE if it shows none.
    """

    def __init__(
        self,
        planner: "ScriptedPlanner",
        observation: Callable[[], Observation],
        belief: Callable[[], PartnerBelief | None],
        skill: int,
        expected: int,
        role: int,
    ) -> None:
        self._planner = planner
        self._observation = observation
        self._belief = belief
        self.skill = skill
        self._expected = expected
        self._role = role

    @property
    def situation(self) -> PlannerInput:
        """What the question shows."""
        return planner_input(self._observation(), self._belief())

    @property
    def player(self) -> int:
        """The player that asks."""
        return self._observation().player

    @property
    def system(self) -> str:
        """The system prompt."""
        return self._planner.system(self.situation)

    @cached_property
    def question(self) -> str:
        """The user message."""
        return self._planner.prompts.user(self.situation, self._planner.kind)

    @cached_property
    def response(self) -> str:
        """The answer."""
        role = None if self._role == NO_ROLE else ROLE_NAMES[self._role]
        shape = self._planner.shape_of_answers(self)
        return answer_text(shape, self.player, self.skill, self._expected, role)


class Turn(Texts):
    """What is sent for a question, with the last turns before it: these alone, or each turn would keep all before it.

    Args:
        exchange: the question and its answer.
        earlier: the turns before it that are sent along.
    """

    def __init__(self, exchange: PlannerExchange, earlier: Sequence[PlannerExchange | LLMCall]) -> None:
        super().__init__(self._texts_sent)
        self.exchange = exchange
        self._earlier = earlier

    def _texts_sent(self) -> tuple[str, ...]:
        texts = [self.exchange.system]
        for turn in self._earlier:
            texts += [turn.question, turn.response]
        texts.append(self.exchange.question)
        return tuple(texts)

    def call(self) -> LLMCall:
        """Returns the question as a call."""
        response = self.exchange.response
        read = parse_response(response, (self.exchange.skill,), self.exchange.player)
        return LLMCall(
            PLAN,
            cast("tuple[str, ...]", self),
            response,
            turns=len(self._earlier),
            skill=self.exchange.skill,
            belief_text=read.belief_text,
            intention=read.intention,
        )


class ScriptedChooser(Chooser):
    """Chooses in a kernel as the scripted planner of an agent does.

    Args:
        policy: how the kernel chooses.
        planner: to whose history the plans are added.
        shown: of the agent's belief; None if the prompt shows none.
    """

    def __init__(self, policy: SkillPolicy, planner: "ScriptedPlanner", shown: Shown | None) -> None:
        super().__init__(policy)
        self._planner = planner
        self._shown = shown

    def record(self, choices: Reversible[KernelChoice], states: StateVector) -> None:  # noqa: ARG002 - the states do not matter
        """Adds the plans of a kernel to the history, if it lacks them."""
        planner = self._planner
        if self.policy.numbers[TURNS] <= len(planner.turns):
            return
        planner.keep_turns()
        for skill, fields, observation, belief in choices:
            if fields[WHAT] & PLANNED:
                read_belief = partial(self._partner_belief, belief)
                exchange = PlannerExchange(
                    planner, observation, read_belief, skill, fields[EXPECTED], fields[SHOWN_ROLE]
                )
                planner.turns.append(Turn(exchange, planner.last_turns))

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision: a plan, or to go on waiting."""
        bits = choice.fields[WHAT]
        if not bits & PLANNED:
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        turn = self._planner.turns[choice.fields[TURN]]
        assert isinstance(turn, Turn)
        return Decision(choice.skill, chosen=True, replanned=bool(bits & REPLANNED), calls=(turn.call(),))

    def _partner_belief(self, read: Callable[[], Belief | None]) -> PartnerBelief | None:
        """Returns the belief about the partner as the prompt shows it."""
        if self._shown is None:
            return None
        belief = read()
        if belief is None:
            return None
        hypotheses, gamma_conf = self._shown
        return PartnerBelief(hypotheses, belief.belief, gamma_conf)


class ScriptedPlanner(SkillPlanner):
    """Chooses skills by the rules of the scripted planner.

    Args:
        prompts: the prompts that are shown; the rules do not depend on them.
        kind: which system prompt.
        history_turns: how many earlier turns are sent along with a question, 0 or more.

    Attributes:
        turns: in order; a call if it is from a recording or of another planner. Where no kernel reads them, None for
            those that are sent along no more.
    """

    name = "scripted"

    def __init__(self, prompts: Prompts, kind: PromptKind, history_turns: int) -> None:
        self.prompts = prompts
        self.kind = kind
        self._sent = history_turns
        self._shape: AnswerShape | None = None
        self._system = ""
        self.turns = list[Turn | LLMCall | None]()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with an empty history."""
        layout = context.layout
        fast = context.fast
        self._grid = grid_of(layout)
        self._width = layout.width
        self._player = context.player
        self._facts = facts_of(layout)
        self._seen = np.zeros((self._sent, 4), np.int32)
        self._numbers = new_numbers(PLANS, self._player, self._width)
        self.turns = []
        self._forgets = not fast
        self._choose = maybe_compiled(plan_skill, fast=fast)
        self._judge = maybe_compiled(judge_skill, fast=fast)
        self._pays = maybe_compiled(another_pays, fast=fast)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: the turns as calls, since `Texts` are pickled as mere texts."""
        turns = [turn.call() if isinstance(turn, Turn) else turn for turn in self.turns]
        return {**vars(self), "turns": turns}

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        clone = type(self)(self.prompts, self.kind, self._sent)
        vars(clone).update(vars(self))
        clone._seen = self._seen.copy()
        clone._numbers = self._numbers.copy()
        clone.turns = self.turns.copy()
        clone._facts = new_facts(self._facts.stations, len(self._grid.kind))
        return clone

    def keep_turns(self) -> None:
        """Keeps all turns from now on: the trajectory of a kernel reads its own when its decisions are looked at."""
        self._forgets = False

    @property
    def last_turns(self) -> tuple[PlannerExchange | LLMCall, ...]:
        """Those that are sent along with the next question."""
        last = self.turns[max(0, len(self.turns) - self._sent) :]
        return tuple([turn.exchange if isinstance(turn, Turn) else turn for turn in last if turn is not None])

    def system(self, situation: PlannerInput) -> str:
        """Returns the system prompt of a question, which is one object as long as it stays the same."""
        before = self._system
        system = self.prompts.system(self.kind, situation)
        if system == before:
            return before
        self._system = system
        return system

    def shape_of_answers(self, exchange: PlannerExchange) -> AnswerShape:
        """Returns the shape of answers: that for which the system prompt of any question asks."""
        self._shape = self._shape or shape_of(exchange.system)
        return self._shape

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> ScriptedChooser:
        """Returns what chooses in a kernel as this planner does."""
        hypotheses, confident_from = shown or (None, 1.0)
        roles = NO_ROLES if hypotheses is None else np.array(hypotheses.roles, np.int32)
        self._numbers[ASKS_ALWAYS] = asks_always
        policy = no_policy()._replace(
            numbers=self._numbers,
            facts=self._facts,
            roles=roles,
            confident_from=confident_from,
            turns=self._seen,
            wait=wait,
        )
        return ScriptedChooser(policy, self, shown)

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill."""
        state = observation.state
        facts = self._facts
        chosen = self._choose(self._grid, self._width, state, self._player, self._prompt_contents(belief), facts)
        skill, expected = map(int, chosen)  # a plain kernel returns numbers of NumPy
        role = int(facts.posterior.argmax()) if facts.numbers[CONFIDENT] else NO_ROLE
        exchange = PlannerExchange(self, lambda: observation, lambda: belief, skill, expected, role)
        return Decision(skill, chosen=True, calls=(Turn(exchange, self.last_turns).call(),))

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether the teammate's probable skill supersedes the running one."""
        running = observation.running
        state = observation.state
        shown = self._prompt_contents(belief)
        replans = bool(self._judge(self._grid, self._width, state, self._player, running, shown, self._facts))

        def texts() -> Iterator[str]:
            situation = planner_input(observation, belief)
            prompts = self.prompts
            yield prompts.system_aside(self.kind, situation)
            yield prompts.query("judge", situation, **judge_values(observation))

        call = LLMCall("judge", cast("tuple[str, ...]", Texts(texts)), verdict(replans))
        return Decision(running, replanned=replans, calls=(call,))

    def compare(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether it rates another skill higher than the running one by more than a replan costs."""
        running = observation.running
        shown = self._prompt_contents(belief)
        pays = self._pays(self._grid, self._width, observation.state, self._player, running, shown, self._facts)
        return Decision(running, replanned=bool(pays))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Adds the plan to the history."""
        call = decision.plan
        if call is not None and call.response:
            self.turns.append(call.texts if isinstance(call.texts, Turn) else call)
            if self._forgets and len(self.turns) > self._sent:
                self.turns[-1 - self._sent] = None
            remember_turn(self._width, observation.state, self._player, self._seen, int(self._numbers[TURNS]))
            self._numbers[TURNS] += 1

    def _prompt_contents(self, belief: PartnerBelief | None) -> PromptContents:
        """Returns what the prompt says besides the scene."""
        turns = int(self._numbers[TURNS])
        if belief is None:
            return PromptContents(NO_BELIEF, NO_ROLES, 1.0, self._seen, turns)
        roles = np.array(belief.hypotheses.roles, np.int32)
        return PromptContents(np.array(belief.update.posterior), roles, belief.gamma_conf, self._seen, turns)
