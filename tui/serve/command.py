"""Serves the app in the browser: checks the options, prints the link, and goes on until Ctrl+C."""

import os
import shlex
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bba.agents import MODEL_PLANNERS
from bba.analysis.kitchen_structure import warn_of_layout
from bba.errors import BBAError
from bba.files import os_errors
from bba.kitchen import Layout
from bba.settings import Secrets
from bba.temporary import temporary_folder
from human.study import load_study
from tui.commands.study_runs import study_folder

if TYPE_CHECKING:
    from tui.serve.serve import Serve

try:
    from tui.serve.auth import Address, kept_token, parse_address
    from tui.serve.server import AppServer, Listening, Monitor, run_until_interrupted
except ModuleNotFoundError:
    raise BBAError("--serve needs textual-serve: pip install 'bba-tui[serve]'") from None

# Not those of the visitors' sessions.
SERVER_OPTIONS = {"served_at", "sessions", "public_url", "idle", "monitor", "token_file"}


def serve_visitors(options: "Serve") -> None:
    """Serves what the options describe until interrupted.

    Raises:
        BBAError: an unsuitable option, or an address that cannot be listened on.
    """
    address = parse_address(options.served_at, options.public_url)
    visitor = visitor_options(options)
    _warn_of_kitchens(options)
    with temporary_folder() as homes:
        _listen(address, visitor, options, homes)


def visitor_options(options: "Serve") -> str:
    """Returns the options of every visitor's session as JSON: the operator's without those of the server.

    Raises:
        BBAError: an option that cannot be shared, or that needs a secret, which no session is given.
    """
    if options.play == "window":
        raise BBAError("--play: not for visitors; leave it out with --serve")
    if options.model_log is not None:
        raise BBAError("--model-log: not for visitors; leave it out with --serve")
    if options.planner in MODEL_PLANNERS and Secrets.model_validate({}).api_key is not None:
        raise BBAError(
            "--planner: visitors' sessions are given no key; serve an endpoint that needs none, scripted or rollout"
        )
    if options.study is not None:
        _warn_of_readers(study_folder(options.study, options.out, options).path)
    return options.model_dump_json(include=options.model_fields_set - SERVER_OPTIONS)


def _warn_of_kitchens(options: "Serve") -> None:
    """Warns of each kitchen that visitors will play in and in which nobody can deliver."""
    names = load_study(options.study).layouts if options.study is not None else [options.layout]
    for name in names:
        warn_of_layout(Layout.load(name))


def _warn_of_readers(folder: Path) -> None:
    if folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) and os.name == "posix":
        sys.stderr.write(
            f"warning: {folder}: others on this machine can read what participants do; "
            f"to change that: chmod -R go= {shlex.quote(str(folder))}\n"
        )


def _listen(address: Address, visitor: str, options: "Serve", homes: Path) -> None:
    study = load_study(options.study) if options.study else None
    if study is not None and study.people == 2 and not hasattr(socket, "AF_UNIX"):
        raise BBAError("--serve: a study for two people needs local sockets, which this system has not")
    token = kept_token(options.token_file) if options.token_file else None
    server = AppServer(address, visitor, options.sessions, homes, idle=options.idle, study=study, token=token)
    with _listening(address, "--serve") as listener, _monitoring(options, server) as monitoring:
        sys.stdout.write(f"serving at most {options.sessions} visitors; Ctrl+C ends it\n{server.auth.link}\n")
        if monitoring is not None:
            sys.stdout.write(f"for researchers, not for visitors: {monitoring[0].auth.link}\n")
        if not address.local:
            sys.stdout.write("warning: other machines can reach this, and anybody with the link can play\n")
        sys.stdout.flush()
        run_until_interrupted(server, listener, monitoring)


@contextmanager
def _monitoring(options: "Serve", server: AppServer) -> Iterator[Listening | None]:
    if options.monitor is None:
        yield None
        return
    if options.study is None:
        raise BBAError("--monitor: shows who takes part in a study; name one with --study")
    address = parse_address(options.monitor, option="--monitor")
    with _listening(address, "--monitor") as listener:
        yield Monitor(address, study_folder(options.study, options.out, options), server.places), listener


def _listening(address: Address, option: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with os_errors(f"{option}: {address.host}:{address.port}"):
        return socket.create_server((address.host, address.port), family=family)
