"""What is sent to a model besides its messages: how it draws its answer, and in which form that should be."""

import json
from typing import Any

from bba.planner.llm.options import ModelOptions

ANSWER_FORMAT = "response_format"  # sent with plans only: side queries have other answers
_TEXT = {"type": "string"}
_PLAN = {"teammate_role_belief": _TEXT, "intention": _TEXT, "plan": _TEXT}
PLAN_FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "plan",
        "strict": True,
        "schema": {"type": "object", "properties": _PLAN, "required": [*_PLAN], "additionalProperties": False},
    },
}


def sampling_parameters(options: ModelOptions) -> dict[str, Any]:
    """Returns the parameters of a request: greedy, up to a maximum length, unless the options say otherwise."""
    wanted = {
        "top_p": options.top_p,
        "seed": options.model_seed,
        "reasoning_effort": options.reasoning_effort,
        "extra_body": options.body,
        ANSWER_FORMAT: PLAN_FORMAT if options.structured else None,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    return {"temperature": 0, "max_tokens": options.max_tokens, **given}


def more_sampling(options: ModelOptions) -> str | None:
    """Returns what is sent besides temperature and length, as JSON; None for nothing."""
    usual = ("temperature", "max_tokens")
    more = {name: value for name, value in sampling_parameters(options).items() if name not in usual}
    headers = {"extra_headers": options.extra_headers} if options.extra_headers else {}
    return json.dumps(more | headers, sort_keys=True) if more or headers else None
