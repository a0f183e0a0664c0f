"""Telemetry: a span of OpenTelemetry for each request to an endpoint, with its attributes of generative AI.

It is an extra: pip install 'bba-tui[telemetry]'. OpenTelemetry's own command
(opentelemetry-instrument bba-tui …) sets it up, also in the processes that a sweep starts; the standard
variables say where spans go (OTEL_EXPORTER_OTLP_ENDPOINT).
Keys are never among the attributes; texts only with OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT.
"""

import json
import os
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from bba.errors import BBAError
from bba.planner.chat import Message, Reply
from bba.planner.llm.model_options import ModelOptions
from bba.planner.llm.request import ChatRequest, RequestStage

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


def tracer() -> Any:
    """Returns what begins spans; None where OpenTelemetry is not installed or nobody has set it up."""
    if find_spec("opentelemetry") is None:
        return None
    from opentelemetry import trace

    is_set_up = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    return trace.get_tracer("bba-tui") if is_set_up else None


class SpanStage:
    """Passes each request to the next stage within a span.

    Args:
        inner: the next stage.
        options: the model and its endpoint.
        spans: begins them.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions, spans: Any) -> None:
        self._inner, self._options, self._spans = inner, options, spans

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer; raises its errors."""
        from opentelemetry.trace import SpanKind

        options, reply = self._options, None
        name = f"chat {options.model}"
        with self._spans.start_as_current_span(name, kind=SpanKind.CLIENT, record_exception=False) as span:
            try:
                reply = self._inner.send(request)
            except BBAError as error:
                span.set_attribute("error.type", type(error).__name__)
                raise
            finally:
                told = attributes(options, request, reply)
                span.set_attributes({name: value for name, value in told.items() if value is not None})
            return reply


def attributes(options: ModelOptions, request: ChatRequest, reply: Reply | None) -> dict[str, Any]:
    """Returns the attributes of a request and its answer by name; None for what is unknown or not to be exported."""
    details: dict[str, Any] = request.details
    sampling, finish, usage = details.get("sampling") or {}, details.get("finish_reason"), reply and reply.usage
    captured = os.environ.get(CAPTURE, "").lower() in ("true", "span_only", "span_and_event")
    answers = [Message(role="assistant", content=reply.text)] if reply else []
    asked, answered = (
        json.dumps([{"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]} for one in texts])
        for texts in (request.messages, answers)
    )
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": options.model.partition("/")[0] if options.provider == "litellm" else options.provider,
        "gen_ai.request.model": options.model,
        "server.address": urlsplit(options.shown_endpoint).hostname,
        **{f"gen_ai.request.{name}": sampling.get(name) for name in ("temperature", "max_tokens", "top_p", "seed")},
        "gen_ai.response.model": details.get("model_served"),
        "gen_ai.response.finish_reasons": [finish] if finish else None,
        "gen_ai.usage.input_tokens": usage and usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage and usage.completion_tokens,
        "gen_ai.input.messages": asked if captured else None,
        "gen_ai.output.messages": answered if captured and reply else None,
    }
