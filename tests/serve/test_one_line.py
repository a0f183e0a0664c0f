"""A request that cannot be read is a line for those who serve, and no traceback."""

from tui.serve.server import one_line_logger


def test_a_problem_is_one_line_without_control_characters(capsys):
    logger = one_line_logger()
    try:
        raise ValueError("bad\nheader \x1b[31m")
    except ValueError as error:
        logger.error("Error handling request from %s", "127.0.0.1", exc_info=error)
    assert capsys.readouterr().err == "bba-tui: Error handling request from 127.0.0.1: bad header [31m\n"
