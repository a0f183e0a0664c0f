"""What a sweep with a language model will cost: the estimate, the question before it begins, and the limit."""

import sys
from collections.abc import Callable, Sequence

from bba.bench.episode import Episode
from bba.bench.price_estimate import Estimate, estimate
from bba.errors import BBAError
from bba.planner.llm.ledger import Ledger
from bba.settings import Settings

ASK_ABOVE = 1.0  # US dollars that are spent without a question


def announce(missing: Sequence[Episode], settings: Settings) -> None:
    """Says what the missing episodes will probably cost; asks above a threshold unless --yes is given.

    Raises:
        BBAError: the user does not agree, or cannot be asked.
    """
    expected = estimate(missing, settings.prices)
    if not expected.episodes:
        return
    sys.stderr.write(f"{estimate_text(expected)}\n")
    if not settings.yes:
        ask_before("sweep", expected.dollars)


def print_estimate(missing: Sequence[Episode], settings: Settings) -> None:
    """Prints what the missing episodes will probably cost."""
    expected = estimate(missing, settings.prices)
    if expected.episodes:
        sys.stdout.write(f"{estimate_text(expected)}\n")
    else:
        sys.stdout.write(f"{len(missing)} episodes to play, none of them with a language model: they cost nothing\n")


def estimate_text(expected: Estimate) -> str:
    """Returns an estimate as one line."""
    games = f"{expected.episodes} episode{'s' * (expected.episodes != 1)}"
    asked = f"about {expected.requests:,} requests with {expected.tokens / 1e6:,.2f} million tokens"
    if expected.dollars is None:
        cost = f"no price is known of {', '.join(expected.unpriced)} (see --prices)"
    else:
        cost = f"about {expected.dollars:,.2f} US dollars"
    return f"estimate: {games}, {asked}, {cost}; stored answers cost nothing, longer answers and re-asks cost more"


def near_limit(missing: Sequence[Episode], ledger: Ledger, settings: Settings) -> Callable[[int], bool]:
    """Returns a function that says, beside so many running episodes, whether --max-cost leaves enough for one more."""
    limit, dearest = settings.max_cost, estimate(missing, settings.prices).dearest or 0.0

    def may_begin(running: int) -> bool:
        return limit is None or ledger.spent().dollars + (running + 1) * dearest <= limit

    return may_begin


def ask_before(option: str, dollars: float | None) -> None:
    """Asks whether to spend so much, if that is above the threshold; `option` is the command.

    Raises:
        BBAError: the user does not agree, or cannot be asked.
    """
    if dollars is None or dollars <= ASK_ABOVE:
        return
    if not sys.stdin.isatty():
        raise BBAError(
            f"--{option}: would cost about {dollars:,.2f} US dollars; --yes begins, --dry-run only estimates"
        )
    sys.stderr.write("begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise BBAError(f"--{option}: not begun")
