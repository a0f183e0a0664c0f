"""The planner litellm: a stand-in for the library says what it is called with, and fails as the library does."""

import sys
from types import SimpleNamespace

import pytest

from bba.agents import SeatSpec, load_agent, model_of
from bba.bench.episode import label
from bba.errors import BBAError
from bba.llm import model_clients
from bba.llm.pipeline import model_backend
from bba.planner import ModelUnusable, NoAnswer
from bba.planner.model_options import ModelOptions
from bba.play import Game
from tests.helpers.fake_endpoint import completion
from tests.helpers.model_backends import HELLO

SECRET = "sk-anthropic-0123456789"


class Failure(Exception):
    """An error as the library raises it."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status_code = status


def failing(name, status, text):
    return type(name, (Failure,), {})(status, text)


@pytest.fixture
def library(monkeypatch):
    """The calls, and what is answered: texts or errors, the last one again and again."""
    said = SimpleNamespace(calls=[], answers=["4"])

    async def acompletion(**fields):
        said.calls.append(fields)
        answer = said.answers.pop(0) if len(said.answers) > 1 else said.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(model_dump_json=lambda: completion(answer).decode())

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(acompletion=acompletion))
    monkeypatch.setattr(model_clients, "find_spec", lambda _: True)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    return said


def options(**fields):
    return ModelOptions(**{"model": "anthropic/tiny", "provider": "litellm", "attempts": 2} | fields)


def asked(**fields):
    return model_backend(options(**fields), sleep=lambda _: None).complete(HELLO)


def test_without_the_extra_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(model_clients, "find_spec", lambda _: None)
    with pytest.raises(BBAError, match=r"needs litellm: pip install 'bba-tui\[litellm\]'"):
        model_backend(options())


def test_it_is_asked_by_the_librarys_name_with_the_same_sampling(library):
    reply = asked(top_p=0.5, max_tokens=99)
    (call,) = library.calls
    assert reply.text == "4"
    assert reply.usage.prompt_tokens == 100
    assert (call["model"], call["messages"], call["temperature"]) == ("anthropic/tiny", HELLO, 0)
    assert (call["top_p"], call["max_tokens"], call["num_retries"]) == (0.5, 99, 0)
    assert call["api_key"] is call["api_base"] is None  # the library finds them


def test_it_plays_a_game_and_is_named_after_its_provider(library):
    model = ModelOptions(model="anthropic/tiny", provider="litellm")
    agent = load_agent("bayes", SeatSpec(planner="litellm", model=model))
    trace = Game("open", agent, "switching", 0, horizon=20).run()
    assert trace.config.seats[0].planner == "litellm:anthropic/tiny"
    assert library.calls
    assert model_of("litellm:anthropic/tiny") == "anthropic/tiny"
    assert label("bayes", "litellm:anthropic/tiny") == "bayes (anthropic/tiny)"


def test_errors_are_those_of_any_model(library):
    library.answers = [failing("AuthenticationError", 401, f"wrong key {SECRET}")]
    with pytest.raises(ModelUnusable) as caught:
        asked()
    assert str(caught.value).startswith("planner litellm: the endpoint refuses (401: wrong key [key])")
    assert "ANTHROPIC_API_KEY" in str(caught.value)
    library.answers = [failing("RateLimitError", 429, "slow down"), "8"]
    assert asked().text == "8"
    library.answers = [failing("ContextWindowExceededError", 400, "too long")]
    with pytest.raises(NoAnswer, match="400: too long"):
        asked()
    library.answers = [failing("APIConnectionError", 500, "Connection error.")]
    with pytest.raises(ModelUnusable, match="planner litellm: Connection error"):
        asked()


def test_what_the_model_does_not_take_is_left_out(library):
    library.answers = [failing("UnsupportedParamsError", 400, "does not support parameters: ['temperature']"), "8"]
    assert asked().text == "8"
    assert "temperature" not in library.calls[1]


def test_the_key_of_openai_goes_to_no_other_provider(library, monkeypatch):
    from bba.settings import GameOptions
    from tui.arguments.seat_options import model_options

    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-0123456789")
    settings = GameOptions.model_validate({"planner": "litellm", "model": "anthropic/tiny"})
    assert model_options(settings).key is None
    monkeypatch.setenv("BBA_API_KEY", "sk-own-0123456789")
    assert model_options(settings).key.get_secret_value() == "sk-own-0123456789"
