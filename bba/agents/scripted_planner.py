"""The scripted planner at play: it goes by the state itself, and writes its prompts and answers when they are read.

The rules are those of `bba.planner.scripted`, which reads the same facts from a prompt. With prompts of one's own it is
asked in these prompts, like a language model (`bba.agents.prompt_planner`).
"""

from collections import deque
from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import Self, cast

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation
from bba.agents.perception import stations_of
from bba.agents.prompt_planner import judge_values, planner_input
from bba.agents.skill_planner import PartnerBelief
from bba.belief import ROLE_NAMES
from bba.kernels import maybe_compiled
from bba.kitchen.grid import grid_of
from bba.planner import LLMCall, PlannerInput, PromptKind, Prompts, parse_response
from bba.planner.chat import PLAN
from bba.planner.scripted.backend import AnswerShape, answer_text, shape_of
from bba.planner.scripted.scene_facts import CONFIDENT, new_facts, stations_at
from bba.planner.scripted.side_queries import verdict
from bba.planner.scripted.state_facts import remember_turn
from bba.planner.scripted.state_policy import Told, judge_skill, plan_skill
from bba.planner.texts import Texts

_NO_BELIEF, _NO_ROLES = np.zeros(0), np.zeros(0, np.int32)


class Turn:
    """A question and its answer.

    Args:
        prompts: the templates.
        kind: which system prompt.
        observation: of the player that asks.
        belief: what the question says of the partner.
        answer: the response.
    """

    def __init__(
        self, prompts: Prompts, kind: PromptKind, observation: Observation, belief: PartnerBelief | None, answer: str
    ) -> None:
        self._prompts, self._kind, self.answer = prompts, kind, answer
        self._observation, self._belief = observation, belief

    @property
    def told(self) -> PlannerInput:
        """What the question says."""
        return planner_input(self._observation, self._belief)

    @property
    def system(self) -> str:
        """The system prompt."""
        return self._prompts.system(self._kind, self.told)

    @cached_property
    def question(self) -> str:
        """The user message."""
        return self._prompts.user(self.told, self._kind)


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


class ScriptedPlanner:
    """Chooses skills by the rules of the scripted planner.

    Args:
        prompts: the prompts that are shown; the rules do not depend on them.
        kind: which system prompt.
        history_turns: how many earlier turns are sent along, 0 or more.
    """

    name = "scripted"
    rollout = None
    ready = True

    def __init__(self, prompts: Prompts, kind: PromptKind, history_turns: int) -> None:
        self._prompts, self._kind, self._turns = prompts, kind, history_turns

    def prepare(self) -> None:
        """Does nothing: the game compiles what it computes with."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with an empty history."""
        layout, fast = context.layout, context.fast
        self._grid, self._width, self._player = grid_of(layout), layout.width, context.player
        self._facts = new_facts(stations_at(stations_of(layout).items()), len(self._grid.kind))
        self._seen, self._count = np.zeros((self._turns, 4), np.int32), 0
        self._history: deque[Turn | RecordedTurn] = deque(maxlen=self._turns)
        self._choose = maybe_compiled(plan_skill, fast=fast, allocates=False)
        self._judge = maybe_compiled(judge_skill, fast=fast, allocates=False)
        self._shape: AnswerShape | None = None

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        other = copy(self)
        other._seen, other._history = self._seen.copy(), self._history.copy()
        other._facts = new_facts(self._facts.stations, len(self._grid.kind))
        return other

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill."""
        state, facts = observation.state, self._facts
        chosen = self._choose(self._grid, self._width, state, self._player, self._told(belief), facts)
        skill, expected = map(int, chosen)  # a plain kernel returns numbers of NumPy
        role = ROLE_NAMES[facts.posterior.argmax()] if facts.numbers[CONFIDENT] else None
        turn = Turn(self._prompts, self._kind, observation, belief, "")
        self._shape = self._shape or shape_of(turn.system)
        turn.answer = answer_text(self._shape, self._player, skill, expected, role)
        read = parse_response(turn.answer, (skill,), self._player)
        call = LLMCall(
            PLAN,
            cast("tuple[str, ...]", PlanTexts(turn, tuple(self._history))),
            turn.answer,
            turns=len(self._history),
            skill=skill,
            belief_text=read.belief_text,
            intention=read.intention,
        )
        return Decision(skill, chosen=True, calls=(call,))

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether the teammate's probable skill supersedes the running one."""
        running = observation.running
        state, told = observation.state, self._told(belief)
        replans = bool(self._judge(self._grid, self._width, state, self._player, running, told, self._facts))

        def texts() -> Iterator[str]:
            told = planner_input(observation, belief)
            yield self._prompts.system("side_query", told)
            yield self._prompts.query("judge", told, **judge_values(observation))

        call = LLMCall("judge", cast("tuple[str, ...]", Texts(texts)), verdict(replans))
        return Decision(running, replanned=replans, calls=(call,))

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Adds the plan to the history."""
        call = decision.plan
        if call is not None and call.response:
            self._history.append(call.texts.turn if isinstance(call.texts, PlanTexts) else RecordedTurn(call))
            remember_turn(self._width, observation.state, self._player, self._seen, self._count)
            self._count += 1

    def _told(self, belief: PartnerBelief | None) -> Told:
        """Returns what the prompt says besides the scene."""
        if belief is None:
            return Told(_NO_BELIEF, _NO_ROLES, 1.0, self._seen, self._count)
        roles = np.array(belief.hypotheses.roles, np.int32)
        return Told(np.array(belief.update.posterior), roles, belief.gamma_conf, self._seen, self._count)
