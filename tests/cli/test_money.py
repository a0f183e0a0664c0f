"""Money: estimates, questions, a cap that holds over runners, models and restarts, and nothing paid twice."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bba.bench.episode import EpisodeResult
from bba.bench.results_store import ResultsStore
from bba.errors import BBAError
from bba.llm.budget import tokens_of
from bba.planner import Prompts
from bba.planner.ledger import Ledger
from tests.helpers.fake_endpoint import KEY, completion, running
from tests.helpers.hostile_endpoints import scripted
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.model_backends import clear_environment
from tests.helpers.planner_scenes import cook, situation
from tui.arguments.options import ManyGames
from tui.cli import main
from tui.commands.sweep import complain_of_failures

TINY = """
title = "A tiny sweep"
agents = [
    { agent = "bayes", model = "one" },
    { agent = "bayes", model = "two" },
    { agent = "proagent", model = "three" },
    { agent = "proagent", model = "four" },
]
layouts = ["open"]
seeds = 2
horizon = 30
[partners]
switching = ["switching"]
"""
PRICES = "".join(f"[{name}]\nprompt = 100\ncompletion = 100\n" for name in ("one", "two", "three", "four"))
PROMPT, COMPLETION = 500, 20  # tokens that the endpoint reports, whatever it was sent
USAGE = {"prompt_tokens": PROMPT, "completion_tokens": COMPLETION}


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "tiny.toml").write_text(TINY)
    (tmp_path / "prices.toml").write_text(PRICES)
    return tmp_path


class Till:
    """Counts what was asked and what that cost."""

    def __init__(self) -> None:
        self.lock, self.requests, self.seen, self.again = threading.Lock(), 0, set[str](), 0
        self.dollars, self.counts = 0.0, False  # whether it counts tokens, in the place of saying always the same

    def __call__(self, handler):
        body = handler.request_body
        with self.lock:
            self.requests += 1
            self.again += (question := repr((body["model"], body["messages"]))) in self.seen
            self.seen.add(question)
            prompt = sum(tokens_of(message["content"]) for message in body["messages"]) if self.counts else PROMPT
            self.dollars += (prompt + COMPLETION) * 100 / 1e6
        handler.send(200, completion(scripted(handler), usage=USAGE | {"prompt_tokens": prompt}))


@pytest.fixture
def till():
    return Till()


@pytest.fixture
def endpoint(till):
    with running() as endpoint:
        endpoint.behaviours = [till]
        yield endpoint


def arguments(endpoint, *more):
    model = ["--planner", "openai", "--base-url", endpoint.url, "--max-tokens", "50", "--prices", "prices.toml"]
    model += ["--deadline", "20"]
    kept = ["--cache-file", "answers.sqlite", "--workers", "2"]
    return ["--headless", "--sweep", "tiny.toml", "--out", "out", *model, *kept, *more]


def sweep(endpoint, capsys, *more):
    code = main(arguments(endpoint, *more))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_dry_run_makes_no_folder_and_counts_what_is_there(endpoint, capsys, till, tiny, monkeypatch):
    monkeypatch.setattr("tui.commands.sweep_playing.ProcessEngine", lambda *_: ImmediateEngine())
    assert sweep(endpoint, capsys, "--dry-run")[1].startswith("estimate: 8 episodes")
    assert not (tiny / "out").exists()
    (tiny / "out").mkdir()
    assert sweep(endpoint, capsys, "--dry-run")[0] == 0
    assert not list((tiny / "out").iterdir())
    keyless = ["--planner", "scripted", "--agents", "bayes", "--seeds", "1"]
    assert sweep(endpoint, capsys, *keyless)[0] == 0
    assert sweep(endpoint, capsys, *keyless, "--dry-run")[1].startswith("0 episodes to play")


def test_a_dry_run_says_requests_tokens_and_price_and_asks_nothing(endpoint, capsys, till, tiny):
    code, out, err = sweep(endpoint, capsys, "--dry-run")
    assert (code, err, till.requests) == (0, "", 0)
    assert out.startswith("estimate: 8 episodes, about ")
    assert " US dollars; stored answers cost nothing" in out
    code, out, _ = sweep(endpoint, capsys, "--dry-run", "--seeds", "6", "--agents", "bayes")
    assert out.startswith("estimate: 6 episodes")


def test_a_dry_run_without_a_price_or_without_a_model_says_so(endpoint, capsys, tiny):
    (tiny / "prices.toml").write_text("")
    assert "no price is known of one, two, three, four (see --prices)" in sweep(endpoint, capsys, "--dry-run")[1]
    assert main(["--headless", "--sweep", "tiny.toml", "--dry-run", "--agents", "bayes"]) == 0
    assert capsys.readouterr().out.startswith("2 episodes to play, none of them with a language model")


def test_more_than_a_dollar_is_asked_for_and_yes_answers(endpoint, capsys, till, monkeypatch):
    code, out, err = sweep(endpoint, capsys)
    assert (code, out, till.requests) == (2, "", 0)
    assert "US dollars; --yes begins, --dry-run only estimates" in err.splitlines()[-1]
    assert not Path("out").exists()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin.readline", lambda: "n\n", raising=False)
    assert sweep(endpoint, capsys)[2].endswith("bba-tui: bench: not begun\n")
    assert till.requests == 0
    code, _, err = sweep(endpoint, capsys, "--yes")
    assert (code, till.again) == (0, 0)
    assert f"{till.requests} requests, {till.dollars:.2f} US dollars" in err


def test_the_limit_holds_over_models_and_no_episode_begins_near_it(endpoint, capsys, till, tiny):
    till.counts = True
    limit = ["--max-cost", "2.5"]  # the first game is taken for 0.7 dollars, and its last request for 0.9
    code, _, err = sweep(endpoint, capsys, "--yes", *limit)
    assert code == 2
    assert 0 < till.dollars <= 2.5
    assert "--max-cost" in err.splitlines()[-1]
    assert Ledger(tiny / "out" / "results.sqlite").spent().dollars == pytest.approx(till.dollars)
    before = till.requests
    assert sweep(endpoint, capsys, "--yes", *limit)[0] == 2
    assert till.dollars <= 2.5
    assert sweep(endpoint, capsys, "--yes", "--max-cost", "100")[0] == 0
    assert till.requests > before
    assert till.again == 0, "nothing is paid twice"


LONG_ANSWERS = """
title = "A model that answers at great length"
agents = ["proagent"]
layouts = ["open"]
seeds = 4
horizon = 120
[partners]
switching = ["switching"]
"""


def test_as_many_games_begin_as_the_money_pays_by_their_own_rate_and_these_are_finished(endpoint, capsys, tiny):
    """By the table all four cost 7 dollars; by its answers, which are long, each costs about ten."""
    (tiny / "tiny.toml").write_text(LONG_ANSWERS)
    (tiny / "prices.toml").write_text("[wordy]\nprompt = 100\ncompletion = 1000\n")
    usage = {"prompt_tokens": PROMPT, "completion_tokens": 900}
    endpoint.behaviours = [lambda handler: handler.send(200, completion(scripted(handler), usage=usage))]
    wanted = ["--yes", "--model", "wordy", "--max-tokens", "1000", "--workers", "4", "--max-cost", "30"]
    code, _, err = sweep(endpoint, capsys, *wanted)
    assert code == 2
    assert len(endpoint.requests) * 0.95 <= 30
    with ResultsStore(tiny / "out") as store:
        finished = len(store.finished())
    assert 2 <= finished < 4, "all four would have begun, and none would have been finished"
    assert err.splitlines()[-1].startswith(
        f"bba-tui: --max-cost: {4 - finished} episodes were not begun, because 30 US"
    )
    assert " in all by the rate so far" not in err, "the last line is about what is done"


def test_failures_that_differ_in_their_numbers_alone_are_one_reason():
    limit = "--max-cost: the limit of 1 US dollars is reached: {:.4f} are spent, and another request might cost 0.1"
    reasons = [limit.format(0.95), limit.format(0.96), limit.format(0.97), "no answer"]
    results = {reason: EpisodeResult(failure=reason) for reason in reasons}
    with pytest.raises(BBAError) as failed:
        complain_of_failures(results, 0, ManyGames.model_validate({}))
    expected = f"{reasons[0]} (3); no answer (1); the same command tries them again"
    assert str(failed.value) == f"4 of 4 episodes failed: {expected}"


@pytest.mark.long
def test_the_limit_holds_over_two_runners_of_which_one_is_killed(endpoint, capsys, till, tiny):
    """All of it costs about 7 dollars, so that the limit of 4 is met in the middle of games."""
    till.counts = True
    wanted = ["--yes", "--horizon", "60"]
    command = [sys.executable, "-m", "tui.cli", *arguments(endpoint, *wanted, "--max-cost", "4")]
    quiet = {"env": os.environ, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    runners = [subprocess.Popen(command, **quiet) for _ in "ab"]
    while till.requests < 3 and all(runner.poll() is None for runner in runners):
        endpoint.closing.wait(0.01)
    runners[0].kill()
    for runner in runners:
        runner.wait()
    assert sweep(endpoint, capsys, *wanted, "--max-cost", "4")[0] == 2
    assert 1 < till.dollars <= 4, "what the killed runner had spent or reserved still counts"
    limited = till.dollars
    code, out, err = sweep(endpoint, capsys, *wanted, "--max-cost", "100")
    assert code == 0
    assert till.dollars > 4, "the limit was below what all of it costs"
    assert KEY not in out + err
    with ResultsStore(tiny / "out") as store:
        assert len(store.finished()) == 8
    told = f"{limited:.2f} of 4 dollars, {till.dollars:.2f} in all, {till.requests} requests, {till.again} asked twice"
    assert till.again <= 2, f"only what was under way in the runner that was killed: {told}"
    sys.stdout.write(f"{told}\n")


def test_a_condition_says_how_the_models_are_asked(endpoint, capsys, till, tiny):
    (tiny / "tiny.toml").write_text(TINY.replace("horizon", 'condition = "preprint"\nhorizon'))
    few = ["--yes", "--agents", "proagent", "--model", "one", "--seeds", "1"]
    sent = {}
    for name, options in {"preprint": [], "ours": ["--condition", "ours"]}.items():
        endpoint.requests.clear()
        code, out, _ = sweep(endpoint, capsys, *few, *options)
        assert (code, f"language models play in {'the preprint' if name == 'preprint' else 'our'}" in out) == (0, True)
        sent[name] = [request["messages"] for request in endpoint.requests]
    told = Prompts.load(layout="strict").system("base", situation(cook(1, 1), cook(2, 1)))
    (tags,) = [line for line in told.splitlines() if "Tags of objects" in line]
    assert all(tags in messages[0]["content"] for messages in sent["preprint"])
    assert not any(tags in messages[0]["content"] for messages in sent["ours"])
