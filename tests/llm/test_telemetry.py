"""Spans of OpenTelemetry: one for each request to the endpoint, without keys, with texts only where they are wanted."""

import json
from importlib.util import find_spec

import pytest

from bba.errors import BBAError
from bba.llm.pipeline import CAPTURE, tracer
from tests.helpers.fake_endpoint import KEY, answers, refuses
from tests.helpers.model_backends import HELLO, backend

pytestmark = pytest.mark.skipif(find_spec("opentelemetry.sdk") is None, reason="needs opentelemetry-sdk")


@pytest.fixture(autouse=True)
def unconfigured(monkeypatch):
    """Nothing is set up, neither by the environment nor by another test."""
    from opentelemetry import trace
    from opentelemetry.util._once import Once

    monkeypatch.delenv(CAPTURE, raising=False)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", None)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER_SET_ONCE", Once())


@pytest.fixture
def exported():
    """Returns the spans so far, of a program that has set up OpenTelemetry itself."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    memory, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    trace.set_tracer_provider(provider)
    return memory.get_finished_spans


def test_each_request_is_a_span_that_says_what_was_asked_for_and_spent_but_no_text_and_no_key(endpoint, exported):
    endpoint.behaviours = [refuses(503, "try later"), answers("8", usage={"prompt_tokens": 20, "completion_tokens": 3})]
    backend(endpoint, top_p=0.5, model_seed=7).complete(HELLO)
    failed, answered = exported()
    assert failed.attributes["error.type"] == "AttemptFailed"
    assert not failed.status.is_ok
    told = dict(answered.attributes)
    assert (answered.name, answered.kind.name, answered.status.is_ok) == ("chat test-model", "CLIENT", True)
    assert told["gen_ai.operation.name"] == "chat"
    assert (told["gen_ai.provider.name"], told["gen_ai.request.model"]) == ("openai", "test-model")
    assert (told["gen_ai.request.temperature"], told["gen_ai.request.top_p"], told["gen_ai.request.seed"]) == (
        0,
        0.5,
        7,
    )
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (20, 3)
    assert told["server.address"] == "127.0.0.1"
    assert told["gen_ai.response.finish_reasons"] == ("stop",)
    everything = "".join(span.to_json() for span in exported())
    assert "What now?" not in everything
    assert KEY not in everything


def test_texts_are_exported_where_the_standard_variable_asks_for_them_and_errors_without_the_key(
    endpoint, exported, monkeypatch
):
    monkeypatch.setenv(CAPTURE, "true")
    endpoint.behaviours = [answers(f"8 {KEY}"), refuses(401, f"wrong key {KEY}")]
    backend(endpoint).complete(HELLO)
    with pytest.raises(BBAError):
        backend(endpoint).complete([{"role": "user", "content": "And now?"}])
    answered, refused = exported()
    (asked,) = json.loads(answered.attributes["gen_ai.input.messages"])
    assert asked == {"role": "user", "parts": [{"type": "text", "content": "What now?"}]}
    assert "8" in answered.attributes["gen_ai.output.messages"]
    assert "401" in refused.status.description
    assert KEY not in answered.to_json() + refused.to_json()


def test_where_nobody_has_set_it_up_there_are_no_spans(endpoint):
    endpoint.behaviours = [answers("8")]
    assert backend(endpoint).complete(HELLO).text == "8"
    assert tracer() is None


def test_where_it_is_not_installed_there_are_no_spans(exported, monkeypatch):
    assert tracer() is not None
    monkeypatch.setattr("bba.llm.pipeline.find_spec", lambda _: None)
    assert tracer() is None
