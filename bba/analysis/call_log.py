"""What was asked of a player's model in a game, in order, with running totals, each step read once."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from bba.agents import Decision
from bba.planner import Aside, Exchange, Usage
from bba.play import Trace

PLAN = "plan"


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One question to the model and what came of it.

    Attributes:
        step: in which it was asked, from 1.
        kind: what was asked: `PLAN` for a skill, or the kind of an aside.
        exchange: the whole of it.
    """

    step: int
    kind: str
    exchange: Exchange | Aside


class CallTotals(NamedTuple):
    """Sums over calls; `reasked` counts answers that were sent back, `lost` calls of which no answer could be used."""

    calls: int = 0
    reasked: int = 0
    lost: int = 0
    usage: Usage | None = None

    def plus(self, call: LoggedCall) -> "CallTotals":
        """With one call more."""
        spent, usage = call.exchange.usage, self.usage
        return CallTotals(
            self.calls + 1,
            self.reasked + call.exchange.attempts - 1,
            self.lost + (call.exchange.problem is not None),
            usage if spent is None else spent if usage is None else usage.plus(spent),
        )


class CallLog:
    """The calls of one player of a trace; `extend` reads the ticks that are new."""

    def __init__(self, trace: Trace, player: int) -> None:
        self.trace, self.player = trace, player
        self.calls: list[LoggedCall] = []
        self._totals = [CallTotals()]
        self._read = 0

    def extend(self) -> None:
        """Read the ticks that are new."""
        while self._read < len(self.trace.ticks):
            self._read += 1
            for call in _calls(self._read, self.trace.ticks[self._read - 1].decisions[self.player]):
                self.calls.append(call)
                self._totals.append(self._totals[-1].plus(call))

    def until(self, step: int) -> int:
        """How many calls there were in so many steps."""
        return bisect_right(self.calls, step, key=lambda call: call.step)

    def totals(self, step: int) -> CallTotals:
        """The sums over the first steps."""
        return self._totals[self.until(step)]

    def last_plan(self, step: int) -> Exchange | None:
        """The last choice of a skill in so many steps; None where there was none."""
        earlier = (self.calls[number].exchange for number in range(self.until(step) - 1, -1, -1))
        return next((one for one in earlier if isinstance(one, Exchange)), None)


def _calls(step: int, decision: Decision) -> list[LoggedCall]:
    """The calls of one decision; what was asked beside the skill came before it."""
    asides = [LoggedCall(step, aside.kind, aside) for aside in decision.asides]
    return asides if decision.exchange is None else [*asides, LoggedCall(step, PLAN, decision.exchange)]
