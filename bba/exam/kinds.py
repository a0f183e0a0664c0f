"""What a step of a game is an example of in the exam."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bba.agents.base import Observation
from bba.analysis.advice import observation_before
from bba.analysis.role_changes import role_changes
from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_OF_SKILL, ROLE_SKILLS
from bba.exam.situations import EGO, PARTNER, Kind, StoredBelief
from bba.kitchen import constants
from bba.kitchen.scene import Scene
from bba.kitchen.state import COMPLETED, EVENT
from bba.planner.scene_text import hazards
from bba.play.ticks import step_arrays
from bba.play.trace import Tick, Trace

AFTER_SWITCH = 20  # steps after a switch of the partner that count as after it
WAITED = 5  # steps for which a waiting partner has waited at least
GIVEN = 40  # steps for which what the partner has put down counts as handed over
DOUBTED = 3  # steps for which a contradiction counts
_DOWN = (constants.PASS_OBJECT, constants.PUT_DOWN_OBJECT)


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a game before the decision of player 0.

    Attributes:
        trace: the game.
        index: the number of steps played before.
        belief: what player 0 believes.
        contradicted: whether the partner's actions contradict it (ℓ < θ), or did so a step or two ago.
        switched: whether the partner has turned to another role not long ago.
        observation: what player 0 observes, with no skill running.
        scene: the same, decoded.
        feasible: the skills that player 0 could start.
    """

    trace: Trace
    index: int
    belief: StoredBelief
    contradicted: bool
    switched: bool
    observation: Observation
    scene: Scene
    feasible: frozenset[int]

    @property
    def truth(self) -> int:
        """The partner's true role in the step."""
        return self.trace.ticks[self.index].role(PARTNER)

    @property
    def safe(self) -> bool:
        """Whether nothing burns, is about to, or has left charcoal."""
        return not any(hazards(self.scene.objects))

    def last(self, steps: int) -> Sequence[Tick]:
        """Returns the last steps before this one."""
        return self.trace.ticks[max(0, self.index - steps) : self.index]


def moments(trace: Trace) -> Iterator[Moment]:
    """Yields the steps in which player 0 chooses a skill, its belief is contradicted, or there is a hazard."""
    starts = [change.start for change in role_changes(step_arrays(trace.ticks))]
    for index, tick in enumerate(trace.ticks):
        decision = tick.decisions[EGO]
        if not index or decision.belief is None:
            continue
        contradicted = any(_contradicted(one) for one in trace.ticks[max(0, index - DOUBTED + 1) : index + 1])
        scene = trace.scene(index)
        if not (decision.commits or contradicted or any(hazards(scene.objects))):
            continue
        update = decision.belief
        belief = StoredBelief(posterior=_rounded(update.posterior), commitment=update.commitment)
        switched = any(0 < index - start <= AFTER_SWITCH for start in starts)
        seen = observation_before(trace, index + 1, EGO)
        yield Moment(trace, index, belief, contradicted, switched, seen, scene, frozenset(seen.feasible()))


def _contradicted(tick: Tick) -> bool:
    gate = tick.decisions[EGO].gate
    return gate is not None and gate.contradiction


def _rounded(posterior: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(probability, 4) for probability in posterior)


def heeding(scene: Scene, held: str | None) -> frozenset[int]:
    """Returns the skills of player 0 that deal with the hazards of a scene, the worst first: fire, food, charcoal."""
    fires, warnings, charcoal = hazards(scene.objects)
    if fires:
        return frozenset({constants.PUT_OUT_FIRE, constants.GRAB_FIRE_EXT})
    if warnings:
        return frozenset(_FETCHES[item.name] for item in warnings)
    if charcoal or held == "charcoal":
        return frozenset({constants.GRAB_CHARCOAL, constants.THROW})
    return frozenset()


_FETCHES = {
    "chopped_steak": constants.GET_STEAK,
    "fried_mushroom": constants.GET_MUSHROOM,
    "boiled_rice": constants.GET_BOILED_RICE,
}


def _hazard(moment: Moment) -> bool:
    skills = heeding(moment.scene, moment.scene.players[EGO].held)
    return bool(skills & moment.feasible) and not moment.feasible <= skills


def _wrong(moment: Moment) -> bool:
    wrong = moment.truth != NO_ROLE and moment.belief.role != moment.truth
    return moment.contradicted and moment.belief.confident and wrong and discriminates(moment, moment.belief.role)


def _right(moment: Moment) -> bool:
    right = moment.belief.role == moment.truth and not moment.contradicted and not moment.switched
    return right and moment.belief.confident and discriminates(moment, moment.truth)


def _uncertain(moment: Moment) -> bool:
    return not moment.belief.confident and not moment.contradicted and moment.truth != NO_ROLE


def _hand_over(moment: Moment) -> bool:
    """Whether the partner has put something down that still lies there, and player 0 has free hands."""
    put = any(
        int(tick.state[EVENT + PARTNER]) in _DOWN and tick.state[COMPLETED + PARTNER] for tick in moment.last(GIVEN)
    )
    lies = any(item.tile == "counter" and item.name != "fire_ext" for item in moment.scene.objects)
    return put and lies and moment.scene.players[EGO].held is None


def _idle(moment: Moment) -> bool:
    before = moment.last(WAITED)
    return len(before) == WAITED and all(tick.skills[PARTNER] == constants.SKILL_STAY for tick in before)


def _switched(moment: Moment) -> bool:
    return moment.switched and moment.belief.confident and discriminates(moment, moment.belief.role)


def _clear(moment: Moment) -> bool:
    """Whether the need may be clear: `bba.exam.sample` asks the planners whether it is."""
    return moment.belief.confident and moment.truth != NO_ROLE and not moment.contradicted


def discriminates(moment: Moment, role: int) -> bool:
    """Whether player 0 could complement a partner in this role, and could as well do work that does not."""
    complements = {skill for other in COMPLEMENTS[role] for skill in ROLE_SKILLS[other]}
    work = {skill for skill in moment.feasible if ROLE_OF_SKILL[skill] != NO_ROLE}
    return bool(complements & work) and bool(work - complements)


_TESTS: dict[Kind, Callable[[Moment], bool]] = {
    "clear": _clear,
    "right": _right,
    "wrong": _wrong,
    "uncertain": _uncertain,
    "hazard": _hazard,
    "hand-over": _hand_over,
    "idle": _idle,
    "switched": _switched,
}


def is_example(moment: Moment, kind: Kind) -> bool:
    """Whether a step is an example of a kind."""
    return (kind == "hazard" or moment.safe) and _TESTS[kind](moment)
