"""The kitchen as one cook sees it: what lies where, which stations are free, and what the other cook can take over."""

from collections.abc import Iterable
from dataclasses import dataclass

from bba.kitchen.constants import CHARCOAL, GRAB_MEAT, GRAB_MUSHROOM, GRAB_RICE, MEAT, MUSHROOM, NOTHING, RICE
from bba.planner.scripted.geometry import KitchenGeometry, Position
from bba.planner.scripted.order_needs import OrderSlot
from bba.planner.scripted.prompt_parser import Cook, SceneFacts, SceneItem
from bba.planner.scripted.recipes import Dish, next_use

ONWARD = 0.5  # share of the way from a job's place to its goal that counts: it is walked with progress made
ACROSS = 30.0  # tiles added for going where the other cook already is, beyond the wall

DISPENSERS = (("M", GRAB_MEAT, MEAT), ("Z", GRAB_MUSHROOM, MUSHROOM), ("R", GRAB_RICE, RICE))


@dataclass(frozen=True, slots=True)
class Task:
    """Something to start: the skill, its worth, where it begins, where it leads, and what it puts into the hand.

    `worth` is the number of tiles that a cook may walk for it. `thing` is the item that it takes away, None if that
    comes from a dispenser or the stack.
    """

    skill: int
    value: float
    place: Position
    goal: Position
    gives: int
    thing: SceneItem | None = None


class PlanningView:
    """Facts and demand, seen by `cook`, whose jobs are looked for, beside `other`."""

    def __init__(self, facts: SceneFacts, slots: list[OrderSlot], cook: Cook, other: Cook) -> None:
        self.facts = facts
        self.slots = slots
        self.cook = cook
        self.other = other
        self.places: KitchenGeometry = facts.places
        self.stacked = any(thing.tag == "stack" for thing in facts.things)
        self.lying = {thing.position: thing for thing in facts.things if thing.tag != "stack"}

    def free(self, letter: str) -> list[Position]:
        """The stations of a kind on which nothing lies."""
        return [place for place in self.places.of(letter) if place not in self.lying]

    def cleared(self, letter: str) -> list[Position]:
        """Grills or pots that can take food: empty ones and those with charcoal, which is taken out in exchange."""
        return [p for p in self.places.of(letter) if p not in self.lying or self.lying[p].item == CHARCOAL]

    def nearest(self, places: Iterable[Position], start: Position) -> Position | None:
        """The place that is the shortest walk from `start`."""
        return min(places, key=lambda place: self.places.walk(start, place), default=None)

    def has_turn(self, dish: Dish) -> bool:
        """Whether a burrito may be served: the first order's, or any if no plate is left to make that one on."""
        if not self.slots or self.slots[0].dish is dish:
            return bool(self.slots)
        first = self.slots[0]
        return first.plate == NOTHING and not first.plate_coming and not self.stacked

    def on_pass(self, place: Position) -> bool:
        """Whether a place is a pass counter."""
        return self.places.letter(place) == "pass"

    def pass_is_full(self) -> bool:
        """Whether something lies on every pass counter."""
        return len(self.facts.crowded) == len(self.places.of("pass"))

    def handed_over(self, goal: Position) -> bool:
        """Whether the other cook stands on the far side, where `goal` is, so that it can take over there."""
        if not self.places.apart(self.cook.position, goal) or self.places.apart(self.other.position, goal):
            return False
        return not (self.facts.idle and self.can_cross())

    def all_handed_over(self, letter: str) -> bool:
        """Whether every station of a kind is on the far side, and the other cook there."""
        stations = self.places.of(letter)
        return bool(stations) and all(map(self.handed_over, stations))

    def can_cross(self) -> bool:
        """Whether something is offered that is only to be had or done on the far side, so that there is a way round."""
        held = self.facts.me.held
        if held != NOTHING:
            return self._offered_across(*next_use(held))
        lying = {thing.item for thing in self.facts.things}
        return any(item not in lying and self._offered_across(letter, skill) for letter, skill, item in DISPENSERS)

    def _offered_across(self, letter: str, skill: int) -> bool:
        spots = self.places.of(letter)
        here = self.facts.me.position
        return skill in self.facts.feasible and bool(spots) and all(self.places.apart(here, spot) for spot in spots)

    def nearer_decoy(self, item: int, place: Position) -> bool:
        """Whether a skill meant for `place` would end at such an item on a pass counter instead, as that is nearer."""
        far = self.places.walk(self.cook.position, place)
        return any(
            self.lying[counter].item == item and self.places.walk(self.cook.position, counter) <= far
            for counter in self.facts.crowded
            if counter in self.lying
        )


def walking_cost(view: PlanningView, task: Task) -> float:
    """The way of a job: to its place, and part of the way on to where it leads or is handed over."""
    way: float = view.places.walk(view.cook.position, task.place)
    if view.handed_over(task.place):
        way += ACROSS
    goal = view.nearest(view.places.of("pass"), task.place) if view.handed_over(task.goal) else task.goal
    return way if goal is None else way + ONWARD * view.places.walk(task.place, goal)
