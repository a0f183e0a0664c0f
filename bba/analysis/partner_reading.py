"""How the ego read its partner in a game, in numbers and in the sentences with which a debrief begins.

The belief is the ego's own, or the passive observer's where the ego had none in some step. A person beside an ego is
told in the second person.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bba.agents import HUMAN
from bba.agents.planning_agent import trigger_of
from bba.analysis import names
from bba.analysis.cook_names import ONE_PERSON, CookNames, cook_names
from bba.analysis.coordination import (
    SwitchResponse,
    as_the_ego_believes,
    detection_delays,
    has_true_role,
    map_correct,
    mean,
    share,
    switch_responses,
)
from bba.analysis.event_sentences import CHANGED_SIGN, KEPT_SIGN
from bba.analysis.replans import Replan, keeps_plan, replan_at
from bba.analysis.snapshot import likeliest_role
from bba.kitchen.constants import SERVE
from bba.play.trace import EGO, PARTNER, Trace, counts_replans

PARTNER_DECIDES = ("gate", "commitment", "value", "judge")  # triggers by which the partner makes the ego replan


class PartnerReading(NamedTuple):
    """How the ego read its partner.

    Attributes:
        own: whether the belief is the ego's own; else it is the observer's.
        worked: the steps with a true role of the partner.
        right: the share of these in which it was believed; None without such steps.
        responses: how belief and ego followed each switch of the partner.
        replans: how often the ego replanned; None where that is not counted.
        changed: how often it took up another skill then.
        gain: the points that its planner expected of these changes; None where it did not compare, or nothing changed.
        for_partner: whether what the partner does makes it replan.
        served: how many dishes each cook served.
    """

    own: bool
    worked: int
    right: float | None
    responses: tuple[SwitchResponse, ...]
    replans: int | None
    changed: int
    gain: float | None
    for_partner: bool
    served: tuple[int, int]

    @property
    def noticed(self) -> int:
        """How many switches were noticed before the next one."""
        return len(detection_delays(list(self.responses)))


def partner_reading(trace: Trace) -> PartnerReading:
    """Returns how the ego read its partner in a game with at least one step."""
    steps, own = as_the_ego_believes(trace)
    replanned_steps = [index + 1 for index, replanned in enumerate(steps.replanned.tolist()) if replanned]
    replans = [replan for replan in (replan_at(trace, step) for step in replanned_steps) if replan is not None]
    changes = [replan for replan in replans if not keeps_plan(replan)]
    gains = [expected_gain(replan) for replan in changes]
    known_gains = [gain for gain in gains if gain is not None]
    return PartnerReading(
        own=own,
        worked=int(has_true_role(steps).sum()),
        right=share(map_correct(steps), has_true_role(steps)),
        responses=tuple(switch_responses(steps)),
        replans=len(replans) if counts_replans(trace.configs) else None,
        changed=len(changes),
        gain=sum(known_gains) if changes and len(known_gains) == len(changes) else None,
        for_partner=all(trigger_of(config.seats[EGO]) in PARTNER_DECIDES for config in trace.configs),
        served=(_served(trace, EGO), _served(trace, PARTNER)),
    )


def _served(trace: Trace, player: int) -> int:
    """Returns how many dishes a cook served."""
    return sum(
        event.complete and event.player == player and event.skill == SERVE
        for tick in trace.ticks
        for event in tick.events
    )


def expected_gain(replan: Replan) -> float | None:
    """Returns the points that a planner expected more of the chosen skill than of the interrupted one.

    None where it did not compare the two.
    """
    if replan.comparison is None:
        return None
    for option in replan.comparison.options:
        if option.skill == replan.stopped:
            return replan.comparison.best.gain - option.gain
    return None


# --- in sentences ------------------------------------------------------------------------------------------------
def reading_sentences(trace: Trace, reading: PartnerReading) -> list[str]:
    """Returns how often the belief was right, which changes it noticed, and how often the ego changed its plan."""
    named = cook_names(trace.config.agents)
    sentences: list[str] = []
    if named == ONE_PERSON[PARTNER] and trace.config.belief_config is None:
        sentences.append(f"{names.capital(named.ego)} has no belief about {named.partner}; that of an observer counts.")
    sentences.append(_right(reading, named))
    sentences.append(_noticed(reading, named))
    sentences += _changed_plan(reading, named)
    return sentences


def dishes_sentence(trace: Trace, reading: PartnerReading) -> str:
    """Returns how many of the dishes the one person in a game served; "" without one person, or without dishes."""
    agents = trace.config.agents
    dishes = sum(reading.served)
    if agents.count(HUMAN) != 1 or not dishes:
        return ""
    own = reading.served[agents.index(HUMAN)]
    all_of_them = "the one dish" if dishes == 1 else f"the {dishes} dishes"
    return f"You served {own or 'none'} of {all_of_them}."


def _right(reading: PartnerReading, named: CookNames) -> str:
    if reading.right is None:
        return f"{names.capital(named.partner)} did no work that could be guessed."
    believer = named.ego if reading.own else "an observer"
    working = f"in {reading.right:.0%} of the {_steps(reading.worked)} in which {named.itself} did any"
    return f"{names.capital(believer)} was right about {named.partners} work {working}."


def _noticed(reading: PartnerReading, named: CookNames) -> str:
    switches = len(reading.responses)
    noticed = reading.noticed
    owner = named.partners
    if not switches:
        return f"{names.capital(named.partner)} turned to no other work for long, so there was no change to notice."
    if switches == 1 and not noticed:
        return f"It did not notice {owner} one change of work."
    if not noticed:
        return f"It noticed none of {owner} {switches} changes of work."
    delay = mean(detection_delays(list(reading.responses))) or 0.0
    if switches == 1:
        return f"It noticed {owner} one change of work, after {_steps(delay)}."
    average = f"after {_steps(delay)}" if noticed == 1 else f"after {_steps(delay)} on average"
    return f"It noticed {noticed} of {owner} {switches} changes of work, {average}."


def _changed_plan(reading: PartnerReading, named: CookNames) -> Iterator[str]:
    """Yields how often the ego changed its plan; nothing where that is not counted, as for people."""
    if reading.replans is None:
        return
    ego = names.capital(named.ego)
    kept = reading.replans - reading.changed
    for_partner = f" for {named.partner}" if reading.for_partner else ""
    if not reading.replans:
        yield f"{ego} never changed its plan in the middle of its work."
    elif not reading.changed:
        yield f"{ego} thought its plan over {_times(kept)} and kept it."
    else:
        worth = "" if reading.gain is None else f", by its planner's estimate for {reading.gain:.0f} more points"
        again = f", and thought it over {_times(kept)} without a change" if kept else ""
        yield f"{ego} changed its plan{for_partner} {_times(reading.changed)}{worth}{again}."


def worth_sentence(trace: Trace, reference: int) -> str:
    """Returns what the belief was worth in one game, given the score of the same game without it."""
    difference = trace.score - reference
    if difference == 0:
        compared = "just as many"
    else:
        compared = f"{abs(difference)} {'fewer' if difference > 0 else 'more'}"
    named = cook_names(trace.config.agents)
    return f"Without its belief {named.ego} would have reached {reference} points, {compared}."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _steps(number: float) -> str:
    """Returns a number of steps, with a decimal where it is no whole one."""
    rounded = round(number, 1)
    text = f"{rounded:.0f}" if rounded == int(rounded) else f"{rounded:.1f}"
    return "1 step" if text == "1" else f"{text} steps"


# --- while a person plays ----------------------------------------------------------------------------------------
class PlanNews(NamedTuple):
    """What a person is told when its partner has just thought its plan over.

    Attributes:
        sign: of a changed plan, or of one that was kept.
        text: without the sign, which is not to be read out.
    """

    sign: str
    text: str


def plan_news(trace: Trace, step: int) -> PlanNews | None:
    """Returns what a person is told in a step in which its partner has just thought its plan over; else None."""
    agents = trace.config.agents
    if agents.count(HUMAN) != 1:
        return None
    seat = PARTNER if agents[EGO] == HUMAN else EGO
    decision = trace.ticks[step - 1].decisions[seat]
    if not decision.replanned:
        return None
    sign = CHANGED_SIGN
    text = "your partner changed its plan"
    if trace.ticks[step - 2].skills[seat] == trace.ticks[step - 1].skills[seat]:
        sign = KEPT_SIGN
        text = "your partner thought again and keeps its plan"
    if decision.belief is not None and not trace.config_at(step).seats[seat].oracle:
        work = names.role_does(likeliest_role(decision.belief), to_you=True)
        text = f"{text}, since you seemed to {work}"
    return PlanNews(sign, text)
