"""The condition in which language models play a sweep: the preprint's or ours; other planners play as they did."""

import pytest
from pydantic import SecretStr

from bba.agents import SeatSpec
from bba.bench.formatting import condition_note
from bba.bench.plan import in_condition, plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.price_estimate import estimate
from bba.errors import BBAError
from bba.planner.model_options import ModelOptions
from tests.helpers.tiny_sweeps import sweep

OF_PREPRINT = ["table1", "rq2", "mechanism", "ablation", "triggers", "sensitivity", "paired", "backbones", "crossplay"]
FRIENDS = {"partners": {"friends": ["switching", "proagent"]}, "seeds": 1}


def model(**said):
    return ModelOptions(model="gpt-4o", key=SecretStr("k"), **said)


def planned(found, condition=None, **said):
    changes = {} if condition is None else {"condition": condition}
    return plan_sweep(found.changed(FRIENDS | changes), SeatSpec(planner="openai", model=model(), **said))


def settings(plan):
    """How the language models of a plan are asked: layout, turns, when, and what is sent besides."""
    found = set()
    for episode in plan.episodes.values():
        planning = episode.planning
        asked = {seat.effective_ask for seat in episode.seats if seat.planner is not None}
        if asked:
            found.add(
                (planning.prompt_layout, planning.conversation, *asked, planning.sampling, planning.history_turns)
            )
    return found


STRICT = ("strict", "roll", "always", None, 3)
OURS = ("cached", "grow", "changed", '{"conversation": "grow"}', 3)


@pytest.mark.parametrize("name", OF_PREPRINT)
def test_language_models_play_the_presets_of_the_preprint_in_its_condition_unless_ours_is_named(name):
    preset = load_sweep(name)
    assert settings(planned(preset)) == {STRICT}
    assert settings(planned(preset, "ours")) == {OURS}


def test_other_sweeps_have_no_condition_and_take_one():
    assert settings(planned(sweep())) == {OURS}
    assert settings(planned(sweep(), "preprint")) == {STRICT}
    assert "condition" not in sweep().model_dump_json()
    with pytest.raises(BBAError, match="condition: Input should be 'ours' or 'preprint'"):
        sweep().changed({"condition": "theirs"})


def test_what_is_said_counts_before_the_condition():
    preset = load_sweep("paired")
    assert settings(planned(preset, ask="changed")) == {("strict", "roll", "changed", None, 3)}
    assert settings(planned(preset, prompt_layout="preprint")) == {("preprint", "roll", "always", None, 3)}
    assert settings(planned(preset, history_turns=1)) == {("strict", "roll", "always", None, 1)}
    assert settings(planned(preset, condition="ours")) == {OURS}
    said = SeatSpec(planner="openai", model=model(conversation="grow", answer="choice"))
    sent = '{"answer": "choice", "conversation": "grow"}'
    assert settings(plan_sweep(preset.changed(FRIENDS), said)) == {("strict", "grow", "always", sent, 3)}
    asked = preset.changed(FRIENDS | {"agents": ["bayes"], "variants": [{"ask": "changed"}], "table": {}})
    made = plan_sweep(asked, SeatSpec(planner="openai", model=model()))
    assert {episode.seats[0].effective_ask for episode in made.episodes.values()} == {"changed"}


def test_prompts_of_ones_own_keep_their_places_and_the_rest_of_the_condition_holds(tmp_path):
    seat = SeatSpec(planner="openai", model=model(), prompts=tmp_path, condition="preprint")
    assert (seat.effective_prompt_layout, seat.effective_ask, seat.model.turns, seat.model.form) == (
        "preprint",
        "always",
        "roll",
        "text",
    )


@pytest.mark.parametrize("planner", ["scripted", "rollout"])
def test_games_of_planners_without_a_language_model_are_the_same_in_every_condition(planner):
    preset = load_sweep("ablation").changed(FRIENDS)
    keys = [
        list(plan_sweep(preset.changed({"condition": condition}), SeatSpec(planner=planner)).episodes)
        for condition in (None, "preprint", "ours")
    ]
    assert keys[0] == keys[1] == keys[2]
    bare = SeatSpec(planner=planner)
    seat = SeatSpec(planner=planner, condition="preprint")
    assert (seat.effective_prompt_layout, seat.effective_ask) == (bare.effective_prompt_layout, bare.effective_ask)


def test_a_seat_that_a_rule_plans_beside_a_model_is_not_in_the_models_condition():
    agents = [{"agent": "bayes", "planner": "scripted"}, {"agent": "bayes", "model": "gpt-4o"}]
    base = SeatSpec(planner="openai", model=model())
    made = plan_sweep(sweep(agents=agents, condition="preprint"), base)
    by_planner = {episode.seats[0].planner: episode for episode in made.episodes.values()}
    assert by_planner["scripted"].seats[0].effective_ask == "changed"
    assert by_planner["openai:gpt-4o"].seats[0].effective_ask == "always"
    seat = in_condition(base, made.sweep).planned_by("scripted")
    assert (seat.effective_prompt_layout, seat.effective_ask) == ("preprint", "changed")


def test_the_estimate_follows_the_condition():
    preset = load_sweep("paired")
    theirs, ours = (estimate(planned(preset, name).episodes.values()) for name in ("preprint", "ours"))
    assert theirs.episodes == ours.episodes
    assert theirs.requests > ours.requests
    assert theirs.tokens / theirs.requests < ours.tokens / ours.requests
    changed = estimate(planned(preset, ask="changed").episodes.values())
    assert changed.requests == ours.requests
    assert changed.tokens != ours.tokens


def test_tables_say_in_which_condition_language_models_played():
    preset = load_sweep("paired")
    (note,) = condition_note(preset, planned(preset).entries)
    assert note.startswith("language models play in the preprint's condition (strict prompts")
    assert "our condition" in condition_note(preset.changed({"condition": "ours"}), planned(preset).entries)[0]
    assert condition_note(preset, plan_sweep(preset.changed(FRIENDS), SeatSpec()).entries) == []
