"""The kitchen from the view of one cook: items, free stations, and what can be handed over to the other cook."""

from collections.abc import Iterable
from dataclasses import dataclass

from bba.kitchen.constants import CHARCOAL, GRAB_MEAT, GRAB_MUSHROOM, GRAB_RICE, MEAT, MUSHROOM, NOTHING, RICE
from bba.planner.scripted.order_needs import Dish, next_use, order_needs
from bba.planner.scripted.scene_facts import KitchenGeometry, Position, SceneFacts, SceneItem

ONWARD = 0.5  # weight of the distance from a task's start to its goal: it is walked with the item already picked up
ACROSS = 30.0  # tiles added for a task beyond the wall, where the other cook already is

DISPENSERS = (("M", GRAB_MEAT, MEAT), ("Z", GRAB_MUSHROOM, MUSHROOM), ("R", GRAB_RICE, RICE))


@dataclass(frozen=True, slots=True)
class Task:
    """A task that a cook with free hands can start.

    Attributes:
        skill: the skill that starts it.
        value: the number of tiles that a cook may walk for it.
        start: where the skill ends.
        goal: where the item goes then.
        held_after: code of the item that the cook then holds.
        item: the item that it removes from the scene; None if it comes from a dispenser or the stack.
    """

    skill: int
    value: float
    start: Position
    goal: Position
    held_after: int
    item: SceneItem | None = None


class PlanningView:
    """The scene and the order slots from the view of `cook`, whose tasks are listed; `other` is the other cook.

    Args:
        facts: of the scene.
        of_teammate: whether `cook` is the teammate; otherwise it is the player that decides.
    """

    def __init__(self, facts: SceneFacts, *, of_teammate: bool = False) -> None:
        self.facts, self.slots = facts, order_needs(facts)
        self.cook, self.other = (facts.teammate, facts.me) if of_teammate else (facts.me, facts.teammate)
        self.geometry: KitchenGeometry = facts.geometry
        self.has_dirty_plates = any(item.tag == "stack" for item in facts.items)
        self.items_at = {item.position: item for item in facts.items if item.tag != "stack"}

    def empty_stations(self, letter: str) -> list[Position]:
        """Returns the stations of a kind that hold no item."""
        return [place for place in self.geometry.stations(letter) if place not in self.items_at]

    def usable_stoves(self, letter: str) -> list[Position]:
        """Returns the grills or pots that can take food: empty ones and those with charcoal, which is swapped out."""
        blocked = {place for place, item in self.items_at.items() if item.code != CHARCOAL}
        return [place for place in self.geometry.stations(letter) if place not in blocked]

    def nearest(self, places: Iterable[Position], start: Position) -> Position | None:
        """Returns the place nearest to `start`; None if there are no places."""
        return min(places, key=lambda place: self.geometry.distance(start, place), default=None)

    def may_serve(self, dish: Dish) -> bool:
        """Whether a burrito may be served: that of the first order, or any if no plate is left for the first order."""
        if not self.slots or self.slots[0].dish is dish:
            return bool(self.slots)
        first = self.slots[0]
        return first.plate == NOTHING and not first.plate_coming and not self.has_dirty_plates

    def passes_full(self) -> bool:
        """Whether every pass counter holds an item."""
        return len(self.facts.occupied_passes) == len(self.geometry.stations("pass"))

    def needs_handover(self, goal: Position) -> bool:
        """Whether `goal` is on the far side of the wall and the other cook is there to take over."""
        if not self.geometry.separated(self.cook.position, goal) or self.geometry.separated(self.other.position, goal):
            return False
        return not (self.facts.teammate_idle and self.can_cross())

    def all_need_handover(self, letter: str) -> bool:
        """Whether `needs_handover` holds for every station of a kind, of which there is at least one."""
        stations = self.geometry.stations(letter)
        return bool(stations) and all(map(self.needs_handover, stations))

    def can_cross(self) -> bool:
        """Whether a skill is feasible that can only be done on the far side, so that there is a way around the wall."""
        held = self.facts.me.held
        if held != NOTHING:
            return self._offered_across(*next_use(held))
        present = {item.code for item in self.facts.items}
        return any(code not in present and self._offered_across(letter, skill) for letter, skill, code in DISPENSERS)

    def _offered_across(self, letter: str, skill: int) -> bool:
        stations, here = self.geometry.stations(letter), self.facts.me.position
        across = bool(stations) and all(self.geometry.separated(here, station) for station in stations)
        return across and skill in self.facts.feasible

    def nearer_decoy(self, code: int, place: Position) -> bool:
        """Whether a skill meant for `place` would pick up the same item from a nearer pass counter instead."""
        far = self.geometry.distance(self.cook.position, place)
        return any(
            self.items_at[counter].code == code and self.geometry.distance(self.cook.position, counter) <= far
            for counter in self.facts.occupied_passes
            if counter in self.items_at
        )


def walking_cost(view: PlanningView, task: Task) -> float:
    """Returns the cost of a task in tiles: to its start, plus part of the way on to its goal or to a pass counter."""
    way: float = view.geometry.distance(view.cook.position, task.start)
    if view.needs_handover(task.start):
        way += ACROSS
    goal = view.nearest(view.geometry.stations("pass"), task.start) if view.needs_handover(task.goal) else task.goal
    return way if goal is None else way + ONWARD * view.geometry.distance(task.start, goal)
