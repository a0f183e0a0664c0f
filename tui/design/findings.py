"""What the designer says about a draft: its mistake, a trial game, and what it asks of two cooks.

Finds out about drafts in threads, so that drawing never waits; a newer draft stops what runs for an older one.

A trial of a kitchen: whether two scripted cooks finish a burrito in it, and when.
"""

import re
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from bba import palette
from bba.agents import load_agent
from bba.analysis import names
from bba.analysis.kitchen_structure import KitchenStructure, SkillReach, kitchen_structure, structure_words
from bba.kitchen import DELIVERIES, Layout, Position, Skill
from bba.play.game import Game
from tui.design.draft import STARTS, Draft
from tui.style.base_screen import BackgroundTask, Post
from tui.widgets.panel import line

COOK = "proagent"  # with the scripted planner; no belief is in the way
TRIAL_STEPS = 1200  # steps; half a game
LARGEST_KITCHEN = 400  # tiles; the tables of walking distances grow with the cube of these


def trial_game(layout: Layout, *, horizon: int = TRIAL_STEPS, goes_on: Callable[[], bool] = lambda: True) -> int | None:
    """Lets two scripted cooks play until they have delivered a burrito.

    Args:
        layout: the kitchen, of at most `LARGEST` tiles.
        horizon: steps after which they give up.
        goes_on: asked before every step; once it answers False the trial ends without a result.

    Returns:
        The step of the first delivery, 0 where there was none; None where it was stopped.
    """
    game = Game(layout, load_agent(COOK), load_agent(COOK), 0, horizon=horizon)
    while not game.done:
        if not goes_on():
            return None
        game.step()
        if game.kitchen.state[DELIVERIES]:
            return game.kitchen.steps
    return 0


PLACE = re.compile(r"map row (\d+), column (\d+): ")
NOWHERE_SAID = " anywhere"  # of what is missing; its message names no place that could be shown
MOST_NAMED = 14  # skills, at most, that are listed by name
TRIAL_NOTE = "two scripted cooks try it …"


class Findings(NamedTuple):
    """What is known about a draft so far.

    Attributes:
        mistake: its first mistake; "" for none.
        structure: what it asks of two cooks; None while that is not known.
        trial: the step of the first delivery in the trial, 0 where there was none; None while that is not known.
    """

    mistake: str = ""
    structure: KitchenStructure | None = None
    trial: int | None = None


class FindingsPanel(VerticalScroll, can_focus=False):
    """Shows the findings as lines; page up and page down scroll it."""

    def __init__(self) -> None:
        super().__init__(Static(id="found"), id="findings")
        self.border_title = "what it asks of two cooks"

    def show_findings(self, draft: Draft, findings: Findings, mistake: str) -> None:
        """Shows what is known about a draft, with its mistake in words."""
        lines = [_mistake(mistake), *_trial(draft, findings), *_structure(findings.structure)]
        self.query_one("#found", Static).update(Content("\n").join(lines))


def mistake_at(mistake: str) -> Position | None:
    """Returns the tile that a mistake names; None where it names none."""
    found = PLACE.search(mistake)
    return (int(found[2]) - 1, int(found[1]) - 1) if found and NOWHERE_SAID not in mistake else None


def mistake_words(mistake: str, lacking: Sequence[str]) -> str:
    """Returns a mistake as the designer says it: the tile as the cursor's, the cooks by their numbers on the board.

    Of what is missing all is named, as in `lacking`.
    """

    def tile(found: re.Match[str]) -> str:
        return f"({int(found[2]) - 1},{int(found[1]) - 1}): "

    if NOWHERE_SAID in mistake:
        return f"missing {', '.join(lacking)}"
    told = PLACE.sub(tile, mistake, count=1).replace("_", " ")
    return told.replace("player 0", "cook 1").replace("player 1", "cook 2")


def too_large(draft: Draft) -> bool:
    """Whether a draft has too many tiles for a game beside the drawing."""
    return draft.width * draft.height > LARGEST_KITCHEN


def _mistake(mistake: str) -> Content:
    found = (f"✗ {mistake}", palette.BAD)
    return line(found if mistake else ("✓ a kitchen without mistakes", palette.GOOD))


def _trial(draft: Draft, findings: Findings) -> list[Content]:
    if findings.mistake:
        return []
    came = (f"✓ two scripted cooks: a burrito after {findings.trial} steps", palette.GOOD)
    told = {
        None: (TRIAL_NOTE, palette.DIM),
        0: (f"✗ two scripted cooks: no burrito in {TRIAL_STEPS} steps", palette.BAD),
    }
    untried = (f"not tried: more than {LARGEST_KITCHEN} tiles", palette.WARN)
    return [line(untried if too_large(draft) else told.get(findings.trial, came))]


def _structure(structure: KitchenStructure | None) -> list[Content]:
    if structure is None:
        return []
    return [*(line((text, palette.TEXT)) for text in structure_words(structure)), *_skills(structure.reach)]


def _skills(reach: SkillReach) -> list[Content]:
    """Returns which skills only one cook has and which nobody has; all others both have."""
    first, second = reach.only
    nobody = frozenset(Skill) - reach.skills[0] - reach.skills[1]
    groups = (
        ("only cook 1", first, palette.COOK_COLOURS[0]),
        ("only cook 2", second, palette.COOK_COLOURS[1]),
        ("nobody", nobody, palette.WARN),
    )
    return [line((f"{who}: ", colour), (_named(skills), palette.DIM)) for who, skills, colour in groups if skills]


def _named(skills: frozenset[Skill]) -> str:
    many = len(skills) > MOST_NAMED
    return f"{len(skills)} skills" if many else ", ".join(names.skill(one) for one in sorted(skills))


class Checker:
    """Finds the structure of a draft, then lets two scripted cooks try it if it has no mistake.

    Args:
        post: calls a function in the screen's thread.
        found: takes what is known, each time that this is more.
    """

    def __init__(self, post: Post, found: Callable[[Findings], None]) -> None:
        self._found = found
        self._task: BackgroundTask[Findings] = BackgroundTask(post)
        self._stop = threading.Event()

    def check(self, draft: Draft) -> None:
        """Begins to find out about a draft; nothing but its mistake without the starts of both cooks."""
        self.cancel()
        known, sketch = Findings(draft.mistake), draft.sketch()
        if all(draft.number_of(start) == 1 for start in STARTS):
            self._task.begin(
                lambda: known._replace(structure=kitchen_structure(sketch)), lambda found: self._know(draft, found)
            )

    def cancel(self) -> None:
        """Stops the trial that runs, and discards what is not known yet."""
        self._stop.set()
        self._task.cancel()

    def _know(self, draft: Draft, known: Findings) -> None:
        self._found(known)
        if not known.mistake and not too_large(draft):
            layout, stop = draft.layout("draft"), threading.Event()
            self._stop = stop
            self._task.begin(
                lambda: known._replace(trial=trial_game(layout, goes_on=lambda: not stop.is_set())), self._found
            )
