"""The option `trigger`: the agents' names are shorthands for it."""

import pytest

from bba.agents import SeatSpec, agent_like, load_agent
from bba.agents.planning_agent import AGENT_VARIANTS
from bba.agents.triggers import TRIGGERS
from bba.errors import BBAError
from bba.play import Game, Replay, fork, fork_presets, load, record, save

SHORTHANDS = {
    "bayes": "gate",
    "bayes-commit": "commitment",
    "bayes-no-replan": "never",
    "periodic-10": "periodic",
    "completion-held": "completion-held",
    "llm-judge": "judge",
    "bayes-value": "value",
}


def steps(trace):
    return [(tick.skills, tick.actions, tick.decisions[0].replanned) for tick in trace.ticks]


@pytest.mark.parametrize(("name", "trigger"), SHORTHANDS.items())
def test_a_name_stands_for_its_trigger(name, trigger):
    assert AGENT_VARIANTS[name].trigger == trigger
    assert load_agent(name, SeatSpec(trigger=trigger)).profile == load_agent(name).profile


@pytest.mark.parametrize("trigger", [*TRIGGERS])
def test_bayes_takes_every_trigger_and_its_profile_names_those_that_are_not_its_own(trigger):
    profile = load_agent("bayes", SeatSpec(trigger=trigger)).profile
    assert profile.trigger == (None if trigger == "gate" else trigger)
    assert agent_like(profile).profile == profile


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["bayes-commit", "periodic-10", "bayes-no-replan"])
def test_bayes_with_the_trigger_plays_as_the_agent_of_that_name(name):
    ego = load_agent("bayes", SeatSpec(trigger=SHORTHANDS[name]))
    played = [Game("open", agent, "switching", 20, horizon=200).run() for agent in (ego, name)]
    assert steps(played[0]) == steps(played[1])


@pytest.mark.parametrize("name", ["hypothetical-minds", "gamma", "bp:G1-1", "human", "switching"])
def test_other_agents_refuse_a_trigger_in_a_line(name):
    with pytest.raises(BBAError, match=f"^trigger: {name} takes none; these agents do: bayes, "):
        load_agent(name, SeatSpec(trigger="periodic"))


@pytest.mark.parametrize("name", ["proagent", "bayes-no-belief"])
def test_without_a_belief_the_gates_are_refused_and_the_others_are_not(name):
    for trigger in ("gate", "commitment"):
        with pytest.raises(BBAError, match=f"^trigger: {name} has no belief for a gate; it takes periodic, "):
            load_agent(name, SeatSpec(trigger=trigger))
    assert load_agent(name, SeatSpec(trigger="periodic")).profile.trigger == "periodic"


@pytest.mark.thorough
def test_a_recording_and_a_fork_keep_the_trigger(tmp_path):
    ego = load_agent("bayes", SeatSpec(trigger="commitment"))
    trace = Game("open", ego, "switching", 20, horizon=200).run()
    save(record(trace), tmp_path / "game.bba")
    assert load(tmp_path / "game.bba").config.seats[0].trigger == "commitment"
    assert Replay(load(tmp_path / "game.bba")).run().config == trace.config
    assert steps(fork(trace, 90).run()) == steps(trace)


def test_the_rollout_planner_plans_for_bayes_value_where_the_scripted_one_is_named():
    profile = load_agent("bayes-value").profile
    rollout = load_agent("bayes", SeatSpec(planner="rollout", trigger="value")).profile
    assert (profile.planner, profile.rollout, profile.belief_config) == (
        rollout.planner,
        rollout.rollout,
        rollout.belief_config,
    )
    assert load_agent("bayes-value", SeatSpec(planner="scripted")).profile == profile
    assert SeatSpec(agent="bayes-value").of_agent("bayes").planner == "rollout"
    assert load_agent("bayes").profile.planner == "scripted"


def test_no_what_if_gives_bayes_value_the_scripted_planner():
    trace = Game("open", "bayes-value", "switching", 0, horizon=9).trace
    presets = {preset.name: preset for preset in fork_presets(trace, 0, SeatSpec())}
    assert presets["planner scripted"].make is None
