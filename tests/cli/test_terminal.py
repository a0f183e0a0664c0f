"""The real command in a real pseudo-terminal: what it draws, how it ends."""

import codecs
import io
import sys

import pytest

from bba.errors import BBAError
from tests.helpers.terminal import terminal
from tui.commands.terminal import check_terminal, is_plain, lacking_encoding
from tui.commands.transliteration import write_readably
from tui.preferences import AppState


@pytest.fixture(autouse=True)
def somebody_who_was_shown_around(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    AppState().note(toured=True)


@pytest.mark.thorough
def test_the_watch_screen_opens_plays_pauses_and_quits():
    with terminal("--layout", "open", "--seed", "0") as screen:
        screen.wait_for("open", "prepares meat", "gate")
        screen.send(" ")
        screen.wait_for("paused")
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.thorough
def test_a_recording_made_on_the_screen_can_be_shown_again(tmp_path):
    file = tmp_path / "game.bba"
    with terminal("--layout", "open", "--horizon", "5", "--speed", "50", "--record", str(file)) as screen:
        screen.wait_for("finished")
        screen.send("q")
        assert screen.end() == 0
        assert "recorded in" in screen.text()
    with terminal("--layout", "open", "--record", str(file)) as screen:
        assert screen.end() == 2
        assert "--forcewritesoverit" in "".join(screen.text().split())
    with terminal("--replay", str(file), "--speed", "50") as screen:
        screen.wait_for("finished", "5/5")
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("columns", "lines"), [(79, 24), (80, 23)])
def test_too_small_a_terminal_is_waited_in(columns, lines):
    with terminal("--layout", "open", columns=columns, lines=lines) as screen:
        screen.wait_for(f"needs 80x24, has {columns}x{lines}")
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.thorough
def test_a_terminal_that_cannot_draw_is_one_line():
    with terminal(term="dumb") as screen:
        assert screen.end() == 2
        assert "the screen needs a terminal; without one use --headless" in " ".join(screen.text().split())


ENCODINGS = ["iso-8859-1", "cp1252", "ascii", "koi8-r"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_terminal_whose_encoding_cannot_draw_gets_lines_of_text_and_a_line_why(encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    with terminal("watch", "open", "--agent", "bayes", "--horizon", "3", "--speed", "50", columns=120) as screen:
        assert screen.end() == 0
        said = " ".join(screen.text().split())
    name = codecs.lookup(encoding).name
    assert f"this terminal's encoding is {name}, which cannot draw the screen" in said
    assert b"\\u" not in screen.sent
    assert b"\x1b[?1049h" not in screen.sent  # the screen that an app draws on


@pytest.mark.thorough
def test_a_study_in_lines_of_text_says_why_once(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    with terminal("study", "example", "--participant", "P1", "--out", str(tmp_path / "study"), columns=200) as screen:
        screen.wait_for("I do not agree")
    assert screen.sent.count(b"which cannot draw the screen") == 1


class Shown(io.TextIOWrapper):
    """A terminal of an encoding."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("ascii", "θ 0.04 … 3 × 2 → née", b"theta 0.04 ... 3 x 2 -> nee"),
        ("iso-8859-1", "ℓ ≥ θ × é", b"l >= theta \xd7 \xe9"),
        ("cp1252", "… – Γ", b"\x85 \x96 Gamma"),
        ("koi8-r", "θ ⚑ п", b"theta ? \xd0"),
    ],
)
def test_signs_that_an_encoding_lacks_are_spelled_out(encoding, text, written, monkeypatch):
    content = io.BytesIO()
    monkeypatch.setattr("sys.stdout", Shown(content, encoding=encoding))
    write_readably()
    sys.stdout.write(text)
    sys.stdout.flush()
    assert content.getvalue() == written


@pytest.mark.parametrize(
    ("encoding", "lacks"), [*((one, True) for one in ENCODINGS), ("utf-8", False), ("utf-16", False)]
)
def test_the_encoding_decides_whether_a_terminal_can_draw(encoding, lacks, monkeypatch):
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    monkeypatch.setattr("sys.stdout", Shown(io.BytesIO(), encoding=encoding))
    monkeypatch.setattr("sys.stderr", Shown(io.BytesIO(), encoding="utf-8"))
    monkeypatch.setattr("sys.stdin", Shown(io.BytesIO(), encoding="utf-8"))
    monkeypatch.setenv("TERM", "xterm-256color")
    assert (lacking_encoding() == encoding) == lacks
    assert is_plain(plain=False) == lacks
    assert sys.stderr.buffer.getvalue() == b"", "the question says nothing"
    if lacks:
        with pytest.raises(BBAError, match=f"encoding is {encoding}, which cannot draw"):
            check_terminal()
    monkeypatch.setenv("TEXTUAL_DRIVER", "a browser")
    assert lacking_encoding() is None
