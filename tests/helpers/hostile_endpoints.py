"""Endpoints that misbehave, as real ones do, and answer as the scripted planner where they answer at all.

Whatever they say holds the key that they were sent, which must not reach any file or screen.
"""

import json

from bba.planner import ScriptedBackend
from tests.helpers.fake_endpoint import (
    KEY,
    Behaviour,
    Handler,
    answers,
    completion,
    drips,
    floods,
    hangs_up,
    refuses,
    resets,
    sends,
)


def scripted(handler: Handler) -> str:
    """The scripted planner's answer, of which the number of its skill is all that some endpoints give."""
    messages = handler.request_body["messages"]
    if messages[0]["role"] != "system":
        rules, _, rest = messages[0]["content"].partition("\n\n=== TEAMMATE")
        messages = [{"role": "system", "content": rules}, {"role": "user", "content": f"=== TEAMMATE{rest}"}]
        messages += handler.request_body["messages"][1:]
    return ScriptedBackend().complete(messages).text


def number(handler: Handler) -> str:
    return scripted(handler).rpartition('Plan for Player 0: "')[2].rstrip('"')


def said(change) -> Behaviour:
    """Answers with what `change` makes of the request."""
    return lambda handler: answers(change(handler))(handler)


def shaped(**fields) -> Behaviour:
    """Answers with content, finish and fields of the message; functions are given the scripted answer."""

    def behaviour(handler):
        text = scripted(handler)
        given = {name: value(text) if callable(value) else value for name, value in fields.items()}
        answers(given.pop("content", text), **given)(handler)

    return behaviour


def stream(handler: Handler) -> None:
    chunks = [{"choices": [{"delta": {"content": part}}]} for part in scripted(handler).splitlines(keepends=True)]
    chunks.append({"choices": [{"delta": {}, "finish_reason": "stop"}], "model": f"served {KEY}"})
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    sends(f"{body}data: [DONE]\n\n", Content_Type="text/event-stream")(handler)


plays = said(scripted)


def demands(met, complaint: str, then: Behaviour = plays) -> Behaviour:
    """Refuses requests that do not meet a demand."""
    return lambda handler: (then if met(handler.request_body) else refuses(400, f"{complaint} {KEY}"))(handler)


def every_other(first: Behaviour, second: Behaviour) -> Behaviour:
    """Behaves in turns."""
    return lambda handler: (first if len(handler.endpoint.requests) % 2 else second)(handler)


def call(text: str) -> list:
    plan = text.rpartition('"')[0].rpartition('"')[2]
    return [{"function": {"name": "act", "arguments": json.dumps({"plan": plan})}}]


PLAYING = {
    "parts": shaped(content=lambda text: [{"type": "text", "text": text}]),
    "an event stream": stream,
    "reasoning beside null": shaped(content=None, reasoning_content=lambda text: f"Well.\n{text}"),
    "tool calls": shaped(content=None, tool_calls=call),
    "cut off after the plan": shaped(content=lambda text: f"{text}\nBecause", finish="length"),
    "a wrong usage": shaped(usage={"prompt_tokens": "-1", "completion_tokens": [KEY]}),
    "no usage": shaped(usage={}),
    "thoughts": shaped(content=lambda text: f"<think>{KEY} 8? 11?</think>\n{text}"),
    "Plan: N": said(lambda handler: f"Plan: {number(handler)}"),
    "Action: N": said(lambda handler: f"Action: {number(handler)}"),
    "P0 and an aside": said(lambda handler: f'Plan for P0 (me, {KEY}): "{number(handler)}"'),
    "one-line JSON": said(lambda handler: json.dumps({"reason": KEY, "plan": number(handler)})),
    "both players' plans": said(lambda handler: f"Plan for Player 1: 4\nPlan for Player 0: {number(handler)}"),
    "first the other's plan": every_other(
        said(lambda _: f"Plan for Player 1: 8 {KEY}"), said(lambda handler: f"Plan for Player 0: {number(handler)}")
    ),
    "short answers only": demands(lambda body: body["max_tokens"] <= 300, "max_tokens is too large, at most 300"),
    "streams only": demands(lambda body: body.get("stream"), "stream must be set to true", stream),
    "no system role": demands(lambda body: body["messages"][0]["role"] != "system", "System role not supported"),
    "no temperature": demands(lambda body: "temperature" not in body, "temperature: only the default (1) value"),
    "a filter at times": every_other(plays, refuses(400, f"content_filter: {KEY}")),
    "errors at times": every_other(refuses(503, f"busy {KEY}"), plays),
    "resets at times": every_other(resets, plays),
}

DEAD = {
    "empty": answers(""),
    "null": answers(None),
    "no choices": sends('{"choices": []}'),
    "another shape": sends(json.dumps({"reply": KEY})),
    "no JSON": sends(f"<html>Welcome {KEY}</html>"),
    "reset": resets,
    "hung up": hangs_up,
    "half a body": sends(completion("8")[:50]),
    "an error with 200": sends(json.dumps({"error": {"message": f"no GPU is free {KEY}"}})),
    "a refused key with 200": sends(json.dumps({"error": {"message": f"who? {KEY}", "code": 401}})),
    "a refused key": refuses(401, f"wrong key {KEY}"),
    "no money": refuses(429, f"nothing left {KEY}", code="insufficient_quota"),
    "too many": refuses(429, f"slow down {KEY}", Retry_After="3600"),
    "a server error": refuses(500, f"Bearer {KEY}"),
    "a filter for everything": refuses(400, f"ContentPolicyViolationError {KEY}"),
    "cut off always": answers(f"Let me think about {KEY}", finish="length"),
    "prose": answers(f"I would rather talk about {KEY}."),
    "the other's plan": answers("Plan for Player 1: 8"),
    "silence": drips(b"HTTP/1.1 200 OK\r\n\r\n"),
    "a flood": floods,
}
