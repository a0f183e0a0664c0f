"""The questions to one player's planner in a game, in order, with running totals of the calls of a language model.

Where another planner decided, `unsent_prompt` makes the prompt that a language model would have been sent.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from bba.agents import AGENT_VARIANTS, Decision, PartnerBelief, planner_input
from bba.analysis.advice import observation_before
from bba.analysis.snapshot import hypotheses_of
from bba.planner import Comparison, LLMCall, Message, Prompts, Usage, total_usage
from bba.play.trace import Trace

Call = TypeVar("Call")


class LoggedCall(NamedTuple, Generic[Call]):
    """A call of a language model, or a comparison of the rollout planner, and the step in which it counted, from 1."""

    step: int
    call: Call


PlannerQuestion = LoggedCall[LLMCall | Comparison]


class CallTotals(NamedTuple):
    """Sums over calls.

    Attributes:
        calls: their number.
        retries: responses that were sent back.
        lost: calls without a usable response.
        usage: the cost; None if none of it is known.
    """

    calls: int = 0
    retries: int = 0
    lost: int = 0
    usage: Usage | None = None


class LoggedCalls(Sequence[LoggedCall[Call]]):
    """The calls of one player in a game: the steps are kept, the rest is read from the trace."""

    def __init__(self, read: Callable[[int], Sequence[Call]]) -> None:
        self._read = read  # returns the calls of a step
        self.steps = array("i")

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> LoggedCall[Call]: ...
    @overload
    def __getitem__(self, index: slice) -> list[LoggedCall[Call]]: ...
    def __getitem__(self, index: int | slice) -> LoggedCall[Call] | list[LoggedCall[Call]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        step = self.steps[index]
        place = index % len(self) - bisect_left(self.steps, step)
        return LoggedCall(step, self._read(step)[place])

    def until(self, step: int) -> int:
        """Returns how many there were in the first `step` steps."""
        return bisect_right(self.steps, step)


class CallLog:
    """The calls and other questions of one player of a trace; `extend` reads the new ticks, each once.

    Attributes:
        calls: the calls of the player's language model.
        questions: the calls and, of the rollout planner, the comparisons.
    """

    def __init__(self, trace: Trace, player: int) -> None:
        self.trace = trace
        self.player = player
        self.calls: LoggedCalls[LLMCall] = LoggedCalls(lambda step: self._decision(step).calls)
        self.questions: LoggedCalls[LLMCall | Comparison] = LoggedCalls(lambda step: _questions(self._decision(step)))
        # up to each call
        self._retries = array("i", [0])
        self._lost = array("i", [0])
        self._usages: list[Usage | None] = [None]
        self._read = 0

    def extend(self) -> None:
        """Reads the ticks that are new."""
        while self._read < len(self.trace.ticks):
            self._read += 1
            decision = self._decision(self._read)
            for call in decision.calls:
                self._count(call)
            self.questions.steps.extend([self._read] * len(_questions(decision)))

    def totals(self, step: int) -> CallTotals:
        """Returns the sums over the first `step` steps."""
        calls = self.calls.until(step)
        return CallTotals(calls, self._retries[calls], self._lost[calls], self._usages[calls])

    def last_plan(self, step: int) -> LLMCall | None:
        """Returns the last plan in the first `step` steps that was not dropped; None if there is none."""
        for number in range(self.calls.until(step) - 1, -1, -1):
            call = self.calls[number].call
            if call.kind == "plan" and not call.late:
                return call
        return None

    def _decision(self, step: int) -> Decision:
        return self.trace.ticks[step - 1].decisions[self.player]

    def _count(self, call: LLMCall) -> None:
        """Counts a call of the step that is read."""
        self.calls.steps.append(self._read)
        self._retries.append(self._retries[-1] + call.attempts - 1)
        lost = self._lost[-1]
        self._lost.append(lost if call.problem is None else lost + 1)
        self._usages.append(total_usage((self._usages[-1], call.usage)))


def _questions(decision: Decision) -> Sequence[LLMCall | Comparison]:
    """Returns what a planner was asked for a decision: a language model, then the rollout planner."""
    if decision.comparison is None:
        return decision.calls
    return (*decision.calls, decision.comparison)


def unsent_prompt(trace: Trace, step: int, player: int, prompts: Prompts) -> tuple[Message, Message]:
    """Returns the system prompt and the question that a model in a player's place would have been asked in a step.

    Earlier turns of the chat are not part of it: no model has answered them.

    Args:
        trace: the game.
        step: the step of the decision, from 1.
        player: the seat of an agent with a planner.
        prompts: the templates.
    """
    variant = AGENT_VARIANTS[trace.config_at(step).seats[player].agent]
    observation = observation_before(trace, step, player)
    belief_in_prompt = _belief(trace, step, player) if variant.belief_in_prompt else None
    return prompts.messages(variant.kind, planner_input(observation, belief_in_prompt))


def _belief(trace: Trace, step: int, player: int) -> PartnerBelief | None:
    belief = trace.ticks[step - 1].decisions[player].belief
    config = trace.config_at(step).seats[player].belief_config
    if belief is None or config is None:
        return None
    return PartnerBelief(hypotheses_of(belief), belief, config.gate.gamma_conf)
