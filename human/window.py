"""The window: the same kitchen in a window of its own, with real key-down and key-up, and a gamepad if there is one.

It is a second keyboard to a game that runs elsewhere: it shows the states that it is sent and says what was pressed.
`human.window_client` starts it as a process of its own; the two speak in lines of JSON over its standard input and
output. It ends when it is told to, when it is closed, and when the other end has gone.

    in    {"open": {"layout", "people", "keymap", "title"}}, then {"row": [int32, …], "status": "3:58"}, {"close": true}
    out   {"ready": true} or {"problem": "…"}, then {"press": [seat, action]}, {"hold": [seat, action or null]},
          {"do": "pause"}, and {"closed": true}
"""

import json
import os
import queue
import sys
import threading
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from bba.kitchen import Layout, constants
from bba.kitchen.render.painter import STILL, Painter
from bba.kitchen.scene import scene_of
from human.hands import actions_of_keys, hands_of_keys

TILE = 48  # pixels of a tile
BAR = 28  # pixels of the line of text below the board
PICTURES = 60  # a second at most
DEAD_ZONE = 0.5  # of a gamepad's stick
INTERACT_BUTTON, PAUSE_BUTTON = 0, 7  # of a gamepad
GROUND, TEXT = (16, 18, 24), (216, 220, 230)
MUTE = ("offscreen", "dummy")  # what SDL falls back to where there is no display
NAMES = {"return": "enter", "keypad enter": "enter", ",": "comma"}  # keys that the table calls otherwise
Message = Mapping[str, Any]


class PipeConnection:
    """Messages to and from the other end; once that has gone, `gone` is set."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self._arrived: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not pass for a message
        threading.Thread(target=self._listen, daemon=True).start()

    def say(self, **message: Any) -> None:
        """Send a message; nobody hears it if the other end has gone."""
        try:
            self._out.write(json.dumps(message) + "\n")
        except OSError:
            self.gone.set()

    def wait(self) -> Message:
        """The next message, whenever it comes."""
        return self._arrived.get()

    def arrived(self) -> Iterator[Message]:
        """The messages that have arrived."""
        while not self._arrived.empty():
            yield self._arrived.get()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._arrived.put(json.loads(line))
        self.gone.set()
        self._arrived.put({"close": True})


class GameWindow:
    """The window itself.

    Args:
        pygame: the library, imported late: whether it is there is for `main` to find out.
        lines: the way to the game.
        layout: the kitchen.
        people: in which seats people sit.
        keymap: the keys of every action, by its name.
        title: of the window.
    """

    def __init__(
        self,
        pygame: ModuleType,
        lines: PipeConnection,
        layout: Layout,
        people: tuple[int, ...],
        keymap: Mapping[str, tuple[str, ...]],
        title: str,
    ) -> None:
        self._pygame, self._lines, self._layout = pygame, lines, layout
        self._hands = hands_of_keys(people, keymap)
        self._others = actions_of_keys(keymap)
        self._first = people[0]
        self._held: dict[int, list[int]] = {seat: [] for seat in people}
        self._painter = Painter(layout.rows, TILE, layout.pass_counters)
        self._state, self._status = np.zeros(0, np.int32), ""
        width, height = layout.width * TILE, layout.height * TILE
        self._screen = pygame.display.set_mode((width, height + BAR), pygame.RESIZABLE | pygame.SCALED)
        pygame.display.set_caption(title)
        self._font = pygame.font.Font(None, 24)
        self._pads = [pygame.joystick.Joystick(number) for number in range(pygame.joystick.get_count())]

    def run(self) -> None:
        """Show and listen until the end."""
        clock = self._pygame.time.Clock()
        while not self._lines.gone.is_set():
            for message in self._lines.arrived():
                if "close" in message:
                    return
                self._state, self._status = np.array(message["row"], np.int32), message["status"]
                self._draw()
            for event in self._pygame.event.get():
                if event.type == self._pygame.QUIT:
                    self._lines.say(closed=True)
                    return
                self._take(event)
            clock.tick(PICTURES)

    def _draw(self) -> None:
        picture = self._painter.paint(scene_of(self._layout, self._state), 0, STILL)
        self._screen.fill(GROUND)
        self._pygame.surfarray.blit_array(
            self._screen.subsurface((0, 0, picture.shape[1], picture.shape[0])), picture.swapaxes(0, 1)
        )
        text = self._font.render(self._status, True, TEXT)
        self._screen.blit(text, (8, picture.shape[0] + (BAR - text.get_height()) // 2))
        self._pygame.display.flip()

    # --- what is pressed ---------------------------------------------------------------------------------------
    def _take(self, event: Any) -> None:
        pygame = self._pygame
        if event.type in (pygame.KEYDOWN, pygame.KEYUP):
            name = pygame.key.name(event.key)
            self._key(NAMES.get(name, name), down=event.type == pygame.KEYDOWN)
        elif event.type == pygame.JOYBUTTONDOWN and event.button == INTERACT_BUTTON:
            self._lines.say(press=[self._first, constants.INTERACT])
        elif event.type == pygame.JOYBUTTONDOWN and event.button == PAUSE_BUTTON:
            self._lines.say(do="pause")
        elif event.type == pygame.JOYHATMOTION:
            self._stick(event.value[0], -event.value[1])
        elif event.type == pygame.JOYAXISMOTION and event.axis in (0, 1):
            pad = self._pads[0]
            self._stick(pad.get_axis(0), pad.get_axis(1))
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._let_go()

    def _key(self, name: str, *, down: bool) -> None:
        if name in self._hands:
            seat, action = self._hands[name]
            if action == constants.INTERACT:
                if down:
                    self._lines.say(press=[seat, action])
            else:
                self._walk(seat, action, down=down)
        elif down and name in self._others:
            self._lines.say(do=self._others[name])

    def _walk(self, seat: int, action: int, *, down: bool) -> None:
        """A direction counts once when it goes down, and in every step while it stays down; the last one leads."""
        held = [other for other in self._held[seat] if other != action]
        self._held[seat] = [*held, action] if down else held
        if down:
            self._lines.say(press=[seat, action])
        self._lines.say(hold=[seat, self._held[seat][-1] if self._held[seat] else None])

    def _stick(self, right: float, down: float) -> None:
        """A stick or a cross pad stands for the one direction in which it leans most."""
        leans = {constants.EAST: right, constants.WEST: -right, constants.SOUTH: down, constants.NORTH: -down}
        action = max(leans, key=leans.__getitem__)
        wanted = [action] if leans[action] > DEAD_ZONE else []
        if wanted != self._held[self._first]:
            self._held[self._first] = wanted
            self._lines.say(hold=[self._first, wanted[0] if wanted else None])

    def _let_go(self) -> None:
        """Keys that go up while another window listens are never heard of."""
        for seat in self._held:
            self._held[seat] = []
            self._lines.say(hold=[seat, None])


def main() -> None:
    """Open the window that the first message asks for."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "bba-tui")
    lines = PipeConnection()
    try:
        import pygame
    except ImportError:
        lines.say(problem="pygame is missing; install it with pip install 'bba-tui[window]'")
        return
    try:
        pygame.display.init()
        pygame.font.init()
        pygame.joystick.init()
        if pygame.display.get_driver() in MUTE and "SDL_VIDEODRIVER" not in os.environ:
            lines.say(problem="there is no display")
            return
        told = lines.wait()["open"]
        window = GameWindow(
            pygame,
            lines,
            Layout.model_validate(told["layout"]),
            tuple(told["people"]),
            told["keymap"],
            told["title"],
        )
    except pygame.error as error:
        lines.say(problem=f"the window cannot be opened: {error}")
        return
    lines.say(ready=True)
    window.run()
    pygame.quit()


if __name__ == "__main__":
    main()
