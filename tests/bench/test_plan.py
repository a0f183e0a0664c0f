"""From a sweep to its episodes."""

import json

import pytest
from pydantic import SecretStr

from bba.agents import SeatSpec
from bba.bench.episode import Episode, play
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.errors import BBAError
from bba.planner.model_options import ModelOptions
from tests.helpers.tiny_policies import write
from tests.helpers.tiny_sweeps import sweep


def planned(**changes):
    return plan_sweep(sweep(**changes), SeatSpec())


def test_every_combination_is_a_case():
    made = planned(layouts=["open", "ring"], partners={"a": ["switching"], "b": ["proagent", "bayes"]})
    assert len(made.entries) == 2 * 2 * 3 * 2
    assert len({entry[:-1] for entry in made.entries}) == len(made.entries)
    assert {entry.seed for entry in made.entries} == {0, 1}
    assert {(entry.group, entry.partner) for entry in made.entries} == {
        ("a", "switching"),
        ("b", "proagent"),
        ("b", "bayes"),
    }


def test_the_key_follows_from_everything_that_determines_the_episode_and_from_nothing_else():
    base = planned().entries[0].key
    assert planned(name="other", title="Other").entries[0].key == base
    changes = [
        {"layouts": ["ring"]},
        {"agents": ["proagent"]},
        {"partners": {"x": ["bayes"]}},
        {"first_seed": 7},
        {"horizon": 21},
        {"mobility": 0.5},
        {"skill_timeout": 31},
        {"variants": [{"theta_obs": 0.05}]},
        {"variants": [{"floor": 0.1}]},
        {"ask": "always"},
    ]
    keys = [planned(**change).entries[0].key for change in changes]
    keys += [
        plan_sweep(sweep(), SeatSpec(history_turns=2)).entries[0].key,
        plan_sweep(sweep(), SeatSpec(retries=2)).entries[0].key,
    ]
    assert len({base, *keys}) == 1 + len(keys)


def test_episodes_of_many_seeds_are_what_each_would_be_by_itself():
    made = planned(first_seed=98, seeds=5, partners={"x": ["switching", "bayes"]})
    assert [made.episodes[entry.key].seed for entry in made.entries] == [98, 99, 100, 101, 102] * 4
    for key, episode in made.episodes.items():
        alone = Episode(**{name: getattr(episode, name) for name in Episode.model_fields})
        assert (alone, alone.spec, alone.key) == (episode, episode.spec, key)
        assert json.loads(alone.spec) == alone.model_dump(mode="json", by_alias=True)
    assert len(made.episodes.kinds()) == 4, "what they share is kept once"


def test_another_kitchen_of_the_same_name_is_another_episode(tmp_path):
    from bba.files import data_dir

    text = (data_dir("configs/layouts") / "open.toml").read_text()
    (tmp_path / "open.toml").write_text(text.replace("cooking = 80", "cooking = 70"))
    mine, shipped = planned(layouts=[str(tmp_path / "open.toml")]).entries[0], planned().entries[0]
    assert mine.layout == shipped.layout
    assert mine.key != shipped.key


def test_cases_that_are_the_same_game_share_an_episode():
    variants = [{"theta_obs": 0.04}, {"gamma_conf": 0.65}, {"cooldown": 3}]
    made = planned(variants=variants, agents=["bayes"], table={"rows": ["variant"], "columns": ["agent"]})
    assert (len(made.entries), len(made.episodes)) == (6, 4)
    without = planned(variants=variants, agents=["bayes-no-belief"], table={"rows": ["variant"], "columns": ["agent"]})
    assert (len(without.entries), len(without.episodes)) == (6, 2), "what has no gate plays the same under every gate"


def test_variants_change_the_egos_and_not_their_partners():
    made = planned(agents=["bayes"], partners={"x": ["bayes"]}, variants=[{"theta_obs": 0.1, "mobility": 0.5}])
    episode = next(iter(made.episodes.values()))
    assert [seat.belief_config.gate.theta_obs for seat in episode.seats] == [0.1, 0.04]
    assert episode.mobility == 0.5


def test_a_sweep_says_when_waiting_cooks_are_asked_and_a_variant_of_its_egos():
    made = planned(agents=["bayes"], partners={"x": ["bayes"]}, ask="always", variants=[{"ask": "changed"}])
    assert [seat.ask for seat in next(iter(made.episodes.values())).seats] == ["changed", "always"]
    assert made.entries[0].variant == "ask changed"
    plain = plan_sweep(sweep(agents=["bayes"]), SeatSpec(ask="always"))
    assert [seat.ask for seat in next(iter(plain.episodes.values())).seats] == ["always", None]


OF_PREPRINT = ["table1", "rq2", "mechanism", "ablation", "triggers", "sensitivity", "paired", "backbones", "crossplay"]


@pytest.mark.parametrize("name", OF_PREPRINT)
def test_the_presets_of_the_preprint_ask_always(name):
    assert load_sweep(name).ask == "always"


def test_an_agent_without_weights_for_a_kitchen_is_left_out_of_it_with_one_line(tmp_path):
    asked = sweep(agents=["bayes", "bp", "gamma"], partners={"G1": ["bp:G1-1", "switching"]}, layouts=["open", "ring"])
    without = plan_sweep(asked, SeatSpec(weights=tmp_path))
    assert {entry.agent for entry in without.entries} == {"bayes"}
    assert without.left_out == [
        "left out, no weights for open: bp:G1-1, gamma",
        "left out, no weights for ring: bp:G1-1, gamma",
        "left out, only with its own kind: agent bp",
    ]
    made = plan_sweep(asked, SeatSpec(weights=write(tmp_path, "gamma", "bp:G1-1")))
    played = {(entry.layout, entry.agent, entry.partner) for entry in made.entries}
    assert {place for place in played if place[0] == "ring"} == {("ring", "bayes", "switching")}
    assert {place[1:] for place in played if place[0] == "open"} == {
        ("bayes", "bp:G1-1"),
        ("bayes", "switching"),
        ("bp", "bp:G1-1"),
        ("gamma", "bp:G1-1"),
        ("gamma", "switching"),
    }
    assert made.left_out == ["left out, no weights for ring: bp:G1-1, gamma"]


def test_weights_that_cannot_be_played_are_left_out_with_what_is_wrong(tmp_path):
    (tmp_path / "gamma-open.safetensors").write_bytes(b"")
    made = plan_sweep(sweep(agents=["bayes", "gamma"]), SeatSpec(weights=tmp_path))
    assert len(made.left_out) == 1
    assert made.left_out[0].endswith("gamma-open.safetensors: not a safetensors file, or damaged")


def test_bp_as_an_ego_is_its_partner_in_both_seats(tmp_path):
    options = SeatSpec(weights=write(tmp_path, "bp:G1-1", "bp:G1-2"))
    made = plan_sweep(sweep(agents=["bp"], partners={"G1": ["bp:G1-1", "bp:G1-2"]}), options)
    assert {entry.agent for entry in made.entries} == {"bp"}
    seated = {tuple(seat.agent for seat in episode.seats) for episode in made.episodes.values()}
    assert seated == {("bp:G1-1", "bp:G1-1"), ("bp:G1-2", "bp:G1-2")}
    outcomes = [play(episode, options) for episode in made.episodes.values()]
    assert [outcome.failure for outcome in outcomes] == [None] * 4


def test_bp_as_an_ego_is_the_best_response_to_a_partner_from_nothing(tmp_path):
    options = SeatSpec(weights=write(tmp_path, "scratch:G1-1", "scratch:G1-1+response"))
    made = plan_sweep(sweep(agents=["bp"], partners={"G1": ["scratch:G1-1"]}), options)
    (entry,) = {(entry.agent, entry.partner) for entry in made.entries}
    assert entry == ("bp", "scratch:G1-1")
    seated = {tuple(seat.agent for seat in episode.seats) for episode in made.episodes.values()}
    assert seated == {("scratch:G1-1+response", "scratch:G1-1")}
    assert {play(episode, options).failure for episode in made.episodes.values()} == {None}


@pytest.mark.parametrize("name", ["table1", "crossplay"])
def test_a_preset_has_the_partners_of_a_family_and_the_cooperators_that_learned_from_such_ones(name):
    preset = load_sweep(name)
    scratch = preset.in_family("scratch")
    assert [ego.name for ego in scratch.agents] == [ego.name for ego in preset.agents]
    assert list(scratch.partners) == list(preset.partners)
    agents = {ego.name: ego.agent for ego in scratch.agents}
    assert (agents["gamma"], agents["talents"]) == ("scratch:gamma", "scratch:talents")
    partners = [partner for group in scratch.partners.values() for partner in group]
    assert {"bp", "gamma", "talents"}.isdisjoint(partner.partition(":")[0] for partner in partners)
    assert scratch.in_family("bp").partners == preset.partners


def test_other_weights_are_another_episode_for_those_who_play_with_them(tmp_path):
    asked = sweep(agents=["bayes", "gamma"])

    def keys(folder, seed):
        folder.mkdir(exist_ok=True)
        made = plan_sweep(asked, SeatSpec(weights=write(folder, "gamma", "talents", seed=seed)))
        return {(entry.agent, entry.seed): entry.key for entry in made.entries}

    first, same, other = keys(tmp_path / "a", 0), keys(tmp_path / "b", 0), keys(tmp_path / "c", 1)
    assert first == same
    assert {entry for entry in first if first[entry] != other[entry]} == {("gamma", 0), ("gamma", 1)}


def test_an_episode_is_not_played_with_other_weights_than_it_was_planned_with(tmp_path):
    options = SeatSpec(weights=write(tmp_path, "gamma"))
    episode = next(iter(plan_sweep(sweep(agents=["gamma"]), options).episodes.values()))
    write(tmp_path, "gamma", seed=1)
    assert play(episode, options).failure == (
        "planned with other weights than those that are to play it; have the same files everywhere"
    )


def test_a_sweep_of_which_nothing_is_there_says_what_stands_in(tmp_path):
    with pytest.raises(
        BBAError, match=r"ablation: nothing to play; left out.* bp:G1-1 … bp:G3-4 \(12\); try --partners"
    ):
        plan_sweep(load_sweep("ablation"), SeatSpec(weights=tmp_path))


def test_the_scripted_planner_is_labelled_as_such_and_is_one_whatever_the_model():
    made = plan_sweep(load_sweep("backbones").changed({"partners": {"s": ["switching"]}}), SeatSpec())
    assert {entry.label for entry in made.entries} == {"bayes (scripted planner)"}
    assert made.left_out == ["one planner for all: the 2 agents are 1, whatever the model"]


def test_language_models_are_those_of_the_sweep_unless_one_is_named():
    options = SeatSpec(planner="openai", model=ModelOptions(model="mine", key=SecretStr("k")))
    backbones = load_sweep("backbones").changed({"partners": {"s": ["switching"]}, "seeds": 1})
    assert {entry.label for entry in plan_sweep(backbones, options).entries} == {"bayes (gpt-4o)", "bayes (gpt-5.2)"}
    assert {entry.label for entry in plan_sweep(backbones, options, one_model=True).entries} == {"bayes (mine)"}
    specs = [episode.spec for episode in plan_sweep(backbones, options).episodes.values()]
    assert not any('"k"' in spec for spec in specs)
