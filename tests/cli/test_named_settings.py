"""Named settings and the trigger on the command line: what they stand for, and what overrides them."""

import pytest
from pydantic import ValidationError

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.config import NAMED_GROUPS, BeliefConfig, CommitmentConfig, NamedOptions
from bba.settings import GameOptions
from tests.helpers.command_line import no_settings_from_outside, parsed, run  # noqa: F401 - a fixture
from tests.helpers.tiny_sweeps import sweep
from tui.arguments.seat_options import agent_options
from tui.game_factory import make_game
from tui.serve.command import visitor_options
from tui.visitor import visitor_call

RESPONSIVE = NAMED_GROUPS["commitment"]["responsive"]


def commitment(*arguments: str) -> CommitmentConfig:
    return agent_options(parsed(arguments)).beliefs.commitment


def test_the_named_settings_are_options_and_all_of_their_parameters_exist():
    assert set(NAMED_GROUPS) == set(NamedOptions.model_fields)
    for option, settings in NAMED_GROUPS.items():
        for name, values in settings.items():
            assert getattr(GameOptions.model_validate({option: name}), option) == name
            assert set(values) <= set(BeliefConfig().values)
            assert BeliefConfig.of({option: name}).values == BeliefConfig().values | values
    with pytest.raises(ValidationError):
        GameOptions.model_validate({"commitment": "eager"})


def test_selective_is_the_default_of_the_parameters():
    assert commitment() == commitment("--commitment", "selective") == CommitmentConfig()


@pytest.mark.thorough
def test_a_parameter_that_is_given_overrides_the_named_setting_from_every_source(monkeypatch, tmp_path):
    assert commitment("--commitment", "responsive") == CommitmentConfig(**RESPONSIVE)
    one = commitment("--commitment", "responsive", "--commitment-conf", "0.35")
    assert one == CommitmentConfig(**RESPONSIVE | {"commitment_conf": 0.35})  # 0.35 is the default, but it was given
    (tmp_path / "mine.toml").write_text('commitment = "responsive"\ncommitment_ratio = 2.3\n')
    from_file = commitment("--config", str(tmp_path / "mine.toml"))
    assert from_file == CommitmentConfig(**RESPONSIVE | {"commitment_ratio": 2.3})
    monkeypatch.setenv("BBA_COMMITMENT_COOLDOWN", "10")
    assert commitment("--commitment", "responsive").commitment_cooldown == 10


def test_a_visitor_in_the_browser_gets_what_was_named():
    call = visitor_call(visitor_options(parsed(["--commitment", "responsive", "--serve"])))
    assert agent_options(call.options).beliefs.commitment == CommitmentConfig(**RESPONSIVE)


def test_the_trigger_is_the_egos_alone():
    game = make_game(parsed(["--agent", "bayes", "--partner", "bayes", "--trigger", "commitment"]), 0, fast=False)
    assert [seat.trigger for seat in game.trace.config.seats] == ["commitment", None]


@pytest.mark.parametrize(
    ("arguments", "complaint_begins"),
    [
        (["--trigger", "now"], "--trigger: no trigger named 'now'; there are "),
        (["--commitment", "eager"], "--commitment: got 'eager'; it should be 'selective' or 'responsive'"),
        (["--agent", "hypothetical-minds", "--trigger", "never"], "trigger: hypothetical-minds takes none"),
        (["--agent", "proagent", "--trigger", "commitment"], "trigger: proagent has no belief for a gate"),
    ],
)
def test_a_mistake_is_one_line(capsys, arguments, complaint_begins):
    code, out, complaint = run(capsys, "--headless", "--horizon", "5", *arguments)
    assert (code, out, complaint.count("\n")) == (2, "", 1)
    assert complaint.startswith(f"bba-tui: {complaint_begins}")


def test_a_sweep_sets_them_for_an_ego_or_a_variant():
    table = {"rows": ["agent"], "columns": ["variant"]}
    variants = [{"name": "as named"}, {"trigger": "commitment", "commitment": "responsive"}]
    made = plan_sweep(
        sweep(agents=["bayes", {"agent": "bayes", "trigger": "never"}], seeds=1, variants=variants, table=table),
        SeatSpec(),
    )
    found = {(entry.agent, entry.variant): made.episodes[entry.key].seats[0] for entry in made.entries}
    named = "commitment responsive, trigger commitment"
    assert [(place, seat.trigger) for place, seat in found.items()] == [
        (("bayes", "as named"), None),
        (("bayes", named), "commitment"),
        (("bayes on never", "as named"), "never"),
        (("bayes on never", named), "never"),
    ]
    assert found["bayes", named].belief_config.commitment == CommitmentConfig(**RESPONSIVE)
