"""What a sweep will cost by what its games have cost, and the games that a limit lets begin or wait."""

import threading
from types import SimpleNamespace

import pytest

from bba.agents import SeatSpec
from bba.bench import sweep_money
from bba.bench.episode import EpisodeResult
from bba.bench.plan import plan_sweep
from bba.bench.price_estimate import episode_price
from bba.bench.sweep_money import FIRST_ANSWERS, SweepMoney
from bba.planner import Usage
from bba.planner.model_options import ModelOptions
from tests.helpers.tiny_sweeps import sweep

STEPS = 100
BASE = SeatSpec(planner="openai", model=ModelOptions(model="gpt-4o", base_url="http://127.0.0.1:1", max_tokens=50))
PLAN = plan_sweep(sweep(agents=["bayes"], seeds=4, horizon=STEPS), BASE, one_model=True)
FIRST, SECOND, THIRD, _ = EPISODES = list(PLAN.episodes.values())
BY_TABLE, HIGHEST = episode_price(FIRST)


def asked(dollars):
    """A step in which a model was asked for so much money."""
    call = SimpleNamespace(usage=Usage(cost=dollars))
    return SimpleNamespace(decisions=(SimpleNamespace(calls=(call,)), SimpleNamespace(calls=())))


QUIET = SimpleNamespace(decisions=(SimpleNamespace(calls=()), SimpleNamespace(calls=())))


class Games:
    """Games whose steps a test plays: a script a game, which is given the function that counts steps."""

    def __init__(self, monkeypatch, limit=None):
        self.spent = 0.0
        self.money = SweepMoney(EPISODES, lambda: self.spent, limit)
        self.scripts = {}
        monkeypatch.setattr(sweep_money, "play", self._play)

    def _play(self, episode, base, *, keep_recording, after_steps):
        self.scripts[episode.key](after_steps)
        return EpisodeResult(measures={})

    def play(self, episode, script):
        self.scripts[episode.key] = script
        return self.money.play(episode, BASE)

    def pay(self, count, answers, dollars, steps=1):
        """Counts answers of so many dollars each, with quiet steps after each."""
        for _ in range(answers):
            self.spent += dollars
            count([asked(dollars)])
            count([QUIET] * (steps - 1))


@pytest.fixture
def games(monkeypatch):
    return Games(monkeypatch)


def test_the_table_counts_until_the_first_answers_and_then_the_rate_of_the_game(games):
    told = []

    def script(count):
        games.pay(count, FIRST_ANSWERS - 1, 0.5, steps=2)
        told.append(games.money.expected())
        games.pay(count, 1, 0.5, steps=2)
        told.append(games.money.expected())

    games.play(FIRST, script)
    assert told[0] is None
    assert told[1] == pytest.approx(4 * 25.0), "0.25 dollars a step, 100 steps, four games"


def test_stored_answers_cost_nothing_and_what_follows_them_counts(games):
    told = []

    def script(count):
        count([asked(None)] * 50)
        told.append(games.money.expected())
        games.pay(count, 25, 0.5, steps=2)

    games.play(FIRST, script)
    assert told == [pytest.approx(3.5 * BY_TABLE)], "half of the first game is played, and was free"
    assert games.money.expected() == pytest.approx(12.5 + 3 * 25)


def test_what_another_runner_has_played_is_not_to_come(games):
    games.play(FIRST, lambda count: games.pay(count, 50, 0.5, steps=2))
    before = games.money.expected()
    games.money.leave_out(SECOND)
    assert games.money.expected() == pytest.approx(before - 25)


def test_a_limit_lets_one_begin_by_the_table_and_others_once_a_rate_is_known(monkeypatch):
    games = Games(monkeypatch, limit=60.0 + HIGHEST)
    said = []

    def script(count):
        said.append(games.money.may_begin([FIRST], SECOND))  # the rate is not known
        games.pay(count, FIRST_ANSWERS, 0.5, steps=2)
        said.append(games.money.may_begin([FIRST], SECOND))  # 2.50 are spent, and 1.25 times 22.50 and 25 to come
        said.append(games.money.may_begin([FIRST, SECOND], THIRD))

    assert games.money.may_begin([], FIRST)
    games.play(FIRST, script)
    assert said == [False, False, False]
    games.money._limit = 62.0 + HIGHEST
    said.clear()
    games.spent = 0.0
    games.play(FIRST, script)
    assert said[1:] == [True, False]


def test_no_game_begins_that_by_the_table_the_limit_does_not_pay(monkeypatch):
    assert not Games(monkeypatch, limit=0.9 * BY_TABLE).money.may_begin([], FIRST)
    assert Games(monkeypatch, limit=BY_TABLE + HIGHEST).money.may_begin([], FIRST)


def test_a_later_game_waits_while_the_money_pays_for_an_earlier_one_only(monkeypatch):
    monkeypatch.setattr(sweep_money, "LOOK_SECONDS", 0.01)
    games = Games(monkeypatch, limit=30.0 + HIGHEST)
    order, second_began, first_may_end = [], threading.Event(), threading.Event()

    def first(count):
        games.pay(count, FIRST_ANSWERS, 0.5, steps=2)
        second.start()
        second_began.wait(30)
        first_may_end.wait(30)
        order.append("first")

    def late(count):
        second_began.set()
        count([asked(0.5)])
        order.append("second")

    second = threading.Thread(target=lambda: games.play(SECOND, late))
    looked = []

    def spent():
        looked.append(games.spent)
        if len(looked) > 3:
            first_may_end.set()  # the second one has looked several times and waits
        return games.spent

    games.money._spent = spent
    games.play(FIRST, first)
    second.join(30)
    assert order == ["first", "second"]
