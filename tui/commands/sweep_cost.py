"""What a sweep with a language model will cost: the estimate, the question before it begins, and the limit."""

import sys
from collections.abc import Callable, Sequence

from bba.bench.episode import Episode
from bba.bench.price_estimate import Estimate, estimate
from bba.errors import BBAError
from bba.planner.llm.ledger import Ledger
from bba.settings import Settings

ASK_ABOVE = 1.0  # US dollars that are spent without a question


def may_play(missing: Sequence[Episode], settings: Settings) -> bool:
    """Says what the missing episodes will probably cost; returns and raises as `may_spend`."""
    expected = estimate(missing, settings.prices)
    if not expected.episodes:
        text = f"{len(missing)} episodes to play, none of them with a language model: they cost nothing"
        return may_spend("sweep", text, None, settings, free=True)
    return may_spend("sweep", estimate_text(expected), expected.dollars, settings)


def may_spend(option: str, text: str, dollars: float | None, settings: Settings, *, free: bool = False) -> bool:
    """Says what a command will probably cost; returns whether it is to begin, which it is not with --dry-run.

    Args:
        option: the command.
        text: the estimate.
        dollars: the estimate in US dollars; None if it is not known.
        settings: above a threshold the user is asked, unless they say --yes.
        free: whether it costs nothing; then nothing is said but with --dry-run.

    Raises:
        BBAError: the user does not agree, or cannot be asked.
    """
    if settings.dry_run:
        sys.stdout.write(f"{text}\n")
        return False
    if free:
        return True
    sys.stderr.write(f"{text}\n")
    if settings.yes or dollars is None or dollars <= ASK_ABOVE:
        return True
    if not sys.stdin.isatty():
        raise BBAError(
            f"--{option}: would cost about {dollars:,.2f} US dollars; --yes begins, --dry-run only estimates"
        )
    sys.stderr.write("begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise BBAError(f"--{option}: not begun")
    return True


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
