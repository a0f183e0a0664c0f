"""The columns of a trace table about the kitchen and the players, and how each is read from a tick.

`bba.analysis.trace_table` joins all columns and puts the player or observer that they are about before their names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bba.belief import NO_ROLE, ROLE_NAMES
from bba.config import PARAMETERS, Parameter
from bba.kitchen import constants
from bba.kitchen.state import (
    COMPLETED,
    DELIVERED_IN_ORDER,
    DELIVERIES,
    DIRTY_PLATES,
    EVENT,
    EXPIRED,
    FACING,
    FIRES,
    HELD,
    N_ORDERS,
    POSITION,
    STREAK,
)
from bba.play.trace import GameConfig, Tick
from bba.tabular import Column, Value

Read = Callable[[Tick, GameConfig], Value]
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class TraceColumn(Column):
    """A column of a trace table; `read` returns its value for a tick and the game's configuration in that step."""

    read: Read


def game_columns() -> dict[str, TraceColumn]:
    """Returns the columns about the game and its kitchen."""
    return {
        "layout": TraceColumn("str", "the kitchen's name", lambda _, config: config.layout.name),
        "seed": TraceColumn("int", "the seed of everything random in the game", lambda _, config: config.seed),
        "step": TraceColumn("int", "the number of the step, from 1", lambda tick, _: tick.step),
        "score": TraceColumn("int", "the team's reward so far", lambda tick, _: tick.score),
        "reward": TraceColumn("int", "the team's reward in this step", lambda tick, _: tick.reward),
        "deliveries": _counter(DELIVERIES, "deliveries so far"),
        "in_order": _counter(DELIVERED_IN_ORDER, "deliveries so far of the dish that the first open order asked for"),
        "expired": _counter(EXPIRED, "orders so far whose time ran out"),
        "fires": _counter(FIRES, "times so far that food began to burn"),
        "streak": _counter(STREAK, "deliveries in order in a row, now"),
        "orders": _counter(N_ORDERS, "open orders after the step"),
        "dirty_plates": _counter(DIRTY_PLATES, "dirty plates on the stack after the step"),
    }


def _counter(place: int, description: str) -> TraceColumn:
    return TraceColumn("int", description, lambda tick, _: int(tick.state[place]))


def seat_columns(player: int) -> dict[str, TraceColumn]:
    """Who the player is, and the parameters of its belief and gates, which may change on the way."""
    return {
        "agent": TraceColumn("str", "who plays", lambda _, config: config.seats[player].agent),
        "planner": TraceColumn("str", "what plans for it", lambda _, config: config.seats[player].planner),
        "ask": TraceColumn(
            "str", "when its planner is asked again while it waits", lambda _, config: config.seats[player].asked
        ),
        "oracle": TraceColumn(
            "bool",
            "whether it is told the truth in the place of its belief",
            lambda _, config: config.seats[player].oracle,
        ),
    } | {parameter.name: _parameter_column(player, parameter) for parameter in PARAMETERS}


def _parameter_column(player: int, parameter: Parameter) -> TraceColumn:
    return TraceColumn(
        parameter.kind,
        f"{parameter.symbol} in this step ({parameter.field.description})",
        read_if_present(lambda _, config: config.seats[player].belief_config, parameter.of),
    )


def body_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about where the player stands after the step and what it did in the step."""
    facing, held, event = FACING + player, HELD + player, EVENT + player
    return {
        "x": TraceColumn(
            "int", "column of its tile after the step, from 0 at the left", lambda t, s: _place(t, s, player)[0]
        ),
        "y": TraceColumn(
            "int", "row of its tile after the step, from 0 at the top", lambda t, s: _place(t, s, player)[1]
        ),
        "facing": TraceColumn(
            "str",
            "the direction that it faces after the step",
            lambda tick, _: constants.ACTION_NAMES[int(tick.state[facing])],
        ),
        "held": TraceColumn(
            "str", "what it holds after the step", lambda tick, _: constants.ITEM_NAMES.get(int(tick.state[held]))
        ),
        "action": TraceColumn(
            "str",
            "its primitive action as chosen, before mobility noise",
            lambda tick, _: constants.ACTION_NAMES[tick.actions[player]],
        ),
        "event": TraceColumn(
            "str",
            "the skill that its interaction advanced or completed",
            lambda tick, _: skill_name(int(tick.state[event])),
        ),
        "completed": TraceColumn(
            "bool",
            "whether that interaction completed the skill",
            lambda tick, _: bool(tick.state[COMPLETED + player]),
        ),
    }


def _place(tick: Tick, config: GameConfig, player: int) -> tuple[int, int]:
    at = int(tick.state[POSITION + player])
    return at % config.layout.width, at // config.layout.width


def work_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about the player's skill and how it was chosen."""
    return {
        "skill": TraceColumn("str", "the skill that it ran", lambda tick, _: skill_name(tick.skills[player])),
        "role": TraceColumn("str", "the role of that skill: the truth", lambda tick, _: role_name(tick.role(player))),
        "age": TraceColumn("int", "steps for which the skill had been running", lambda tick, _: tick.ages[player]),
        "ended": TraceColumn(
            "str",
            "how the skill before it ended, in steps in which a new one began",
            read_if_present(lambda tick, _: tick.ended[player], lambda end: constants.END_NAMES[end]),
        ),
        "chosen": TraceColumn(
            "bool", "whether it chose a skill in this step", lambda tick, _: tick.decisions[player].chosen
        ),
        "replanned": TraceColumn(
            "bool", "whether its trigger interrupted a running skill", lambda tick, _: tick.decisions[player].replanned
        ),
        "scheduled_role": TraceColumn(
            "str",
            "the role that its schedule asks for",
            read_if_present(lambda tick, _: tick.decisions[player].scheduled_role, role_name),
        ),
        "note": TraceColumn("str", "its reason in a few words", lambda tick, _: tick.decisions[player].note or None),
    }


# --- reading values --------------------------------------------------------------------------------------
def read_if_present(find: Callable[[Tick, GameConfig], Thing | None], get: Callable[[Thing], Value]) -> Read:
    """Returns a reader that applies `get` to what `find` returns, or gives None if that is None."""

    def read(tick: Tick, config: GameConfig) -> Value:
        found = find(tick, config)
        return None if found is None else get(found)

    return read


def skill_name(number: int) -> str | None:
    """Returns a skill's name; None for NO_SKILL."""
    return None if number == constants.NO_SKILL else constants.SKILL_NAMES[number]


def role_name(number: int) -> str | None:
    """Returns a role's name; None for NO_ROLE."""
    return None if number == NO_ROLE else ROLE_NAMES[number]
