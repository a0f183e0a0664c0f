"""What the designer says about a draft: its mistake, a trial game, and what it asks of two cooks."""

import re
from typing import NamedTuple

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from bba import palette
from bba.analysis import names
from bba.analysis.kitchen_structure import KitchenStructure, structure_words
from bba.analysis.skill_reach import SkillReach
from bba.analysis.trial_game import HORIZON, LARGEST, TrialResult
from bba.kitchen.constants import Skill
from bba.kitchen.layout import Position
from tui.design.draft import Draft
from tui.widgets.panel import line

PLACE = re.compile(r"map row (\d+), column (\d+): ")
NOWHERE_SAID = " anywhere"  # of what is missing; its message names no place that could be shown
NAMED = 14  # skills, at most, that are listed by name
WAITING = "two scripted cooks try it …"


class Findings(NamedTuple):
    """What is known about a draft so far.

    Attributes:
        mistake: its first mistake; "" for none.
        structure: what it asks of two cooks; None while that is not known.
        trial: what came of the trial; None while that is not known.
    """

    mistake: str = ""
    structure: KitchenStructure | None = None
    trial: TrialResult | None = None


class FindingsPanel(VerticalScroll):
    """Shows the findings as lines; page up and page down scroll it."""

    def __init__(self) -> None:
        super().__init__(Static(id="found"), id="findings")
        self.border_title = "what it asks of two cooks"
        self.can_focus = False

    def show_findings(self, draft: Draft, findings: Findings) -> None:
        """Shows what is known about a draft."""
        lines = [_mistake(findings.mistake), *_trial(draft, findings), *_structure(findings.structure)]
        self.query_one("#found", Static).update(Content("\n").join(lines))


def mistake_at(mistake: str) -> Position | None:
    """Returns the tile that a mistake names; None where it names none."""
    found = PLACE.search(mistake)
    return (int(found[2]) - 1, int(found[1]) - 1) if found and NOWHERE_SAID not in mistake else None


def mistake_words(mistake: str) -> str:
    """Returns a mistake as the designer says it: the tile as the cursor's, the cooks by their numbers on the board."""

    def tile(found: re.Match[str]) -> str:
        return "" if NOWHERE_SAID in mistake else f"({int(found[2]) - 1},{int(found[1]) - 1}): "

    told = PLACE.sub(tile, mistake, count=1).replace("_", " ")
    return told.replace("player 0", "cook 1").replace("player 1", "cook 2")


def too_large(draft: Draft) -> bool:
    """Whether a draft has too many tiles for a game beside the drawing."""
    return draft.width * draft.height > LARGEST


def _mistake(mistake: str) -> Content:
    if not mistake:
        return line(("✓ a kitchen without mistakes", palette.GOOD))
    return line((f"✗ {mistake_words(mistake)}", palette.BAD))


def _trial(draft: Draft, findings: Findings) -> list[Content]:
    if findings.mistake:
        return []
    if too_large(draft):
        return [line((f"not tried: more than {LARGEST} tiles", palette.WARN))]
    if findings.trial is None:
        return [line((WAITING, palette.DIM))]
    if findings.trial.delivered_at is None:
        return [line((f"✗ two scripted cooks: no burrito in {HORIZON} steps", palette.BAD))]
    return [line((f"✓ two scripted cooks: a burrito after {findings.trial.delivered_at} steps", palette.GOOD))]


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
    """Returns the names of skills; of very many, as on a map that is hardly begun, only how many they are."""
    many = len(skills) > NAMED
    return f"{len(skills)} skills" if many else ", ".join(names.skill(one) for one in sorted(skills))
