"""What the screen says of a language model: how long it has been asked, whether the world waits, and what it costs."""

from collections.abc import Iterable

from bba.analysis.call_log import CallLog
from bba.analysis.snapshot import Snapshot
from bba.planner import Usage
from bba.planner.chat import QuestionProgress, total_usage
from bba.play.trace import EGO, PARTNER

UNSPENT = "—"  # where nothing is known because nothing is spent
WAITS = {True: ", the world waits", False: ", real time", None: ""}  # by `Game.world_waits`


def longest(progress: Iterable[QuestionProgress | None]) -> QuestionProgress | None:
    """Returns the decision that has been under way for longest; None if there is none."""
    return max((one for one in progress if one is not None), key=lambda one: one.seconds, default=None)


def waiting(progress: QuestionProgress) -> str:
    """Returns what the game waits for, since when, and which attempt it is if others have failed."""
    retry, silence = progress.retry, int(progress.silence)
    if retry is not None:
        what = "no answer" if retry.reached else "no connection"
        return f"{what} for {silence} s, attempt {retry.number} of {retry.most}"
    seconds = int(progress.seconds)
    if progress.doing is not None:
        return f"the model is {progress.doing}, {seconds} s"
    return f"no answer for {silence} s" if silence > seconds else f"waiting for the model {seconds} s"


def thinking(progress: QuestionProgress) -> str:
    """Returns that a cook thinks while the game goes on, or what keeps it from that."""
    return waiting(progress) if progress.retry is not None else f"thinking {int(progress.seconds)} s"


def money(usage: Usage | None) -> str:
    """Returns what answers have cost in US dollars: ~ where tokens are estimated, and unknown without a price."""
    if usage is None:
        return UNSPENT
    if usage.cost is None:
        return "unknown" if usage.prompt_tokens else "$0"  # stored answers have no tokens and cost nothing
    dollars = f"{usage.cost:.2f}" if usage.cost >= 1 else f"{usage.cost:.3g}"
    return f"{'~' * bool(usage.estimated)}${dollars}"


class GameCost:
    """What the language models of both cooks have cost in a game, step by step."""

    def __init__(self) -> None:
        self._logs: tuple[CallLog, CallLog] | None = None

    def usage(self, snapshot: Snapshot) -> Usage | None:
        """Returns what was used until this step; None where no language model has been asked."""
        if self._logs is None or self._logs[0].trace is not snapshot.trace:
            self._logs = CallLog(snapshot.trace, EGO), CallLog(snapshot.trace, PARTNER)
        for log in self._logs:
            log.extend()
        return total_usage(log.totals(snapshot.step).usage for log in self._logs)

    def words(self, snapshot: Snapshot) -> str:
        """Returns the cost so far for a title line; "" where no language model has been asked."""
        usage = self.usage(snapshot)
        return "" if usage is None else f", cost {money(usage)}"
