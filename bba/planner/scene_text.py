"""The input of a planner, and its scene as text: the values of the scene template, in one format for all agents."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from bba.kitchen import SKILL_NAMES, ObjectView, PlayerView, Position, Scene, Timing

NUMBERED_SKILLS = tuple(f"{number}:{name}" for number, name in enumerate(SKILL_NAMES))
# States whose tag in the prompt differs from their name.
STATE_TAGS = {"ready": "ready/waiting", "burning": "BURNT"}
HELD_INTENT = {
    "meat": "will chop it",
    "mushroom": "will chop it",
    "rice": "will boil it",
    "tortilla": "will put it on a plate",
    "chopped_meat": "will fry it",
    "chopped_mushroom": "will fry it",
    "dirty_plate": "will wash it",
    "clean_plate": "will plate cooked food",
    "charcoal": "will throw it away",
    "fire_ext": "will put out the fire",
    "steak_burrito": "will serve it",
    "mushroom_burrito": "will serve it",
}
STATION_INTENT = {
    "M": "may take meat",
    "Z": "may take a mushroom",
    "R": "may take rice",
    "T": "may take a tortilla",
    "B": "may be chopping or taking chopped food",
    "W": "may be washing or taking a plate",
    "D": "may take a dirty plate",
    "S": "has just served",
}


@dataclass(frozen=True, slots=True)
class BeliefView:
    """The belief about the partner, as a prompt shows it.

    Attributes:
        roles: the names of the six roles.
        posterior: their probabilities, in the same order.
        map_index: the most likely role (MAP).
        confidence: its probability, 0 to 1.
        commitment: u, the number of updates for which it has been the MAP.
        confident: whether the confidence reaches Γ.
        heading: the station that the partner is probably heading for; None if unknown.
        complements: the names of the roles that complement the MAP.
        moderate: whether the confidence is below Γ but not low.
    """

    roles: tuple[str, ...]
    posterior: tuple[float, ...]
    map_index: int
    confidence: float
    commitment: int
    confident: bool
    heading: str | None
    complements: tuple[str, ...]
    moderate: bool = False


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """What a planner knows when it chooses a skill.

    Attributes:
        scene: the public state, decoded.
        player: the deciding player, 0 or 1.
        stations: positions in reading order by the station's letter in the layout's map, and the pass counters as
            "pass".
        feasible: the skills that can run now, ascending.
        belief: the belief to show; None for none.
        timing, plates: the kitchen's, for the rules in the system prompt.
    """

    scene: Scene
    player: int
    stations: Mapping[str, tuple[Position, ...]]
    feasible: tuple[int, ...]
    belief: BeliefView | None = None
    timing: Timing = field(default_factory=Timing)
    plates: int = 4


_FIGURES = re.compile(r" (?:left=|x)?[0-9/]+\]")  # of steps, chops, rinses and plates


def at(position: Position) -> str:
    """Formats a position as ``(x,y)``."""
    return f"({position[0]},{position[1]})"


def scene_values(planner_input: PlannerInput, *, figures: bool = True) -> dict[str, object]:
    """Returns the values of the scene template's placeholders; `figures`: with the numbers beside objects' tags."""
    scene = planner_input.scene
    player = planner_input.player
    ego = scene.players[player]
    mate = scene.players[1 - player]
    return {
        "layout": scene.layout,
        "stations": _stations(tuple(planner_input.stations.items())),
        "step": scene.step,
        "ego": player,
        "ego_position": at(ego.position),
        "ego_facing": ego.facing,
        "ego_held": ego.held or "nothing",
        "mate": 1 - player,
        "mate_position": at(mate.position),
        "mate_facing": mate.facing,
        "mate_held": mate.held or "nothing",
        "orders": "; ".join([f"{order.dish} left={order.left}/{order.life}" for order in scene.orders]) or "none",
        "objects": _objects(planner_input) if figures else _FIGURES.sub("]", _objects(planner_input)),
        "intent": intent(mate, planner_input),
        "urgency": _urgency(scene.objects),
        "actions": "; ".join([NUMBERED_SKILLS[skill] for skill in planner_input.feasible]),
    }


def hazards(objects: Iterable[ObjectView]) -> tuple[list[ObjectView], list[ObjectView], list[ObjectView]]:
    """Returns the stations on fire, those with food about to burn, and those blocked by charcoal."""
    items = list(objects)
    return (
        [item for item in items if item.state == "burning"],
        [item for item in items if item.state == "warning"],
        [item for item in items if item.name == "charcoal" and item.tile in ("grill", "pot")],
    )


def intent(mate: PlayerView, planner_input: PlannerInput) -> str:
    """Returns a guess at what a cook is about to do, from what it holds and what it faces."""
    if mate.held is not None:
        return HELD_INTENT.get(mate.held, "will complete this plate")
    for letter, positions in planner_input.stations.items():
        if letter != "X" and mate.ahead in positions:
            return STATION_INTENT.get(letter, "is looking for work")
    return f"walks {mate.facing} with free hands"


@lru_cache(maxsize=64)
def _stations(stations: tuple[tuple[str, tuple[Position, ...]], ...]) -> str:
    """Returns the stations as text; cached, because they stay the same for a whole game."""
    return " ".join([f"{name}:{','.join([at(place) for place in where])}" for name, where in stations if where])


def _objects(planner_input: PlannerInput) -> str:
    words = [_object(item) for item in planner_input.scene.objects]
    plates = planner_input.scene.dirty_plates
    stack = planner_input.stations.get("D", ())
    if plates and stack:
        words.append(f"(dirty_plate@{at(stack[0])} [stack x{plates}])")
    return " ".join(words) or "none"


def _object(item: ObjectView) -> str:
    x, y = item.position
    if not item.state:
        return f"({item.name}@({x},{y}))"
    tag = STATE_TAGS.get(item.state, item.state)
    if item.tile not in ("grill", "pot"):
        count = f" {item.progress}/{item.total}" if item.state.startswith("un") else ""
        return f"({item.name}@({x},{y}) [{item.state}{count}])"
    left = "" if item.state == "burning" else f" left={item.total - item.progress}"
    return f"({item.name}@({x},{y}) [{tag}{left}])"


def _urgency(objects: Iterable[ObjectView]) -> str:
    fires, warnings, _ = hazards(objects)
    alerts = [f"FIRE at {item.tile} {at(item.position)}" for item in fires]
    alerts += [
        f"WARNING {item.name} at {at(item.position)} burns in {item.total - item.progress} steps" for item in warnings
    ]
    return f"URGENCY: {'; '.join(alerts)}\n" if alerts else ""
