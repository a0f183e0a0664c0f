"""The switching partner: scripted, pursues one role at a time and switches at known steps. Ground truth to the step.

Within a role it does that role's useful work: what some active order still lacks and what its hand can do now. Where
its role has nothing useful it falls back to the roles that complement it, then to any other, and says so in the
decision's note. It looks at public states only and does not adapt to its fellow.
"""

from dataclasses import dataclass

import numpy as np

from bba.agents.base import Decision, Observation, Seat
from bba.belief import COMPLEMENTS, ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS
from bba.errors import BBAError
from bba.kitchen import codes
from bba.kitchen.grid import grid_of
from bba.kitchen.state import DISH, HEADER, HELD, N_ORDERS, POS, STEP

SHORTEST, LONGEST = 80, 160  # steps for which a drawn role lasts
CLEAN_PLATES = 2  # clean plates that hygiene keeps in store

Schedule = tuple[tuple[int, int], ...]


def drawn_schedule(seed: int, roles: tuple[int, ...], horizon: int) -> Schedule:
    """A schedule of ``(from step, role)`` drawn from a seed: never the same role twice in a row."""
    rng = np.random.default_rng([seed, 1])
    schedule: list[tuple[int, int]] = []
    step = 0
    while step < horizon:
        last = schedule[-1][1] if schedule else -1
        schedule.append((step, int(rng.choice([role for role in roles if role != last]))))
        step += int(rng.integers(SHORTEST, LONGEST + 1))
    return tuple(schedule)


def parse_schedule(text: str) -> Schedule:
    """A schedule written as ``0:prep_rice,120:serve``.

    Raises:
        BBAError: not in this form, an unknown role, or steps that do not start at 0 and ascend.
    """
    schedule = []
    for part in text.split(","):
        step, _, role = part.strip().partition(":")
        if not step.isdecimal() or role not in ROLE_NAMES:
            raise BBAError(f"schedule: {part.strip()!r} is not STEP:ROLE; roles are {', '.join(ROLE_NAMES)}")
        schedule.append((int(step), ROLE_NAMES.index(role)))
    steps = [step for step, _ in schedule]
    if steps[0] != 0 or any(later <= earlier for earlier, later in zip(steps, steps[1:], strict=False)):
        raise BBAError(f"schedule: steps {steps} must start at 0 and ascend")
    return tuple(schedule)


class SwitchingPartner:
    """A partner with a schedule of roles.

    Args:
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the game's seed.
    """

    name = "switching"

    def __init__(self, schedule: Schedule | None = None) -> None:
        self._given = schedule

    def reset(self, seat: Seat) -> None:
        """Begin a game with the given schedule, or one drawn from its seed."""
        roles = tuple(range(len(ROLE_NAMES) if seat.layout.pass_counters else len(ROLE_NAMES) - 1))
        self.schedule = self._given or drawn_schedule(seat.seed, roles, horizon=100_000)
        self._role = self.schedule[0][1]
        self._next = 1

    def decide(self, observation: Observation) -> Decision:
        """Go on with the running skill unless the role has just changed; choose by role where there is none."""
        switched = self._follow_schedule(int(observation.row[STEP]))
        mid_skill = observation.running != codes.NO_SKILL
        if mid_skill and not (switched and ROLE_OF_SKILL[observation.running] != self._role):
            return Decision(observation.running, pursuing=self._role)
        skill, note = choose(observation, self._role)
        return Decision(skill, chosen=True, pursuing=self._role, note=note)

    def _follow_schedule(self, step: int) -> bool:
        """Take up the role that is due; True if it has changed."""
        if self._next >= len(self.schedule) or step < self.schedule[self._next][0]:
            return False
        self._role = self.schedule[self._next][1]
        self._next += 1
        return True


def choose(observation: Observation, role: int) -> tuple[int, str]:
    """The nearest useful skill of the role, else of its complements, else of any; and a note where it is not its own."""
    useful = useful_skills(observation)
    grid = grid_of(observation.layout)
    here = observation.row[POS + observation.seat]
    others = [other for other in range(len(ROLE_NAMES)) if other != role and other not in COMPLEMENTS[role]]
    for pursued in (role, *COMPLEMENTS[role], *others):
        offered = [skill for skill in ROLE_SKILLS[pursued] if skill in useful]
        if offered:
            best = min(offered, key=lambda skill: (int(grid.beside[useful[skill], here]), skill))
            return best, "" if pursued == role else f"nothing for {ROLE_NAMES[role]}: does {ROLE_NAMES[pursued]}"
    return codes.STAY, f"nothing useful for {ROLE_NAMES[role]} or any other role"


def useful_skills(observation: Observation) -> dict[int, int]:
    """The feasible skills that bring some active order nearer, with their target tiles."""
    stock = take_stock(observation)
    targets = observation.targets(observation.seat)
    return {skill: target for skill, target in enumerate(targets) if target >= 0 and stock.wants(skill)}


@dataclass(frozen=True, slots=True)
class Stock:
    """What there is and what is asked for, counted over hands, counters and stations.

    Attributes:
        held: what the partner itself holds.
        wanted: for steak and mushroom, how many active orders ask for it.
        proteins: for steak and mushroom, how many portions there are in any stage from raw to plated.
        rice: portions of rice in any stage.
        clean_plates: plates without food, lying around or in a hand.
        split: whether there are pass counters, so that work goes on at the other side.
        free_grill: whether a grill is empty.
    """

    held: int
    wanted: tuple[int, int]
    proteins: tuple[int, int]
    rice: int
    clean_plates: int
    split: bool
    free_grill: bool

    def wants(self, skill: int) -> bool:
        """Whether this skill, which is feasible, is useful now."""
        if skill in (codes.GRAB_MEAT, codes.GRAB_MUSHROOM):
            kind = 0 if skill == codes.GRAB_MEAT else 1
            return self.proteins[kind] < self.wanted[kind]
        if skill in (codes.GRAB_CHOPPED_MEAT, codes.GRAB_CHOPPED_MUSHROOM):
            return self.free_grill or self.split
        if skill in (codes.GET_STEAK, codes.GET_MUSHROOM):
            return self.wanted[0 if skill == codes.GET_STEAK else 1] > 0
        if skill == codes.GRAB_RICE:
            return self.rice < sum(self.wanted)
        if skill == codes.GRAB_DIRTY_PLATE:
            return self.clean_plates < CLEAN_PLATES
        if skill == codes.GRAB_TORTILLA:
            return self.held >= codes.PLATE
        if skill in _PLATES_WITH_FOOD:
            return self.held <= codes.PLATE
        return skill in _ALWAYS_USEFUL


_PLATES_WITH_FOOD = (
    codes.GRAB_ONE_INGREDIENT_PLATE,
    codes.GRAB_TWO_INGREDIENT_PLATE,
    codes.GRAB_STEAK_BURRITO,
    codes.GRAB_MUSHROOM_BURRITO,
)
_ALWAYS_USEFUL = (
    codes.FRY,
    codes.BOIL,
    codes.CHOP,
    codes.WASH,
    codes.SERVE,
    codes.GRAB_CLEAN_PLATE,
    codes.GET_BOILED_RICE,
    codes.PASS_OBJECT,
    codes.PUT_DOWN_OBJECT,
)
_PORTIONS = (
    (codes.MEAT, codes.CHOPPED_MEAT, codes.CHOPPED_STEAK),
    (codes.MUSHROOM, codes.CHOPPED_MUSHROOM, codes.FRIED_MUSHROOM),
)


def take_stock(observation: Observation) -> Stock:
    """Count what the public state shows."""
    grid = grid_of(observation.layout)
    row: list[int] = observation.row.tolist()
    items = [row[HELD], row[HELD + 1], *(item for item in row[HEADER : HEADER + len(grid.tile)] if item)]
    dishes = row[DISH : DISH + row[N_ORDERS]]
    plates = [item - codes.PLATE for item in items if item >= codes.PLATE]
    proteins = [
        sum(item in _PORTIONS[kind] for item in items) + sum(bool(plate & bit) for plate in plates)
        for kind, bit in enumerate((codes.ON_STEAK, codes.ON_MUSHROOM))
    ]
    return Stock(
        held=row[HELD + observation.seat],
        wanted=(dishes.count(0), dishes.count(1)),
        proteins=(proteins[0], proteins[1]),
        rice=sum(item in (codes.RICE, codes.BOILED_RICE) for item in items) + sum(bool(p & codes.ON_RICE) for p in plates),
        clean_plates=plates.count(0),
        split=bool(observation.layout.pass_counters),
        free_grill=any(row[HEADER + at] == codes.NOTHING for at in grid.heat.tolist() if grid.tile[at] == codes.GRILL),
    )
