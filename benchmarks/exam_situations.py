"""Takes the situations of the exam from games of the embedded planners.

`python -m benchmarks.exam_situations` plays two dozen games and more in every kitchen, which takes some minutes, and
prints the file that ships as ``assets/exam/situations.json``.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from bba.agents.base import EpisodeContext, Observation
from bba.agents.skill_planner import RolloutPlanner
from bba.analysis.advice import observation_before
from bba.analysis.human_choices import role_changes
from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS, StayModel
from bba.config import RolloutOptions
from bba.exam.answers import scripted
from bba.exam.marks import heeding
from bba.exam.situations import EGO, SITUATION_KINDS, ExamSituation, Kind, StoredBelief, Variant
from bba.kitchen import Layout, constants
from bba.kitchen.constants import COMPLETED, EVENT
from bba.kitchen.kitchen import Scene
from bba.planner.scene_text import hazards
from bba.play import Game
from bba.play.ticks import step_arrays
from bba.play.trace import Tick, Trace

PARTNER = 1
AFTER_SWITCH = 20  # steps after a switch of the partner that count as after it
WAITED = 5  # steps for which a waiting partner has waited at least
GIVEN = 40  # steps for which what the partner has put down counts as handed over
DOUBTED = 3  # steps for which a contradiction counts
_DOWN = (constants.PASS_OBJECT, constants.PUT_DOWN_OBJECT)
SAMPLED_SEEDS = range(
    20, 25
)  # below 20 are those of the sweeps, from 100 on those of measurements that must stay unseen
SAMPLED_PARTNERS = ("switching", "switching+locked")
FULL: dict[Kind, int] = {"uncertain": 5}  # situations of a kind in a kitchen, if not as many as
MOST_OF_A_GAME = 3
COMPARED_KINDS: tuple[Kind, ...] = ("clear", "right", "wrong", "switched")  # those that are asked with three beliefs
TRIES = 12  # moments of a game that are asked whether a need is clear
FUTURES = RolloutOptions(futures=96, candidates=27, least_probability=1e-12)  # of every feasible skill
Cell = tuple[str, Kind]


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
        if not (decision.deliberate or contradicted or any(hazards(scene.objects))):
            continue
        update = decision.belief
        belief = StoredBelief(posterior=_rounded(update.posterior), commitment=update.stable_updates)
        switched = any(0 < index - start <= AFTER_SWITCH for start in starts)
        seen = observation_before(trace, index + 1, EGO)
        yield Moment(trace, index, belief, contradicted, switched, seen, scene, frozenset(seen.feasible()))


def _contradicted(tick: Tick) -> bool:
    gate = tick.decisions[EGO].gate
    return gate is not None and gate.contradiction


def _rounded(posterior: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(probability, 4) for probability in posterior)


def _hazard(moment: Moment) -> bool:
    skills = heeding(moment.scene)
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
    """Whether the need may be clear: `Referees` asks the planners whether it is."""
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


class Referees:
    """The two planners that say, without being examined, what is useful in a kitchen."""

    def __init__(self, layout: Layout) -> None:
        context = EpisodeContext(EGO, layout, 0, StayModel.NOISY, fast=True)
        self._scripted = scripted()
        self._quick, self._thorough = RolloutPlanner(RolloutOptions()), RolloutPlanner(FUTURES)
        for planner in (self._scripted, self._quick, self._thorough):
            planner.reset(context)

    def scripted(self, moment: Moment, belief: StoredBelief | None) -> int:
        """Returns what the scripted planner chooses."""
        return self._scripted.plan(moment.observation, belief and belief.shown()).skill

    def is_clear(self, moment: Moment) -> bool:
        """Whether both planners choose the same skill, the scripted one whatever it believes."""
        chosen = self.scripted(moment, None)
        certain = [StoredBelief(posterior=_certain(role), commitment=9) for role in range(len(ROLE_NAMES))]
        if ROLE_OF_SKILL[chosen] == NO_ROLE or any(self.scripted(moment, one) != chosen for one in certain):
            return False
        return self._quick.plan(moment.observation, None).skill == chosen

    def values(self, seen: Observation, belief: StoredBelief | None) -> dict[int, float]:
        """Returns the points that the rollout planner expects of each feasible skill.

        What its network would never choose is not compared by itself: it is, as the skill that runs already.
        """
        values = self._compared(seen, belief)
        for skill in set(seen.feasible()) - values.keys():
            values[skill] = self._compared(seen._replace(running=skill), belief)[skill]
        return dict(sorted(values.items()))

    def _compared(self, seen: Observation, belief: StoredBelief | None) -> dict[int, float]:
        comparison = self._thorough.plan(seen, belief and belief.shown()).comparison
        return {option.skill: round(option.value, 2) for option in comparison.options} if comparison else {}


def _certain(role: int) -> tuple[float, ...]:
    return tuple(0.95 if other == role else 0.01 for other in range(len(ROLE_NAMES)))


def sampled(kitchens: Sequence[str], seeds: Iterable[int]) -> list[ExamSituation]:
    """Returns situations of every kind from games in these kitchens."""
    found: dict[Cell, list[ExamSituation]] = defaultdict(list)
    for kitchen in kitchens:
        referees, draws = Referees(Layout.load(kitchen)), random.Random(0)
        for seed, partner in product(seeds, SAMPLED_PARTNERS):
            for one in _from_game(kitchen, partner, seed, referees, draws):
                found[kitchen, one.kind].append(one)
            if all(len(found[kitchen, kind]) >= FULL.get(kind, MOST_OF_A_GAME) for kind in SITUATION_KINDS):
                break
    return [one for kind in SITUATION_KINDS for one in _chosen(found, kitchens, kind)]


def _from_game(
    kitchen: str, partner: str, seed: int, referees: Referees, draws: random.Random
) -> Iterator[ExamSituation]:
    """Yields one situation of each kind that a game has."""
    trace = Game(kitchen, "bayes", partner, seed, fast=True).run()
    met = list(moments(trace))
    for kind in SITUATION_KINDS:
        fitting = [moment for moment in met if is_example(moment, kind)]
        draws.shuffle(fitting)
        if kind == "clear":
            fitting = [moment for moment in fitting[:TRIES] if referees.is_clear(moment)]
        if fitting:
            yield _situation(fitting[0], kind, partner, referees)
    sys.stderr.write(f"{kitchen} {partner} {seed}\n")


def _situation(moment: Moment, kind: Kind, partner: str, referees: Referees) -> ExamSituation:
    config, belief, seen = moment.trace.config, moment.belief, moment.observation
    other = _other(moment, referees) if kind in COMPARED_KINDS else None
    beliefs: dict[Variant, StoredBelief | None] = {"own": belief}
    beliefs |= {"other": other, "none": None} if other else {}
    return ExamSituation(
        name=f"{config.layout.name}-{kind}",
        kind=kind,
        kitchen=config.layout.name,
        partner=partner,
        seed=config.seed,
        step=moment.index,
        state=tuple(seen.state.tolist()),
        truth=moment.truth,
        belief=belief,
        other=other,
        values={variant: referees.values(seen, shown) for variant, shown in beliefs.items()},
    )


def _other(moment: Moment, referees: Referees) -> StoredBelief:
    """Returns the belief in which the partner does what the scripted planner would do without one, else the rarest."""
    role = ROLE_OF_SKILL[referees.scripted(moment, None)]
    if role in (NO_ROLE, moment.belief.role):
        role = min(range(len(ROLE_NAMES)), key=moment.belief.posterior.__getitem__)
    exchanged = list(moment.belief.posterior)
    exchanged[moment.belief.role], exchanged[role] = exchanged[role], exchanged[moment.belief.role]
    return StoredBelief(posterior=tuple(exchanged), commitment=moment.belief.commitment)


def _chosen(found: dict[Cell, list[ExamSituation]], kitchens: Sequence[str], kind: Kind) -> list[ExamSituation]:
    """Returns so many of each kitchen; what one lacks is taken from the others in turn."""
    full = FULL.get(kind, MOST_OF_A_GAME)
    chosen = {kitchen: found[kitchen, kind][:full] for kitchen in kitchens}
    spare = [one for group in zip_all(found[kitchen, kind][full:] for kitchen in kitchens) for one in group]
    missing = full * len(kitchens) - sum(map(len, chosen.values()))
    for one in spare[:missing]:
        chosen[one.kitchen].append(one)
    return [
        one.model_copy(update={"name": f"{one.name}-{number}"})
        for kitchen in kitchens
        for number, one in enumerate(chosen[kitchen], 1)
    ]


def zip_all(groups: Iterable[list[ExamSituation]]) -> Iterator[list[ExamSituation]]:
    """Yields the first of each group, then the second of each that has one, and so on."""
    left = [list(group) for group in groups]
    while any(left):
        yield [group.pop(0) for group in left if group]


def as_text(situations: Iterable[ExamSituation]) -> str:
    """Returns the file: a JSON list with a situation on each line."""
    lines = (json.dumps(one.model_dump(mode="json"), separators=(",", ":")) for one in situations)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    """Prints the file."""
    sys.stdout.write(as_text(sampled(Layout.names(), SAMPLED_SEEDS)))


if __name__ == "__main__":
    main()
