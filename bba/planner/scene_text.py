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
        stable_updates: u, the number of beliefs in a row with this MAP.
        confident: whether the confidence reaches Γ.
        heading: the station that the partner is probably heading for; None if unknown.
        complements: the names of the roles that complement the MAP.
        moderate: whether the confidence is below Γ but not low.
    """

    roles: tuple[str, ...]
    posterior: tuple[float, ...]
    map_index: int
    confidence: float
    stable_updates: int
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


ORDERS_IN_PREPRINT = 4  # a prompt lists so many at most
_FIGURES = re.compile(r" (?:left=|x)?[0-9/]+\]")  # of steps, chops, rinses and plates


def at(position: Position) -> str:
    """Formats a position as ``(x,y)``."""
    return f"({position[0]},{position[1]})"


def scene_values(planner_input: PlannerInput, *, strict: bool = False) -> dict[str, object]:
    """Returns the values of the scene template's placeholders.

    Args:
        planner_input: what the planner knows.
        strict: whether they are as in the preprint: objects' tags without numbers, orders without clocks, at most four
            of these, each with the name of its dish.
    """
    scene = planner_input.scene
    player = planner_input.player
    ego = scene.players[player]
    mate = scene.players[1 - player]
    orders = [f"{order.dish} left={order.left}/{order.life}" for order in scene.orders]
    objects = _objects(planner_input)
    if strict:
        orders = order_names(scene, strict=True)
        objects = _FIGURES.sub("]", objects)
    actions = [NUMBERED_SKILLS[skill] for skill in planner_input.feasible]
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
        "orders": "; ".join(orders) or "none",
        "objects": objects,
        "intent": intent(mate, planner_input),
        "urgency": _urgency(scene.objects),
        "actions": "; ".join(actions),
    }


def order_names(scene: Scene, *, strict: bool = False) -> list[str]:
    """Returns the dishes of the orders, oldest first; as in the preprint at most four, as ``steak_burrito_dish``."""
    if strict:
        return [f"{order.dish}_dish" for order in scene.orders[:ORDERS_IN_PREPRINT]]
    return [order.dish for order in scene.orders]


def hazards(objects: Iterable[ObjectView]) -> tuple[list[ObjectView], list[ObjectView], list[ObjectView]]:
    """Returns the stations on fire, the stations with food about to burn, and the stations blocked by charcoal."""
    fires = []
    warnings = []
    charcoals = []
    for item in objects:
        if item.state == "burning":
            fires.append(item)
        if item.state == "warning":
            warnings.append(item)
        if item.name == "charcoal" and item.tile in ("grill", "pot"):
            charcoals.append(item)
    return fires, warnings, charcoals


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
    entries = []
    for name, positions in stations:
        if positions:
            places = ",".join([at(position) for position in positions])
            entries.append(f"{name}:{places}")
    return " ".join(entries)


def _objects(planner_input: PlannerInput) -> str:
    entries = [_object(item) for item in planner_input.scene.objects]
    plates = planner_input.scene.dirty_plates
    stack = planner_input.stations.get("D", ())
    if plates and stack:
        entries.append(f"(dirty_plate@{at(stack[0])} [stack x{plates}])")
    return " ".join(entries) or "none"


def _object(item: ObjectView) -> str:
    x, y = item.position
    place = f"{item.name}@({x},{y})"
    if not item.state:
        return f"({place})"
    if item.tile in ("grill", "pot"):
        tag = STATE_TAGS.get(item.state, item.state)
        if item.state != "burning":
            tag += f" left={item.total - item.progress}"
    else:
        tag = item.state
        if item.state.startswith("un"):
            tag += f" {item.progress}/{item.total}"
    return f"({place} [{tag}])"


def _urgency(objects: Iterable[ObjectView]) -> str:
    fires, warnings, _ = hazards(objects)
    alerts = [f"FIRE at {item.tile} {at(item.position)}" for item in fires]
    for item in warnings:
        steps_left = item.total - item.progress
        alerts.append(f"WARNING {item.name} at {at(item.position)} burns in {steps_left} steps")
    if not alerts:
        return ""
    return f"URGENCY: {'; '.join(alerts)}\n"
