"""The panels and other widgets of the screens, but for tables, which watching a game does not need."""

from tui.widgets.events import EndCard, EventsPanel, ReplanCaption, Standing, SymbolsPanel
from tui.widgets.form_fields import PathInput
from tui.widgets.gate import AnyGatePanel, CommitmentPanel, GatePanel, deciding_gate_panel
from tui.widgets.kitchen_panels import (
    COOK_NAMES,
    DECLARATIONS,
    CooksPanel,
    OrdersPanel,
    PartnerPanel,
    PlayerPanel,
    StationsPanel,
    game_time,
    noted,
    skill_name,
    window_lines,
)
from tui.widgets.kitchen_view import CURSOR, KitchenView, LayoutPicture, picture_size, tile_size
from tui.widgets.panel import Draggable, ExplainedLines, Panel, Part, TitleBar, fitting, line, spread, titled
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage, written
from tui.widgets.planner import (
    GameCost,
    PlannerPanel,
    lost_decisions,
    money,
    thinking,
    weighed,
)
from tui.widgets.posterior import PolicyPanel, PosteriorPanel, learned
from tui.widgets.recipe_cards import RECIPE, HowToPanel, RecipePanel, SkillsPanel
from tui.widgets.tile_text import labels_of, overlay_labels, tile_name
from tui.widgets.timeline import NAMES, DuelTimeline, Timeline, TwinTimeline
from tui.widgets.tuning import TuningPanel

__all__ = [
    "COOK_NAMES",
    "CURSOR",
    "DECLARATIONS",
    "NAMES",
    "RECIPE",
    "AnyGatePanel",
    "CommitmentPanel",
    "CooksPanel",
    "Draggable",
    "DuelTimeline",
    "EndCard",
    "EventsPanel",
    "ExplainedLines",
    "GameCost",
    "GatePanel",
    "HowToPanel",
    "KitchenView",
    "Labels",
    "LayoutPicture",
    "OrdersPanel",
    "Panel",
    "Part",
    "PartnerPanel",
    "PathInput",
    "PixelCanvas",
    "PlannerPanel",
    "PlayerPanel",
    "PolicyPanel",
    "PosteriorPanel",
    "RGBImage",
    "RecipePanel",
    "ReplanCaption",
    "SkillsPanel",
    "Standing",
    "StationsPanel",
    "SymbolsPanel",
    "Timeline",
    "TitleBar",
    "TuningPanel",
    "TwinTimeline",
    "deciding_gate_panel",
    "fitting",
    "game_time",
    "labels_of",
    "learned",
    "line",
    "lost_decisions",
    "money",
    "noted",
    "overlay_labels",
    "picture_size",
    "skill_name",
    "spread",
    "thinking",
    "tile_name",
    "tile_size",
    "titled",
    "weighed",
    "window_lines",
    "written",
]
