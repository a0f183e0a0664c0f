"""What endpoints say goes to files and screens without keys and without the names of accounts."""

import pytest

from bba.errors import BBAError
from bba.planner.account import Redactor, shown_address
from tests.helpers.fake_endpoint import answers, refuses
from tests.helpers.model_backends import HELLO, backend

COMPLAINTS = {
    "Incorrect API key provided: sk-proj-Ab12*****wXyZ.": "Incorrect API key provided: [key]",
    "Rate limit reached for gpt-4o in organization org-Abc123Def456 on tokens per min": (
        "Rate limit reached for gpt-4o in organization [id] on tokens per min"
    ),
    "no access, project proj_a1b2c3d4e5 (request ID req_0a1b2c3d4e5f)": "no access, project [id] (request ID [id])",
    "AWS account 123456789012 may not do that": "AWS account [id] may not do that",
    "Trace ID: 4bf92f3577b34da6a3ce929d0e0e4736": "Trace ID: [id]",
    "see 123e4567-e89b-12d3-a456-426614174000": "see [id]",
    "Authorization: Bearer abc.def.ghi123": "Authorization: Bearer [key]",
    "proxy http://me:secret@proxy:3128 is down": "proxy http://[key]@proxy:3128 is down",
    "max_tokens is too large: 4096, user messages 12": "max_tokens is too large: 4096, user messages 12",
    "the model gpt-4o-2024-08-06 needs 128000 tokens": "the model gpt-4o-2024-08-06 needs 128000 tokens",
}


@pytest.mark.parametrize(("said", "shown"), COMPLAINTS.items())
def test_complaints_name_no_key_and_no_account(said, shown):
    assert Redactor().complaint(said) == shown


def test_what_the_environment_says_of_the_account_is_no_part_of_any_answer(endpoint, monkeypatch):
    values = {
        "OPENAI_ORG_ID": "our organisation",
        "OPENAI_PROJECT_ID": "the project of all",
        "OPENAI_CUSTOM_HEADERS": "X-Team: kitchen secrets\nX-Short: 4",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    endpoint.behaviours = [answers("4 our organisation, kitchen secrets"), refuses(401, "not the project of all")]
    asked = backend(endpoint)
    assert asked.complete(HELLO).text == "4 [id], [id]"
    with pytest.raises(BBAError, match=r"not \[id\]"):
        asked.complete([*HELLO, *HELLO])


def test_an_address_is_shown_without_the_account_in_it():
    account = "0123456789abcdef0123456789abcdef"
    assert shown_address(f"https://gw.example.com/v1/{account}/x/openai") == "https://gw.example.com/v1/…/x/openai"
    assert shown_address(f"https://{account}.example.com/v1") == "https://….example.com/v1"
    assert shown_address("http://127.0.0.1:8000/v1") == "http://127.0.0.1:8000/v1"
