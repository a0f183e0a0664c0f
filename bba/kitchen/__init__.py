"""The environment: a two-player grid kitchen in which burritos are cooked (layout, state, step, skills)."""

from bba.kitchen.constants import Action, Item, Skill, StateVector, Tile
from bba.kitchen.kitchen import (
    Event,
    Kitchen,
    ObjectView,
    OrderView,
    PlayerView,
    Scene,
    StepResult,
    scene_of,
    state_digest,
)
from bba.kitchen.layout import Grid, Layout, Position, grid_of, layout_digest

__all__ = [
    "Action",
    "Event",
    "Grid",
    "Item",
    "Kitchen",
    "Layout",
    "ObjectView",
    "OrderView",
    "PlayerView",
    "Position",
    "Scene",
    "Skill",
    "StateVector",
    "StepResult",
    "Tile",
    "grid_of",
    "layout_digest",
    "scene_of",
    "state_digest",
]
