"""Texts that are written when somebody reads them: most prompts of the scripted planner are never read."""

from collections.abc import Callable, Iterable, Sequence
from typing import overload


class Texts(Sequence[str]):
    """A tuple of texts, equal to any tuple of the same ones; pickled and copied as a tuple.

    Args:
        write: returns them; called once, when they are read.
    """

    def __init__(self, write: Callable[[], Iterable[str]]) -> None:
        self._write: Callable[[], Iterable[str]] | None = write
        self._written: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """The texts."""
        if self._write is not None:
            self._written, self._write = tuple(self._write()), None
        return self._written

    def __len__(self) -> int:
        return len(self.written)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.written[index]

    def __eq__(self, other: object) -> bool:
        return self.written == (other.written if isinstance(other, Texts) else other)

    def __hash__(self) -> int:
        return hash(self.written)

    def __repr__(self) -> str:
        return repr(self.written)

    def __reduce__(self) -> tuple[type[tuple[str, ...]], tuple[tuple[str, ...]]]:
        return tuple, (self.written,)
