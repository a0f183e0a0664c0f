"""An agent without a planner chooses anew, which is no replan; of what an agent lacks nobody speaks."""

import json
import re

import numpy as np
import pytest

from bba import PolicyAgent
from bba.agents import Controls, Decision, HumanAgent, Profile, SeatSpec, load_agent
from bba.analysis import Snapshot, TimelineData, log_entries, measure, recent_replan, replans_until
from bba.analysis.captions import replan_texts
from bba.analysis.timeline import REPLANS
from bba.config import BeliefConfig
from bba.film.formats import export
from bba.kitchen.constants import INTERRUPTED, NO_SKILL
from bba.play import Game, Replay, Trace, fork, outcome, record
from bba.play.recording import RecordedChoice
from bba.play.trace import EGO
from tests.helpers.app import texts, with_panels
from tui.app.app import BBAApp
from tui.plain.words import belief, happened, why
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.debrief import DebriefScreen
from tui.screens.duel import DuelPanel
from tui.widgets import EventsPanel, SymbolsPanel

STEPS = 70
MIND = re.compile(r"doubt|replan|planner|gate|contradict")
WHO = ("cook 1", "cook 2")
SCHEDULED = SeatSpec(schedule=tuple((step, step // 9 % 4) for step in range(0, 99, 9)))


def draws(seen: np.ndarray, mask: np.ndarray) -> int:
    """A policy that changes its mind in most steps."""
    return int(np.flatnonzero(mask)[int(abs(seen).sum() * 16) // 8 % mask.sum()])


class Trained(PolicyAgent):
    """A plug-in that plays a policy."""

    def __init__(self) -> None:
        super().__init__(draws, "trained")


class Numbers:
    """A plug-in that answers with numbers of skills."""

    profile = Profile("numbers")

    def reset(self, context) -> None:
        """Begins."""

    def observe(self, observation) -> None:
        """Takes in nothing."""

    def decide(self, observation) -> int | Decision:
        return observation.feasible()[observation.step % len(observation.feasible())]

    def commit(self, observation, decision) -> None:
        """Remembers nothing."""


class Boasting(Numbers):
    """A plug-in without a planner that says that it replans."""

    profile = Profile("boasting")

    def decide(self, observation) -> Decision:
        skill = super().decide(observation)
        running = observation.running
        return Decision(skill, chosen=skill != running, replanned=skill != running and running != NO_SKILL)


class Planning(Boasting):
    """A plug-in that has a planner of its own, and says when it is asked again."""

    profile = Profile("planning", "its own")


def person() -> HumanAgent:
    """Somebody who picks another skill every few steps."""
    controls = Controls()
    agent = HumanAgent(controls)
    decide = agent.decide

    def picks(observation):
        if observation.step % 5 == 0:
            controls.choose(observation.feasible()[observation.step % len(observation.feasible())])
        return decide(observation)

    agent.decide = picks
    return agent


EGOS = {
    "a policy": lambda: PolicyAgent(draws),
    "a plug-in with a policy": lambda: Trained,
    "a plug-in that answers with numbers": lambda: Numbers,
    "a plug-in that says that it replans": lambda: Boasting,
    "a switching partner": lambda: load_agent("switching", SCHEDULED),
    "a locked learned partner": lambda: load_agent("bp:G1-2+locked", SCHEDULED),
    "a person": person,
}


def played(ego, steps: int = STEPS, options: SeatSpec | None = None) -> Trace:
    return Game("open", ego, "switching", 3, options, horizon=steps).run()


@pytest.fixture(scope="module", params=EGOS)
def trace(request):
    """A game of an ego without a planner and a belief."""
    return played(EGOS[request.param]())


def old_recording(trace: Trace):
    """The recording as older versions wrote it: each skill that took another one's place was a replan."""
    written = record(trace)
    choices = tuple(
        RecordedChoice(**dict(choice) | {"replanned": choice.ended == INTERRUPTED})
        for choice in written.players[EGO].choices
    )
    players = written.players[EGO].model_copy(update={"choices": choices}), written.players[1]
    return written.model_copy(update={"players": players})


def test_another_choice_is_no_replan_in_measures_captions_log_and_timeline(trace):
    assert any(tick.ended[EGO] == INTERRUPTED for tick in trace.ticks), "it drops skills"
    found = measure(trace)
    assert (found["replans"], found["needless_replans"]) == (None, None)
    data = TimelineData(trace)
    data.extend()
    assert not any(data.marks[mark] for mark in REPLANS)
    for step in range(1, len(trace.ticks) + 1):
        snapshot = Snapshot(trace, step)
        assert (replan_texts(trace, step), recent_replan(snapshot)) == ((), None)
        told = [entry.text for entry in log_entries(snapshot)]
        assert not any(MIND.search(text) for text in told), told
        assert not snapshot.belief_state.replanned


def test_plain_mode_says_that_an_observer_believes_and_that_nothing_is_interrupted(trace):
    told = [line for step in range(1, len(trace.ticks) + 1) for line in happened(trace, step, WHO)]
    assert not any(MIND.search(line) for line in told), told
    assert all("believed by an observer" in line for line in told if "believed" in line)
    end = Snapshot(trace, len(trace.ticks))
    assert "An observer believes" in belief(end, WHO)
    assert why(end) == "cook 1 takes up its skills at will; it has no plan that is interrupted"


def test_tables_have_no_replans(trace, tmp_path):
    export(trace, tmp_path / "game.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert {(row["p0_replanned"], row["replan"]) for row in rows} == {(False, None)}


def test_an_older_recording_that_calls_choices_replans_is_read_without_them(trace):
    old = old_recording(trace)
    assert any(choice.replanned for choice in old.players[EGO].choices)
    again = Replay(old).run()
    assert [tick.decisions for tick in again.ticks] == [tick.decisions for tick in trace.ticks]
    assert measure(again)["replans"] is None
    assert outcome(old).replans is outcome(record(trace)).replans is None


async def test_the_screen_names_an_observer_and_no_doubts(trace):
    app = BBAApp(PlaybackSource(lambda: TracePlayback(trace, len(trace.ticks) - 1)), autostart=False, motion=False)
    async with with_panels(app, "gate").run_test(size=(200, 55)) as pilot:
        await pilot.pause()
        screen = app.screen
        log = [line.plain for line in screen.query_one(EventsPanel).lines]
        assert not any(MIND.search(line) for line in log), log
        assert not screen.query("ReplanCaption").first().display
        assert "whose belief this is" not in "".join(texts(screen.query_one(SymbolsPanel).lines(screen.snapshot, 60)))
        rows = ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]
        assert any(row.startswith("│observer ") for row in rows)
        assert any("gate (observer)" in row for row in rows)


def test_debriefing_and_duel_have_no_number_of_replans(trace):
    debrief = DebriefScreen(PlaybackSource(lambda: TracePlayback(trace)), BestScores(None), again=False)
    (line,) = [line for line in texts(debrief._summary()) if line.startswith("replans")]
    assert line.split() == ["replans", "–"]
    panel = DuelPanel("left", 0)
    panel._heading, panel._lead, panel._marked, panel._hidden_behind = "with a belief: bayes", 0, False, ""
    assert "– replans" in "".join(texts(panel.lines(Snapshot(trace, len(trace.ticks)), 60)))
    assert replans_until(trace, len(trace.ticks)) is None


@pytest.mark.parametrize("trigger", ["periodic", "completion-held"])
def test_a_planner_without_a_belief_replans_and_nobody_speaks_of_doubts(trigger):
    trace = played("proagent", 120, SeatSpec(trigger=trigger))
    replans = [tick.step for tick in trace.ticks if tick.decisions[EGO].replanned]
    assert measure(trace)["replans"] == len(replans) == replans_until(trace, 120) > 0
    for step in replans:
        log = [entry.text for entry in log_entries(Snapshot(trace, step))]
        assert any(re.match("[▲△] replans", text) for text in log)
        assert not any(re.search(": not |gate", text) for text in (*log, *replan_texts(trace, step)[1:3]))
        assert "The ego expect" not in replan_texts(trace, step)[0]
    assert ": not " not in " ".join(line for step in replans for line in happened(trace, step, WHO))


@pytest.mark.parametrize("agent", ["proagent", "bayes", "gamma"])
def test_who_plans_and_who_runs_each_skill_to_its_end_has_a_number_of_replans(agent):
    trace = played(agent)
    replans = sum(tick.decisions[EGO].replanned for tick in trace.ticks)
    assert measure(trace)["replans"] == outcome(record(trace)).replans == replans_until(trace, STEPS) == replans


def test_a_plugin_that_declares_a_planner_replans_as_it_says():
    trace = played(Planning)
    assert trace.config.seats[EGO].planner == "its own"
    found = measure(trace)["replans"]
    assert found == sum(tick.ended[EGO] == INTERRUPTED for tick in trace.ticks) > 0
    assert measure(Replay(record(trace)).run())["replans"] == outcome(record(trace)).replans == found
    assert measure(fork(trace, 30).run())["replans"] == found


def test_replans_count_from_where_an_agent_that_plans_takes_over():
    trace = played(PolicyAgent(draws), 40)
    planner = load_agent("periodic-10", SeatSpec(belief_config=BeliefConfig())).profile
    game = fork(trace, 20, (planner, trace.config.seats[1]))
    taken = game.run()
    replans = [tick.step for tick in taken.ticks if tick.decisions[EGO].replanned]
    assert measure(taken)["replans"] == len(replans) > 0
    assert min(replans) > 20
    assert measure(Replay(old_recording(taken)).run())["replans"] >= len(replans)
