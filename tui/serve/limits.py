"""How much one visitor may send.

Typing, a held key, the mouse and pasting stay far below it, and the page itself sends no more. What comes beyond it is
left out; who sends far more does not use the page, and is sent away.
"""

import re
import time
from collections.abc import Callable

Clock = Callable[[], float]

# Each pair: a second, and at once after a rest. The page (pages/page.js) keeps to less than what is taken.
MESSAGES_TAKEN = (400.0, 1000.0)
CHARACTERS_TAKEN = (128 * 1024.0, 1024 * 1024.0)
MESSAGES_ENDURED = (1000.0, 4000.0)
CHARACTERS_ENDURED = (512 * 1024.0, 4 * 1024 * 1024.0)
TYPED_TAKEN = (4000.0, 16_000.0)  # characters that are typed, each of which may be a key; a mouse sends 14 for a move
PASTE_BEGINS = "\x1b[200~"
PASTE_ENDS = "\x1b[201~"
PASTE = re.compile(f"{re.escape(PASTE_BEGINS)}.*?{re.escape(PASTE_ENDS)}", re.DOTALL)  # it is one event, however long


class TokenBucket:
    """Lets so much pass in a second, and a burst of it after a rest.

    Args:
        rate: the amount that passes in a second.
        burst: the amount that passes at once.
        now: returns the time in seconds.
    """

    def __init__(self, rate: float, burst: float, now: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._left = burst
        self._at = now()

    def take(self, amount: float) -> bool:
        """Returns whether this amount passes; if not, nothing is taken."""
        time_now = self._now()
        self._left = min(self._burst, self._left + (time_now - self._at) * self._rate)
        self._at = time_now
        if amount > self._left:
            return False
        self._left -= amount
        return True


class VisitorLimits:
    """Says what of a visitor's messages passes.

    Args:
        now: returns the time in seconds.
    """

    def __init__(self, now: Clock = time.monotonic) -> None:
        self._taken = TokenBucket(*MESSAGES_TAKEN, now), TokenBucket(*CHARACTERS_TAKEN, now)
        self._endured = TokenBucket(*MESSAGES_ENDURED, now), TokenBucket(*CHARACTERS_ENDURED, now)
        self._typed = TokenBucket(*TYPED_TAKEN, now)

    def endure(self, characters: int) -> bool:
        """Returns whether the visitor may stay after a message of this length."""
        messages, text = self._endured
        return messages.take(1) and text.take(characters)

    def take(self, characters: int) -> bool:
        """Returns whether a message of this length passes."""
        messages, text = self._taken
        return messages.take(1) and text.take(characters)

    def take_keys(self, keys: str) -> bool:
        """Returns whether these keys pass: what is pasted counts as one."""
        return self._typed.take(len(PASTE.sub(" ", keys)))
