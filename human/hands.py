"""Which key does what to whom: the table of keys as a program needs it that sees keys and not bindings."""

from collections.abc import Mapping

from bba.kitchen import constants
from human.keymap import LEFT_HAND, PLAY_KEYS, RIGHT_HAND

WALKS_AND_HANDS = (
    constants.NORTH,
    constants.SOUTH,
    constants.EAST,
    constants.WEST,
    constants.INTERACT,
)  # the order of a hand's keys


def hands_of_keys(people: tuple[int, ...], keymap: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    """The seat and the primitive action of each key; one person alone has both halves of the keyboard."""
    halves = ((LEFT_HAND, people[0]), (RIGHT_HAND, people[-1]))
    return {
        key: (seat, action)
        for hand, seat in halves
        for entry, action in zip(hand, WALKS_AND_HANDS, strict=True)
        for key in keymap[entry.name]
    }


def actions_of_keys(keymap: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """What the other keys of a person do, by the program's name for it."""
    return {key: entry.action for entry in PLAY_KEYS for key in keymap[entry.name]}
