"""The command `--show-prompt`: prints what the ego's model would be sent at a step, word for word."""

import sys

from bba.errors import BBAError
from bba.planner import Message
from bba.play.trace import EGO
from bba.settings import Settings
from tui.game_factory import make_game


def show_prompt(settings: Settings) -> None:
    """Plays to a step and prints what the ego's model is sent if it must choose a skill there, message by message.

    Raises:
        BBAError: an unsuitable setting, or an ego that asks no model.
    """
    if settings.step >= settings.horizon:
        raise BBAError(f"--step: {settings.step} is not allowed; the game ends at step {settings.horizon}")
    game = make_game(settings, settings.seed, fast=False)
    if game.trace.config.seats[EGO].planner is None:
        raise BBAError(f"--show-prompt: {settings.agent} asks no model")
    while game.kitchen.steps < settings.step:
        game.step()
    game.time_out_skill(EGO)
    decision = game.step().decisions[EGO]
    for call in decision.calls:
        _print(call.kind, call.messages[: 2 + 2 * call.turns])


def _print(question: str, messages: tuple[Message, ...]) -> None:
    for message in messages:
        sys.stdout.write(f"--- {question}: {message['role']} ---\n{message['content']}\n")
