"""Backends on a local endpoint, and requests for them."""

import os

from pydantic import SecretStr

from bba.llm.pipeline import cached_backend, model_backend, shared_ledger
from bba.planner import Planner
from bba.planner.model_options import ModelOptions
from tests.helpers.fake_endpoint import KEY
from tests.helpers.planner_scenes import PROMPTS, cook, situation

FETCH_OR_STAY = situation(cook(1, 1), cook(2, 1), feasible=(4, 8))
HELLO = [{"role": "user", "content": "What now?"}]


def clear_environment(monkeypatch) -> None:
    """No keys, proxies or settings from outside, and no backend from another test."""
    for name in list(os.environ):
        if name.startswith(("BBA_", "OPENAI_", "SSL_CERT_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    cached_backend.cache_clear()
    shared_ledger.cache_clear()


def options(endpoint, **fields) -> ModelOptions:
    """A model at the endpoint, with the key that tests look for everywhere."""
    defaults = {"model": "test-model", "base_url": endpoint.url, "key": SecretStr(KEY), "deadline": 20.0, "attempts": 3}
    return ModelOptions(**defaults | fields)


def backend(endpoint, slept: list | None = None, **fields):
    """A backend that does not really sleep between attempts."""
    pauses = [] if slept is None else slept
    return model_backend(options(endpoint, **fields), sleep=pauses.append)


def decision(endpoint, **fields):
    """A planner's decision with this endpoint, between two skills: 4:STAY and 8:GRAB_MEAT."""
    return Planner(backend(endpoint, **fields), PROMPTS, kind="base", retries=2).decide(FETCH_OR_STAY)
