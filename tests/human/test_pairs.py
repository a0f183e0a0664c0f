"""Two people in one kitchen: pairs are made, both play the same game, and it stands still while one is missing."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from bba.agents import HumanAgent
from bba.errors import BBAError
from bba.play import Game
from human.pair import HubConnection, PairHub, ReceivedControls, SentControls, inputs_of, unpacked
from human.study import load_study
from human.study.progress import PairPlace, Progress
from human.study.tasks import PairTask, games_of, next_cell, next_task
from tests.helpers.studies import plan
from tests.human.test_study_design import NOW

FAST = 500.0  # steps a second


@asynccontextmanager
async def hub_at(path):
    hub = PairHub()
    await hub.open(path)
    try:
        yield hub
    finally:
        await hub.close()


class Player:
    """One person: a connection, a game of their own, and the keys that they press, a key a step."""

    def __init__(self, path, seat, keys, *, patience=20.0, horizon=60):
        self.path, self.seat, self.keys, self.patience = path, seat, keys, patience
        self.received = (ReceivedControls(), ReceivedControls())
        agents = (HumanAgent(controls) for controls in self.received)
        self.game = Game("open", *agents, 3, horizon=horizon, mobility=(1.0, 1.0))
        self.heard, self.over = [], False

    async def play(self, until=None):
        """Plays to the end, or leaves once there are so many steps."""
        hub = await HubConnection.open(self.path)
        known = {"steps": inputs_of(self.game.trace), "horizon": self.game.horizon, "speed": FAST}
        hub.say({"join": {"pair": 0, "game": 0, "seat": self.seat, "patience": self.patience, **known}})
        hub.say({"ready": True})
        sent = SentControls(hub)
        async for message in hub.messages():
            self.heard.append(message)
            for step in message.get("steps", ())[len(self.game.trace.ticks) - message.get("from", 0) :]:
                self.take([step])
                sent.press(self.keys[len(self.game.trace.ticks) % len(self.keys)])
            self.over = self.game.done or "given_up" in message
            if self.over or (until is not None and len(self.game.trace.ticks) >= until):
                break
        hub.close()
        return self

    def take(self, steps):
        for step in steps:
            for controls, person_input in zip(self.received, unpacked(step), strict=True):
                controls.received = person_input
            self.game.step()

    @property
    def partner(self):
        """How the other one was, in order."""
        return [message["partner"] for message in self.heard if "partner" in message]

    @property
    def actions(self):
        return [tick.actions for tick in self.game.trace.ticks]


async def test_both_play_the_same_game_from_the_keys_of_both(tmp_path):
    async with hub_at(tmp_path / "hub"):
        one, other = Player(tmp_path / "hub", 0, [0, 2]), Player(tmp_path / "hub", 1, [1, 3, 3])
        await asyncio.gather(one.play(), other.play())
    assert len(one.actions) == 60
    assert one.actions == other.actions
    for mine, theirs in zip(one.game.trace.ticks, other.game.trace.ticks, strict=True):
        assert (mine.state == theirs.state).all()
    assert {0, 2} <= {first for first, _ in one.actions} <= {0, 2, 4}
    assert {1, 3} <= {second for _, second in one.actions} <= {1, 3, 4}


async def test_a_lost_connection_stops_the_game_for_both_and_who_returns_has_it_all(tmp_path):
    async with hub_at(tmp_path / "hub"):
        one, other = Player(tmp_path / "hub", 0, [0, 2]), Player(tmp_path / "hub", 1, [1, 3])
        playing = asyncio.create_task(one.play())
        await other.play(until=20)
        while one.partner[-1:] != ["lost"]:
            await asyncio.sleep(0.001)
        stood = len(one.actions)
        await asyncio.sleep(20 / FAST)
        assert len(one.actions) == stood < 60
        await other.play()
        await playing
    assert one.actions == other.actions
    assert len(one.actions) == 60
    assert one.partner[-3:] == ["here", "lost", "here"]


async def test_a_new_hub_takes_the_game_up_where_the_longer_one_is(tmp_path):
    one, other = Player(tmp_path / "hub", 0, [0, 2]), Player(tmp_path / "hub", 1, [1, 3])
    async with hub_at(tmp_path / "hub"):
        await asyncio.gather(one.play(until=30), other.play(until=30))
    (tmp_path / "hub").unlink(missing_ok=True)
    saved = inputs_of(other.game.trace)[:10]  # what a crash has left
    other = Player(tmp_path / "hub", 1, [1, 3])
    other.take(saved)
    assert 10 == len(other.actions) < len(one.actions)
    async with hub_at(tmp_path / "hub"):
        playing = asyncio.create_task(other.play())
        await one.play()
        await playing
    assert one.actions == other.actions
    assert len(one.actions) == 60


async def test_the_game_ends_for_who_waits_in_vain(tmp_path):
    async with hub_at(tmp_path / "hub"):
        one = await Player(tmp_path / "hub", 0, [0], patience=0.01).play()
    assert one.heard[-1] == {"given_up": True}
    assert one.actions == []


async def test_a_pair_is_two_people_with_the_place_of_the_first(tmp_path):
    async with hub_at(tmp_path / "hub"):
        hubs = [await HubConnection.open(tmp_path / "hub") for _ in range(3)]
        told = []
        for number, hub in enumerate(hubs):
            hub.say({"look": {"code": f"P{number}", "number": number, "group": 0, "row": number}})
            if number == 1:
                told = [await anext(one.messages()) for one in hubs[:2]]
        same = {"number": 0, "group": 0, "row": 0}
        assert told == [{"pair": same | {"seat": 0}}, {"pair": same | {"seat": 1}}]
        hubs[2].close()
    with pytest.raises(BBAError, match="does not answer"):
        await HubConnection.open(tmp_path / "hub-of-nobody")


def test_both_of_a_pair_have_the_same_games_in_the_same_order():
    study, both = (
        plan(people=2, agents=["human"], turns=False, layouts=["open", "ring"], order="random", questions=[]),
        [],
    )
    for number in range(2):
        group, row = next_cell(study, both, number)
        both.append(Progress(participant=f"P{number}", number=number, group=group, row=row, consented=NOW))
    assert next_task(study, both[0]) == PairTask()
    one, other = (
        who.model_copy(update={"row": 0, "pair": PairPlace(number=0, seat=seat, other="P")})
        for seat, who in enumerate(both)
    )
    assert games_of(study, one) == games_of(study, other)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('people = 2\nagents = ["bayes"]', "line 6: agents: two people play with one another; leave it out"),
        ("people = 2\nturns = true", "line 6: turns: two people play against the clock"),
        ("people = 3", "line 5: people: "),
    ],
)
def test_a_mistake_in_a_study_for_two_is_one_line(tmp_path, more, said):
    file = tmp_path / "study.toml"
    file.write_text(f'name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\n{more}\n')
    with pytest.raises(BBAError, match=said):
        load_study(file)


async def test_an_empty_room_does_not_beat(tmp_path):
    async with hub_at(tmp_path / "hub") as hub:
        one, other = Player(tmp_path / "hub", 0, [0, 2]), Player(tmp_path / "hub", 1, [1, 3])
        await asyncio.gather(one.play(until=5), other.play(until=5))
        (room,) = hub._rooms.values()
        while room._senders:
            await asyncio.sleep(0.001)
        assert room._beats is None
