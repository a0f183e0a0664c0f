"""Requests and tokens a minute are kept by all threads and processes of a run, and so is what an endpoint asks for."""

import subprocess
import sys
import time

import numpy as np
import pytest

from bba.planner import NoAnswer
from bba.planner.ledger import LONGEST_PAUSE, PAUSE, Ledger
from tests.helpers.fake_endpoint import answers, refuses
from tests.helpers.model_backends import HELLO, backend

PROGRAM = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from bba.planner import ModelUnusable
from bba.planner.model_options import ModelOptions
from bba.llm.pipeline import model_backend
url, folder, limits, number, count = sys.argv[1], Path(sys.argv[2]), eval(sys.argv[3]), sys.argv[4], int(sys.argv[5])
options = ModelOptions(
    model="test-model", base_url=url, ledger=folder / "results.sqlite", prices=folder / "prices.toml", cache="off",
    deadline=20, attempts=1, concurrency=8, max_tokens=50, **limits,
)
asked = model_backend(options)
def ask(question):
    try:
        return asked.complete([{"role": "user", "content": f"{number} {question}"}]).text
    except ModelUnusable as error:
        print(error, flush=True)
        os._exit(0)
with ThreadPoolExecutor(8) as pool:
    print("\\n".join(pool.map(ask, range(count))))
"""


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "results.sqlite")


def test_each_request_gets_a_time_of_its_own_over_ledgers_of_one_file(ledger):
    waits = [ledger.begin("a", {"requests": 10.0}, 100.0), Ledger(ledger.path).begin("a", {"requests": 10.0}, 100.0)]
    assert waits == [0.0, pytest.approx(10.0, abs=1.0)]
    assert Ledger(ledger.path).begin("b", {"requests": 10.0}, 100.0) == 0.0, "another endpoint has limits of its own"


def test_a_time_beyond_the_patience_is_not_taken(ledger):
    ledger.begin("a", {"requests": 50.0}, 10.0)
    assert ledger.begin("a", {"requests": 50.0}, 10.0) > 40
    assert ledger.begin("a", {"requests": 50.0}, 100.0) < 51


def test_tokens_that_were_not_used_are_given_back(ledger):
    ledger.begin("a", {"tokens": 60.0}, 0.0)
    ledger.correct("a", "tokens", -50.0)
    assert 8 < ledger.begin("a", {"tokens": 60.0}, 100.0) < 11


@pytest.mark.parametrize(("asked", "wait"), [(30.0, 30.0), (1e300, LONGEST_PAUSE), (float("inf"), LONGEST_PAUSE)])
def test_what_an_endpoint_asks_for_holds_for_all_and_not_for_ever(ledger, asked, wait):
    ledger.correct("a", PAUSE, asked)
    ledger.correct("a", PAUSE, 1.0)
    assert Ledger(ledger.path).begin("a", {}, 0.0) == pytest.approx(wait, abs=2.0)


def test_a_request_waits_for_its_turn_and_says_so(endpoint):
    slept = []
    asked = backend(endpoint, slept, rpm=2, deadline=50.0)
    asked.complete(HELLO)
    asked.complete([*HELLO, *HELLO])
    assert slept == [pytest.approx(30, abs=3)]


def test_another_question_is_not_sent_before_the_endpoint_wants_it(endpoint):
    endpoint.behaviours = [refuses(429, "slow down", Retry_After="900"), answers("4")]
    asked = backend(endpoint, attempts=1)
    for question in (HELLO, [*HELLO, *HELLO]):
        with pytest.raises(NoAnswer, match=r"slow down|may be sent in (899|900) s"):
            asked.complete(question)
    assert len(endpoint.requests) == 1


def arrivals(endpoint, tmp_path, limits: dict, count: int, kill: int = 0) -> tuple[list[float], str]:
    """When requests of four processes came, and what their programs printed; the first `kill` of them are killed."""
    came = []

    def notes(handler):
        came.append(time.monotonic())
        answers("4", usage={"prompt_tokens": 10, "completion_tokens": 40})(handler)

    endpoint.behaviours = [notes]
    command = [sys.executable, "-c", PROGRAM, endpoint.url, str(tmp_path), repr(limits)]
    started = [
        subprocess.Popen([*command, str(number), str(count // 4)], stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    while kill and len(came) < 40 and any(process.poll() is None for process in started):
        time.sleep(0.01)
    for process in started[:kill]:
        process.kill()
    return came, "".join(process.communicate()[0] for process in started)


@pytest.mark.thorough
@pytest.mark.parametrize("limits", [{"rpm": 1200}, {"tpm": 60_000}], ids=["requests", "tokens"])
def test_four_processes_together_keep_the_limits_within_two_percent(endpoint, tmp_path, limits):
    """500 requests at 1,200 a minute, or at 60,000 tokens of which each takes 50, take 25 seconds."""
    (tmp_path / "prices.toml").write_text("")
    came, _ = arrivals(endpoint, tmp_path, limits, 500)
    assert len(came) == 500
    # Of the line through all arrivals: on a busy machine the first ones come late, which is no pace.
    rate = 60 / np.polyfit(range(500), sorted(came), 1)[0]
    sys.stdout.write(f"{limits}: {rate:.1f} requests a minute\n")
    assert rate <= 1200 * 1.02


@pytest.mark.thorough
def test_a_cap_is_never_exceeded_by_four_processes_of_which_two_are_killed(endpoint, tmp_path):
    """A request costs 0.05 dollars and reserves more."""
    (tmp_path / "prices.toml").write_text("[test-model]\nprompt = 1000\ncompletion = 1000\n")
    came, said = arrivals(endpoint, tmp_path, {"max_cost": 5.0}, 500, kill=2)
    assert 0.05 * len(came) <= 5.0
    assert len(came) > 60  # what a killed process had reserved stays reserved
    assert "--max-cost: the limit of 5 US dollars is reached" in said
    assert Ledger(tmp_path / "results.sqlite").spent().dollars <= 5.0
