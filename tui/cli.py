"""The command `bba-tui`: parses the command line and calls the command that it asks for."""

import atexit
import gc
import io
import os
import re
import sys
from collections.abc import Sequence

from bba.errors import BBAError
from bba.settings import Settings
from tui.arguments import check_companions, parse
from tui.commands.termination import TERMINATED, Terminated

INTERRUPTED = 130
LONG_WORD = re.compile(r"\S{250,}")  # words that are cut in error lines
COLLECT_AFTER = 50_000  # new objects; Python's 700 cost a tenth of the start, whose objects are there to stay
PEOPLE = "human"  # what --train learns from a study


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code: 0, 2 after a mistake (one line on stderr), 130 or 143 if interrupted."""
    gc.set_threshold(COLLECT_AFTER)
    atexit.register(gc.freeze)  # Python would else look through all objects once more as it ends: 0.2 s after a game
    try:
        if sys.stdout is None:
            raise BBAError("standard output is closed")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal without some of the signs still gets the rest
        run(parse(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BBAError as error:
        return _complain(str(error))
    except Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # nobody reads the output any more
    except OSError as error:
        if error.filename is not None:  # a path that not even the system takes
            return _complain(f"{error.filename}: {error.strerror}")
        _discard_output()
        return _complain(f"standard output: {error.strerror or error}")
    return 0


def _complain(problem: str) -> int:
    short = LONG_WORD.sub(lambda word: f"{word[0][:100]}…{word[0][-20:]}", problem)
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in short)
    if sys.stderr is not None:
        sys.stderr.write(f"bba-tui: {line}\n")
    return 2


def _discard_output() -> None:
    """Leaves no output that the interpreter would try to write again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(settings: Settings) -> None:
    """Runs the command that the settings ask for.

    Modules are imported only for the command that needs them, so that every command starts quickly.
    """
    settings = _prepared(settings)
    if not (_inform(settings) or _work(settings)):
        _open(settings)


def _prepared(settings: Settings) -> Settings:
    """Checks what goes together, allows the plug-ins that are named, and opens the bundles."""
    check_companions(settings)
    if settings.plugins is not None:
        from bba.plugins import allow

        for source in settings.plugins.split(","):
            allow(source.strip())
    if settings.results or settings.report or settings.replay:
        from tui.commands.results import with_opened_bundles

        settings = with_opened_bundles(settings)
    return settings


def _inform(settings: Settings) -> bool:
    """Says what the settings ask for, without a game of its own; returns whether they ask for that."""
    if settings.version:
        from bba import __version__

        sys.stdout.write(f"bba-tui {__version__}\n")
    elif settings.list_all:
        from tui.commands.listing import print_list

        print_list()
    elif settings.completion is not None:
        from tui.arguments.completion import script

        sys.stdout.write(script(settings.completion))
    elif settings.new_agent is not None:
        from tui.commands.listing import print_new_agent

        print_new_agent(settings.new_agent)
    elif settings.check_agent is not None:
        from tui.commands.listing import print_agent_check

        print_agent_check(settings.check_agent, settings)
    elif settings.show_prompt:
        from tui.commands.headless import show_prompt

        show_prompt(settings)
    else:
        return False
    return True


def _work(settings: Settings) -> bool:
    """Does what the settings ask for without a screen; returns whether they ask for that."""
    if settings.train == PEOPLE:
        from tui.commands.train import train_human

        train_human(settings)
    elif settings.train is not None or settings.train_steps is not None:
        from tui.commands.train import train

        train(settings)
    elif settings.check_partners:
        from tui.commands.check_partners import check_partners

        check_partners(settings)
    elif settings.sweep is not None:
        from tui.commands.sweep import play_sweep

        play_sweep(settings)
    elif settings.benchmark is not None:
        from tui.commands.benchmark import play_benchmark

        play_benchmark(settings)
    elif settings.verify is not None:
        from tui.commands.benchmark import verify_card

        verify_card(settings)
    elif settings.merge is not None:
        from tui.commands.results import merge_results

        merge_results(settings)
    elif settings.bundle is not None:
        from tui.commands.results import write_one_file

        write_one_file(settings)
    elif settings.exam:
        from tui.commands.exam import take_exam

        take_exam(settings)
    elif settings.report is not None:
        from tui.commands.results import report

        report(settings.report, settings.out)
    elif settings.study_tables is not None:
        from tui.commands.study import write_study_tables

        write_study_tables(settings.study_tables, anonymous=settings.anonymous, withdraw=settings.withdraw)
    elif settings.serve is not None:
        from tui.serve.command import serve

        serve(settings)
    elif settings.headless or settings.export is not None:
        from tui.commands.headless import play_headless

        play_headless(settings)
    else:
        return False
    return True


def _open(settings: Settings) -> None:
    """Opens a screen."""
    if settings.study is not None:
        from tui.commands.study import take_part

        take_part(settings)
    else:
        from tui.commands.interactive import interact

        interact(settings)


if __name__ == "__main__":
    sys.exit(main())
