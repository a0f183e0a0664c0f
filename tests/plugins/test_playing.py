"""Plug-ins as agents, planners and triggers of a game: played, recorded, replayed, forked; and what they do wrong."""

from dataclasses import replace
from inspect import signature

import pytest

from bba import gym_env, parallel_env
from bba.agents import SeatSpec, load_agent
from bba.analysis.captions import replan_caption
from bba.analysis.snapshot import belief_snapshot
from bba.analysis.trace_table import rows
from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY, Action
from bba.play import Game, Replay, fork, load, play_game, record, save
from bba.plugins import PluginError, loading
from tests.helpers.plugin_files import SOURCE, write_plugins


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path)


def played(ego, partner="switching", horizon=40, **options):
    agents = load_agent(ego, SeatSpec(**options)), load_agent(partner)
    return Game("open", *agents, seed=3, horizon=horizon).run()


def skills(trace):
    return [tick.skills for tick in trace.ticks]


def test_an_agent_plays_both_seats(outside):
    trace = played(f"{outside}:Random", f"{outside}:Random")
    assert len({ego for ego, _ in skills(trace)}) > 1
    assert len({partner for _, partner in skills(trace)}) > 1


def test_options_are_typed_by_the_constructor_and_recorded(outside):
    trace = played(f"{outside}:Random", agent_options={"sloth": "true", "temperature": "0.25"})
    assert trace.config.seats[0].plugins[0].options == (("sloth", True), ("temperature", 0.25))
    assert {ego for ego, _ in skills(trace)} == {SKILL_STAY}
    assert trace.config.labels[0].endswith(":Random sloth=True temperature=0.25")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"temperature": "hot"}, r"option temperature: got 'hot'; it should be a valid number; there is temperature"),
        ({"heat": 1}, r"no option 'heat'; there is temperature \(float, 1.0\), sloth \(bool, False\)"),
    ],
)
def test_a_wrong_option_is_one_line_that_says_what_there_is(outside, options, problem):
    with pytest.raises(BBAError, match=problem):
        load_agent(f"{outside}:Random", SeatSpec(agent_options=options))


def test_an_agent_that_is_no_plug_in_takes_no_such_options():
    with pytest.raises(BBAError, match="bayes: is no plug-in and takes no such options: temperature"):
        load_agent("bayes", SeatSpec(agent_options={"temperature": 1}))


def test_a_recording_is_replayed_and_a_fork_goes_on_as_the_game_did(outside, tmp_path):
    trace = played(f"{outside}:Random", agent_options={"temperature": 0.5})
    save(record(trace), tmp_path / "game.bba")
    recorded = load(tmp_path / "game.bba")
    assert recorded.config == trace.config
    assert skills(Replay(recorded).run()) == skills(trace)
    assert skills(fork(trace, 15).run()) == skills(trace)


def test_one_that_says_so_cannot_be_forked(outside):
    trace = played(f"{outside}:Once")
    with pytest.raises(BBAError, match=r":Once: says that it cannot be forked"):
        fork(trace, 15)


def test_a_file_alone_never_makes_its_plug_in_run(outside, monkeypatch):
    trace = played(f"{outside}:Random")
    monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
    with pytest.raises(BBAError, match=r":Random: a plug-in, whose code would be run; to allow that add --plugins "):
        fork(trace, 15)
    loading.allow(outside)
    fork(trace, 15)


def test_a_plug_in_that_has_changed_since_does_not_go_on_with_the_game(outside):
    trace = played(f"{outside}:Random")
    seats = trace.config.seats
    other = replace(seats[0], plugins=(replace(seats[0].plugins[0], digest="0" * 16),))
    with pytest.raises(BBAError, match="its code is not that which played"):
        fork(trace, 15, (other, seats[1]))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Infeasible", r"decide in step 1: chose skill \d+, which is not feasible; [\d, ]+ are$"),
        (
            "Northward",
            r"decide in step 1: returned Action\.NORTH, an action; a number is a skill, and Decision\(action=",
        ),
        ("Unplayable", r"decide in step 1: returned str; a Decision, the number of a skill, or None to go on$"),
    ],
)
def test_a_choice_that_cannot_be_played_is_one_line_that_says_what_can(outside, name, problem):
    with pytest.raises(BBAError, match=problem):
        played(f"{outside}:{name}")


def test_a_decision_of_an_action_names_no_skill(outside):
    assert {tick.actions[0] for tick in played(f"{outside}:Walking").ticks} <= {Action.NORTH, Action.STAY}


def test_an_exception_is_one_line_with_its_place_and_keeps_its_traceback(outside):
    line = next(number for number, text in enumerate(SOURCE.splitlines(), 1) if "1 // 0" in text)
    problem = "ZeroDivisionError: integer division or modulo by zero"
    with pytest.raises(PluginError) as error:
        played(f"{outside}:Failing")
    assert str(error.value).endswith(f"in step 6: {problem} (outside.py, line {line})")
    assert error.value.details.startswith("Traceback")
    assert "bba/" not in error.value.details


def test_a_planner_answers_the_prompts(outside):
    trace = played("bayes", planner=f"{outside}:First")
    assert trace.config.seats[0].planner == f"{outside}:First"
    assert all(call.problem is None for tick in trace.ticks for call in tick.decisions[0].calls)
    assert {ego for ego, _ in skills(trace)} == {SKILL_STAY}
    assert skills(fork(trace, 15).run()) == skills(trace)


@pytest.mark.parametrize("planner", ["scripted", "rollout"])
def test_a_planner_that_is_no_plug_in_takes_no_such_options(planner):
    with pytest.raises(BBAError, match=f"planner-option: {planner} is no plug-in"):
        load_agent("bayes", SeatSpec(planner=planner, planner_options={"words": "x"}))


def test_a_planner_that_answers_no_text_is_one_line(outside):
    with pytest.raises(BBAError, match=r":Dumb: complete: returned int; a text or a bba.planner.Reply"):
        played("bayes", planner=f"{outside}:Dumb")


def test_an_agent_with_history_takes_a_planner_too(outside):
    trace = played("hypothetical-minds", planner=f"{outside}:First", horizon=5)
    assert [used.kind for used in trace.config.seats[0].plugins] == ["planner"]


def replans(trace):
    return [tick.step for tick in trace.ticks if tick.decisions[0].replanned]


def test_a_function_is_a_trigger_with_a_threshold(outside):
    trace = played("bayes", trigger=f"{outside}:late", trigger_options={"step": "12"})
    assert replans(trace) == [12]
    assert trace.config.seats[0].trigger == f"{outside}:late"
    assert "; the trigger late interrupts the ego." in replan_caption(trace, 12)
    assert skills(fork(trace, 20).run()) == skills(trace)


def test_a_class_is_a_trigger_whose_options_are_a_model(outside):
    never = played("bayes", trigger=f"{outside}:Doubt", trigger_options={"threshold": 0})
    often = played("bayes", trigger=f"{outside}:Doubt", trigger_options={"threshold": 1})
    assert len(replans(never)) == 0 < len(replans(often))
    with pytest.raises(BBAError, match="option threshold: got 2; it should be less than or equal to 1"):
        load_agent("bayes", SeatSpec(trigger=f"{outside}:Doubt", trigger_options={"threshold": 2}))


def test_a_trigger_that_does_not_say_yes_or_no_is_one_line(outside):
    with pytest.raises(BBAError, match=r":vague: in step \d+: returned str; a trigger returns True or False"):
        played("bayes", trigger=f"{outside}:vague")


def test_a_trigger_option_without_such_a_trigger_is_a_mistake():
    with pytest.raises(BBAError, match="trigger-option: is for a --trigger that is a plug-in"):
        load_agent("bayes", SeatSpec(trigger_options={"step": 1}))


@pytest.mark.parametrize("name", ["Believing", "Declaring"])
def test_what_an_agent_believes_is_in_its_trace_its_tables_and_its_frames(outside, name):
    trace = played(f"{outside}:{name}")
    beliefs = [tick.decisions[0].belief for tick in trace.ticks]
    assert None not in beliefs
    assert belief_snapshot(trace, 20).belief is beliefs[19]
    assert not belief_snapshot(trace, 20).observer
    assert None not in [row["p0_map"] for row in rows(trace)]


def test_a_replay_computes_the_belief_again_if_the_agent_says_with_which_parameters(outside):
    trace = played(f"{outside}:Declaring")
    assert [tick.decisions[0].belief for tick in Replay(record(trace)).run().ticks] == [
        tick.decisions[0].belief for tick in trace.ticks
    ]


def test_what_is_no_belief_is_one_line(outside):
    with pytest.raises(BBAError, match=r"observe in step 1: returned str; a bba.belief.PartnerUpdate, or None"):
        played(f"{outside}:Babbling")


def test_a_plug_in_in_both_seats_has_its_options_in_both_unless_the_partner_has_its_own(outside):
    name, options = f"{outside}:Random", SeatSpec(agent_options={"temperature": 0.25})
    both, own = Game("open", name, name, 3, options), SeatSpec(agent_options={"temperature": 0.5})
    assert {seat.plugins[0].options for seat in both.trace.config.seats} == {(("temperature", 0.25),)}
    apart = Game("open", options.of_agent(name), own.of_agent(name), 3)
    assert [dict(seat.plugins[0].options)["temperature"] for seat in apart.trace.config.seats] == [0.25, 0.5]
    assert Game("open", name, "switching", 3, options).trace.config.seats[1].plugins == ()


class Still:
    """Waits."""

    def __init__(self, skill: int = SKILL_STAY) -> None:
        self.skill = skill

    def reset(self, context):
        """Has nothing to begin."""

    def observe(self, observation):
        """Believes nothing."""

    def decide(self, observation):
        return None if observation.running >= 0 else self.skill

    def commit(self, observation, decision):
        """Remembers nothing."""


class Doubting:
    """Interrupts every sixth step."""

    def __init__(self, period: int = 6) -> None:
        self.period = period

    def __call__(self, context):
        return context.observation.step % self.period == 0


def test_classes_and_objects_play_like_names(tmp_path):
    by_class, by_object = (
        Game("open", Still, Still(), 3, horizon=20).run(),
        Game("open", Still(), Still, 3, horizon=20).run(),
    )
    assert skills(by_class) == skills(by_object) == [(SKILL_STAY, SKILL_STAY)] * 20
    assert by_class.config.seats[0].agent == f"{__name__}:Still"
    save(record(by_class), str(tmp_path / "game.bba"))
    assert skills(Replay(load(str(tmp_path / "game.bba"))).run()) == skills(by_class)
    assert {step.skill for step in record(Game("open", Still(4), seed=3, horizon=9).run()).players[0].choices} == {4}


@pytest.mark.parametrize("trigger", [Doubting, Doubting(6), lambda context: context.observation.step % 6 == 0])
def test_a_trigger_is_a_class_an_object_or_a_function(trigger):
    trace = Game("open", "bayes", "switching", 3, SeatSpec(trigger=trigger), horizon=60).run()
    assert {step % 6 for step, tick in enumerate(trace.ticks, 1) if tick.decisions[0].replanned} == {0}


def test_games_and_environments_have_the_same_arguments():
    game, whole = (signature(one).parameters for one in (Game, play_game))
    shared = game.keys() - {"fast", "controls"}  # a whole game is quick, and nobody is at the keys
    assert shared == game.keys() & whole.keys() - {"fast", "controls"}
    for name in shared:
        assert whole[name] == game[name]
    for make in (gym_env, parallel_env):
        given = signature(make).parameters
        assert {"layout", "other", "options", "mobility", "skill_timeout"} <= given.keys()
        for name in given.keys() & shared:
            assert (given[name].default, given[name].annotation) == (game[name].default, game[name].annotation)
