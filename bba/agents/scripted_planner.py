"""The scripted planner at play: it goes by the state itself, and writes its prompts and answers when they are read.

The rules are those of `bba.planner.scripted`, which reads the same facts from a prompt. With prompts of one's own it is
asked in these prompts, like a language model (`bba.agents.skill_planner`).
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Self, cast

import numpy as np

from bba.agents.base import WAITING, Belief, Decision, EpisodeContext, Observation
from bba.agents.perception import stations_of
from bba.agents.skill_planner import PartnerBelief, SkillPlanner, judge_values, planner_input
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
    CompiledPolicy,
    KernelChoice,
    new_numbers,
)
from bba.agents.waiting import Wait
from bba.belief import NO_ROLE, ROLE_NAMES, HypothesisSpace
from bba.kernels import maybe_compiled
from bba.kitchen.constants import SKILL_STAY
from bba.kitchen.grid import grid_of
from bba.planner import LLMCall, PlannerInput, PromptKind, Prompts, parse_response
from bba.planner.chat import PLAN, Texts
from bba.planner.scripted.scene_facts import CONFIDENT, new_facts, remember_turn, stations_at
from bba.planner.scripted.scripted_chat import AnswerShape, answer_text, shape_of, verdict
from bba.planner.scripted.skill_choice import Told, judge_skill, plan_skill


class Style:
    """How questions and answers of one player are written.

    Args:
        prompts: the templates.
        kind: which system prompt.
        player: who asks.
    """

    def __init__(self, prompts: Prompts, kind: PromptKind, player: int) -> None:
        self.prompts, self.kind, self.player = prompts, kind, player
        self._shape: AnswerShape | None = None

    def shape(self, turn: "Turn") -> AnswerShape:
        """Returns the shape of answers: that for which the system prompt of any turn asks."""
        self._shape = self._shape or shape_of(turn.system)
        return self._shape


class Turn:
    """A question and its answer, written when somebody reads them.

    Args:
        style: how they are written.
        observation: returns that of the player that asks.
        belief: returns what the question says of the partner.
        skill: what is chosen.
        expected: the skill that the partner probably runs.
        role: the partner's role as the question shows it; NO_ROLE if it shows none.
    """

    def __init__(
        self,
        style: Style,
        observation: Callable[[], Observation],
        belief: Callable[[], PartnerBelief | None],
        skill: int,
        expected: int,
        role: int,
    ) -> None:
        self._style, self._observation, self._belief = style, observation, belief
        self._skill, self._expected, self._role = skill, expected, role

    @property
    def told(self) -> PlannerInput:
        """What the question says."""
        return planner_input(self._observation(), self._belief())

    @property
    def system(self) -> str:
        """The system prompt."""
        return self._style.prompts.system(self._style.kind, self.told)

    @cached_property
    def question(self) -> str:
        """The user message."""
        return self._style.prompts.user(self.told, self._style.kind)

    @cached_property
    def answer(self) -> str:
        """The response."""
        role = None if self._role == NO_ROLE else ROLE_NAMES[self._role]
        return answer_text(self._style.shape(self), self._style.player, self._skill, self._expected, role)

    def call(self, earlier: Sequence["Turn | RecordedTurn"]) -> LLMCall:
        """Returns the question as a call, with which earlier turns are sent along."""
        answer, skill = self.answer, self._skill
        read = parse_response(answer, (skill,), self._style.player)
        return LLMCall(
            PLAN,
            cast("tuple[str, ...]", PlanTexts(self, tuple(earlier))),
            answer,
            turns=len(earlier),
            skill=skill,
            belief_text=read.belief_text,
            intention=read.intention,
        )


class RecordedTurn:
    """A question and its answer from a recording or of another planner.

    Args:
        call: the question.
    """

    def __init__(self, call: LLMCall) -> None:
        self.question, self.answer = call.question, call.response


class PlanTexts(Texts):
    """The texts of a plan.

    Args:
        turn: the question, and its answer.
        earlier: the turns that are sent along.
    """

    def __init__(self, turn: Turn, earlier: tuple[Turn | RecordedTurn, ...]) -> None:
        super().__init__(self._texts)
        self.turn, self._earlier = turn, earlier

    def _texts(self) -> Iterator[str]:
        yield self.turn.system
        for turn in self._earlier:
            yield turn.question
            yield turn.answer
        yield self.turn.question


class TurnHistory:
    """Every turn of one episode.

    Args:
        sent: how many earlier turns are sent along with a question, 0 or more.
    """

    def __init__(self, sent: int) -> None:
        self._sent = sent
        self.turns = list[Turn | RecordedTurn]()

    def copy(self) -> Self:
        """Returns an independent history with the same turns."""
        other = copy(self)
        other.turns = self.turns.copy()
        return other

    def earlier(self, turn: int) -> Sequence[Turn | RecordedTurn]:
        """Returns the turns that are sent along with the one of this number, 0 for the first."""
        return self.turns[max(0, turn - self._sent) : turn]


_NO_BELIEF, _NO_ROLES = np.zeros(0), np.zeros(0, np.int32)


class ScriptedChooser:
    """Chooses in a kernel as the scripted planner of an agent does.

    Args:
        policy: how the kernel chooses.
        style: how questions and answers are written.
        history: to which they are added.
        tell: returns what the planner is told of the partner, by the agent's belief.
    """

    def __init__(
        self,
        policy: CompiledPolicy,
        style: Style,
        history: TurnHistory,
        tell: Callable[[Belief | None], PartnerBelief | None],
    ) -> None:
        self.policy = policy
        self._style, self._history, self._tell = style, history, tell

    @property
    def is_behind(self) -> bool:
        """Whether the history lacks turns of a kernel."""
        return bool(self.policy.numbers[TURNS] > len(self._history.turns))

    def take_over(self, choices: Sequence[KernelChoice]) -> None:
        """Adds the plans to the history."""
        style, tell = self._style, self._tell
        for skill, fields, observation, belief in choices:
            if fields[WHAT] & PLANNED:

                def told(belief: Callable[[], Belief | None] = belief) -> PartnerBelief | None:
                    return tell(belief())

                self._history.turns.append(Turn(style, observation, told, skill, fields[EXPECTED], fields[SHOWN_ROLE]))

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision: a plan, or to go on waiting."""
        what, number = choice.fields[WHAT], choice.fields[TURN]
        if not what & PLANNED:
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        turn = self._history.turns[number]
        assert isinstance(turn, Turn)
        call = turn.call(self._history.earlier(number))
        return Decision(choice.skill, chosen=True, replanned=bool(what & REPLANNED), calls=(call,))


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
        self._style, self._history = Style(self._prompts, self._kind, self._player), TurnHistory(self._turns)
        self._choose = maybe_compiled(plan_skill, fast=fast, allocates=False)
        self._judge = maybe_compiled(judge_skill, fast=fast, allocates=False)

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        other = copy(self)
        other._seen, other._numbers, other._history = self._seen.copy(), self._numbers.copy(), self._history.copy()
        other._facts = new_facts(self._facts.stations, len(self._grid.kind))
        return other

    def chooser(
        self,
        shown: tuple[HypothesisSpace, float] | None,
        tell: Callable[[Belief | None], PartnerBelief | None],
        wait: Wait,
        *,
        asks_always: bool,
    ) -> ScriptedChooser:
        """Returns what chooses in a kernel as this planner does, for the rest of the episode.

        Args:
            shown: Ψ and Γ of the belief that the prompt shows; None if it shows none.
            tell: returns what the planner is told of the partner, by the agent's belief.
            wait: what the cook was asked about, if it waits.
            asks_always: whether a waiting cook is asked in every step.
        """
        hypotheses, confident_from = shown or (None, 1.0)
        roles = _NO_ROLES if hypotheses is None else np.array(hypotheses.roles, np.int32)
        self._numbers[ASKS_ALWAYS] = asks_always
        policy = CompiledPolicy(self._numbers, self._facts, roles, confident_from, self._seen, wait)
        return ScriptedChooser(policy, self._style, self._history, tell)

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill."""
        state, facts = observation.state, self._facts
        chosen = self._choose(self._grid, self._width, state, self._player, self._told(belief), facts)
        skill, expected = map(int, chosen)  # a plain kernel returns numbers of NumPy
        role = int(facts.posterior.argmax()) if facts.numbers[CONFIDENT] else NO_ROLE
        turn = Turn(self._style, lambda: observation, lambda: belief, skill, expected, role)
        call = turn.call(self._history.earlier(len(self._history.turns)))
        return Decision(skill, chosen=True, calls=(call,))

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
            self._history.turns.append(call.texts.turn if isinstance(call.texts, PlanTexts) else RecordedTurn(call))
            remember_turn(self._width, observation.state, self._player, self._seen, int(self._numbers[TURNS]))
            self._numbers[TURNS] += 1

    def _told(self, belief: PartnerBelief | None) -> Told:
        """Returns what the prompt says besides the scene."""
        turns = int(self._numbers[TURNS])
        if belief is None:
            return Told(_NO_BELIEF, _NO_ROLES, 1.0, self._seen, turns)
        roles = np.array(belief.hypotheses.roles, np.int32)
        return Told(np.array(belief.update.posterior), roles, belief.gamma_conf, self._seen, turns)
