"""The command `prompt`."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bba.errors import BBAError
from bba.settings import GameOptions
from tui.arguments.options import AsJson, CommandOptions, PromptOptions

if TYPE_CHECKING:
    from bba.planner import Message


class Prompt(PromptOptions, GameOptions, CommandOptions):
    """Options of `prompt`."""

    as_json: AsJson = False


def prompt(options: Prompt) -> None:
    """Print what the ego's model is sent at a step if it must choose a skill there, message by message.

    With a scene made by hand nothing is played. As JSON it is one object: what was played, and under `prompts` each
    question with its messages.

    Raises:
        BBAError: an unsuitable option, or an ego that asks no model.
    """
    from bba.agents.handmade_scene import HandmadeScene, prompt_of, scene
    from bba.files import read_toml
    from bba.play import EGO
    from tui.arguments.seat_options import agent_options
    from tui.commands.output import describe
    from tui.game_factory import make_game

    if options.scene is not None:
        handmade = read_toml(options.scene, HandmadeScene)
        templates = agent_options(options).templates
        messages = prompt_of(
            scene(**dict(handmade)),
            handmade.belief,
            player=handmade.player,
            agent=options.agent,
            prompts=templates,
        )
        circumstances = {
            "layout": handmade.kitchen.name,
            "agent": options.agent,
            "player": handmade.player,
            "step": handmade.step,
        }
        _print_prompts([("plan", messages)], circumstances, as_json=options.as_json)
        return
    if options.step >= options.horizon:
        raise BBAError(f"--step: {options.step} is not allowed; the game ends at step {options.horizon}")
    game = make_game(options, options.seed, fast=False)
    config = game.trace.config
    if config.seats[EGO].planner is None:
        raise BBAError(f"prompt: {options.agent} asks no model")
    while game.kitchen.steps < options.step:
        game.step()
    game.time_out_skill(EGO)
    decision = game.step().decisions[EGO]
    circumstances = describe(config) | {"seed": config.seed, "player": EGO, "step": options.step}
    prompts = [(call.kind, call.messages[: 2 + 2 * call.turns]) for call in decision.calls]
    _print_prompts(prompts, circumstances, as_json=options.as_json)


def _print_prompts(
    prompts: Sequence[tuple[str, Sequence["Message"]]], circumstances: dict[str, Any], *, as_json: bool
) -> None:
    """Prints the messages of each question.

    Args:
        prompts: each question and its messages, in the order in which they are sent.
        circumstances: the game, or the scene, in which they are sent, as JSON types.
        as_json: as one JSON object, else as text.
    """
    if as_json:
        prompts_data = [{"question": question, "messages": list(messages)} for question, messages in prompts]
        text = json.dumps(circumstances | {"prompts": prompts_data}, ensure_ascii=False)
        sys.stdout.write(f"{text}\n")
        return
    for question, messages in prompts:
        for message in messages:
            sys.stdout.write(f"--- {question}: {message['role']} ---\n{message['content']}\n")
