"""Half a character in what comes from outside, which no encoding has, costs neither a game nor its recording."""

import gzip
import json
import textwrap
from pathlib import Path

import pytest

from bba.llm.intake import read_completion
from bba.planner import Planner
from bba.play import Replay, load
from bba.text import encodable, encodable_values
from tests.helpers.fake_endpoint import answers, completion, running, sends
from tests.helpers.hostile_endpoints import said, scripted
from tests.helpers.misbehaviours import chunk, stream
from tests.helpers.model_backends import FETCH_OR_STAY, backend, clear_environment
from tests.helpers.planner_scenes import PROMPTS
from tui.cli import main

HIGH, LOW = "\ud83c", "\udf89"  # the halves of a party popper
PLAN = 'Teammate role belief: serve {}\nIntention for Player 1: "4"\nPlan for Player 0: "8"'


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint


def headless(endpoint, *arguments: str) -> int:
    asked = ["--planner", "openai", "--base-url", endpoint.url, "--model", "m", "--horizon", "60", "--cache", "off"]
    return main(["headless", "open", *asked, *arguments])


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("plain, ü and 🎉", "plain, ü and 🎉"),
        (f"{HIGH}{LOW}", "🎉"),
        (f"a{HIGH}b", "a\ufffdb"),
        (f"{LOW}{HIGH}", "\ufffd\ufffd"),
        ("name-\udcff.bba", "name-\ufffd.bba"),
        ("", ""),
    ],
)
def test_halves_are_joined_and_lone_ones_replaced(given, whole):
    assert encodable(given) == whole
    assert encodable_values({given: [given, 7, None]}) == {whole: [whole, 7, None]}


ANSWERS = {
    "whole": (answers(PLAN.format(HIGH)), "serve \ufffd"),
    "two chunks of a stream": (
        stream(chunk(PLAN.partition("{}")[0] + HIGH), chunk(LOW + PLAN.partition("{}")[2], "stop")),
        "serve 🎉",
    ),
    "a stream that lost a chunk": (
        stream(chunk(PLAN.partition("{}")[0] + HIGH), chunk(PLAN.partition("{}")[2], "stop")),
        "serve \ufffd",
    ),
    "reasoning": (answers(None, reasoning_content=PLAN.format(HIGH)), "serve \ufffd"),
    "a tool call": (
        answers(None, tool_calls=[{"function": {"name": "act", "arguments": PLAN.format(HIGH)}}]),
        "serve \ufffd",
    ),
    "parts": (answers([{"type": "text", "text": PLAN.format(HIGH)}]), "serve \ufffd"),
    "JSON in the answer": (
        answers(json.dumps({"teammate role belief": f"serve {HIGH}", "plan": "8"})),
        "serve \ufffd",
    ),
    "bytes of a half": (sends(completion(PLAN.format("HALF")).replace(b"HALF", b"\xed\xa0\xbc")), "serve \ufffd"),
}


@pytest.mark.parametrize(("behaviour", "belief"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_with_half_a_character_is_used_and_can_be_stored(endpoint, tmp_path, behaviour, belief):
    endpoint.behaviours = [behaviour]
    model = backend(endpoint, cache="write", cache_file=tmp_path / "answers.sqlite", model_log=tmp_path / "log.jsonl")
    call = Planner(model, PROMPTS, kind="bayes", retries=0).decide(FETCH_OR_STAY)
    assert call.skill == 8
    assert call.belief_text.startswith(belief)
    call.response.encode()
    assert json.loads((tmp_path / "log.jsonl").read_text())["answer"] == call.response


def test_tokens_with_half_a_character_are_whole():
    body = json.loads(completion("A"))
    body["choices"][0]["logprobs"] = {"content": [{"top_logprobs": [{"token": HIGH, "logprob": -1.0}]}]}
    assert read_completion(json.dumps(body).encode()).tokens == (("\ufffd", -1.0),)


def test_a_game_goes_on_and_its_recording_is_whole(endpoint, capsys):
    endpoint.behaviours = [said(lambda handler: f"Teammate role belief: {HIGH}\n{scripted(handler)}")]
    assert headless(endpoint, "--record", "game.bba") == 0
    assert "recorded in game.bba" in capsys.readouterr().err
    assert len(Replay(load("game.bba")).run().ticks) == 60
    assert gzip.decompress(Path("game.bba").read_bytes()).decode()


HALF_PLANNER = """
    class Half:
        def __init__(self):
            self.asked = 0

        def complete(self, messages):
            self.asked += 1
            if self.asked > 2:
                raise ValueError("no more \\ud83c")
            return 'Teammate role belief: \\ud83c\\nPlan for Player 0: "STAY"'


    class Fails:
        profile = None

        def reset(self, context):
            pass

        def observe(self, observation):
            return None

        def decide(self, observation):
            if observation.step == 21:
                raise ValueError("lost \\udcff")
            return observation.feasible()[0]

        def commit(self, observation, decision):
            pass
"""


@pytest.mark.parametrize(
    "seats", [["--planner", "half.py:Half", "--retries", "9"], ["--agent", "half.py:Fails"]], ids=["planner", "agent"]
)
def test_a_game_that_an_error_ends_is_recorded_and_still_an_error(capsys, tmp_path, seats):
    (tmp_path / "half.py").write_text(textwrap.dedent(HALF_PLANNER))
    code = main(["headless", "open", "--horizon", "200", "--mobility", "1", "--record", "game.bba", *seats])
    words = capsys.readouterr().err
    assert code == 2
    assert "recorded in game.bba" in words
    assert words.splitlines()[-1].startswith("bba-tui: half.py:")
    assert 0 < load("game.bba").steps < 200


def test_a_duel_whose_second_game_an_error_ends_keeps_both(capsys, tmp_path):
    (tmp_path / "half.py").write_text(textwrap.dedent(HALF_PLANNER))
    duel = ["--agents", "bayes,half.py:Fails", "--planner", "scripted", "--partner", "switching", "--horizon", "60"]
    assert main(["export", "duel.gif", "--duel", *duel, "--record", "duel.bba"]) == 2
    assert "recorded in duel.bba" in capsys.readouterr().err
    kept = load("duel.bba")
    assert kept.steps == 60
    assert kept.other.steps == 20
