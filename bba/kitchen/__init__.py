"""The environment: a two-player grid kitchen in which burritos are cooked (layout, state, step, skills)."""

from bba.kitchen.constants import Action, Item, Skill, Tile
from bba.kitchen.kitchen import Event, Kitchen, ObjectView, OrderView, PlayerView, Scene, StepResult
from bba.kitchen.layout import Layout, layout_digest

__all__ = [
    "Action",
    "Event",
    "Item",
    "Kitchen",
    "Layout",
    "ObjectView",
    "OrderView",
    "PlayerView",
    "Scene",
    "Skill",
    "StepResult",
    "Tile",
    "layout_digest",
]
