"""The questions and answers of the scripted planner, written when somebody reads them."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Self, cast

from bba.agents.base import Observation
from bba.agents.prompt_planner import planner_input
from bba.agents.skill_planner import PartnerBelief
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.planner import LLMCall, PlannerInput, PromptKind, Prompts, parse_response
from bba.planner.chat import PLAN, Texts
from bba.planner.scripted.scripted_chat import AnswerShape, answer_text, shape_of


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
