"""An episode as a results file holds it.

A row whose checksum holds was written by this program. Its measures and its partner's switches stay text until they are
asked for: a table of a hundred thousand episodes needs a few numbers of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import from_json

from bba.analysis import MeasureValue, SwitchResponse
from bba.bench.episode import Episode, EpisodeResult, SpecText
from bba.errors import BBAError


def _from_text(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:
        raise BBAError("results: damaged: they hold what this program does not write") from None


@lru_cache(maxsize=64)
def _values(names: tuple[str, ...], text: str) -> dict[str, MeasureValue]:
    return dict(zip(names, _from_text(text), strict=False))


class StoredMeasures(Mapping[str, MeasureValue]):
    """The measures of an episode by name; `text` holds their values as JSON."""

    __slots__ = ("_names", "_text")

    def __init__(self, names: tuple[str, ...], text: str) -> None:
        self._names = names
        self._text = text

    def __getitem__(self, name: str) -> MeasureValue:
        return _values(self._names, self._text)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


class StoredResponses(Sequence[SwitchResponse]):
    """How each switch of the partner was followed; `text` holds it as JSON."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, index: Any) -> Any:
        return self._responses()[index]

    def __iter__(self) -> Iterator[SwitchResponse]:
        return iter(self._responses())

    def __len__(self) -> int:
        return len(self._responses())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._responses() == tuple(other)

    def _responses(self) -> tuple[SwitchResponse, ...]:
        return tuple(SwitchResponse(*values) for values in _from_text(self._text))


class StoredEpisode(NamedTuple):
    """An episode and its result.

    Attributes:
        key: 32 hex digits.
        spec_text: everything that determines it but for the seed, as JSON.
        seed: the seed of everything random in it.
        code: the version of the behaviour that played it.
        versions: versions of the software that played it, and the `machine`; "" where not known.
        finished: when it ended (UTC, ISO 8601).
        result: its measures, or why there are none.
    """

    key: str
    spec_text: SpecText
    seed: int
    code: str
    versions: Mapping[str, str]
    finished: str
    result: EpisodeResult

    @property
    def spec(self) -> str:
        """Everything that determines it, as JSON."""
        return self.spec_text.with_seed(self.seed)

    @property
    def kind(self) -> Episode | None:
        """The same episode with some seed, one for all that differ only in it; None as in `episode`."""
        return _kind(self.spec_text)

    @property
    def episode(self) -> Episode | None:
        """The episode itself; None if another version of this program stored it, with another specification."""
        kind = self.kind
        if kind is None or self.seed < 0:
            return None
        return kind.of_seed(self.seed)


@lru_cache(maxsize=4096)
def _kind(spec_text: SpecText) -> Episode | None:
    try:
        return Episode.model_validate_json(spec_text.with_seed(0))
    except ValueError:
        return None
