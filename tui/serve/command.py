"""The command `--serve`: checks the settings, prints the link, and serves until Ctrl+C."""

import socket
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from bba.agents.registry import MODEL_PLANNERS
from bba.errors import BBAError
from bba.settings import Secrets, Settings
from human.study import load_study
from tui.serve.address import Address, parse_address

SERVER_OPTIONS = {"serve", "sessions", "public_url"}  # options of the server, not of the visitors' sessions
NOT_SERVED = ("record", "participant", "model_log", "play", "headless", "export")
MISSING = "--serve needs textual-serve: pip install 'bba-tui[serve]'"


def serve(settings: Settings) -> None:
    """Serves what the settings describe until interrupted.

    Raises:
        BBAError: an unsuitable setting, a missing library, or an address that cannot be listened on.
    """
    address = parse_address(settings.serve or "", settings.public_url)
    visitor = visitor_settings(settings)
    if find_spec("textual_serve") is None:
        raise BBAError(MISSING)
    with tempfile.TemporaryDirectory(prefix="bba-tui-") as homes:
        _listen(address, visitor, settings.sessions, Path(homes), pairs=_for_pairs(settings))


def visitor_settings(settings: Settings) -> str:
    """Returns the settings of every visitor's session as JSON: the operator's options without those of the server.

    Raises:
        BBAError: an option that cannot be shared, or that needs a secret, which no session is given.
    """
    named = settings.model_fields_set
    for name in NOT_SERVED:
        if name in named and getattr(settings, name) not in (None, "terminal"):
            raise BBAError(f"--{name.replace('_', '-')}: not for visitors; leave it out with --serve")
    if settings.planner in MODEL_PLANNERS and Secrets.model_validate({}).api_key is not None:
        raise BBAError(
            "--planner: visitors' sessions are given no key; serve an endpoint that needs none, scripted or rollout"
        )
    if settings.study is not None:
        from tui.commands.study import study_folder

        study_folder(settings)
    return settings.model_dump_json(include=named - SERVER_OPTIONS)


def _for_pairs(settings: Settings) -> bool:
    """Returns whether the visitors play with one another.

    Raises:
        BBAError: they do, and this system has no local sockets.
    """
    if settings.study is None or load_study(settings.study).people == 1:
        return False
    if not hasattr(socket, "AF_UNIX"):
        raise BBAError("--serve: a study for two people needs local sockets, which this system has not")
    return True


def _listen(address: Address, visitor: str, sessions: int, homes: Path, *, pairs: bool) -> None:
    from aiohttp import web

    from tui.serve.server import AppServer

    server = AppServer(address, visitor, sessions, homes, pairs=pairs)
    with _listening(address) as listener:
        sys.stdout.write(f"serving at most {sessions} visitors; Ctrl+C ends it\n{server.auth.link}\n")
        if not address.local:
            sys.stdout.write("warning: other machines can reach this, and anybody with the link can play\n")
        sys.stdout.flush()
        web.run_app(server.application(), sock=listener, print=None, access_log=None)


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except OSError as error:
        raise BBAError(f"--serve: {address.host}:{address.port}: {error.strerror or error}") from None
