"""A problem of the server is a line for those who serve that says what it is, and no traceback."""

import asyncio
from types import SimpleNamespace

import pytest

from tui.serve.log import QUIET_SECONDS, one_line_logger, say_in_one_line


def failed(error):
    try:
        raise error
    except BaseException as raised:  # noqa: BLE001 - some of them are none
        return raised


def test_a_problem_is_one_line_without_control_characters(capsys):
    error = failed(ValueError("bad\nheader \x1b[31m"))
    one_line_logger().error("Error handling request from %s", "127.0.0.1", exc_info=error)
    assert capsys.readouterr().err == "bba-tui: Error handling request from 127.0.0.1: bad header [31m\n"


@pytest.mark.parametrize("error", [AssertionError(), ValueError(""), KeyError(), RuntimeError()])
def test_a_problem_without_words_says_its_kind_its_place_and_that_it_concerns_nobody_else(capsys, error):
    one_line_logger().error("Error handling request from %s", "127.0.0.1", exc_info=failed(error))
    said = capsys.readouterr().err
    assert f": {type(error).__name__} in test_one_line.py, line " in said
    assert said.endswith("; everybody else is served on\n")


def test_a_request_that_was_given_up_says_so(capsys):
    one_line_logger().exception("Error handling request from %s", "127.0.0.1", exc_info=True)  # as of a timeout
    assert "it took too long, and was given up; everybody else is served on" in capsys.readouterr().err


@pytest.mark.parametrize(
    "error", [ConnectionResetError(), BrokenPipeError(32, "Broken pipe"), asyncio.CancelledError()]
)
def test_who_leaves_in_the_middle_is_no_problem(capsys, error):
    one_line_logger().error("Error handling request from %s", "127.0.0.1", exc_info=failed(error))
    assert capsys.readouterr().err == ""


def test_the_same_is_said_once_in_a_while_with_how_often_it_was_not(capsys):
    time = SimpleNamespace(now=0.0)
    logger = one_line_logger(lambda: time.now)
    for number in range(1000):
        logger.warning("no connection can be taken: %s", number)
    logger.warning("something else")
    time.now = QUIET_SECONDS
    logger.warning("no connection can be taken: %s", "again")
    assert capsys.readouterr().err.splitlines() == [
        "bba-tui: no connection can be taken: 0",
        "bba-tui: something else",
        "bba-tui: no connection can be taken: again (and 999 times more)",
    ]


async def test_what_nobody_catches_in_the_loop_is_a_line_too(capsys):
    asyncio.get_running_loop().set_exception_handler(say_in_one_line(one_line_logger()))
    for error in (OSError(24, "Too many open files"), ValueError("a fault"), None):
        context = {"message": f"socket.accept() out of system resource {type(error).__name__}"}
        asyncio.get_running_loop().call_exception_handler(context | ({"exception": failed(error)} if error else {}))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert said[0].endswith("[Errno 24] Too many open files")
