"""Measuring: several subjects in turn, again and again, medians at the end."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class Subject:
    """Something that can be timed.

    Args:
        name: what it is, in the table's words.
        how: "plain", "compiled", "batch of 1024", …
        run: does the work once and returns how many steps it took.
    """

    name: str
    how: str
    run: Callable[[], int]
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Steps a second, the median of all measurements."""
        return statistics.median(self.rates)


def measure(subjects: Sequence[Subject], repeats: int) -> None:
    """Time every subject `repeats` times, in turn, so that a busy moment of the machine does not fall on one alone.

    Each is run once before that, uncounted: compiling and filling caches are not what is measured.
    """
    for subject in subjects:
        subject.run()
    for _ in range(repeats):
        for subject in subjects:
            began = time.perf_counter()
            steps = subject.run()
            subject.rates.append(steps / (time.perf_counter() - began))
