"""What a table of a trace says about kitchen and cooks: what each column holds, and how it is read from a tick.

`bba.analysis.trace_table` joins the columns, with whom they are about in front of their names.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

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

Kind = Literal["int", "float", "bool", "str"]
Value = int | float | bool | str | None
Read = Callable[[Tick, GameConfig], Value]
Thing = TypeVar("Thing")


class TraceColumn(NamedTuple):
    """One column: the type of its values (each may be None), what they mean, and how a tick is asked for one."""

    type: Kind
    description: str
    read: Read


def game_columns() -> dict[str, TraceColumn]:
    """What is played, and how the kitchen stands."""
    return {
        "layout": TraceColumn("str", "the kitchen's name", lambda _, config: config.layout.name),
        "seed": TraceColumn("int", "of everything random in the game", lambda _, config: config.seed),
        "step": TraceColumn("int", "the step that the row tells of, from 1", lambda tick, _: tick.step),
        "score": TraceColumn("int", "the team's reward so far", lambda tick, _: tick.score),
        "reward": TraceColumn("int", "the team's reward in this step", lambda tick, _: tick.reward),
        "deliveries": _counter(DELIVERIES, "dishes handed in so far"),
        "in_order": _counter(DELIVERED_IN_ORDER, "dishes so far that were those of the first order"),
        "expired": _counter(EXPIRED, "orders so far that ran out"),
        "fires": _counter(FIRES, "times so far that food began to burn"),
        "streak": _counter(STREAK, "dishes in order in a row, now"),
        "orders": _counter(N_ORDERS, "open orders after the step"),
        "dirty_plates": _counter(DIRTY_PLATES, "dirty plates on the stack after the step"),
    }


def _counter(place: int, description: str) -> TraceColumn:
    return TraceColumn("int", description, lambda tick, _: int(tick.state[place]))


def seat_columns(player: int) -> dict[str, TraceColumn]:
    """Who the player is, and the parameters of its belief and gate, which may change on the way."""
    return {
        "agent": TraceColumn("str", "who plays", lambda _, config: config.seats[player].agent),
        "planner": TraceColumn("str", "what plans for it", lambda _, config: config.seats[player].planner),
    } | {parameter.name: _parameter_column(player, parameter) for parameter in PARAMETERS}


def _parameter_column(player: int, parameter: Parameter) -> TraceColumn:
    return TraceColumn(
        parameter.kind,
        f"{parameter.symbol} in this step ({parameter.field.description})",
        read_if_present(lambda _, config: config.seats[player].belief_config, parameter.of),
    )


def body_columns(player: int) -> dict[str, TraceColumn]:
    """Where the player stands after the step and what it did in it."""
    facing, held, event = FACING + player, HELD + player, EVENT + player
    return {
        "x": TraceColumn("int", "tile from the left, from 0, after the step", lambda t, s: _place(t, s, player)[0]),
        "y": TraceColumn("int", "tile from the top, from 0, after the step", lambda t, s: _place(t, s, player)[1]),
        "facing": TraceColumn(
            "str", "where it looks after the step", lambda tick, _: constants.ACTION_NAMES[int(tick.state[facing])]
        ),
        "held": TraceColumn(
            "str", "what it holds after the step", lambda tick, _: constants.ITEM_NAMES.get(int(tick.state[held]))
        ),
        "action": TraceColumn(
            "str",
            "its primitive action as chosen, before mobility held any back",
            lambda tick, _: constants.ACTION_NAMES[tick.actions[player]],
        ),
        "event": TraceColumn(
            "str", "the skill that its interaction advanced", lambda tick, _: skill_name(int(tick.state[event]))
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
    """What the player was about, and how it came to that."""
    return {
        "skill": TraceColumn("str", "the skill that it ran", lambda tick, _: skill_name(tick.skills[player])),
        "role": TraceColumn("str", "the role of that skill: the truth", lambda tick, _: role_name(tick.role(player))),
        "age": TraceColumn("int", "steps for which the skill had been running", lambda tick, _: tick.ages[player]),
        "ended": TraceColumn(
            "str",
            "how the skill before it ended, where a new one began",
            read_if_present(lambda tick, _: tick.ended[player], lambda end: constants.END_NAMES[end]),
        ),
        "chosen": TraceColumn("bool", "whether it chose its skill anew", lambda tick, _: tick.decisions[player].chosen),
        "replanned": TraceColumn(
            "bool", "whether its gate made it drop a running skill", lambda tick, _: tick.decisions[player].replanned
        ),
        "pursuing": TraceColumn(
            "str",
            "the role that its schedule asks for",
            read_if_present(lambda tick, _: tick.decisions[player].scheduled_role, role_name),
        ),
        "note": TraceColumn("str", "its reason in a few words", lambda tick, _: tick.decisions[player].note or None),
    }


# --- how columns are read --------------------------------------------------------------------------------------
def read_if_present(find: Callable[[Tick, GameConfig], Thing | None], get: Callable[[Thing], Value]) -> Read:
    """Read something off a thing that may not be there."""

    def read(tick: Tick, config: GameConfig) -> Value:
        found = find(tick, config)
        return None if found is None else get(found)

    return read


def skill_name(number: int) -> str | None:
    """A skill's name; None for NO_SKILL."""
    return None if number == constants.NO_SKILL else constants.SKILL_NAMES[number]


def role_name(number: int) -> str | None:
    """A role's name; None for NO_ROLE."""
    return None if number == NO_ROLE else ROLE_NAMES[number]
