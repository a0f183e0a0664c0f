"""What the other cook is probably about to do, so that it is not done twice.

With a belief in the prompt that is the most fitting job of the roles that it names. Without one it is what the line on
the teammate's intent says: the use of what it holds, or the work at the station that it faces; where it walks with free
hands, nothing is known.
"""

from dataclasses import replace

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.kitchen.constants import NOTHING, SKILL_STAY
from bba.planner.scripted.geometry import Position
from bba.planner.scripted.order_needs import order_needs, upcoming
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.prompt_parser import Cook, SceneFacts
from bba.planner.scripted.recipes import next_use
from bba.planner.scripted.tasks import free_hand_tasks

STEP_TO = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}
WALKS_TO = 15.0  # worth, in tiles, of a job that lies the way that the teammate walks; lost on what lies behind it
BELIEVED = 40.0  # worth, in tiles, of a job in a role that the belief is sure of


def role_of(skill: int) -> str:
    """The name of a skill's role, "" for fire handling and waiting."""
    role = ROLE_OF_SKILL[skill]
    return "" if role == NO_ROLE else ROLE_NAMES[role]


def likely_task(facts: SceneFacts) -> Task | None:
    """What the teammate with free hands is probably after; None if it does not stir, or nothing tells."""
    if facts.mate.held != NOTHING or facts.idle:
        return None
    view = PlanningView(facts, order_needs(facts), facts.mate, facts.me)
    tasks = [task for task in free_hand_tasks(view) if facts.posterior or task.place == _faced(facts.mate)]
    likely = max(tasks, key=lambda task: _pull(view, task), default=None)
    return None if likely is None or _mine(view, likely) else likely


def predict_partner(facts: SceneFacts) -> SceneFacts:
    """The facts as they will be when the teammate has started what it is probably after."""
    likely = likely_task(facts)
    if likely is None:
        return facts
    mate = replace(facts.mate, held=likely.gives)
    return replace(facts, mate=mate, things=tuple([thing for thing in facts.things if thing is not likely.thing]))


def likely_skill(facts: SceneFacts) -> int:
    """The skill that the teammate probably runs, as far as its hands or the kitchen's needs tell."""
    held = facts.mate.held
    if held == NOTHING:
        likely = likely_task(facts)
        return SKILL_STAY if likely is None else likely.skill
    dishes = upcoming(facts)
    return next_use(held, *dishes[:1])[1]


def _faced(cook: Cook) -> Position:
    (x, y), (dx, dy) = cook.position, STEP_TO[cook.facing]
    return x + dx, y + dy


def _pull(view: PlanningView, task: Task) -> float:
    """How much speaks for a job from where the teammate stands: worth, way, the way it faces, and the belief."""
    pull = task.value - walking_cost(view, task) + WALKS_TO * _toward(view, task.place)
    return pull + BELIEVED * view.facts.posterior.get(role_of(task.skill), 0.0)


def _toward(view: PlanningView, place: Position) -> int:
    """1 if the teammate walks towards a place, -1 if away from it, 0 if it has turned to a station and just worked."""
    (x, y), (dx, dy) = view.cook.position, STEP_TO[view.cook.facing]
    if view.places.letter(_faced(view.cook)):
        return 0
    along = (place[0] - x) * dx + (place[1] - y) * dy
    return (along > 0) - (along < 0)


def _mine(view: PlanningView, task: Task) -> bool:
    """Whether the cook that decides is nearer, so that the job will be its own."""
    walk = view.places.walk
    return walk(view.other.position, task.place) < walk(view.cook.position, task.place)
