"""What somebody who takes part in a study has before them: a terminal or a browser, with the screen as it is seen.

Both can be disturbed: killed, disconnected, loaded anew. The next look is at what there is once one has come back.
"""

import asyncio
import json
import os
import re
import signal
from base64 import b64decode
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyte

from tests.helpers.browser import Browser
from tests.helpers.terminal import Terminal

SENT = {"enter": "\r", "tab": "\t", "left": "\x1b[D", "right": "\x1b[C", "up": "\x1b[A", "down": "\x1b[B"}
SENT |= {"home": "\x1b[H", "space": " ", "full_stop": ".", "ctrl+c": "\x03"}
NAMED = {"enter": "Enter", "tab": "Tab", "left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp"}
NAMED |= {"home": "Home", "down": "ArrowDown", "space": " ", "full_stop": "."}
CODES = {
    "home": 36,
    "enter": 13,
    "tab": 9,
    "left": 37,
    "right": 39,
    "up": 38,
    "down": 40,
    "space": 32,
    "full_stop": 190,
}


class TerminalHands:
    """A participant at a terminal."""

    DISTURBANCES = ("killed", "terminated", "hung up")
    SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
    asks_code = False

    def __init__(self, arguments, code) -> None:
        self._arguments = [*arguments, "--participant", code]
        self._terminal = Terminal(self._arguments, 100, 30)

    async def look(self) -> str:
        return self._terminal.catch_up()

    @property
    def done(self) -> bool:
        return self._terminal.process.poll() is not None

    async def type(self, key) -> None:
        self._terminal.send(SENT.get(key, key))

    async def disturb(self, how) -> None:
        self._terminal.process.send_signal(self.SIGNALS[self.DISTURBANCES.index(how)])
        while self._terminal.process.poll() is None:
            self._terminal.catch_up()
            await asyncio.sleep(0.05)
        self._terminal.close()
        self._terminal = Terminal(self._arguments, 100, 30)

    async def shrink(self) -> None:
        self._terminal.resize(70, 20)

    async def grow(self) -> None:
        self._terminal.resize(100, 30)

    async def close(self) -> None:
        self._terminal.close()


class SeenBrowser(Browser):
    """A page whose terminal is read as it is seen."""

    def __init__(self, devtools) -> None:
        super().__init__(devtools)
        self._resize(80, 24)

    def _resize(self, columns, lines) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)

    async def _receive(self):
        said = await super()._receive()
        about, frame = said.get("params", {}), said.get("params", {}).get("response", {})
        match said.get("method"):
            case "Network.webSocketCreated":
                size = parse_qs(urlsplit(about["url"]).query)
                self._resize(*(int(size.get(name, cells)[0]) for name, cells in (("width", [80]), ("height", [24]))))
            case "Network.webSocketFrameReceived" if frame["opcode"] == 2:
                self._stream.feed(b64decode(frame["payloadData"]))
            case "Network.webSocketFrameSent" if frame["opcode"] == 1:
                message = json.loads(frame["payloadData"])
                if message[0] == "resize":
                    self.screen.resize(message[1]["height"], message[1]["width"])
        self._drawn = b""
        return said

    async def press(self, key) -> None:
        named, code = NAMED.get(key, key), CODES.get(key, ord(key[0].upper()))
        text = {"enter": "\r", "space": " ", "full_stop": "."}.get(key, key if len(key) == 1 else "")
        common = {"key": named, "windowsVirtualKeyCode": code}
        if key == "ctrl+c":
            common, text = {"key": "c", "windowsVirtualKeyCode": ord("C"), "modifiers": 2}, ""
        await self.do("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        await self.do("Input.dispatchKeyEvent", type="keyUp", **common)


class BrowserHands:
    """A participant at a browser.

    Args:
        browser: the page, on which the study has been opened.
        root: the address of the study without its secret.
        server: the id of the server's process.
        cut: cuts the connections of the browser.
    """

    DISTURBANCES = ("killed", "disconnected", "reloaded")
    asks_code = True

    def __init__(self, browser, root, server, cut) -> None:
        self._browser, self._root, self._server, self._cut = browser, root, server, cut
        self.done = False

    async def look(self) -> str:
        self.done = await self._browser.run("document.body?.dataset.ended || ''") == "finished"
        if left := await self._browser.run("document.querySelector('main.end.-shown')?.innerText || ''"):
            return left  # no terminal is behind this page
        lines = "document.querySelectorAll('#form h1, #said')"
        form = await self._browser.run(f"[...{lines}].map((one) => one.innerText.slice(0, 30)).join('\\n')") or ""
        text = "\n".join(self._browser.screen.display)
        there = all(line in text for line in form.split("\n"))
        # else the form is ahead of the terminal, or behind it
        return text if there and (form or re.search(r"^ game \d of \d", text, re.MULTILINE)) else ""

    async def type(self, key) -> None:
        await self._browser.press(key)

    async def disturb(self, how) -> None:
        if how != "reloaded":
            if how == "killed":
                for process in visitors_of(self._server):
                    os.kill(process, signal.SIGKILL)
            else:
                self._cut()
            assert await self._browser.ended() in ("fault", "lost")
        self._browser._resize(80, 24)
        await self._browser.do("Page.navigate", url=self._root)

    async def close(self) -> None:
        pass


def visitors_of(server) -> list[int]:
    """The processes of the visitors of a server."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == server and b"tui.visitor" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found
