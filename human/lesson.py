"""Learning to play: the next thing to do in a stage of the lesson, and what the agent beside you believes then.

In the two minutes beside an agent nothing is staged: each phase begins when the agent's own belief or gate says so.
"""

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from itertools import chain
from typing import NamedTuple

from bba.analysis.advice import WAIT_ADVICE, Advice, way_to
from bba.analysis.snapshot import role_posterior
from bba.belief.roles import ASSEMBLE, PLATE_HYGIENE, PREP_PROTEIN, PREP_RICE, ROLE_SKILLS, likeliest
from bba.kitchen import Layout, StateVector, constants, scene_of
from bba.play.trace import EGO, PARTNER, Tick, Trace

_MEAT = (constants.FRY, constants.GRAB_CHOPPED_MEAT, constants.CHOP, constants.GRAB_MEAT)
_RICE = (constants.BOIL, constants.GRAB_RICE)
_PLATE = (constants.GRAB_CLEAN_PLATE, constants.WASH, constants.GRAB_DIRTY_PLATE)
_FILLED = (constants.GRAB_TWO_INGREDIENT_PLATE, constants.GRAB_ONE_INGREDIENT_PLATE)

# By stage of `human.study.tutorial.STAGES`: the skills that lead to it, the last one first.
CHAINS: tuple[tuple[int, ...], ...] = (
    (),
    (constants.GRAB_MEAT,),
    (constants.CHOP, constants.GRAB_MEAT),
    _MEAT,
    _RICE,
    (constants.WASH, constants.GRAB_DIRTY_PLATE),
    (constants.GET_STEAK, *_FILLED, *_PLATE),
    (constants.GET_BOILED_RICE, *_FILLED, *_PLATE),
    (*_FILLED, constants.GRAB_TORTILLA, *_PLATE),
    (constants.SERVE, constants.GRAB_STEAK_BURRITO, constants.GRAB_MUSHROOM_BURRITO, *_FILLED, constants.GRAB_TORTILLA),
)


_PLATING = 6  # the first stage in which one waits for food with a plate in hand


def next_thing(layout: Layout, state: StateVector, player: int, stage: int) -> Advice:
    """Returns the next thing for a player in a stage (0 to 9); `WAIT`, with the tile, while food has to cook first."""
    if not CHAINS[stage]:
        return WAIT_ADVICE
    advice = first_way(layout, state, player, CHAINS[stage])
    if advice != WAIT_ADVICE:
        return advice
    held = int(state[constants.HELD + player])
    if stage >= _PLATING and held >= constants.PLATE:
        cooking = [thing.position for thing in scene_of(layout, state).objects if thing.state == "cooking"]
        if cooking:
            return WAIT_ADVICE._replace(target=cooking[0])
    if held != constants.NOTHING:
        return way_to(layout, state, player, constants.PUT_DOWN_OBJECT)
    earlier_skills = chain.from_iterable(reversed(CHAINS[:stage]))
    return first_way(layout, state, player, earlier_skills)


def first_way(layout: Layout, state: StateVector, player: int, skills: Iterable[int]) -> Advice:
    """Returns the way to the first of these skills that can be done now; `WAIT` if there is none.

    A skill to which the other cook stands in the way comes after those to which the way is free.
    """
    blocked = WAIT_ADVICE
    for skill in skills:
        advice = way_to(layout, state, player, skill)
        if advice.action != constants.ACTION_STAY:
            return advice
        if blocked == WAIT_ADVICE:
            blocked = advice
    return blocked


FIRE_WORK = (constants.PUT_OUT_FIRE, constants.GRAB_FIRE_EXT)
CLEARING = (constants.THROW, constants.GRAB_CHARCOAL)  # what a fire leaves, where no other work is left
LESSON_PATIENCE = 30  # steps for which the agent stands in the way before something else is suggested
ACTIVE = 5  # actions of the person before its work counts as work
NOTICED_STEPS = 100  # steps for which the card stays that says what was noticed

FIRST_WORK = (PREP_RICE, PREP_PROTEIN, PLATE_HYGIENE)  # what is suggested at first: the first of these with work
OTHER_WORK = (PLATE_HYGIENE, PREP_RICE, PREP_PROTEIN, ASSEMBLE)  # and then another one


class Phase(Enum):
    """Where the lesson is: the person works, it is believed to do something and changes, the agent has noticed."""

    WORK = auto()
    CHANGE = auto()
    NOTICED = auto()


class BelievedRole(NamedTuple):
    """A role that the agent takes the person to play, its probability, and the step since when, from 1."""

    role: int
    probability: float
    step: int


class Notice(NamedTuple):
    """How the agent noticed a change.

    Attributes:
        before, after: what it believed before, and then.
        contradiction: ℓ, if its gate opened; None if its belief changed without that.
        dropped: the skill that it dropped for it; NO_SKILL if the gate did not open.
        skill: the skill that it has from then on.
    """

    before: BelievedRole
    after: BelievedRole
    contradiction: float | None
    dropped: int
    skill: int

    @property
    def steps(self) -> int:
        """The steps from the moment when the person was asked to change to the notice."""
        return self.after.step - self.before.step


class BeliefLesson:
    """Follows a game of a believing agent, player 0, with a person, player 1.

    A round ends once the agent has noticed that the person does something else than before. That can be a short
    excursion: a switch, as measures and debriefing count them, is work that the person keeps to.

    Args:
        trace: the game, before its first step.

    Attributes:
        phase: where the round is.
        finished_rounds: how many rounds have ended.
        believed: what the agent believed when the person was asked to change; None before.
        notice: how it noticed the change; None before.
    """

    def __init__(self, trace: Trace) -> None:
        self.phase = Phase.WORK
        self.finished_rounds = 0
        self.believed: BelievedRole | None = None
        self.notice: Notice | None = None
        self._trace = trace
        self._seen = 0
        self._active = 0
        self._at = int(trace.start[constants.POSITION + EGO])  # where the agent is
        self._stood = 0  # for how many steps it has been there

    def see(self) -> None:
        """Takes in the steps that were played since the last call."""
        for tick in self._trace.ticks[self._seen :]:
            self._see(tick)
        self._seen = len(self._trace.ticks)

    def suggestion(self) -> Advice:
        """Returns what the person could do now: one kind of work, or another one than what was believed of it.

        A fire comes first. What is held is to be put down where nothing else can be done with it, or where the agent
        has stood in the way for long.
        """
        layout = self._trace.config.layout
        state = self._state
        work = first_way(layout, state, PARTNER, self._skills())
        stuck = work.action == constants.ACTION_STAY and self._stood >= LESSON_PATIENCE
        if work == WAIT_ADVICE or stuck:
            put_down = way_to(layout, state, PARTNER, constants.PUT_DOWN_OBJECT)
            if put_down != WAIT_ADVICE:
                return put_down
        return work

    def _skills(self) -> Iterator[int]:
        """Yields the skills of the work that is suggested, the most welcome first."""
        scene = scene_of(self._trace.config.layout, self._state)
        if any(thing.state == "burning" for thing in scene.objects):
            yield from FIRE_WORK
        roles: tuple[int, ...] = FIRST_WORK
        if self.phase is not Phase.WORK and self.believed is not None:
            roles = tuple(role for role in OTHER_WORK if role != self.believed.role)
        for role in roles:
            yield from ROLE_SKILLS[role]
        yield from CLEARING

    @property
    def _state(self) -> StateVector:
        return self._trace.state(len(self._trace.ticks))

    def _see(self, tick: Tick) -> None:
        position = int(tick.state[constants.POSITION + EGO])
        if position == self._at:
            self._stood += 1
        else:
            self._stood = 0
        self._at = position
        if tick.actions[PARTNER] != constants.ACTION_STAY:
            self._active += 1
        match self.phase:
            case Phase.WORK if self._active >= ACTIVE and self._settled(tick):
                self.phase = Phase.CHANGE
                self.believed = self._belief(tick)
            case Phase.CHANGE if self.believed is not None:
                self._await_notice(tick, self.believed)
            case Phase.NOTICED if self.notice and tick.step - self.notice.after.step >= NOTICED_STEPS:
                self.phase = Phase.WORK
                self.notice = None
                self._active = 0

    def _await_notice(self, tick: Tick, believed: BelievedRole) -> None:
        """Sees whether the gate interrupts the agent, or its belief settles on another role than was believed."""
        belief = self._belief(tick)
        decision = tick.decisions[EGO]
        contradiction = None
        dropped = constants.NO_SKILL
        if decision.replanned:
            if decision.belief is not None:
                contradiction = decision.belief.contradiction_likelihood
            dropped = self._trace.ticks[tick.step - 2].skills[EGO]
        elif belief.role == believed.role or not self._settled(tick):
            return
        self.notice = Notice(believed, belief, contradiction, dropped, tick.skills[EGO])
        self.phase = Phase.NOTICED
        self.finished_rounds += 1

    def _settled(self, tick: Tick) -> bool:
        update = tick.decisions[EGO].belief
        config = self._trace.config_at(tick.step).belief_config
        if update is None or config is None:
            return False
        confident = self._belief(tick).probability >= config.gate.gamma_conf
        return confident and update.stable_updates >= config.gate.stability

    def _belief(self, tick: Tick) -> BelievedRole:
        """Returns the most likely role after a step's action entered the belief."""
        update = tick.decisions[EGO].belief
        posterior = role_posterior(update if update is not None else tick.observer)
        role = likeliest(posterior)
        return BelievedRole(role, posterior[role], tick.step)
