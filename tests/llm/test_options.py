"""Invalid models, endpoints and keys are refused at once, and a key is never shown."""

import pytest
from pydantic import SecretStr, TypeAdapter

from bba.agents import Profile
from bba.errors import BBAError
from bba.llm.pipeline import model_backend
from bba.planner.model_options import ModelOptions
from tests.helpers.fake_endpoint import KEY

LOCAL = "http://localhost:11434/v1"


@pytest.mark.parametrize("model", ["gpt-4o", "hf.co/bartowski/Llama-3.2-GGUF:Q4_K_M", "ft:gpt-4o:org::id", "a" * 100])
def test_a_backend_is_named_after_its_model_as_in_a_recording(model):
    name = model_backend(ModelOptions(model=model, base_url=LOCAL)).name
    assert name == f"openai:{model}"
    assert TypeAdapter(Profile).validate_python({"agent": "bayes", "planner": name}).planner == name


@pytest.mark.parametrize("model", ["", "a" * 101, "a\nb", "a#b", "\x1b[2J"])
def test_a_name_that_recordings_cannot_hold_is_refused(model):
    with pytest.raises(BBAError, match="--model: "):
        ModelOptions(model=model, base_url=LOCAL)


@pytest.mark.parametrize("url", ["http://[::1]:8000/v1", "https://example.org", "http://localhost:11434/v1/"])
def test_any_http_address_is_an_endpoint(url):
    assert ModelOptions(model="m", base_url=url).endpoint == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "ftp://x/v1",
        "http://",
        "http://u:p@x/v1",
        "http://x/v1?key=s",
        "http://x:y/v1",
        "http://x\n/v1",
    ],
)
def test_an_invalid_endpoint_is_refused_without_repeating_it(url):
    with pytest.raises(BBAError) as caught:
        ModelOptions(model="m", base_url=url)
    assert str(caught.value).startswith("--base-url: must be http(s)://")
    assert url not in str(caught.value)


@pytest.mark.parametrize("key", ["", "two words", "sk-1\nX-Header: 2", "schlüssel", " "])
def test_an_invalid_key_is_refused_without_repeating_it(key):
    with pytest.raises(BBAError) as caught:
        ModelOptions(model="m", base_url=LOCAL, key=SecretStr(key))
    assert str(caught.value) == "BBA_API_KEY or OPENAI_API_KEY: holds characters that no key has"


def test_without_key_and_endpoint_one_line_says_what_to_set_except_in_mode_only():
    with pytest.raises(BBAError, match="there is no key; set OPENAI_API_KEY or BBA_API_KEY, or --base-url"):
        ModelOptions(model="gpt-4o")
    assert ModelOptions(model="gpt-4o", cache="only").endpoint == "https://api.openai.com/v1"


def test_options_do_not_show_their_key():
    options = ModelOptions(model="m", base_url=LOCAL, key=SecretStr(KEY))
    assert KEY not in f"{options!r} {options}"
