"""A list whose items are made when somebody asks for them."""

from collections.abc import Callable, Iterable, MutableSequence
from typing import Any, Generic, NamedTuple, TypeVar, overload

Item = TypeVar("Item")


class _Unmade(NamedTuple, Generic[Item]):
    """An item that nobody has asked for: what makes it, and the number that it is told."""

    make: Callable[[int], Item]
    number: int


class LazyList(MutableSequence[Item]):
    """A list, of which some items are still to be made.

    Args:
        items: the first ones.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items: list[Item | _Unmade[Item]] = list(items)

    def add(self, make: Callable[[int], Item], count: int) -> None:
        """Appends so many items, which `make` returns for the numbers from 0 on, each at most once."""
        self._items.extend([_Unmade(make, number) for number in range(count)])

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self._items)))]
        item = self._items[index]
        if not isinstance(item, _Unmade):
            return item
        made: Item = item.make(item.number)
        self._items[index] = made
        return made

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[index] = value

    def __delitem__(self, index: int | slice) -> None:
        del self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyList | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def insert(self, index: int, value: Item) -> None:
        """Inserts an item before the one with this index."""
        self._items.insert(index, value)
