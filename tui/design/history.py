"""Undo and redo: the drafts before and after the one that is shown."""

from tui.design.draft import Draft


class History:
    """The drafts that were drawn one after the other.

    Args:
        draft: the first one, which counts as saved.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._saved = draft
        self._before: list[Draft] = []
        self._in_stroke = False  # whether the stroke has changed anything yet
        self._after: list[Draft] = []

    @property
    def unsaved(self) -> bool:
        """Whether the draft differs from the one that was saved last."""
        return self.draft != self._saved

    def draw(self, draft: Draft, *, same_stroke: bool = False) -> None:
        """Shows another draft. What belongs to the stroke before is undone together with it."""
        self._in_stroke = self._in_stroke and same_stroke
        if draft != self.draft:
            if not self._in_stroke:
                self._before.append(self.draft)
            self.draft, self._in_stroke = draft, True
            self._after.clear()

    def undo(self) -> bool:
        """Goes back by one draft; returns whether there was one."""
        if self._before:
            self._after.append(self.draft)
            self.draft = self._before.pop()
            return True
        return False

    def redo(self) -> bool:
        """Goes forward again by one draft; returns whether there was one."""
        if self._after:
            self._before.append(self.draft)
            self.draft = self._after.pop()
            return True
        return False

    def saved(self) -> None:
        """Notes that the draft has been saved as it is."""
        self._saved = self.draft
