"""Two games compared: a game and its fork, or the two games of a duel.

The average outcome of a duel is known only of pairs that were measured, over many seeds, in docs/results.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents import Profile, SeatSpec, load_agent, trigger_of
from bba.analysis import names
from bba.analysis.captions import EXPECTED_FROM, replan_texts
from bba.analysis.cook_names import BY_COLOUR, CookNames
from bba.analysis.event_sentences import CHANGED_SIGN
from bba.analysis.events import tuned
from bba.analysis.measures import MEASURES, MeasureValues, measure
from bba.analysis.replans import REPLAN_SHOWN_STEPS
from bba.analysis.snapshot import StepsWhere, belief_snapshot, likeliest_role, role_posterior
from bba.belief import NO_ROLE
from bba.config import Knowledge
from bba.kitchen.constants import SCORE, SKILL_STAY
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER, GameConfig, Tick, Trace

PLAYERS = (EGO, PARTNER)
COOKS = ("ego", "partner")


class Differences:
    """The steps in which two games with a common start differ; `extend` reads new ticks of both.

    A step counts if a player of one game chooses in it what it does not do in the other, or if the rewards differ. The
    first step of a fork also counts if the ego is asked in one game only, even if it goes on as before.

    Args:
        first, second: the two traces.
        shared: the number of steps that they share.

    Attributes:
        steps: the steps that count so far, in order.
        decision_step: the first step in which a player's decision differs; None if there is none yet.
        state_step: the first step after which the states differ; None if there is none yet.
        ego_steps: those of `steps` in which the egos' skills differ, other than in the step before.
    """

    def __init__(self, first: Trace, second: Trace, shared: int) -> None:
        self.steps: list[int] = []
        self.ego_steps: list[int] = []
        self.decision_step: int | None = None
        self.state_step: int | None = None
        self._pair = first, second
        self._read = shared
        self._shared = self._read

    def extend(self) -> None:
        """Reads new ticks of both."""
        first, second = (trace.ticks for trace in self._pair)
        while self._read < min(len(first), len(second)):
            left = first[self._read]
            right = second[self._read]
            previous_skills = None
            if self._read:
                previous_skills = _ego_skills(first[self._read - 1], second[self._read - 1])
            self._read += 1
            if self._counts(left, right):
                self.steps.append(self._read)
                if _differs(left, right, EGO) and _ego_skills(left, right) != previous_skills:
                    self.ego_steps.append(self._read)
            if self.decision_step is None and _decisions(left) != _decisions(right):
                self.decision_step = self._read
            if self.state_step is None and (left.state != right.state).any():
                self.state_step = self._read

    def _counts(self, left: Tick, right: Tick) -> bool:
        """Whether the step that was just read, with its ticks in both games, counts as a difference."""
        first_of_fork = self._read == self._shared + 1
        if first_of_fork and _ego_chooses(left) != _ego_chooses(right):
            return True
        if left.reward != right.reward:
            return True
        return any(_differs(left, right, player) for player in PLAYERS)

    def divergence(self) -> str:
        """Returns since when the games differ, in one line."""
        if self.state_step is None:
            if self.decision_step:
                return f"same so far, other decisions from step {self.decision_step}"
            return "same so far"
        if self.decision_step in (None, self.state_step):
            return f"differs from step {self.state_step}"
        return f"other decisions from step {self.decision_step}, differs from {self.state_step}"

    def describe(self, step: int) -> str:
        """Returns the differences in a step in words, the original's part first."""
        left, right = (trace.ticks[step - 1] for trace in self._pair)
        phrases: list[str] = []
        for player, cook in enumerate(COOKS):
            if _differs(left, right, player):
                left_skill = names.skill_doing(left.skills[player])
                right_skill = names.skill_doing(right.skills[player])
                phrases.append(f"the {cook}: left {left_skill}, right {right_skill}")
        if not phrases and _ego_chooses(left) != _ego_chooses(right):
            choosing, continuing = SIDES if _ego_chooses(left) else SIDES[::-1]
            skill = names.skill_doing(left.skills[EGO])
            phrases.append(f"the ego: {choosing} is asked, {continuing} goes on; both keep {skill}")
        if left.reward != right.reward:
            phrases.append(f"points: left +{left.reward}, right +{right.reward}")
        return ", ".join(phrases)


def _ego_chooses(tick: Tick) -> bool:
    return tick.decisions[EGO].chosen


def _ego_skills(left: Tick, right: Tick) -> tuple[int, int]:
    return left.decisions[EGO].skill, right.decisions[EGO].skill


def _differs(left: Tick, right: Tick, player: int) -> bool:
    """Whether a player runs another skill in one game than in the other, and has just chosen it in one of them.

    What a person pursued by hand is no skill that it runs: only one of the two games may have it inferred already.
    """
    left_decision = left.decisions[player]
    right_decision = right.decisions[player]
    return (left_decision.chosen or right_decision.chosen) and left_decision.skill != right_decision.skill


def _decisions(tick: Tick) -> tuple[tuple[int, int | None, bool], ...]:
    return tuple((decision.skill, decision.action, decision.chosen) for decision in tick.decisions)


class ForkOutcome(NamedTuple):
    """The outcome of one of the two games at the step that is shown.

    Attributes:
        score: the score of the whole game.
        since: the measures of the steps since the fork; None if there are no such steps.
    """

    score: int
    since: MeasureValues | None


def fork_outcome(trace: Trace, step: int, since: int) -> ForkOutcome:
    """Returns the outcome of a game after `step` steps, the first `since` of which it shares with the other game."""
    played = Trace(trace.config, trace.start, trace.ticks[:step], trace.changes)
    measures = measure(played, since) if len(played.ticks) > since else None
    return ForkOutcome(played.score, measures)


def is_better(name: str, first: MeasureValues | None, second: MeasureValues | None) -> bool:
    """Returns whether the first of two games is the better one by this measure; never where neither way is better."""
    if first is None or second is None:
        return False
    first_value = first.get(name)
    second_value = second.get(name)
    if first_value is None or second_value is None:
        return False
    better = MEASURES[name].better
    return better * first_value > better * second_value


def worth_text(knows: Knowledge, points: int) -> str:
    """Returns what knowing the partner would have been worth, as "knowing its rule would have been worth 84 points"."""
    if points > 0:
        effect = f"been worth {_points(points)}"
    elif points < 0:
        effect = f"cost {_points(-points)}"
    else:
        effect = "changed nothing"
    return f"knowing its {knows} would have {effect} here"


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def describe_changes(before: Profile, after: Profile) -> str:
    """Returns the changes of an agent, such as "agent bayes → proagent, Γ 0.65 → 0.5", or "nothing changed"."""
    changes: list[str] = []
    if before.agent != after.agent:
        changes.append(f"agent {before.agent} → {after.agent}")
    if before.planner != after.planner and before.planner and after.planner:
        changes.append(f"planner {before.planner} → {after.planner}")
    if before.trigger != after.trigger:
        changes.append(f"trigger {trigger_of(before)} → {trigger_of(after)}")
    settings = tuned(before, after)
    if settings:
        changes.append(settings)
    if before.oracle != after.oracle and after.belief_config is not None:
        changes.append(f"{_knowledge_source(before)} → {_knowledge_source(after)}")
    return ", ".join(changes) or "nothing changed"


def _knowledge_source(seat: Profile) -> str:
    """Returns where an agent knows its partner from."""
    if seat.knows is None:
        return "belief"
    return "truth" if seat.knows == "policy" else f"true {seat.knows}"


Pair = tuple[Trace, Trace]
SIDES = ("left", "right")  # what two games are called whose egos have the same name
LEAST_ROOM = 50  # points that a picture of the lead has room for, at least


# Ego, the prior of its belief, kitchen and partner: the mean lead over an ego without a belief, and its 95 % interval.
PLANNER = "rollout"
KNOWS_NOTHING = "proagent"
MEASURED_STEPS = 2400
MEASURED_GAMES = 40
MEASURED_LEADS = MappingProxyType(
    {
        ("bayes-value", "propensities", "open", "switching+locked"): (176, 133, 220),
        ("bayes-value", "propensities", "ring", "switching+locked"): (123, 88, 157),
        ("bayes-commit", "propensities", "open", "switching+locked"): (209, 165, 252),
        ("bayes-commit", "propensities", "ring", "switching+locked"): (85, 45, 124),
        ("bayes-commit", "propensities", "open", "switching"): (152, 100, 204),
        ("bayes-commit", "propensities", "ring", "switching"): (105, 50, 161),
        ("bayes-value", "types", "open", "switching+locked"): (193, 152, 233),
        ("bayes-value", "types", "ring", "switching+locked"): (115, 86, 144),
        ("bayes-commit", "types", "open", "switching+locked"): (204, 162, 246),
        ("bayes-commit", "types", "ring", "switching+locked"): (97, 62, 132),
        ("bayes-commit", "types", "open", "switching"): (151, 94, 207),
        ("bayes-commit", "types", "ring", "switching"): (95, 30, 159),
    }
)


def side_names(first: GameConfig, second: GameConfig) -> tuple[str, str]:
    """Returns what the two games of a duel are called in sentences: by their egos, else by side.

    Only one board may be shown, or one above the other, so a side says little.
    """
    first_name = first.labels[EGO]
    second_name = second.labels[EGO]
    return SIDES if first_name == second_name else (first_name, second_name)


def side_marks(first: GameConfig, second: GameConfig) -> tuple[str, str]:
    """Returns the same in a word each, for the first game above and the second below."""
    believes = [config.seats[EGO].belief_config is not None for config in (first, second)]
    if believes[0] != believes[1]:
        first_mark, second_mark = ("with" if has_belief else "without" for has_belief in believes)
        return first_mark, second_mark
    return "first", "second"


def duel_titles(first: GameConfig, second: GameConfig) -> tuple[str, str]:
    """Returns what the two games of a duel are called above their boards: by what only one ego has, if by anything."""
    labels = first.labels[EGO], second.labels[EGO]
    believes = [config.seats[EGO].belief_config is not None for config in (first, second)]
    if believes[0] != believes[1]:
        first_name, second_name = ("with a belief" if has_belief else "without" for has_belief in believes)
    elif labels[0] == labels[1]:
        first_name, second_name = SIDES
    else:
        return labels
    return f"{first_name}: {labels[0]}", f"{second_name}: {labels[1]}"


def average_in_words(first: GameConfig, second: GameConfig) -> str:
    """Returns the average lead in words; "" where that was not measured for exactly these settings."""
    ego = first.seats[EGO]
    partner = first.seats[PARTNER]
    if ego.belief_config is None or first.horizon != MEASURED_STEPS:
        return ""
    prior = ego.belief_config.filter.prior
    measured_lead = MEASURED_LEADS.get((ego.agent, prior, first.layout.name, partner.agent))
    if measured_lead is None:
        return ""
    measured_seats = (
        load_agent(SeatSpec(ego.agent, planner=PLANNER, belief_changes={"belief": prior})).profile,
        load_agent(SeatSpec(KNOWS_NOTHING, planner=PLANNER)).profile,
        load_agent(partner.agent).profile,
    )
    if (ego, second.seats[EGO], partner) != measured_seats:
        return ""
    lead, low, high = measured_lead
    name, _ = side_names(first, second)
    return f"average of {MEASURED_GAMES} games: {name} {lead:+} (95 %: {low} to {high})"


def leads(first: Trace, second: Trace) -> list[int]:
    """Returns the first game's score less the other's, after every step that both have."""
    first_scores = step_arrays(first.ticks).states[:, SCORE].tolist()
    second_scores = step_arrays(second.ticks).states[:, SCORE].tolist()
    return [left - right for left, right in zip(first_scores, second_scores, strict=False)]


def lead_pixels(points: Sequence[int], heights: int, low: int, high: int) -> NDArray[np.int8]:
    """Returns a column of pixels for each lead, (heights, n): 1 where the first leads, −1 where the other does, else 0.

    Args:
        points: the leads.
        heights: pixels from `high` points at the top down to `low`.
        low, high: the ends of the scale (`lead_scale`), 0 or less and 0 or more.
    """
    centres = high - (np.arange(heights)[:, None] + 0.5) * (high - low) / max(1, heights)
    lead = np.asarray(points)[None, :]
    ahead = (centres > 0) & (centres <= lead)
    behind = (centres < 0) & (centres >= lead)
    return ahead.astype(np.int8) - behind.astype(np.int8)


def lead_scale(points: Sequence[int]) -> tuple[int, int]:
    """Returns the lowest and the highest lead that a picture of these has room for."""
    return min([0, *points]), max([LEAST_ROOM, *points])


def lead_in_words(lead: int, sides: tuple[str, str] = SIDES, *, over: bool = False) -> str:
    """Returns which of two games leads, or has won where they are over, and by how many points.

    Args:
        lead: the first game's score less the other's.
        sides: what the games are called.
        over: whether they are over.
    """
    if lead == 0:
        return "both have the same score"
    first, second = sides
    leader = first if lead > 0 else second
    verb = "has won" if over else "leads"
    return f"{leader} {verb} by {_points(abs(lead))}"


def caption(
    pair: Pair, differences: Differences, step: int, *, truth: bool, here: bool, cooks: CookNames = BY_COLOUR
) -> tuple[str, ...]:
    """Returns the caption of a step at every length, the longest first; () for none.

    It describes the first step in which the egos decide differently, for some steps; else the last replan of either
    game that changed a skill, if that is recent. While one leads, what the steps of both egos went to follows.

    Args:
        pair: the two games.
        differences: the steps in which they differ, as far as they were read.
        step: the step that is shown.
        truth: whether to say what the partner really does.
        here: whether the step itself comes first, if the egos decide differently in it.
        cooks: what the cooks of both games are called.
    """
    told = _told_of_a_decision(pair, differences, step, truth=truth, here=here, cooks=cooks)
    lost = steps_lost(pair, step, truth=truth)
    if told and lost:
        return f"{told[0]} {lost[0]}", *told
    return told or lost


def _told_of_a_decision(
    pair: Pair, differences: Differences, step: int, *, truth: bool, here: bool, cooks: CookNames
) -> tuple[str, ...]:
    """Returns where the egos decide differently, or the last replan that changed a skill; () for neither."""
    ego_steps = differences.ego_steps
    if here and step in ego_steps:
        return decision_texts(pair, step, truth=truth)
    if ego_steps and ego_steps[0] <= step < ego_steps[0] + REPLAN_SHOWN_STEPS:
        return decision_texts(pair, ego_steps[0], truth=truth)
    replans = [_last_changed_skill(trace, min(step, len(trace.ticks))) for trace in pair]
    side = int(replans[1] > replans[0])
    if not replans[side]:
        return ()
    texts = replan_texts(pair[side], replans[side], cooks)
    name = _names_of(pair)[side]
    return tuple(f"{CHANGED_SIGN} {name}, step {replans[side]}: {text}" for text in texts)


def decision_texts(pair: Pair, step: int, *, truth: bool) -> tuple[str, ...]:
    """Returns each ego's knowledge in a step and its skill, at three lengths, the longest first."""
    long: list[str] = []
    shorter: list[str] = []
    brief: list[str] = []
    for side, trace in zip(_names_of(pair), pair, strict=True):
        knowledge = knows(trace, step)
        skill = names.skill(trace.ticks[step - 1].skills[EGO])
        long.append(f"{side} {knowledge}: it will {_ego_skill(trace, step, truth)}.")
        shorter.append(f"{side} {knowledge}: {skill}")
        brief.append(f"{side}: {skill}")
    return (
        f"Step {step}: {' '.join(long)}",
        f"Step {step}: {'; '.join(shorter)}.",
        f"Step {step}: {'; '.join(brief)}",
    )


def _does_the_same_work(trace: Trace, step: int) -> bool:
    tick = trace.ticks[step - 1]
    role = tick.role(EGO)
    return role != NO_ROLE and role == tick.role(PARTNER)


def _waits(trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].skills[EGO] == SKILL_STAY


_SAME_WORK = StepsWhere(_does_the_same_work)
_WAITING = StepsWhere(_waits)


def steps_lost(pair: Pair, step: int, *, truth: bool) -> tuple[str, ...]:
    """Returns what the egos' steps so far went to that helps nobody, at two lengths; () while none leads.

    Args:
        pair: the two games.
        step: the step that is shown.
        truth: whether to say in how many the ego did the same work as its partner, whose true role it takes.
    """
    ends = [min(step, len(trace.ticks)) for trace in pair]
    scores = [int(trace.state(end)[SCORE]) for trace, end in zip(pair, ends, strict=True)]
    if scores[0] == scores[1]:
        return ()
    waits = [_WAITING.count(trace, end) for trace, end in zip(pair, ends, strict=True)]
    first, second = _names_of(pair)
    if not truth:
        return (f"So far {first} waited in {waits[0]} steps, {second} in {waits[1]}.",)
    same = [_SAME_WORK.count(trace, end) for trace, end in zip(pair, ends, strict=True)]
    return (
        f"So far {first} did the same work as its partner in {same[0]} steps and waited in {waits[0]}; {second} in "
        f"{same[1]} and {waits[1]}.",
        f"Same work as its partner: {same[0]} steps, waiting: {waits[0]}; {second}: {same[1]}, {waits[1]}.",
    )


def _names_of(pair: Pair) -> tuple[str, str]:
    first, second = pair
    return side_names(first.config, second.config)


def _last_changed_skill(trace: Trace, step: int) -> int:
    """Returns the last recent step in which a replan changed the ego's skill; 0 for none."""
    for number in range(step, max(1, step - REPLAN_SHOWN_STEPS), -1):
        previous, tick = trace.ticks[number - 2 : number]
        if tick.decisions[EGO].replanned and previous.skills[EGO] != tick.skills[EGO]:
            return number
    return 0


def knows(trace: Trace, step: int) -> str:
    """Returns what an ego expects of its partner in a step, as "expects its partner to chop (98 %)".

    Where a gate tests a hypothesis, it is of that; else of the partner's work.
    """
    state = belief_snapshot(trace, step)
    if state.observer:
        return "has no belief about its partner"
    if trace.config_at(step).seats[EGO].oracle:
        return f"is told its partner will {state.believed}"
    does = state.believed
    confidence = state.belief.confidence
    if state.trigger == "value":
        role = likeliest_role(state.belief)
        does = names.role_does(role, to_you=True)
        confidence = role_posterior(state.belief)[role]
    percent = names.number_against_limit(100 * confidence, 100.0, 0)
    if confidence < EXPECTED_FROM:
        return f"guesses that its partner will {does} ({percent} %)"
    return f"expects its partner to {does} ({percent} %)"


def _ego_skill(trace: Trace, step: int, truth: bool) -> str:
    """Returns the ego's skill, and whether its partner works in the same role."""
    tick = trace.ticks[step - 1]
    skill = names.skill(tick.skills[EGO])
    role = tick.role(PARTNER)
    if truth and role != NO_ROLE and role == tick.role(EGO):
        return f"{skill}, though its partner sees to {names.role_work(role)} already"
    return skill
