"""A limit ends the run with a line that names it, before any further request."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.llm.budget import BudgetStage
from bba.llm.pipeline import shared_backend
from bba.llm.request import ChatRequest
from bba.planner import NoAnswer, Reply, Usage
from bba.planner.prices import Price, price_of
from tests.helpers.fake_endpoint import answers, refuses
from tests.helpers.model_backends import HELLO, backend, options
from tests.helpers.slow_planners import PATIENCE


def error_after_many_requests(model) -> str:
    """The error that ends a run of many different requests."""
    questions = [[{"role": "user", "content": f"{number}"}] for number in range(100)]
    with pytest.raises(BBAError) as caught:
        list(map(model.complete, questions))
    assert not isinstance(caught.value, NoAnswer)
    return str(caught.value)


def test_calls_are_limited_including_failed_ones(endpoint):
    endpoint.behaviours = [answers("4"), refuses(500), answers("4")]
    assert error_after_many_requests(backend(endpoint, max_calls=4)) == "--max-calls: the limit of 4 calls is reached"
    assert len(endpoint.requests) == 4


def test_tokens_are_limited_including_those_of_unusable_answers(endpoint):
    endpoint.behaviours = [answers(""), answers("4")]
    message = error_after_many_requests(backend(endpoint, max_total_tokens=330))
    assert message == "--max-total-tokens: the limit of 330 tokens is reached"
    assert len(endpoint.requests) == 3, "110 tokens each"


def test_cost_is_limited_by_the_users_prices(endpoint, tmp_path):
    (tmp_path / "mine.toml").write_text("[test-model]\nprompt = 1000\ncompletion = 5000\n")
    priced = backend(endpoint, max_cost=0.4, max_tokens=30, prices=tmp_path / "mine.toml", cache="off")
    assert priced.complete(HELLO).usage.cost == pytest.approx(0.15)
    message = error_after_many_requests(priced)
    assert message.startswith("--max-cost: the limit of 0.4 US dollars is reached: 0.3000 are spent, and anoth")
    assert len(endpoint.requests) == 2, "a third one might cost 0.16"


def test_a_limit_on_cost_needs_a_price(endpoint, tmp_path):
    with pytest.raises(BBAError, match=r"--max-cost: .*prices\.toml has no price for 'test-model'; .* --prices"):
        backend(endpoint, max_cost=1.0)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("[gpt-4o]\nprompt = -1\ncompletion = 1", "gpt-4o.prompt: Input should be greater than or equal to 0"),
        ("[gpt-4o]\nprompt = 1", "gpt-4o.completion: missing"),
        ("[gpt-4o]\nprompt = nan\ncompletion = 1", "gpt-4o.prompt: Input should be a finite number"),
        ("gpt", "not valid TOML"),
    ],
)
def test_an_invalid_price_table_is_reported_at_once(endpoint, tmp_path, table, problem):
    path = tmp_path / "mine.toml"
    path.write_text(table)
    with pytest.raises(BBAError) as caught:
        backend(endpoint, prices=path)
    assert f"{path}: " in str(caught.value)
    assert problem in str(caught.value)


def test_the_shipped_table_prices_the_preprints_models():
    for model in ("gpt-4o", "gpt-5.2"):
        assert price_of(model).prompt > price_of(model).cached > 0


NAMES = [
    "gpt-4o-2024-08-06",
    "openai/gpt-4o",
    "azure/GPT-4o-20240806",
    "or/openai/gpt-4o-latest",
    "gpt-4o@0806",
]


@pytest.mark.parametrize("model", NAMES)
def test_a_price_is_found_by_provider_and_version(model):
    assert price_of(model) == price_of("gpt-4o")


@pytest.mark.parametrize("model", ["gpt-4o-audio-preview", "gpt-4", "gpt", "gpt-4o-2024-08-06-tuned", "4o"])
def test_another_model_does_not_get_a_price_because_its_name_begins_alike(model):
    assert price_of(model) is None


def test_an_exact_name_comes_before_a_shorter_one(tmp_path):
    text = "[gpt-4o]\nprompt = 1\ncompletion = 1\n[gpt-4o-2024-08-06]\nprompt = 7\ncompletion = 1\n"
    (tmp_path / "mine.toml").write_text(text)
    assert price_of("openai/gpt-4o-2024-08-06", tmp_path / "mine.toml").prompt == 7


def test_tokens_in_the_providers_cache_cost_their_own_price():
    used = Usage(1_000_000, 0, cached_tokens=400_000)
    assert price_of("gpt-4o").of(used) == pytest.approx(0.6 * 2.5 + 0.4 * 1.25)
    assert Price(prompt=2, completion=1).of(used) == 2


def test_tokens_that_the_endpoint_does_not_report_are_estimated_and_marked(endpoint, tmp_path):
    endpoint.behaviours = [answers("4", usage={})]
    (tmp_path / "mine.toml").write_text("[test-model]\nprompt = 1000\ncompletion = 1000\n")
    asked = backend(endpoint, prices=tmp_path / "mine.toml", cache="off", max_total_tokens=9)
    usage = asked.complete([{"role": "user", "content": "What now, if this has 35 characters?"}]).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.estimated) == (12, 1, 1)
    assert usage.cost == pytest.approx(0.013)
    assert "--max-total-tokens" in error_after_many_requests(asked)


def test_concurrent_requests_are_limited_and_all_are_answered(endpoint):
    under_way, most, lock, pair = [0], [0], threading.Lock(), threading.Barrier(2)

    def counted(handler):
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        pair.wait(PATIENCE)  # two at a time there must be; one more would come
        handler.endpoint.closing.wait(0.02)
        with lock:
            under_way[0] -= 1
        answers("4")(handler)

    endpoint.behaviours = [counted]
    model = backend(endpoint, concurrency=2, max_calls=12)
    with ThreadPoolExecutor(6) as pool:
        questions = [[{"role": "user", "content": f"{number}"}] for number in range(12)]
        assert [reply.text for reply in pool.map(model.complete, questions)] == ["4"] * 12
    assert most[0] == 2


def test_waiting_for_a_slot_counts_towards_the_deadline(endpoint):
    class Slow:
        def __init__(self):
            self.asked, self.may_answer = threading.Event(), threading.Event()

        def send(self, request):
            self.asked.set()
            self.may_answer.wait(PATIENCE)
            return Reply("4", Usage())

    slow = Slow()
    limited = BudgetStage(slow, options(endpoint, concurrency=1))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(limited.send, ChatRequest((), time.monotonic() + 60))
        slow.asked.wait(PATIENCE)
        with pytest.raises(NoAnswer, match="other questions took all the time"):
            limited.send(ChatRequest((), time.monotonic()))
        slow.may_answer.set()
        assert first.result().text == "4"


def test_all_games_of_a_process_share_one_backend_and_its_limits(endpoint):
    first, second = shared_backend(options(endpoint, max_calls=1)), shared_backend(options(endpoint, max_calls=1))
    assert first is second
    first.complete(HELLO)
    with pytest.raises(BBAError, match="--max-calls"):
        second.complete([*HELLO, *HELLO])


def test_the_shipped_price_table_warns_that_prices_change():
    text = (Path(__file__).parents[2] / "configs" / "prices.toml").read_text()
    assert "Prices change" in text


DATED = """
checked = {checked}
[test-model]
prompt = 4
completion = 8
batch = 0.5
[[test-model.changes]]
since = 2027-03-01
prompt = 2
completion = 6
"""


def test_a_price_holds_from_its_day_and_a_batch_costs_its_share(tmp_path):
    (tmp_path / "mine.toml").write_text(DATED.format(checked="2027-01-01"))
    used = Usage(1_000_000, 1_000_000)
    prices = [price_of("test-model", tmp_path / "mine.toml", date(2027, month, 1)) for month in (2, 3)]
    assert [price.of(used) for price in prices] == [12, 8]
    assert prices[0].of(used, batch=True) == 6


@pytest.mark.parametrize(("days", "warnings"), [(0, 0), (90, 0), (91, 1)])
def test_a_table_that_was_not_compared_for_90_days_is_warned_of_once(endpoint, tmp_path, caplog, days, warnings):
    (tmp_path / "mine.toml").write_text(DATED.format(checked=date.today() - timedelta(days=days)))
    for _ in "ab":
        backend(endpoint, prices=tmp_path / "mine.toml")
    assert sum("compare it with your provider's list" in message for message in caplog.messages) == warnings


def test_a_change_of_a_price_needs_a_date(endpoint, tmp_path):
    (tmp_path / "mine.toml").write_text(DATED.format(checked="2027-01-01").replace("since = 2027-03-01", ""))
    with pytest.raises(BBAError, match="a change of a price needs a date"):
        backend(endpoint, prices=tmp_path / "mine.toml")
