"""Scenes made by hand, and the prompt that a planner is sent in a scene."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field

from bba.agents.base import Observation
from bba.agents.planning_agent import AGENT_VARIANTS
from bba.agents.skill_planner import PartnerBelief, planner_input
from bba.belief import ROLE_NAMES, BeliefUpdate, hypothesis_space
from bba.config import BeliefConfig, Share, StepsOrNone
from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, OrderView, PlayerView, Position, Scene, constants, scene_of
from bba.planner import Message, Prompts, at
from bba.validation import checked

HOLDABLE = tuple(
    name for name in constants.ITEM_CODES if name not in ("chopped_steak", "fried_mushroom", "boiled_rice")
)
LIES_ON: Mapping[str, tuple[str, ...]] = {
    "counter": HOLDABLE,
    "board": ("chopped_meat", "chopped_mushroom"),
    "sink": ("dirty_plate", "clean_plate"),
    "grill": ("chopped_steak", "fried_mushroom", "charcoal"),
    "pot": ("boiled_rice", "charcoal"),
}


class PlacedPlayer(NamedTuple):
    """A player: where it stands, what it holds (None: nothing), and where it looks."""

    position: Position
    held: str | None = None
    facing: Literal["north", "south", "east", "west"] = "north"


class PlacedObject(NamedTuple):
    """An item on a counter or station, with the chops, rinses or steps of cooking that it has had."""

    name: str
    position: Position
    progress: StepsOrNone = 0


class OpenOrder(NamedTuple):
    """An order: the dish and the steps that it has left."""

    dish: str
    left: StepsOrNone


class HandmadeScene(BaseModel, extra="forbid"):
    """A scene as a TOML file describes it (`scene`), and the question that is asked in it (`prompt_of`)."""

    kitchen: Annotated[Layout, BeforeValidator(Layout.load)]
    step: StepsOrNone = 0
    players: tuple[PlacedPlayer, PlacedPlayer] | None = None
    objects: tuple[PlacedObject, ...] = ()
    orders: Annotated[tuple[OpenOrder, ...], Field(max_length=constants.MAX_ORDERS)] = ()
    player: Literal[0, 1] = 0
    belief: dict[str, Share] | None = None


def scene(kitchen: str | Path | Layout, **described: Any) -> Scene:
    """Returns a scene made by hand.

    Args:
        kitchen: a shipped layout's name, the path of a layout file, or a `Layout`.
        described: `step`, the steps played; `players`, each a position with the held item and the direction, by default
            both at their starts; `objects`, each an item's name with its position and the chops, rinses or steps of
            cooking that it has had; `orders`, each a dish with the steps left. All other plates are on the stack.

    Raises:
        BBAError: something cannot be where it is said to be, or there is no such thing.
    """
    handmade = checked(HandmadeScene, {"kitchen": kitchen, **described}, "scene")
    return scene_of(handmade.kitchen, _state(handmade.kitchen, handmade))


def prompt_of(
    scene: Scene,
    belief: Mapping[str, float] | None = None,
    *,
    player: int = 0,
    agent: str = "bayes",
    prompts: Prompts | None = None,
) -> tuple[Message, Message]:
    """Returns the system prompt and the question that a planner is sent in a scene, without earlier turns.

    Args:
        scene: one made by hand, or that of a game.
        belief: what is believed of the other player: the probability of each role by name; other roles have none.
        player: who is asked, 0 or 1.
        agent: whose prompt it is, such as "proagent".
        prompts: the templates; None for the shipped ones.

    Raises:
        BBAError: there is no such prompt, or the belief is none.
    """
    if agent not in AGENT_VARIANTS or scene.kitchen is None:
        raise BBAError(f"prompt: {agent} has none for a scene; these agents have: {', '.join(AGENT_VARIANTS)}")
    state = _state(scene.kitchen, scene)
    observation = Observation(player, scene.kitchen, None, state, constants.NO_SKILL, 0, constants.RUNNING, False)
    if belief is not None and (not belief.keys() <= {*ROLE_NAMES} or abs(sum(belief.values()) - 1) > 0.01):
        raise BBAError(f"belief: it must give probabilities that add up to 1 to roles ({', '.join(ROLE_NAMES)})")
    partner_belief = None
    if belief:
        partner_belief = belief_over_roles(tuple(belief.get(name, 0.0) for name in ROLE_NAMES), 1)
    templates = prompts or Prompts.load()
    return templates.messages(AGENT_VARIANTS[agent].kind, planner_input(observation, partner_belief))


def belief_over_roles(posterior: tuple[float, ...], stable_updates: int) -> PartnerBelief:
    """Returns a belief over the six roles, (6,), as a planner is told it; it has had its MAP for so many updates."""
    role = max(range(len(posterior)), key=posterior.__getitem__)
    update = BeliefUpdate(
        role, posterior[role], stable_updates, 1.0, (), posterior, role, stable_updates, new_segment=False
    )
    return PartnerBelief(hypothesis_space("roles"), update, BeliefConfig().gate.gamma_conf)


def _state(layout: Layout, described: Scene | HandmadeScene) -> constants.StateVector:
    """Returns the state that is described, as far as a scene shows it; the plates that it does not place are dirty."""
    kitchen = Kitchen(layout)
    state = kitchen.state
    tiles = {position: tile for tile, (position, _) in enumerate(layout.tiles())}
    state[constants.STATE_HEADER :] = constants.NOTHING
    players: Sequence[PlayerView | PlacedPlayer] = described.players or ()
    for number, player in enumerate(players):
        occupied = [earlier.position for earlier in players[:number]]
        if not layout.is_floor(player.position) or player.position in occupied:
            raise BBAError(f"scene: player {number} cannot stand at {at(player.position)}")
        if player.held is not None and player.held not in HOLDABLE:
            raise BBAError(f"scene: player {number} cannot hold {player.held!r}")
        state[constants.POSITION + number] = tiles[player.position]
        state[constants.FACING + number] = constants.ACTION_NAMES.index(player.facing)
        state[constants.HELD + number] = constants.ITEM_CODES[player.held] if player.held else constants.NOTHING
    for item in described.objects:
        tile = tiles.get(item.position, -1)
        kind = constants.TILE_NAMES[kitchen.grid.kind[tile]] if tile >= 0 else "outside"
        if item.name not in LIES_ON.get(kind, ()) or state[constants.STATE_HEADER + tile]:
            raise BBAError(f"scene: {item.name!r} cannot lie at {at(item.position)}")
        state[constants.STATE_HEADER + tile] = constants.ITEM_CODES[item.name]
        state[constants.STATE_HEADER + len(tiles) + tile] = item.progress
    orders: Sequence[OrderView | OpenOrder] = described.orders
    for number, order in enumerate(orders):
        if order.dish not in constants.DISHES or not 0 < order.left <= layout.orders.life:
            raise BBAError(f"scene: {order.dish!r} is no order that has {order.left} steps left")
        state[constants.DISH + number] = constants.DISHES.index(order.dish)
        state[constants.TIME_LEFT + number] = order.left
    placed = [*state[constants.HELD :][:2], *state[constants.STATE_HEADER :][: len(tiles)]]
    state[constants.DIRTY_PLATES] -= sum(code == constants.DIRTY_PLATE or code >= constants.PLATE for code in placed)
    if state[constants.DIRTY_PLATES] < 0:
        raise BBAError(f"scene: it has more plates than the {layout.plates} of {layout.name}")
    state[constants.STEP] = described.step
    state[constants.N_ORDERS] = len(orders)
    return state
