"""The command `bba-tui`: parses the command line, calls the command that it asks for, and says how that ended."""

import atexit
import errno
import gc
import re
import sys
from collections.abc import Sequence

from bba import __version__
from bba.annexes import lacking_annex
from bba.errors import BBAError, say_aside
from bba.terminal_text import visible_line
from tui.arguments import Call, help_page, is_version, parse
from tui.commands.terminal import HUNG_UP, TERMINATED, Terminated
from tui.commands.transliteration import write_readably
from tui.process_end import PROCESS_END
from tui.streams import OUTPUT, discard_output, fall_silent, open_standard_streams, terminal_is_gone

INTERRUPTED = 130
LONG_WORD = re.compile(r"\S{250,}")  # words that are cut in error lines
# What the system has too little of, whatever the program does; memory has a line of its own.
USED_UP = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EFBIG, errno.EROFS)
NO_MEMORY = "bba-tui: there is not enough memory\n"
COLLECT_AFTER = 50_000  # new objects; Python's 700 cost a tenth of the start, whose objects are there to stay


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: the words of the command line; None for those of this process, whose streams are then set up.

    Returns:
        The exit status: 0; 1 after an error in the program, of which a report is written, or without memory; 2 after a
        mistake (one line on standard error); 129, 130 or 143 where the terminal was closed, or the command interrupted.
    """
    gc.set_threshold(COLLECT_AFTER)
    if arguments is None:
        PROCESS_END.take_over()  # first, hence the last handler to run
    atexit.register(gc.freeze)  # Python would else look through all objects once more as it ends: 0.2 s after a game
    status = _status_after(arguments)
    if arguments is None:
        PROCESS_END.with_status(status)
    return status


def _status_after(arguments: Sequence[str] | None) -> int:
    """Runs the command; returns the exit status. None: the words and the streams are those of this process."""
    try:
        if arguments is None:
            _set_up_process()
        if sys.stdout is None:
            raise BBAError("standard output is closed")
        write_readably()
        words = sys.argv[1:] if arguments is None else arguments
        page = help_page(words)
        if page is not None:
            sys.stdout.write(page)
        elif is_version(words):
            sys.stdout.write(f"bba-tui {__version__}\n")
        else:
            run(parse(words))
        sys.stdout.flush()
    except BBAError as error:
        return _complain(str(error))
    except Terminated:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as ended:
        if isinstance(ended.code, int):
            return _flushed(ended.code)
        return _flushed(0 if ended.code is None else 1)
    except OSError as error:
        return _status_of(error)
    except ModuleNotFoundError as error:
        problem = lacking_annex(error)
        return _fail(error) if problem is None else _complain(problem)
    except BaseException as error:  # noqa: BLE001 - no traceback reaches a user
        return _fail(error)
    return 0


def _set_up_process() -> None:
    from tui.crash import catch_everywhere

    open_standard_streams()
    catch_everywhere()


def _status_of(error: OSError) -> int:
    """Prints the reason of an error of the system; returns the exit status."""
    reason = error.strerror or str(error)
    if error.filename == OUTPUT:
        discard_output()
        if error.errno == errno.EPIPE:
            return 0  # nobody reads the output any more
        if error.errno == errno.EIO and terminal_is_gone():
            fall_silent()
            return HUNG_UP
        return _complain(f"{OUTPUT}: {reason}")
    if error.filename is not None:  # a path that not even the system takes
        return _complain(f"{error.filename}: {reason}")
    if error.errno in USED_UP:
        return _complain(reason)
    return _fail(error)


def _flushed(status: int) -> int:
    """Flushes the output of a command that has ended with a status of its own; returns the status."""
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()
    return status


def _shortened(match: re.Match[str]) -> str:
    word = match[0]
    return f"{word[:100]}…{word[-20:]}"


def _complain(problem: str) -> int:
    short = LONG_WORD.sub(_shortened, problem)
    say_aside(f"bba-tui: {visible_line(short)}\n")
    return 2


def _fail(error: BaseException) -> int:
    """Reports an error that nobody has caught."""
    try:
        from tui.crash import FAILED, report

        line = report(error)
    except (MemoryError, ImportError):  # there is none for that, either
        say_aside(NO_MEMORY)
        return 1
    say_aside(f"{line}\n")
    return _flushed(FAILED)


def run(call: Call) -> None:
    """Runs a command, once the plug-ins that its options name are allowed and the keys of its file are checked."""
    plugins = getattr(call.options, "plugins", None)
    if plugins is not None:
        from bba.plugins import allow

        for source in plugins.split(","):
            allow(source.strip())
    if call.options.config is not None:
        from tui.preferences import check_keys

        check_keys(call.options.config)
    call.run()


if __name__ == "__main__":
    sys.exit(main())
