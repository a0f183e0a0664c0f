"""Options of plug-ins on the command line and in the file of --config."""

import pytest

from bba.errors import BBAError
from tests.helpers.command_line import parsed


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--agent-option", "a=1", "--agent-option", "b=x y"], {"a": "1", "b": "x y"}),
        (["--agent-option", "a=x=y"], {"a": "x=y"}),
        (["--agent-option", '{"words": ["a", "b"], "share": 0.5}'], {"words": ["a", "b"], "share": 0.5}),
        ([], {}),
    ],
)
def test_they_are_name_and_value_or_json(words, expected):
    assert parsed(words).agent_option == expected


@pytest.mark.parametrize("option", ["agent", "partner", "planner", "trigger", "partner-model"])
def test_another_form_is_one_line_that_says_the_right_one(option):
    with pytest.raises(BBAError, match=f"^--{option}-option: takes NAME=VALUE, or JSON for lists, as "):
        parsed([f"--{option}-option", "fast"])


def test_a_table_in_a_file_keeps_its_types(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text("[agent_option]\nshare = 0.5\nfast = true\nwords = ['a']\n")
    assert parsed(["--config", str(file)]).agent_option == {"share": 0.5, "fast": True, "words": ["a"]}
