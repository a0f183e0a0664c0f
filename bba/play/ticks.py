"""The steps of a game in order: those that were played in a stretch become `Tick`s when somebody asks for them."""

from collections.abc import Iterable, MutableSequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from bba.agents import Belief, Decision
from bba.belief.partner_model import partner_update
from bba.belief.stretch import OBSERVER, Rows

if TYPE_CHECKING:
    from bba.play.trace import Tick


class Stretch(NamedTuple):
    """Steps that were played in one compiled call.

    Attributes:
        rows: what was played, a row a step.
        decisions: of both players in every step, but for belief and gates.
        hypotheses: the number of them in the model of player 0, player 1 and the observer; 0 for no model.
    """

    rows: Rows
    decisions: tuple[Decision, Decision]
    hypotheses: tuple[int, int, int]

    def tick(self, step: int) -> "Tick":
        """Returns one of its steps, 0 for the first."""
        from bba.play.trace import Tick

        rows = self.rows
        first, second = (self._decision(step, player) for player in (0, 1))
        observer, gate, commitment = partner_update(rows.readings[step, OBSERVER], self.hypotheses[OBSERVER])
        return Tick(
            state=rows.states[2 + step],
            actions=_pair(rows.actions[step]),
            skills=_pair(rows.skills[step]),
            ages=_pair(rows.ages[step]),
            ended=(None, None),
            decisions=(first, second),
            observer=observer,
            observer_gate=gate,
            observer_commitment=commitment,
        )

    def belief(self, step: int, watcher: int) -> Belief | None:
        """Returns what player 0, player 1 or the observer believed before a step; None without a model."""
        size = self.hypotheses[watcher]
        return partner_update(self.rows.readings[step, watcher], size) if size else None

    def _decision(self, step: int, player: int) -> Decision:
        found = self.belief(step, player)
        if found is None:
            return self.decisions[player]
        belief, gate, commitment = found
        return self.decisions[player]._replace(belief=belief, gate=gate, commitment=commitment)


def _pair(row: Any) -> tuple[int, int]:
    first, second = row.tolist()
    return first, second


class Ticks(MutableSequence["Tick"]):
    """The steps of a game, as a list of `Tick`s.

    Args:
        ticks: the first steps.
    """

    def __init__(self, ticks: "Iterable[Tick]" = ()) -> None:
        self._items: list[Tick | tuple[Stretch, int]] = list(ticks)

    def add(self, stretch: Stretch, steps: int) -> None:
        """Appends the steps of a stretch."""
        self._items.extend([(stretch, step) for step in range(steps)])

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> "Tick": ...
    @overload
    def __getitem__(self, index: slice) -> "list[Tick]": ...
    def __getitem__(self, index: int | slice) -> "Tick | list[Tick]":
        if isinstance(index, slice):
            return [self[step] for step in range(*index.indices(len(self._items)))]
        item = self._items[index]
        if len(item) != 2:
            return item
        self._items[index] = made = item[0].tick(item[1])
        return made

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[index] = value

    def __delitem__(self, index: int | slice) -> None:
        del self._items[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ticks | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def insert(self, index: int, value: "Tick") -> None:
        """Inserts a step."""
        self._items.insert(index, value)
