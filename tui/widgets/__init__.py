"""The panels and other widgets of the screens, but for tables, which watching a game does not need."""

from tui.widgets.cooks import COOK_NAMES, CooksPanel, skill_name
from tui.widgets.events import EndCard, EventsPanel, ReplanCaption, ScoreStanding, SymbolsPanel
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect, PathInput, all_valid, problem_of
from tui.widgets.gate import AnyGatePanel, CommitmentGatePanel, GatePanel
from tui.widgets.kitchen_view import (
    CURSOR,
    Celebrations,
    KitchenView,
    LayoutPicture,
    happenings,
    picture_size,
    tile_size,
)
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import (
    Draggable,
    ExplainedLines,
    Panel,
    Part,
    TitleBar,
    cooks_on,
    fitting,
    line,
    spread,
    titled,
)
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage, written
from tui.widgets.planner import (
    WAITS,
    GameCost,
    PlannerPanel,
    ghost_path,
    longest,
    lost_decisions,
    money,
    thinking,
    waiting,
    weighed,
)
from tui.widgets.player_panels import DECLARATIONS, PartnerPanel, PlayerPanel, game_time, noted, window_lines
from tui.widgets.posterior import PolicyPanel, PosteriorPanel, learned
from tui.widgets.recipe_cards import RECIPE, HowToPanel, RecipePanel, SkillsPanel
from tui.widgets.sentence import SentenceLine
from tui.widgets.stations import StationsPanel
from tui.widgets.tile_text import in_vain, labels_of, overlay_labels, tile_name
from tui.widgets.timeline import NAMES, DuelTimeline, Timeline, TwinTimeline
from tui.widgets.tuning import TuningPanel
from tui.widgets.value_gate import ValuePanel, deciding_gate_panel

__all__ = [
    "COOK_NAMES",
    "CURSOR",
    "DECLARATIONS",
    "NAMES",
    "RECIPE",
    "WAITS",
    "AnyGatePanel",
    "Celebrations",
    "ChoiceField",
    "CommitmentGatePanel",
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
    "NumberField",
    "OptionSelect",
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
    "ScoreStanding",
    "SentenceLine",
    "SkillsPanel",
    "StationsPanel",
    "SymbolsPanel",
    "Timeline",
    "TitleBar",
    "TuningPanel",
    "TwinTimeline",
    "ValuePanel",
    "all_valid",
    "cooks_on",
    "deciding_gate_panel",
    "fitting",
    "game_time",
    "ghost_path",
    "happenings",
    "in_vain",
    "labels_of",
    "learned",
    "line",
    "longest",
    "lost_decisions",
    "money",
    "noted",
    "overlay_labels",
    "picture_size",
    "problem_of",
    "skill_name",
    "spread",
    "thinking",
    "tile_name",
    "tile_size",
    "titled",
    "waiting",
    "weighed",
    "window_lines",
    "written",
]
