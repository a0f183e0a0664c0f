"""Each of many misbehaviours of endpoints ends in a decision, a cook that stays, or one line; the key is nowhere."""

import json
import logging
import resource

import pytest

from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.planner import Planner
from tests.helpers.fake_endpoint import KEY, running
from tests.helpers.misbehaviours import ENDS, MISBEHAVIOURS, PLAYS, STAYS
from tests.helpers.model_backends import FETCH_OR_STAY, backend
from tests.helpers.planner_scenes import PROMPTS

MOST_MEMORY = 64 * 2**10  # KiB that one misbehaviour may take


LONG = {  # those that take their time, of which one of each kind is asked always, or whose lines others reach
    "words for ever",
    "comments for ever",
    "letter by letter for ever",
    "spaces for ever",
    "silence before anything",
    "silence in the midst",
    "informal responses without an end",
    "llama.cpp reads a long question",
    "blank lines until the answer",
    "comments until the answer",
    "a slow line",
    "a hundred thousand calls",
    "a flood of events",
    "an event of a thousand lines",
    "a million blank lines",
    "fifty thousand events",
}


def memory() -> int:
    """The most KiB that this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.fixture(scope="module")
def shared():
    with running() as endpoint:
        yield endpoint


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name, marks=pytest.mark.thorough if name in LONG else ())
        for name, case in MISBEHAVIOURS.items()
    ],
)
def test_a_misbehaviour_ends_in_a_decision_or_in_one_line(shared, tmp_path, caplog, monkeypatch, case):
    monkeypatch.setattr("bba.llm.pipeline.MAX_BACKOFF", 0.0)
    monkeypatch.setattr("bba.llm.request.GETS_ON", 4)  # times the deadline: words without an end take 6 s
    shared.behaviours, shared.keys[:], shared.requests[:] = list(case.behaviours), [], []
    prices = "[test-model]\nprompt = 1\ncompletion = 1\n" if "max_cost" in case.fields else ""
    (tmp_path / "prices.toml").write_text(prices)
    fields = {"attempts": 4, "deadline": 20.0, "model_log": tmp_path / "log.jsonl", "cache": "off"}
    asked = backend(shared, prices=tmp_path / "prices.toml", **fields | dict(case.fields))
    said, call, before = "", None, memory()
    with caplog.at_level(logging.WARNING, "bba"):
        try:
            call = Planner(asked, PROMPTS, kind="base", retries=1).decide(FETCH_OR_STAY)
            end = STAYS if call.fallback else PLAYS
            said = call.problem or ""
        except BBAError as error:
            end, said = ENDS, str(error)
    assert memory() - before < MOST_MEMORY
    logged = (tmp_path / "log.jsonl").read_text()
    told = f"{said} {caplog.text} {call} {logged} {json.loads(logged.splitlines()[-1])}"
    assert KEY not in told
    ended = ENDS if case.end == STAYS and case.fields.get("give_up_after") == 1 else case.end
    assert end == ended, said
    assert case.words in said
    assert said.isprintable()
    assert len(said) < 700
    assert len(shared.requests) <= 24
    if end != ENDS:
        assert call.skill == (SKILL_STAY if end == STAYS else 8)
        assert call.usage is None or call.usage.prompt_tokens < 100_000
        assert call.usage is None or call.usage.completion_tokens < 100_000
