"""The prompt parser recovers from a prompt what the scene holds."""

import pytest

from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import ACTION_NAMES, ITEM_CODES, NOTHING
from bba.kitchen.kitchen import ObjectView
from bba.planner.scripted.prompt_reader import parse_prompt
from bba.planner.scripted.scene_facts import (
    CODE,
    FACING,
    HELD,
    ITEMS,
    LIES,
    MATE,
    ME,
    NEVER_READY,
    NUMBER,
    ORDERS,
    PADDED_SIDE,
    PLACE,
    TAG,
    TAGS,
    SceneFacts,
    distance,
    place_at,
    separated,
)
from bba.planner.scripted.scripted_chat import ScriptedBackend
from tests.helpers.planner_scenes import PROMPTS, belief, cook, facts, on, situation

SERVING = ROLE_NAMES.index("serve")


def position_of(place: int) -> tuple[int, int]:
    """The position of a place."""
    return place % PADDED_SIDE - 1, place // PADDED_SIDE - 1


def items(read_back: SceneFacts) -> list[tuple[int, tuple[int, int], str, int]]:
    """Code, position, tag and number of every item."""
    rows = read_back.items[: read_back.numbers[ITEMS]].tolist()
    return [(row[CODE], position_of(row[LIES]), TAGS[row[TAG]], row[NUMBER]) for row in rows]


def apart(places: SceneFacts, first: tuple[int, int], second: tuple[int, int]) -> bool:
    return bool(separated(places, place_at(*first), place_at(*second)))


def test_cooks_orders_and_actions_are_read_from_the_deciding_seat() -> None:
    planner_input = situation(cook(3, 4, "rice", "south"), cook(8, 2), feasible=(1, 4, 26), seat=1)
    read_back, me = facts(planner_input), facts(planner_input).cooks[ME]
    asked = [{"role": "system", "content": PROMPTS.system("bayes", planner_input)}]
    asked += [{"role": "user", "content": PROMPTS.user(planner_input)}]
    assert "\nPlan for Player 1: " in ScriptedBackend().complete(asked).text
    assert read_back.feasible.nonzero()[0].tolist() == [1, 4, 26]
    assert (position_of(me[PLACE]), ACTION_NAMES[me[FACING]], me[HELD]) == ((3, 4), "south", ITEM_CODES["rice"])
    assert read_back.cooks[MATE, HELD] == NOTHING
    assert read_back.dishes[: read_back.numbers[ORDERS]].tolist() == [0, 1]


@pytest.mark.parametrize("name", [name for name in ITEM_CODES if name not in ("boiled_rice", "fried_mushroom")])
def test_every_item_is_recovered_from_the_prompt(name: str) -> None:
    read_back = facts(situation(cook(1, 1, name), cook(2, 1), on("counter", name, 0, 0), dirty_plates=0))
    assert read_back.cooks[ME, HELD] == ITEM_CODES[name]
    assert items(read_back) == [(ITEM_CODES[name], (0, 0), "", NEVER_READY)]


@pytest.mark.parametrize(
    ("item", "tag", "number"),
    [
        (on("grill", "chopped_steak", 6, 6, "cooking", 34, 80), "cooking", 46),
        (on("grill", "chopped_steak", 6, 6, "ready", 90, 160), "ready/waiting", 70),
        (on("grill", "chopped_steak", 6, 6, "warning", 170, 220), "warning", 50),
        (on("grill", "chopped_steak", 6, 6, "burning", 220, 220), "BURNT", NEVER_READY),
        (on("board", "chopped_meat", 2, 0, "unready", 1, 2), "unready", 1),
        (on("board", "chopped_meat", 2, 0, "ready", 2, 2), "ready", NEVER_READY),
        (on("sink", "dirty_plate", 9, 2, "unrinsed", 2, 3), "unrinsed", 2),
    ],
)
def test_every_tag_is_recovered_from_the_prompt(item: ObjectView, tag: str, number: int) -> None:
    (read_back,) = items(facts(situation(cook(1, 1), cook(2, 1), item, dirty_plates=0)))
    assert read_back[2:] == (tag, number)


def test_the_stack_is_counted() -> None:
    (stack,) = items(facts(situation(cook(1, 1), cook(2, 1), dirty_plates=3)))
    assert stack[1:] == ((5, 0), "stack", 3)


def test_the_posterior_is_read_if_a_belief_is_shown_and_confident() -> None:
    planner_input = situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.75, confident=True))
    assert facts(planner_input).posterior[SERVING] == 0.75
    unsure = situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.4, confident=False))
    assert not facts(unsure).posterior.any()
    assert not facts(situation(cook(1, 1), cook(2, 1))).posterior.any()


def test_a_wall_of_pass_counters_separates_stations() -> None:
    places = facts(situation(cook(1, 1), cook(5, 1), layout="forced_coordination"))
    assert apart(places, (1, 2), (7, 5))
    assert apart(places, (1, 2), (4, 2)), "a board in the wall, behind a grill"
    assert not apart(places, (5, 2), (4, 2))
    assert not apart(places, (1, 2), (4, 3)), "a pass counter belongs to both"


def test_without_pass_counters_there_is_no_wall() -> None:
    places = facts(situation(cook(1, 1), cook(5, 1)))
    assert not apart(places, (1, 1), (9, 5))
    assert distance(places, place_at(1, 1), place_at(3, 5)) == 6


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Layout=", "Kitchen=", "no line 'Layout='"),
        ("orders:", "guests:", "no line 'orders:'"),
        ("objects:", "things:", "no line 'objects:'"),
        ("P1 pos=", "P1 at=", "two lines 'P0 pos=...'; it has 1"),
        ("hold=nothing", "hold=soup", "unknown item 'soup'"),
        ("or=north", "or=up", "a cook faces 'up'"),
        ("P0 pos=(1,1)", "P0 pos=(1,41)", r"names \(1,41\), outside a map of 40x40"),
    ],
)
def test_a_scene_in_another_format_is_refused_naming_the_missing_line(old: str, new: str, message: str) -> None:
    prompt = PROMPTS.user(situation(cook(1, 1), cook(2, 1)))
    with pytest.raises(BBAError, match=message):
        parse_prompt(prompt.replace(old, new))


def test_a_chat_without_a_scene_is_refused() -> None:
    with pytest.raises(BBAError, match="no message holds a scene"):
        ScriptedBackend().complete([{"role": "system", "content": "x"}, {"role": "user", "content": "hello"}])
