"""The server as a process of its own, and a browser to visit it."""

import asyncio
import os
import signal
import subprocess
from base64 import b64decode
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from tests.helpers.web_server import PATIENCE

# Below the ports that the system hands out by itself, so that no connection takes one before the server does; and each
# of the processes that test at the same time has its own.


class Browser:
    """A page in headless Chromium, by its DevTools protocol."""

    def __init__(self, devtools) -> None:
        self._devtools, self._number = devtools, 0
        self._drawn = b""

    async def do(self, method, **parameters):
        self._number += 1
        await self._devtools.send_json({"id": self._number, "method": method, "params": parameters})
        while (reply := await self._receive()).get("id") != self._number:
            pass
        return reply["result"]

    async def shows(self, *words) -> None:
        """Wait until the terminal was sent all of these words since the last time that some were waited for."""
        while not all(word.encode() in self._drawn for word in words):
            await self._receive()
        self._drawn = b""

    async def asks(self, *words) -> None:
        """Wait until the form of a study's page has all of these words, and the keys."""
        script = "document.body?.matches('.-form') ? document.getElementById('form').innerText : ''"
        async with asyncio.timeout(PATIENCE):
            while (said := await self.run(script)) is None or not all(word in said for word in words):
                await asyncio.sleep(0.05)
        self._drawn = b""

    async def address(self) -> str:
        return await self.run("location.href")

    async def run(self, script):
        """The value of a script in the page."""
        return (await self.do("Runtime.evaluate", expression=script))["result"].get("value")

    async def problems(self, axe) -> list:
        """What the script of axe-core finds in a narrow and in a wide window that is neither minor nor uncertain."""
        await self.run(axe)
        found = []
        for width, height in ((375, 667), (1280, 800)):
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            await self.do("Emulation.setDeviceMetricsOverride", **size)
            run = "axe.run().then((said) => said.violations.map((one) => [one.impact, one.id, one.nodes[0].html]))"
            said = await self.do("Runtime.evaluate", expression=run, awaitPromise=True, returnByValue=True)
            found += [[width, *one] for one in said["result"]["value"] if one[0] != "minor"]
        await self.do("Emulation.clearDeviceMetricsOverride")
        return found

    async def tree(self) -> str:
        """The names in the accessibility tree, a line each."""
        nodes = (await self.do("Accessibility.getFullAXTree"))["nodes"]
        return "\n".join(str(node["name"].get("value", "")) for node in nodes if not node["ignored"])

    async def ended(self) -> str:
        """Wait until the page says how the session ended."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if found := await self.run("document.body?.dataset.ended || ''"):
                    return found
                await asyncio.sleep(0.05)

    async def _receive(self):
        async with asyncio.timeout(PATIENCE):
            said = await self._devtools.receive_json()
        frame = said.get("params", {}).get("response", {})
        if said.get("method") == "Network.webSocketFrameReceived" and frame["opcode"] == 2:
            self._drawn += b64decode(frame["payloadData"])
        return said

    async def type(self, *keys) -> None:
        for key in keys:
            text = {"Enter": "\r", "Tab": "\t", "Escape": "\x1b"}.get(key, key)
            code = {"Enter": 13, "Tab": 9, "Escape": 27}.get(key, ord(key[0].upper()))
            common = {"key": key, "windowsVirtualKeyCode": code}
            await self.do("Input.dispatchKeyEvent", type="keyDown", text=text if key != "Tab" else "", **common)
            await self.do("Input.dispatchKeyEvent", type="keyUp", **common)

    async def screenshot(self, file) -> None:
        Path(file).write_bytes(b64decode((await self.do("Page.captureScreenshot"))["data"]))


@asynccontextmanager
async def browsing(chromium, link, folder, kind=Browser):
    """A browser on a page; `kind` is the class that reads it."""
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1200,800")
    place = f"--user-data-dir={folder}/chromium"
    command = [chromium, *flags, place, "--remote-debugging-port=0", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        async with aiohttp.ClientSession() as session:
            async with asyncio.timeout(PATIENCE):  # to start; every wait after that has its own
                file = Path(folder, "chromium", "DevToolsActivePort")
                while not file.exists() or not file.read_text().strip():
                    await asyncio.sleep(0.05)
                port = file.read_text().split()[0]
                pages = []
                while not pages:
                    async with session.get(f"http://127.0.0.1:{port}/json") as found:
                        pages = [page for page in await found.json() if page["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as devtools:
                browser = kind(devtools)
                await browser.do("Network.enable")
                await browser.do("Page.navigate", url=link)
                yield browser
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
