"""Errors that nobody catches, in frames that hold a key: in a handler, in workers, in drawing, in a timer."""

import os
import sys
from pathlib import Path

from pydantic import SecretStr
from textual.app import App
from textual.widgets import Static

from bba.llm.model_clients import OpenAIClient
from bba.planner.model_options import ModelOptions

CANARY = "canary\\0123456789-abcdef"  # which looks like no key, and is not written in Python as it is


def canary_client() -> OpenAIClient:
    """A client with the key that the environment holds."""
    key = SecretStr(os.environ["OPENAI_API_KEY"])
    return OpenAIClient(ModelOptions(model="m", base_url="http://127.0.0.1:9/v1", key=key, cache="off"))


def fail() -> None:
    """Raises an error whose frame holds a client, its key and a header with it, and whose text repeats them."""
    client = canary_client()
    headers = {"Authorization": f"Bearer {client._written_key}"}
    try:
        raise KeyError(client._written_key)
    except KeyError as error:
        raise RuntimeError(f"no answer to {headers} from {client._client.base_url}") from error


async def fail_later() -> None:
    fail()


class FailsInHandler(Static):
    def on_mount(self) -> None:
        fail()


class FailsInCompose(Static):
    def compose(self):
        fail()
        yield Static()


class FailsInDrawing(Static):
    def render(self):
        fail()


WAYS = {
    "in a handler": lambda app: app.screen.mount(FailsInHandler()),
    "in compose": lambda app: app.screen.mount(FailsInCompose()),
    "in an async worker": lambda app: app.run_worker(fail_later()),
    "in a thread": lambda app: app.run_worker(fail, thread=True),
    "in drawing": lambda app: app.screen.mount(FailsInDrawing()),
    "in a timer": lambda app: app.screen.set_interval(0.01, fail),
}


def fail_on(app: App, way: str) -> None:
    """Has an error come to an app in one of the ways."""
    WAYS[way](app)


def main() -> int:
    """The command, whose app meets an error a moment after its first screen: WAY ARGUMENTS."""
    from tui.app.app import BBAApp
    from tui.cli import main

    way = sys.argv.pop(1)
    mount = BBAApp.on_mount

    def on_mount(app: BBAApp) -> None:
        mount(app)
        app.set_timer(0.5, lambda: fail_on(app, way))

    BBAApp.on_mount = on_mount
    return main()


def reports(folder: Path) -> list[Path]:
    """The reports in a folder."""
    return sorted(folder.rglob("crash-*.txt"))


if __name__ == "__main__":
    sys.exit(main())
