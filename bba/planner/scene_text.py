"""The scene in words: every value that the scene template takes, in one fixed format for all agents."""

from collections.abc import Iterable

from bba.kitchen.constants import SKILL_NAMES
from bba.kitchen.scene import ObjectView, OrderView, PlayerView
from bba.planner.planner_input import PlannerInput, Position

AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
ACTIONS = tuple(f"{number}:{name}" for number, name in enumerate(SKILL_NAMES))
TAGS = {"ready": "ready/waiting", "burning": "BURNT"}
"""States whose tag differs from their name."""

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


def at(position: Position) -> str:
    """A position as ``(x,y)``."""
    return f"({position[0]},{position[1]})"


def scene_words(situation: PlannerInput) -> dict[str, object]:
    """Values for the scene template."""
    scene, seat = situation.scene, situation.seat
    ego, mate = scene.players[seat], scene.players[1 - seat]
    return {
        "layout": scene.layout,
        "stations": _stations(situation),
        "step": scene.step,
        "ego": seat,
        "ego_position": at(ego.position),
        "ego_facing": ego.facing,
        "ego_held": ego.held or "nothing",
        "mate": 1 - seat,
        "mate_position": at(mate.position),
        "mate_facing": mate.facing,
        "mate_held": mate.held or "nothing",
        "orders": _orders(scene.orders),
        "objects": _objects(situation),
        "intent": intent(mate, situation),
        "urgency": _urgency(scene.objects),
        "actions": "; ".join([ACTIONS[skill] for skill in situation.feasible]),
    }


def hazards(objects: Iterable[ObjectView]) -> tuple[list[ObjectView], list[ObjectView], list[ObjectView]]:
    """The stations on fire, those whose food is about to burn, and those blocked by charcoal."""
    fires, warnings, charcoal = [], [], []
    for thing in objects:
        if thing.state == "burning":
            fires.append(thing)
        elif thing.state == "warning":
            warnings.append(thing)
        elif thing.name == "charcoal" and thing.tile in ("grill", "pot"):
            charcoal.append(thing)
    return fires, warnings, charcoal


def intent(mate: PlayerView, situation: PlannerInput) -> str:
    """A guess at what a cook is about to do, from what it holds and what it faces."""
    if mate.held is not None:
        return HELD_INTENT.get(mate.held, "will complete this plate")
    dx, dy = AHEAD[mate.facing]
    faced = (mate.position[0] + dx, mate.position[1] + dy)
    for letter, positions in situation.stations.items():
        if faced in positions:
            return STATION_INTENT.get(letter, "is looking for work")
    return f"walks {mate.facing} with free hands"


def _stations(situation: PlannerInput) -> str:
    return " ".join(
        [f"{name}:{','.join([at(place) for place in where])}" for name, where in situation.stations.items() if where]
    )


def _orders(orders: Iterable[OrderView]) -> str:
    return "; ".join([f"{order.dish} left={order.left}/{order.life}" for order in orders]) or "none"


def _objects(situation: PlannerInput) -> str:
    words = [_object(thing) for thing in situation.scene.objects]
    plates, stack = situation.scene.dirty_plates, situation.stations.get("D", ())
    if plates and stack:
        words.append(f"(dirty_plate@{at(stack[0])} [stack x{plates}])")
    return " ".join(words) or "none"


def _object(thing: ObjectView) -> str:
    x, y = thing.position
    if not thing.state:
        return f"({thing.name}@({x},{y}))"
    tag = TAGS.get(thing.state, thing.state)
    if thing.tile not in ("grill", "pot"):
        count = f" {thing.progress}/{thing.total}" if thing.state.startswith("un") else ""
        return f"({thing.name}@({x},{y}) [{thing.state}{count}])"
    left = "" if thing.state == "burning" else f" left={thing.total - thing.progress}"
    return f"({thing.name}@({x},{y}) [{tag}{left}])"


def _urgency(objects: Iterable[ObjectView]) -> str:
    fires, warnings, _ = hazards(objects)
    alerts = [f"FIRE at {thing.tile} {at(thing.position)}" for thing in fires]
    alerts += [
        f"WARNING {thing.name} at {at(thing.position)} burns in {thing.total - thing.progress} steps"
        for thing in warnings
    ]
    return f"URGENCY: {'; '.join(alerts)}\n" if alerts else ""
