"""What is said of a replan, part by part, against the trace: for every trigger, with and without a belief."""

import re
from dataclasses import replace
from functools import cache
from math import log

import numpy as np
import pytest

from bba.agents import HUMAN, Controls, HumanAgent, SeatSpec, load_agent
from bba.analysis import names
from bba.analysis.captions import points, replan_caption, replan_texts
from bba.analysis.cook_names import BY_NUMBER, BY_PART, ONE_PERSON, cook_names
from bba.analysis.replans import last_replan, partner_doing, replan_at
from bba.analysis.snapshot import role_posterior
from bba.belief import ROLE_NAMES
from bba.belief.roles import SCORED_SKILLS
from bba.config import BeliefConfig, FilterConfig
from bba.kitchen.constants import ACTION_NAMES, COMPLETED, EVENT, FACING, HELD, NOTHING, POSITION, Action
from bba.play import Game, Trace
from bba.play.trace import EGO, PARTNER
from benchmarks.oracle import oracle_game
from tests.helpers.comparisons import compared, with_comparisons

WORDS = [names.role_does(role, to_you=True) for role in range(len(ROLE_NAMES))]
DOING = [names.doing(word) for word in WORDS]
YOU = ONE_PERSON[1]
BELIEF = rf"({'|'.join(WORDS)})"


@cache
def played(agent: str, layout: str = "open", seed: int = 2, steps: int = 100, trigger: str | None = None) -> Trace:
    return Game(layout, load_agent(agent, SeatSpec(trigger=trigger)), "switching", seed, horizon=steps).run()


def gate_game() -> Trace:
    return played("bayes", "open", 54, 420)


def replans(trace: Trace) -> list[int]:
    return [tick.step for tick in trace.ticks if tick.decisions[EGO].replanned]


def belief(trace: Trace, step: int):
    return trace.ticks[step - 1].decisions[EGO].belief


def check_now_and_skills(trace: Trace, step: int, text: str) -> None:
    """The belief after the replan and the two skills, whichever trigger it was."""
    posterior = belief(trace, step).posterior
    best = int(np.argmax(posterior))
    now = re.search(
        rf"(?:Now the ego|The ego still) (?:expects the partner to|guesses that the partner will) {BELIEF} \((\d+ %)",
        text,
    )
    assert (now[1], now[2]) == (WORDS[best], names.percent(posterior[best]))
    before, after = (names.skill_doing(trace.ticks[one - 1].skills[EGO]) for one in (step - 1, step))
    end = f"kept to {after}" if before == after else f"chose {after}, not {before}"
    assert text.endswith(f"Its planner, asked again, {end}.")


@pytest.mark.thorough
def test_what_the_gate_judged_is_said_as_the_trace_has_it():
    trace = gate_game()
    assert len(replans(trace)) > 1
    for step in replans(trace):
        text = replan_caption(trace, step)
        found = re.match(
            rf"The ego expected the partner to {BELIEF} \((\d+ %)\)\. The partner's last (\d+) actions hardly fit "
            r"that \(ℓ (\d\.\d+|< 0\.001) < θ 0\.04\), least of all (.+?) in step (\d+)\.",
            text,
        )
        posterior = belief(trace, step - 1).posterior
        best = int(np.argmax(posterior))
        assert (found[1], found[2]) == (WORDS[best], names.percent(posterior[best]))
        # ℓ is a product over actions each of which entered the belief of the step after it.
        factors = [belief(trace, step - back).relative_likelihoods[best] for back in range(int(found[3]))]
        likelihood = np.prod(factors)
        assert likelihood == pytest.approx(trace.ticks[step - 1].decisions[EGO].gate[-1])
        assert found[4] == (f"{likelihood:.3f}" if likelihood >= 0.001 else "< 0.001")
        told = int(found[6])
        assert belief(trace, told + 1).relative_likelihoods[best] == min(factors)
        assert found[5] == partner_doing(trace, told)
        check_now_and_skills(trace, step, text)


@pytest.mark.thorough
def test_what_told_apart_what_was_remembered_is_said_as_the_trace_has_it():
    trace = played("bayes-commit", "ring", 1, 400)
    assert len(replans(trace)) > 2
    for step in replans(trace):
        text = replan_caption(trace, step)
        found = re.match(
            rf"In step (\d+) the ego (?:expected the partner to|guessed that the partner would) {BELIEF} \((\d+ %)"
            rf"(?:, less likely than not)?\)\. The partner's actions since then fit ({'|'.join(DOING)}) better "
            r"\(Λ (\d+\.\d) ≥ λ 2\.3\), most of all (.+?) in step (\d+)\.",
            text,
        )
        since, then = int(found[1]), belief(trace, int(found[1]))
        old, new = WORDS.index(found[2]), DOING.index(found[4])
        assert old == int(np.argmax(then.posterior)), "what is remembered was the likeliest then"
        assert found[3] == names.percent(then.posterior[old])
        remembered = trace.ticks[since - 1].decisions[EGO]
        assert remembered.deliberate or remembered.commitment_gate.opens
        assert not any(tick.decisions[EGO].deliberate for tick in trace.ticks[since : step - 1])
        ratios = {one - 1: belief(trace, one).relative_likelihoods for one in range(since + 1, step + 1)}
        gains = {one: log(ratio[new] / ratio[old]) for one, ratio in ratios.items()}
        total = 0.0
        for gain in gains.values():
            total = max(0.0, total + gain)
        assert found[5] == f"{total:.1f}"
        assert gains[int(found[7])] > 0
        assert found[6] == partner_doing(trace, int(found[7]))
        assert new == int(np.argmax(belief(trace, step).posterior))
        check_now_and_skills(trace, step, text)


FITS = r"\(ℓ (.+?) [<≥] θ 0\.04 over its last (?:(\d+) actions|action)\)"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("agent", "why"), [("periodic-10", "the ego asks its planner every 10 steps"), ("llm-judge", "asked whether to go")]
)
def test_replans_without_a_gate_say_what_the_partner_did_and_how_likely_that_was(agent, why):
    trace = played(agent)
    assert len(replans(trace)) > 2
    for step in replans(trace):
        text, decision = replan_caption(trace, step), trace.ticks[step - 1].decisions[EGO]
        doing, likelihood, actions = re.search(rf"The partner was (.+?) {FITS}; {why}", text).groups()
        assert doing == partner_doing(trace, step - 1)
        assert likelihood == f"{decision.gate.contradiction_likelihood:.3f}"
        assert int(actions or 1) == len(belief(trace, step).likelihood_ratios)
        assert any(call.kind == "judge" for call in decision.calls) if agent == "llm-judge" else step % 10 == 1
        check_now_and_skills(trace, step, text)


def test_a_completion_or_a_new_item_in_hand_is_named():
    trace = played("completion-held")
    assert len(replans(trace)) > 2
    for step in replans(trace):
        text, before, after = replan_caption(trace, step), trace.ticks[step - 3].state, trace.ticks[step - 2].state
        if after[COMPLETED + PARTNER]:
            assert f"The partner completed {names.skill_doing(int(after[EVENT + PARTNER]))} (ℓ" in text
        else:
            assert after[HELD + PARTNER] not in (NOTHING, before[HELD + PARTNER])
            assert "The partner picked something up: " in text
        check_now_and_skills(trace, step, text)


@pytest.mark.parametrize(("seed", "horizon", "same_work"), [(46, 120, False), (1102, 40, True)])
def test_a_replan_that_pays_says_what_was_believed_then_and_now_and_what_the_plan_is_worth(seed, horizon, same_work):
    trace = Game("open", "bayes-value", "switching+locked", seed, horizon=horizon, fast=True).run()
    same = set()
    for step in replans(trace):
        text = replan_caption(trace, step)
        found = re.match(
            r"In step (?P<at>\d+) the ego (?:expected the partner to|guessed that the partner would) "
            rf"(?P<then>{BELIEF}) \((?P<sure>\d+ %)(?:, less likely than not)?\)\. (?P<belief>.+) "
            r"So (?P<chosen>.+) promises (?P<gain>\S+) points more than (?P<stopped>.+); 0\.5 are",
            text,
        )
        chosen_at = int(found["at"])
        assert trace.ticks[chosen_at - 1].decisions[EGO].chosen
        assert not any(tick.decisions[EGO].chosen for tick in trace.ticks[chosen_at : step - 1])
        likeliest = []
        for at in (chosen_at, step):
            posterior = role_posterior(belief(trace, at))
            best = int(np.argmax(posterior))
            likeliest.append((WORDS[best], names.percent(posterior[best]), posterior[best] >= 0.5))
        (then, sure, expected), (now, surer, expects) = likeliest
        assert (found["then"], found["sure"]) == (then, sure)
        assert ("expected" in text.partition(".")[0]) == expected
        comparison = trace.ticks[step - 1].decisions[EGO].comparison
        same.add(then == now)
        if then == now:
            skill = int(np.argmax(comparison.partner))
            doing = f"{names.skill_doing(skill)} ({names.percent(comparison.partner[skill])})"
            verbs = {
                (True, True): "The ego still does",
                (False, False): "The ego still guesses so",
                (False, True): "Now the ego expects so",
                (True, False): "Now the ego only guesses so",
            }
            verb = verbs[expected, expects]
            assert found["belief"] == f"{verb} ({surer}), and thinks that the partner is now {doing}."
        elif expects:
            assert found["belief"] == f"Now the ego expects the partner to {now} ({surer})."
        else:
            assert (
                found["belief"] == f"Now the ego guesses that the partner will {now} ({surer}, less likely than not)."
            )
        chosen, stopped = (names.skill_doing(trace.ticks[at - 1].skills[EGO]) for at in (step, step - 1))
        assert (found["chosen"], found["gain"], found["stopped"]) == (chosen, points(comparison.best.gain), stopped)
        assert text.endswith("The ego changed its plan.")
        assert not re.search("[ℓθΛλ]", text)
    assert same_work in same


def test_an_ego_without_a_belief_claims_none():
    trace = played("proagent", steps=40, trigger="periodic")
    assert replans(trace)
    for step in replans(trace):
        text = replan_caption(trace, step)
        assert text.startswith("The ego has no belief about the partner. The partner was ")
        assert not re.search(r"expect|ℓ|Λ|\d\.\d|%", text)


def test_a_person_as_partner_is_said_to_do_what_is_seen_of_it():
    controls = Controls()
    person = load_agent(HUMAN, controls=controls)
    game = Game("open", "periodic-10", person, 2, horizon=42)
    keys = (Action.EAST, Action.SOUTH, Action.WEST, Action.NORTH)
    for action in (*keys * 5, *[Action.STAY] * 22):
        controls.press(action)
        game.step()
    trace, doing = game.trace, []
    for step in replans(trace):
        doing.append(re.search(rf"The partner was (.+?) {FITS};", replan_caption(trace, step))[1])
        assert doing[-1] == partner_doing(trace, step - 1)
    assert len(set(doing)) > 1


def test_an_ego_that_is_told_the_truth_is_said_to_be_told():
    trace = oracle_game("open", "bayes", "switching", 54, horizon=250).run()
    assert replans(trace)
    for step in replans(trace):
        before, now = (WORDS[belief(trace, one).map_index] for one in (step - 1, step))
        assert replan_caption(trace, step).startswith(
            f"The ego was told what the partner does: {before}. The partner turned to something else. "
            f"Now it is told: {now}. Its planner, asked again, "
        )


def test_the_reason_of_a_rollout_planner_is_part_of_the_caption():
    plain = gate_game()
    step = replans(plain)[0]
    only = compared().options[:1]
    weighed = with_comparisons(plain, {step: compared(only[0].skill, options=only)})
    text = replan_caption(replace(weighed, config=plain.config), step)
    assert text == replan_caption(plain, step)[:-1] + ": no other skill was worth a look."


def test_an_answer_without_a_usable_skill_is_no_choice():
    trace = gate_game()
    step = replans(trace)[0]
    tick = trace.ticks[step - 1]
    ego = tick.decisions[EGO]._replace(calls=(replace(tick.decisions[EGO].plan, problem="no such skill"),))
    ticks = [*trace.ticks[: step - 1], tick._replace(decisions=(ego, tick.decisions[PARTNER]))]
    text = replan_caption(Trace(trace.config, trace.start, ticks), step)
    assert "Its planner, asked again, gave no usable answer; the ego stopped " in text


def late(trace: Trace, step: int, by: int) -> Trace:
    """The game as if the planner's answer to the replan had come some steps later; the skill ran on until then."""
    ticks, before = list(trace.ticks), trace.ticks[step - 2]
    for past in range(by):
        tick = ticks[step - 1 + past]
        going_on = tick.decisions[EGO]._replace(chosen=False, replanned=False, calls=())
        ticks[step - 1 + past] = tick._replace(
            skills=(before.skills[EGO], tick.skills[PARTNER]),
            ages=(before.ages[EGO] + 1 + past, tick.ages[PARTNER]),
            decisions=(going_on, tick.decisions[PARTNER]),
        )
    arrived = ticks[step - 1 + by]
    answer = arrived.decisions[EGO]._replace(
        chosen=True, replanned=True, calls=trace.ticks[step - 1].decisions[EGO].calls
    )
    ticks[step - 1 + by] = arrived._replace(decisions=(answer, arrived.decisions[PARTNER]))
    return Trace(trace.config, trace.start, ticks)


def test_a_late_answer_keeps_the_moment_at_which_the_gate_opened():
    trace = gate_game()
    step = replans(trace)[0]
    moved = late(trace, step, by=3)
    there, here = replan_at(trace, step), replan_at(moved, step + 3)
    assert (here.opened, here.step) == (step, step + 3)
    assert (here.tested, here.evidence) == (there.tested, there.evidence)
    text, now = replan_caption(moved, step + 3), belief(moved, step + 3)
    assert f"to {WORDS[now.map_index]} ({names.percent(now.confidence)})" in text
    assert "Its planner, asked again, 3 steps later " in text


def test_what_the_partner_is_seen_to_do_agrees_with_the_states():
    trace, seen = gate_game(), set()
    for step in range(2, 200):
        before, after = trace.ticks[step - 2].state, trace.ticks[step - 1].state
        doing = partner_doing(trace, step)
        verb, *rest = doing.split()
        seen.add(verb)
        moved, turned = (before[part + PARTNER] != after[part + PARTNER] for part in (POSITION, FACING))
        if verb in ("going", "turning"):
            assert rest == [ACTION_NAMES[after[FACING + PARTNER]]]
            assert (verb == "going") == moved
        elif doing == "staying":
            assert not moved
            assert not turned
        else:
            assert doing == names.skill_doing(int(after[EVENT + PARTNER]))
    assert {"going", "turning", "staying"} < seen


def test_shorter_texts_say_less_of_the_same():
    for trace in (gate_game(), played("bayes-commit", "ring", 1, 400), played("periodic-10")):
        for step in replans(trace):
            texts = replan_texts(trace, step)
            lengths = [len(text) for text in texts]
            assert lengths == sorted(lengths, reverse=True)
            assert lengths[1] <= 220
            full, brief, terse, least = (set(re.findall(r"\d\.\d+|\d+ %", text)) for text in texts)
            assert least < terse <= brief <= full


def test_a_person_is_told_the_same_in_the_second_person():
    told_the_truth = oracle_game("open", "bayes", "switching", 54, horizon=250).run()
    games = [gate_game(), played("bayes-commit", "ring", 1, 400), told_the_truth]
    games += [played("bayes", trigger=trigger) for trigger in ("periodic", "completion-held")]
    for trace in games:
        assert cook_names(trace.config.agents, BY_PART) == BY_PART
        for step in replans(trace):
            for third, second in zip(replan_texts(trace, step), replan_texts(trace, step, YOU), strict=True):
                assert re.findall(r"\d+", second) == re.findall(r"\d+", third)
                assert not re.search(r"\bego\b|[Tt]he partner|[Ii]ts partner|You was|[Yy]ou does", second), second
    trace = gate_game()
    full = replan_texts(trace, replans(trace)[0], YOU)[0]
    assert re.match(
        rf"Your partner expected you to {BELIEF} \(\d+ %\)\. Your last \d+ actions hardly fit that \(.*\), least of "
        r"all .* in step \d+\. (Now your partner|Your partner still) expects you to .* Its planner, asked again, ",
        full,
    )


def test_who_reads_a_persons_game_is_that_person():
    seats = {name: HumanAgent(Controls()) if name == HUMAN else name for name in (HUMAN, "bayes", "switching")}
    for ego, partner, voice in (
        ("bayes", HUMAN, YOU),
        (HUMAN, "switching", ONE_PERSON[0]),
        ("bayes", "switching", BY_NUMBER),
    ):
        assert cook_names(Game("open", seats[ego], seats[partner], 0, horizon=1).trace.config.agents) == voice


def test_a_belief_over_skills_names_them_as_everything_else_does():
    options = SeatSpec(belief_config=BeliefConfig(filter=FilterConfig(psi="skills")), trigger="periodic")
    trace = Game("open", load_agent("bayes", options), "switching", 2, horizon=22).run()
    for step in replans(trace):
        now = names.skill(SCORED_SKILLS[belief(trace, step).map_index])
        caption = replan_caption(trace, step)
        assert f"expects the partner to {now} (" in caption or f"guesses that the partner will {now} (" in caption


def test_a_step_without_a_replan_has_no_caption():
    trace = gate_game()
    step = replans(trace)[0]
    assert replan_caption(trace, step - 1) is None
    assert replan_texts(trace, step - 1) == ()
    assert last_replan(trace, step - 1, 50) is None
    assert [last_replan(trace, step + by, 3) for by in (0, 2, 3)] == [step, step, None]
    assert last_replan(trace, 1, 50) is None


def test_what_is_less_likely_than_not_was_guessed_and_not_expected(monkeypatch):
    trace = played("bayes-commit", steps=60)
    step = replans(trace)[0]
    replan = replan_at(trace, step)
    for share, full, now, brief in (
        (0.45, "guessed that you would wash plates (45 %, less likely than not).", "guesses that you will", "guessed"),
        (0.5, "expected you to wash plates (50 %).", "expects you to", "expected"),
    ):
        unsure = replan._replace(
            tested=replan.tested._replace(hypothesis="wash plates", probability=share),
            current=replan.current._replace(hypothesis="serve", probability=share),
        )
        monkeypatch.setitem(replan_texts.__globals__, "replan_at", lambda *_, unsure=unsure: unsure)
        long, short, _, _ = replan_texts(trace, step, YOU)
        assert full in long
        assert f"Now your partner {now} serve (" in long
        assert f"Your partner {brief}: wash plates ({share:.0%}".replace("%", " %") in short
