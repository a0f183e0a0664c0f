"""What is drawn, with which tool and where: the draft with its history, the tool, and the cursor."""

from textual.geometry import clamp

from bba.kitchen.layout import Position
from tui.design.draft import FLOOR, LARGEST, SMALLEST, Draft
from tui.design.history import History


class Drawing:
    """A draft that is drawn on.

    Args:
        draft: what is drawn at first, which counts as saved.

    Attributes:
        history: the draft, those before it, and those that were undone.
        tool: what is drawn: a character of the map or a mark.
        cursor: the tile on which it is drawn.
    """

    def __init__(self, draft: Draft) -> None:
        self.history = History(draft)
        self.tool = FLOOR
        self.cursor: Position = (1, 1)

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self.history.draft

    def draw(self, *, same_stroke: bool = False) -> None:
        """Draws with the tool under the cursor."""
        self.history.draw(self.draft.drawn(self.cursor, self.tool), same_stroke=same_stroke)

    def move(self, right: int, down: int) -> None:
        """Moves the cursor by so many tiles, within the map."""
        x, y = self.cursor
        self.cursor = clamp(x + right, 0, self.draft.width - 1), clamp(y + down, 0, self.draft.height - 1)

    def stroke(self, right: int, down: int) -> None:
        """Draws under the cursor and on the next tile, to which the cursor goes."""
        self.draw()
        before = self.cursor
        self.move(right, down)
        if self.cursor != before:  # a mark that is drawn twice is gone
            self.draw(same_stroke=True)

    def resize(self, how: str) -> bool:
        """Adds or takes out a row or column at the cursor; returns whether the size allows it.

        Args:
            how: with_column, without_column, with_row or without_row.
        """
        along_x = how.endswith("column")
        size = self.draft.width if along_x else self.draft.height
        if not SMALLEST <= size + (1 if how.startswith("with_") else -1) <= LARGEST:
            return False
        self.history.draw(getattr(self.draft, how)(self.cursor[0 if along_x else 1]))
        self.move(0, 0)
        return True

    def undo(self) -> bool:
        """Undoes the last stroke; returns whether there was one."""
        return self._travelled(self.history.undo())

    def redo(self) -> bool:
        """Draws again what was undone last; returns whether there was something."""
        return self._travelled(self.history.redo())

    def replace(self, draft: Draft) -> None:
        """Draws another kitchen in the place of this one, which can be undone."""
        self.history.draw(draft)
        self.move(0, 0)

    def _travelled(self, moved: bool) -> bool:
        self.move(0, 0)  # the map may have become smaller
        return moved
