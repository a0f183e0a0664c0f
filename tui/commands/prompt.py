"""The command `prompt`."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bba.errors import BBAError
from bba.settings import GameOptions
from tui.arguments.options import AsJson, Check, CommandOptions, PromptOptions

if TYPE_CHECKING:
    from bba.config import PromptLayout
    from bba.planner import Message


class Prompt(PromptOptions, GameOptions, CommandOptions):
    """Options of `prompt`."""

    as_json: AsJson = False
    check: Check = False


def prompt(options: Prompt) -> None:
    """Print what the ego's model is sent at a step if it must choose a skill there, message by message.

    With a scene made by hand nothing is played. As JSON it is one object: what was played, and under `prompts` each
    question with its messages. With `check` nothing is printed but what the texts lack of the preprint's points, and
    what they say besides.

    Raises:
        BBAError: an unsuitable option, an ego that asks no model, or texts with an unknown or a missing placeholder.
    """
    if options.check:
        _check(options.prompts, options.prompt_layout, as_json=options.as_json)
        return
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


def _check(folder: Path | None, layout: "PromptLayout | None", *, as_json: bool) -> None:
    """Prints in which points the texts of a folder differ from the preprint's, a line each.

    Args:
        folder: the folder; None for the texts that ship with the project.
        layout: which of its texts; None for those of "strict", where it has them, else those of "preprint".
        as_json: as one JSON object, else as text.

    Raises:
        BBAError: a text cannot be read, or a placeholder is unknown or missing.
    """
    from bba.planner import Prompts
    from bba.planner.preprint_points import POINTS, remarks

    if layout is None:
        layout = "strict" if folder is None or (folder / "preprint").is_dir() else "preprint"
    found = remarks(Prompts.load(folder, layout))
    lacking = [remark for remark in found if remark.line is None]
    besides = [remark for remark in found if remark.line is not None]
    points = sum(point.in_preprint for point in POINTS)
    if as_json:
        report = {
            "prompt_layout": layout,
            "points": points,
            "lacking": [{"file": remark.file, "says": remark.says} for remark in lacking],
            "besides": [remark._asdict() for remark in besides],
        }
        sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
        return
    for remark in found:
        sys.stdout.write(f"{remark}\n")
    said = points - len(lacking)
    sys.stdout.write(f"--prompt-layout {layout}: {said} of {points} points of the preprint, {len(besides)} besides\n")
