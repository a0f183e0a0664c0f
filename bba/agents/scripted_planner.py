"""The scripted planner at play: it goes by the state itself, and writes its prompts and answers when they are read.

The rules are those of `bba.planner.scripted`, which reads the same facts from a prompt. With prompts of one's own it is
asked in these prompts, like a language model (`bba.agents.skill_planner`).
"""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cached_property, partial
from typing import Self, cast

import numpy as np

from bba.agents.base import WAITING, Belief, Decision, EpisodeContext, Observation
from bba.agents.skill_planner import PartnerBelief, Shown, SkillPlanner, judge_values, planner_input
from bba.agents.stretch_policy import (
    ASKS_ALWAYS,
    EXPECTED,
    PLANNED,
    PLANS,
    REPLANNED,
    SHOWN_ROLE,
    TURN,
    TURNS,
    WHAT,
    Chooser,
    CompiledPolicy,
    KernelChoice,
    Wait,
    new_numbers,
    no_policy,
)
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.kernels import maybe_compiled
from bba.kitchen.constants import SKILL_STAY, StateVector
from bba.kitchen.layout import grid_of
from bba.planner import LLMCall, PlannerInput, PromptKind, Prompts, parse_response
from bba.planner.chat import PLAN, Texts
from bba.planner.scripted.scene_facts import CONFIDENT, new_facts, remember_turn, stations_at, stations_of
from bba.planner.scripted.scripted_chat import AnswerShape, answer_text, shape_of, verdict
from bba.planner.scripted.skill_choice import Told, judge_skill, plan_skill


class Conversation:
    """The questions and answers of one player in one episode.

    Args:
        prompts: the templates.
        kind: which system prompt.
        player: who asks.
        sent: how many earlier turns are sent along with a question, 0 or more.

    Attributes:
        turns: in order; a call if it is from a recording or of another planner.
    """

    def __init__(self, prompts: Prompts, kind: PromptKind, player: int, sent: int) -> None:
        self.prompts, self.kind, self.player, self.sent = prompts, kind, player, sent
        self.turns = list[Turn | LLMCall]()
        self._shape: AnswerShape | None = None

    def copy(self) -> Self:
        """Returns an independent conversation with the same turns."""
        other = copy(self)
        other.turns = self.turns.copy()
        return other

    def shape(self, turn: "Turn") -> AnswerShape:
        """Returns the shape of answers: that for which the system prompt of any turn asks."""
        self._shape = self._shape or shape_of(turn.system)
        return self._shape


class Turn:
    """A question and its answer, written when somebody reads them.

    Args:
        conversation: of which it is.
        observation: returns that of the player that asks.
        belief: returns what the question says of the partner.
        skill: what is chosen.
        expected: the skill that the partner probably runs.
        role: the partner's role as the question shows it; NO_ROLE if it shows none.
    """

    def __init__(
        self,
        conversation: Conversation,
        observation: Callable[[], Observation],
        belief: Callable[[], PartnerBelief | None],
        skill: int,
        expected: int,
        role: int,
    ) -> None:
        self._conversation, self._observation, self._belief = conversation, observation, belief
        self._skill, self._expected, self._role = skill, expected, role

    @property
    def told(self) -> PlannerInput:
        """What the question says."""
        return planner_input(self._observation(), self._belief())

    @property
    def system(self) -> str:
        """The system prompt."""
        return self._conversation.prompts.system(self._conversation.kind, self.told)

    @cached_property
    def question(self) -> str:
        """The user message."""
        return self._conversation.prompts.user(self.told, self._conversation.kind)

    @cached_property
    def response(self) -> str:
        """The answer."""
        role = None if self._role == NO_ROLE else ROLE_NAMES[self._role]
        own = self._conversation
        return answer_text(own.shape(self), own.player, self._skill, self._expected, role)

    def call(self, number: int) -> LLMCall:
        """Returns the question as a call, with which earlier turns are sent along; it is the turn of this number."""
        answer, skill, own = self.response, self._skill, self._conversation
        earlier = own.turns[max(0, number - own.sent) : number]
        read = parse_response(answer, (skill,), own.player)
        return LLMCall(
            PLAN,
            cast("tuple[str, ...]", PlanTexts(self, tuple(earlier))),
            answer,
            turns=len(earlier),
            skill=skill,
            belief_text=read.belief_text,
            intention=read.intention,
        )


class PlanTexts(Texts):
    """The texts of a plan.

    Args:
        turn: the question, and its answer.
        earlier: the turns that are sent along.
    """

    def __init__(self, turn: Turn, earlier: tuple[Turn | LLMCall, ...]) -> None:
        super().__init__(self._texts)
        self.turn, self._earlier = turn, earlier

    def _texts(self) -> Iterator[str]:
        yield self.turn.system
        for turn in self._earlier:
            yield turn.question
            yield turn.response
        yield self.turn.question


_NO_BELIEF, _NO_ROLES = np.zeros(0), np.zeros(0, np.int32)


class ScriptedChooser(Chooser):
    """Chooses in a kernel as the scripted planner of an agent does.

    Args:
        policy: how the kernel chooses.
        conversation: to which questions and answers are added.
        shown: of the agent's belief; None if the prompt shows none.
    """

    def __init__(self, policy: CompiledPolicy, conversation: Conversation, shown: Shown | None) -> None:
        super().__init__(policy)
        self._conversation, self._shown = conversation, shown

    def take_over(self, choices: Iterable[KernelChoice], states: StateVector) -> None:  # noqa: ARG002 - what it saw
        """Adds the plans to the conversation, if it lacks turns of a kernel."""
        own = self._conversation
        if self.policy.numbers[TURNS] <= len(own.turns):
            return
        for skill, fields, observation, belief in choices:
            if fields[WHAT] & PLANNED:
                told = partial(self._told, belief)
                own.turns.append(Turn(own, observation, told, skill, fields[EXPECTED], fields[SHOWN_ROLE]))

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision: a plan, or to go on waiting."""
        what, number = choice.fields[WHAT], choice.fields[TURN]
        if not what & PLANNED:
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        turn = self._conversation.turns[number]
        assert isinstance(turn, Turn)
        return Decision(choice.skill, chosen=True, replanned=bool(what & REPLANNED), calls=(turn.call(number),))

    def _told(self, read: Callable[[], Belief | None]) -> PartnerBelief | None:
        """Returns what the planner is told of the partner."""
        belief = read() if self._shown else None
        return PartnerBelief(self._shown[0], belief.belief, self._shown[1]) if self._shown and belief else None


class ScriptedPlanner(SkillPlanner):
    """Chooses skills by the rules of the scripted planner.

    Args:
        prompts: the prompts that are shown; the rules do not depend on them.
        kind: which system prompt.
        history_turns: how many earlier turns are sent along, 0 or more.
    """

    name = "scripted"

    def __init__(self, prompts: Prompts, kind: PromptKind, history_turns: int) -> None:
        self._prompts, self._kind, self._turns = prompts, kind, history_turns

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with an empty history."""
        layout, fast = context.layout, context.fast
        self._grid, self._width, self._player = grid_of(layout), layout.width, context.player
        self._facts = new_facts(stations_at(stations_of(layout).items()), len(self._grid.kind))
        self._seen = np.zeros((self._turns, 4), np.int32)
        self._numbers = new_numbers(PLANS, self._player, self._width)
        self._conversation = Conversation(self._prompts, self._kind, self._player, self._turns)
        self._choose = maybe_compiled(plan_skill, fast=fast)
        self._judge = maybe_compiled(judge_skill, fast=fast)

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        other = copy(self)
        other._seen, other._numbers = self._seen.copy(), self._numbers.copy()
        other._conversation = self._conversation.copy()
        other._facts = new_facts(self._facts.stations, len(self._grid.kind))
        return other

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> ScriptedChooser:
        """Returns what chooses in a kernel as this planner does."""
        hypotheses, confident_from = shown or (None, 1.0)
        roles = _NO_ROLES if hypotheses is None else np.array(hypotheses.roles, np.int32)
        self._numbers[ASKS_ALWAYS] = asks_always
        policy = no_policy()._replace(
            numbers=self._numbers,
            facts=self._facts,
            roles=roles,
            confident_from=confident_from,
            turns=self._seen,
            wait=wait,
        )
        return ScriptedChooser(policy, self._conversation, shown)

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill."""
        state, facts = observation.state, self._facts
        chosen = self._choose(self._grid, self._width, state, self._player, self._told(belief), facts)
        skill, expected = map(int, chosen)  # a plain kernel returns numbers of NumPy
        role = int(facts.posterior.argmax()) if facts.numbers[CONFIDENT] else NO_ROLE
        own = self._conversation
        turn = Turn(own, lambda: observation, lambda: belief, skill, expected, role)
        return Decision(skill, chosen=True, calls=(turn.call(len(own.turns)),))

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether the teammate's probable skill supersedes the running one."""
        running = observation.running
        state, told = observation.state, self._told(belief)
        replans = bool(self._judge(self._grid, self._width, state, self._player, running, told, self._facts))

        def texts() -> Iterator[str]:
            told, prompts = planner_input(observation, belief), self._prompts
            yield prompts.system("side_query", told)
            yield prompts.query("judge", told, **judge_values(observation))

        call = LLMCall("judge", cast("tuple[str, ...]", Texts(texts)), verdict(replans))
        return Decision(running, replanned=replans, calls=(call,))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Adds the plan to the history."""
        call = decision.plan
        if call is not None and call.response:
            self._conversation.turns.append(call.texts.turn if isinstance(call.texts, PlanTexts) else call)
            remember_turn(self._width, observation.state, self._player, self._seen, int(self._numbers[TURNS]))
            self._numbers[TURNS] += 1

    def _told(self, belief: PartnerBelief | None) -> Told:
        """Returns what the prompt says besides the scene."""
        turns = int(self._numbers[TURNS])
        if belief is None:
            return Told(_NO_BELIEF, _NO_ROLES, 1.0, self._seen, turns)
        roles = np.array(belief.hypotheses.roles, np.int32)
        return Told(np.array(belief.update.posterior), roles, belief.gamma_conf, self._seen, turns)
