"""What one player's planner was asked in a game, in order, with running totals of the calls of a language model.

Where another planner decided, the prompt that a language model would have been sent is made.
"""

from bisect import bisect_right
from typing import Generic, NamedTuple, TypeVar

from bba.agents import AGENT_VARIANTS, PartnerBelief, planner_input
from bba.analysis.snapshot import hypotheses_of, observation_before
from bba.planner import Comparison, LLMCall, Message, Prompts, Usage
from bba.play.trace import Trace

Asked = TypeVar("Asked", LLMCall, Comparison)


class Logged(NamedTuple, Generic[Asked]):
    """A call of a language model, or a comparison of the rollout planner, and the step in which it counted, from 1."""

    step: int
    asked: Asked


Question = Logged[LLMCall] | Logged[Comparison]


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

    def plus(self, call: LLMCall) -> "CallTotals":
        """Returns the sums with one more call."""
        spent = call.usage
        usage = self.usage
        return CallTotals(
            self.calls + 1,
            self.retries + call.attempts - 1,
            self.lost + (call.problem is not None),
            usage if spent is None else spent if usage is None else usage.plus(spent),
        )


class CallLog:
    """The calls and other questions of one player of a trace; `extend` reads the new ticks, each once.

    Attributes:
        calls: of its language model.
        questions: the calls and, of the rollout planner, the comparisons.
    """

    def __init__(self, trace: Trace, player: int) -> None:
        self.trace = trace
        self.player = player
        self.calls: list[Logged[LLMCall]] = []
        self.questions: list[Question] = []
        self._totals = [CallTotals()]
        self._read = 0

    def extend(self) -> None:
        """Reads the ticks that are new."""
        while self._read < len(self.trace.ticks):
            self._read += 1
            decision = self.trace.ticks[self._read - 1].decisions[self.player]
            for call in decision.calls:
                self.calls.append(Logged(self._read, call))
                self.questions.append(self.calls[-1])
                self._totals.append(self._totals[-1].plus(call))
            if decision.comparison is not None:
                self.questions.append(Logged(self._read, decision.comparison))

    def until(self, step: int) -> int:
        """Returns the number of calls in the first `step` steps."""
        return bisect_right(self.calls, step, key=lambda logged: logged.step)

    def totals(self, step: int) -> CallTotals:
        """Returns the sums over the first `step` steps."""
        return self._totals[self.until(step)]

    def last_plan(self, step: int) -> LLMCall | None:
        """Returns the last plan in the first `step` steps that was not dropped; None if there is none."""
        calls = (self.calls[number].asked for number in range(self.until(step) - 1, -1, -1))
        return next((call for call in calls if call.kind == "plan" and not call.late), None)


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
    told = _belief(trace, step, player) if variant.belief_in_prompt else None
    asked = planner_input(observation, told)
    return prompts.messages(variant.kind, asked)


def _belief(trace: Trace, step: int, player: int) -> PartnerBelief | None:
    belief = trace.ticks[step - 1].decisions[player].belief
    config = trace.config_at(step).seats[player].belief_config
    if belief is None or config is None:
        return None
    return PartnerBelief(hypotheses_of(belief), belief, config.gate.gamma_conf)
