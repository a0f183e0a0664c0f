"""The sentence in everyday words: what the ego believes, how sure it is, and what it makes of that."""

import re
from functools import cache

import pytest

from bba.agents import SeatSpec, load_agent
from bba.analysis import BY_COLOUR, BY_NUMBER, CookNames, Snapshot, belief_text, belief_texts, names, percent
from bba.analysis.captions import last_verdicts
from bba.analysis.replans import choice_step
from bba.analysis.snapshot import likeliest_role, role_posterior
from bba.belief import ROLE_NAMES
from bba.play import Game, Trace
from bba.play.trace import EGO

DOES = "|".join(names.role_does(role) for role in range(len(ROLE_NAMES)))


@cache
def played(agent: str, steps: int = 120, trigger: str | None = None, seed: int = 0) -> Trace:
    spec = SeatSpec(trigger=trigger)
    return Game("open", load_agent(agent, spec), "switching", seed, horizon=steps, fast=True).run()


def sentences(trace: Trace, cooks: CookNames = BY_COLOUR) -> list[str]:
    return [belief_texts(Snapshot(trace, step), cooks)[0] for step in range(1, len(trace.ticks) + 1)]


def test_before_the_first_step_nothing_is_believed():
    assert belief_texts(Snapshot(played("bayes"), 0)) == ("Blue has not seen yet what orange does.",)


@pytest.mark.parametrize("agent", ["bayes", "bayes-commit"])
def test_role_and_probability_are_those_of_the_belief_in_every_step(agent):
    trace = played(agent)
    for tick, text in zip(trace.ticks, sentences(trace), strict=True):
        belief = tick.decisions[EGO].belief
        role = likeliest_role(belief)
        said = f"orange {names.role_does(role)} ({percent(role_posterior(belief)[role])})."
        assert re.match(rf"Blue (believes: |is not sure: perhaps ){re.escape(said)} \S", text), text


def test_a_belief_below_the_threshold_of_the_gate_is_not_called_a_belief():
    trace = played("bayes")
    sure = [tick.decisions[EGO].belief.confidence >= 0.65 for tick in trace.ticks]
    assert {True, False} == set(sure)
    assert [text.startswith("Blue believes") for text in sentences(trace)] == sure


def test_where_no_gate_decides_the_ego_is_sure_by_the_probability_that_is_said():
    trace = played("bayes-value")
    shares = [max(role_posterior(tick.decisions[EGO].belief)) for tick in trace.ticks]
    limit = Snapshot(trace, 1).belief_state.settings.gamma_conf
    sure = [share >= limit for share in shares]
    assert [text.startswith("Blue believes") for text in sentences(trace)] == sure
    assert {True, False} == set(sure)
    joint = [tick.decisions[EGO].belief.confidence for tick in trace.ticks]
    assert any(share - both > 0.1 for share, both in zip(shares, joint, strict=True))


def test_what_the_value_gate_found_is_said_of_the_step_in_which_it_looked_and_else_that_it_did_not():
    trace = Game("open", "bayes-value", "switching+locked", 15, horizon=400, fast=True).run()
    said = set()
    for step, text in enumerate(sentences(trace), 1):
        _, _, made_of_it = text.partition(". ")
        choice = choice_step(trace, step)
        verdicts = last_verdicts(trace, step)
        looked = 0 if verdicts is None or verdicts.value else verdicts.step
        kind = re.sub(r"\d+", "N", made_of_it)
        said.add(kind)
        match kind:
            case "No other plan is worth more, so blue keeps its plan.":
                assert looked == step
            case "In step N no other plan was worth more.":
                assert choice < looked < step
                assert f"In step {looked} " in made_of_it
            case "So far that is no reason to think again.":
                assert looked <= choice < step
        begins = made_of_it == f"Blue begins {names.skill_doing(trace.ticks[step - 1].skills[EGO])}."
        assert begins == (choice == step and not trace.ticks[step - 1].decisions[EGO].replanned)
    assert said >= {
        "No other plan is worth more, so blue keeps its plan.",
        "In step N no other plan was worth more.",
        "So far that is no reason to think again.",
    }


def test_a_replan_is_laid_on_the_present_belief_only_while_that_is_the_same_and_was_not_weighed_again():
    trace = Game("open", "bayes-value", "switching+locked", 15, horizon=400, fast=True).run()
    dated = 0
    for step, text in enumerate(sentences(trace), 1):
        _, _, made_of_it = text.partition(". ")
        choice = choice_step(trace, step)
        if "changed its plan" not in made_of_it:
            continue
        then, now = (likeliest_role(trace.ticks[at - 1].decisions[EGO].belief) for at in (choice, step))
        verdicts = last_verdicts(trace, step)
        again = not verdicts.value and verdicts.step > choice
        assert made_of_it.startswith("With that, blue") == (then == now and not again), step
        if then != now or again:
            assert made_of_it.startswith(f"In step {choice} blue changed its plan: "), step
            dated += 1
    assert dated


def test_a_held_gate_is_a_plan_that_is_kept_and_says_why():
    trace = played("bayes")
    for tick, text in zip(trace.ticks, sentences(trace), strict=True):
        gate = tick.decisions[EGO].gate
        if gate is None or tick.decisions[EGO].replanned:
            continue
        if gate.blocked_by == "contradiction":
            assert text.endswith("It acts as expected, so blue keeps its plan.")
        elif gate.blocked_by in ("stable", "confident"):
            assert text.endswith("It acts otherwise, but blue is not sure of its guess yet: it keeps its plan.")


def test_a_replan_is_told_for_as_long_as_what_was_chosen_runs():
    trace = played("bayes-commit")
    replanned = next(tick.step for tick in trace.ticks if tick.decisions[EGO].replanned)
    chosen, stopped = (names.skill_doing(trace.ticks[step - 1].skills[EGO]) for step in (replanned, replanned - 1))
    told = f"It turned to other work, so blue changed its plan: {chosen}, not {stopped}."
    texts = sentences(trace)
    assert texts[replanned - 1].endswith(told)
    assert not texts[replanned - 2].endswith(told)
    ends = next(step for step in range(replanned + 1, 120) if trace.ticks[step - 1].ages[EGO] == 0)
    assert all(text.endswith(told) for text in texts[replanned - 1 : ends - 1])
    assert not texts[ends - 1].endswith(told)


@pytest.mark.parametrize(
    ("agent", "trigger", "ends"),
    [
        ("bayes-no-replan", None, "Blue finishes what it has begun, whatever orange does."),
        ("bayes", "periodic", "Blue goes on until it is time to think again."),
    ],
)
def test_without_a_gate_it_says_what_the_ego_waits_for(agent, trigger, ends):
    assert sum(text.endswith(ends) for text in sentences(played(agent, 60, trigger))) > 20


def test_an_ego_without_a_belief_makes_no_guess_and_an_observer_speaks():
    text = sentences(played("proagent", 30))[-1]
    assert re.fullmatch(rf"Blue makes no guess about orange\. An observer believes: orange ({DOES}) \(\d+ %\)\.", text)


def test_said_to_the_partner_it_is_in_the_second_person():
    cooks = CookNames("you", "your", "your partner", itself="you", was="were")
    texts = sentences(played("bayes"), cooks)
    assert any("Your partner believes: you prepare meat (" in text for text in texts)
    assert any(text.endswith("You act as expected, so your partner keeps its plan.") for text in texts)
    assert not any("you prepares" in text or "you acts" in text for text in texts)


def test_the_longest_form_that_fits_is_taken_and_the_shortest_one_where_none_does():
    snapshot = Snapshot(played("bayes"), 20)
    texts = belief_texts(snapshot)
    assert sorted(texts, key=len, reverse=True) == list(texts)
    for text in texts:
        assert belief_text(snapshot, len(text)) == text
    assert belief_text(snapshot, 10) == texts[-1]
    assert all(len(form) <= 79 for form in texts[-1:])


def test_without_colours_the_cooks_have_numbers():
    assert belief_texts(Snapshot(played("bayes"), 20), BY_NUMBER)[0].startswith("Cook 1 ")
