"""The command `serve`: checks the settings, prints the link, and serves until Ctrl+C."""

import os
import shlex
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bba.agents import MODEL_PLANNERS
from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError
from bba.files import os_errors
from bba.kitchen import Layout
from bba.settings import Secrets, Settings
from bba.temporary import temporary_folder
from human.study import load_study
from tui.commands.study import study_folder

try:
    from tui.serve.auth import Address, kept_token, parse_address
    from tui.serve.server import AppServer, Listening, Monitor, run_until_interrupted
except ModuleNotFoundError:
    raise BBAError("--serve needs textual-serve: pip install 'bba-tui[serve]'") from None

# Not those of the visitors' sessions.
SERVER_OPTIONS = {"serve", "sessions", "public_url", "idle", "monitor", "token_file"}
NOT_SERVED = ("record", "participant", "model_log", "play", "headless", "export")


def serve(settings: Settings) -> None:
    """Serves what the settings describe until interrupted.

    Raises:
        BBAError: an unsuitable setting, or an address that cannot be listened on.
    """
    address = parse_address(settings.serve or "", settings.public_url)
    visitor = visitor_settings(settings)
    _warn_of_kitchens(settings)
    with temporary_folder() as homes:
        _listen(address, visitor, settings, homes)


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
        _warn_of_readers(study_folder(settings).path)
    return settings.model_dump_json(include=named - SERVER_OPTIONS)


def _warn_of_kitchens(settings: Settings) -> None:
    """Warns of each kitchen that visitors will play in and in which nobody can deliver."""
    names = load_study(settings.study).layouts if settings.study is not None else [settings.layout]
    if settings.replay is None:
        for name in names:
            warn_of_layout(Layout.load(name))


def _warn_of_readers(folder: Path) -> None:
    if folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) and os.name == "posix":
        sys.stderr.write(
            f"warning: {folder}: others on this machine can read what participants do; "
            f"to change that: chmod -R go= {shlex.quote(str(folder))}\n"
        )


def _listen(address: Address, visitor: str, settings: Settings, homes: Path) -> None:
    study = load_study(settings.study) if settings.study else None
    if study is not None and study.people == 2 and not hasattr(socket, "AF_UNIX"):
        raise BBAError("--serve: a study for two people needs local sockets, which this system has not")
    token = kept_token(settings.token_file) if settings.token_file else None
    server = AppServer(address, visitor, settings.sessions, homes, idle=settings.idle, study=study, token=token)
    with _listening(address, "--serve") as listener, _monitoring(settings, server) as monitoring:
        sys.stdout.write(f"serving at most {settings.sessions} visitors; Ctrl+C ends it\n{server.auth.link}\n")
        if monitoring is not None:
            sys.stdout.write(f"for researchers, not for visitors: {monitoring[0].auth.link}\n")
        if not address.local:
            sys.stdout.write("warning: other machines can reach this, and anybody with the link can play\n")
        sys.stdout.flush()
        run_until_interrupted(server, listener, monitoring)


@contextmanager
def _monitoring(settings: Settings, server: AppServer) -> Iterator[Listening | None]:
    if settings.monitor is None:
        yield None
        return
    if settings.study is None:
        raise BBAError("--monitor: shows who takes part in a study; name one with --study")
    address = parse_address(settings.monitor, option="--monitor")
    with _listening(address, "--monitor") as listener:
        yield Monitor(address, study_folder(settings), server.places), listener


def _listening(address: Address, option: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with os_errors(f"{option}: {address.host}:{address.port}"):
        return socket.create_server((address.host, address.port), family=family)
