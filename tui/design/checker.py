"""Finds out about drafts in threads, so that drawing never waits; a newer draft stops what runs for an older one."""

import threading
from collections.abc import Callable

from bba.analysis.kitchen_structure import KitchenStructure, kitchen_structure
from bba.analysis.trial_game import TrialResult, trial_game
from bba.errors import BBAError
from bba.kitchen import Layout
from tui.design.draft import STARTS, Draft
from tui.design.findings import Findings, too_large
from tui.style.background_task import BackgroundTask, Post


class Checker:
    """Finds the structure of a draft, then lets two scripted cooks try it if it has no mistake.

    Args:
        post: calls a function in the screen's thread.
        found: takes what is known, each time that this is more.
    """

    def __init__(self, post: Post, found: Callable[[Findings], None]) -> None:
        self._found = found
        self._structure: BackgroundTask[KitchenStructure] = BackgroundTask(post)
        self._trial: BackgroundTask[TrialResult | None] = BackgroundTask(post)
        self._stop = threading.Event()
        self._findings = Findings()

    def check(self, draft: Draft) -> None:
        """Begins to find out about a draft; nothing but its mistake without the starts of both cooks."""
        self.cancel()
        self._findings = Findings(draft.mistake)
        if all(draft.number_of(start) == 1 for start in STARTS):
            sketch = draft.sketch()
            self._structure.begin(lambda: kitchen_structure(sketch), lambda found: self._know(draft, found))

    def cancel(self) -> None:
        """Stops the trial that runs, and discards what is not known yet."""
        self._stop.set()
        self._structure.cancel()
        self._trial.cancel()

    def _know(self, draft: Draft, structure: KitchenStructure | BBAError) -> None:
        if isinstance(structure, BBAError):
            return
        self._tell(self._findings._replace(structure=structure))
        if not self._findings.mistake and not too_large(draft):
            self._try(draft.layout("draft"))

    def _try(self, layout: Layout) -> None:
        stop = self._stop = threading.Event()
        self._trial.begin(lambda: trial_game(layout, goes_on=lambda: not stop.is_set()), self._tried)

    def _tried(self, result: TrialResult | BBAError | None) -> None:
        if isinstance(result, TrialResult):
            self._tell(self._findings._replace(trial=result))

    def _tell(self, findings: Findings) -> None:
        self._findings = findings
        self._found(findings)
