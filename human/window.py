"""The window: shows the kitchen with pygame, and reads key presses, key releases and a gamepad.

The game itself runs in another process: `human.window_client` starts this one, sends it states to show, and receives
what was pressed. Both write lines of JSON, over standard input and output. The window ends when its input ends, as the
game closes it or has ended, and when the user closes it.

    in    {"open": {"layout", "people", "keymap", "title"}}, then {"state": [int32, …], "lines": ["3:58", …]}
    out   {"ready": true} or {"problem": "…"}, then {"press": [seat, action]}, {"hold": [seat, action or null]},
          {"do": "pause"}, and {"closed": true}
"""

import json
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any, TextIO

import numpy as np

from bba.kitchen import Layout, constants, scene_of
from bba.kitchen.render.painter import STILL, Painter
from human.keymap import KEYS_IN_VAIN, PLAY_KEYS, meant, movement_keys, walking_keys

WINDOW_TILE = 48  # pixels
LINE_HEIGHT = 24  # pixels of a line of text below the board
DEAD_ZONE = 0.5  # of a gamepad's stick, whose range is -1 to 1
# button numbers of a gamepad
INTERACT_BUTTON = 0
PAUSE_BUTTON = 7
BACKGROUND = (16, 18, 24)
TEXT_COLOUR = (216, 220, 230)
HEADLESS_DRIVERS = ("offscreen", "dummy")  # SDL falls back to these where there is no display
KEY_NAMES = {"return": "enter", "keypad enter": "enter", ",": "comma"}  # pygame's name -> ours


def say(out: TextIO, **message: Any) -> None:
    """Writes a message to the game's process, which may have ended."""
    with suppress(OSError):
        out.write(json.dumps(message) + "\n")


class GameWindow:
    """The window: draws states, and turns keys and gamepad into messages.

    Args:
        pygame: the library, which `main` imports, as it is optional.
        out: where messages to the game's process are written.
        layout: the kitchen.
        people: the seats of people.
        keymap: the keys of every action, by the action's name.
        title: the window's title.
    """

    def __init__(
        self,
        pygame: ModuleType,
        out: TextIO,
        layout: Layout,
        people: tuple[int, ...],
        keymap: Mapping[str, tuple[str, ...]],
        title: str,
    ) -> None:
        self._pygame = pygame
        self._out = out
        self._layout = layout
        self._movement_keys = movement_keys(people, keymap)
        self._command_keys: dict[str, str] = {}
        for entry in PLAY_KEYS:
            self._command_keys |= dict.fromkeys(keymap[entry.name], entry.action)
        self._title = title
        self._walking = walking_keys(keymap)
        self._unknown_keys = 0  # how many keys in a row did nothing
        self._first = people[0]
        self._held: dict[int, list[int]] = {seat: [] for seat in people}
        self._painter = Painter(layout.rows, WINDOW_TILE, layout.pass_counters)
        width = layout.width * WINDOW_TILE
        height = layout.height * WINDOW_TILE
        below = LINE_HEIGHT * (2 + len(people))  # the state of the game, the orders, and a line for each person
        self._screen = pygame.display.set_mode((width, height + below), pygame.RESIZABLE | pygame.SCALED)
        pygame.display.set_caption(title)
        self._font = pygame.font.Font(None, 20)
        pads = pygame.joystick.get_count()
        self._pads = [pygame.joystick.Joystick(number) for number in range(pads)]

    def run(self) -> None:
        """Shows states and sends what is pressed, until the window is closed."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            event = self._pygame.event.wait()
            if event.type == self._pygame.QUIT:
                break
            self._handle(event)
        say(self._out, closed=True)

    def _listen(self) -> None:
        """Puts each state that arrives among the window's events, and at the end of the input that it is to close."""
        pygame = self._pygame
        for line in sys.stdin:
            pygame.event.post(pygame.event.Event(pygame.USEREVENT, json.loads(line)))
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    def _draw(self, state: list[int], lines: list[str]) -> None:
        scene = scene_of(self._layout, np.array(state, np.int32))
        picture = self._painter.paint(scene, 0, STILL)
        height = picture.shape[0]
        width = picture.shape[1]
        self._screen.fill(BACKGROUND)
        board = self._screen.subsurface((0, 0, width, height))
        self._pygame.surfarray.blit_array(board, picture.swapaxes(0, 1))
        for number, line in enumerate(lines):
            text = self._font.render(line, True, TEXT_COLOUR)
            self._screen.blit(text, (8, height + LINE_HEIGHT * number + 4))
        self._pygame.display.flip()

    def _handle(self, event: Any) -> None:
        pygame = self._pygame
        match event.type:
            case pygame.USEREVENT:
                self._draw(event.state, event.lines)
            case pygame.KEYDOWN | pygame.KEYUP:
                name = pygame.key.name(event.key)
                down = event.type == pygame.KEYDOWN
                self._handle_key(KEY_NAMES.get(name, name), down=down)
            case pygame.JOYBUTTONDOWN if event.button == INTERACT_BUTTON:
                say(self._out, press=[self._first, constants.INTERACT])
            case pygame.JOYBUTTONDOWN if event.button == PAUSE_BUTTON:
                say(self._out, do="pause")
            case pygame.JOYHATMOTION:
                self._handle_stick(event.value[0], -event.value[1])
            case pygame.JOYAXISMOTION if event.axis in (0, 1):
                pad = self._pads[0]
                self._handle_stick(pad.get_axis(0), pad.get_axis(1))
            case pygame.WINDOWFOCUSLOST:
                for seat in self._held:  # releases are not reported while another window has the focus
                    self._hold(seat, [])

    def _handle_key(self, name: str, *, down: bool) -> None:
        """Sends a press when a key goes down, and of direction keys also the newest one that is still held."""
        name = meant(name, self._movement_keys, self._command_keys)
        if down:
            self._count_in_vain(name)
        if name in self._movement_keys:
            seat, action = self._movement_keys[name]
            if down:
                say(self._out, press=[seat, action])
            if action != constants.INTERACT:
                held = [direction for direction in self._held[seat] if direction != action]
                if down:
                    held.append(action)
                self._hold(seat, held)
        elif down and name in self._command_keys:
            say(self._out, do=self._command_keys[name])

    def _count_in_vain(self, name: str) -> None:
        """Counts keys in a row that do nothing; after some of them the title says which keys walk."""
        unknown = len(name) == 1 and name not in self._movement_keys and name not in self._command_keys
        if unknown:
            self._unknown_keys += 1
        else:
            self._unknown_keys = 0
        if self._unknown_keys == KEYS_IN_VAIN:
            self._pygame.display.set_caption(f"{self._title}   {self._walking}")

    def _handle_stick(self, right: float, down: float) -> None:
        """Sends the direction in which a stick or a direction pad leans most, if it leaves the dead zone."""
        tilt = {constants.EAST: right, constants.WEST: -right, constants.SOUTH: down, constants.NORTH: -down}
        action = max(tilt, key=tilt.__getitem__)
        held = [action] if tilt[action] > DEAD_ZONE else []
        if held != self._held[self._first]:
            self._hold(self._first, held)

    def _hold(self, seat: int, directions: list[int]) -> None:
        """Notes which directions a person holds, in the order in which they were pressed, and sends the newest."""
        self._held[seat] = directions
        newest = directions[-1] if directions else None
        say(self._out, hold=[seat, newest])


def main() -> None:
    """Opens the window that the first message describes, and runs it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "bba-tui")
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a library's prints must not be read as messages
    try:
        import pygame
    except ImportError:
        say(out, problem="pygame is missing; install it with pip install 'bba-tui[window]'")
        return
    try:
        for part in (pygame.display, pygame.font, pygame.joystick):
            part.init()
        if pygame.display.get_driver() in HEADLESS_DRIVERS and "SDL_VIDEODRIVER" not in os.environ:
            say(out, problem="there is no display")
            return
        request = json.loads(sys.stdin.readline())["open"]
        layout = Layout.model_validate(request["layout"])
        people = tuple(request["people"])
        window = GameWindow(pygame, out, layout, people, request["keymap"], request["title"])
    except pygame.error as error:
        say(out, problem=f"the window cannot be opened: {error}")
        return
    say(out, ready=True)
    window.run()
    pygame.quit()


if __name__ == "__main__":
    main()
