"""Where faults are reported: in the help, the manual page and the line of an unexpected error."""

from email.message import Message
from importlib.metadata import PackageNotFoundError

import pytest

from bba import fault_address
from tests.helpers.command_line import run
from tui import cli

ADDRESS = "https://example.org/bba-tui/issues"


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("BBA_TUI_REPORTS", str(tmp_path / "reports"))
    return tmp_path


def with_address(monkeypatch, *entries):
    found = Message()
    for entry in entries:
        found["Project-URL"] = entry
    monkeypatch.setattr(fault_address, "metadata", lambda _: found)


@pytest.mark.parametrize(
    ("entries", "address"),
    [
        ((f"Issues, {ADDRESS}",), ADDRESS),
        (("Homepage, https://example.org", f"Issues, {ADDRESS}"), ADDRESS),
        (("Issues, https://bba-tui.invalid/issues",), "whoever gave you bba-tui"),
        (("Homepage, https://example.org",), "whoever gave you bba-tui"),
        ((), "whoever gave you bba-tui"),
    ],
)
def test_the_address_is_that_of_the_metadata_unless_it_is_the_placeholder(monkeypatch, entries, address):
    with_address(monkeypatch, *entries)
    assert fault_address.fault_address() == address


def test_without_metadata_there_is_no_address(monkeypatch):
    def missing(_):
        raise PackageNotFoundError

    monkeypatch.setattr(fault_address, "metadata", missing)
    assert fault_address.fault_address() == "whoever gave you bba-tui"


def test_the_list_of_options_and_the_manual_page_name_it(monkeypatch, capsys):
    with_address(monkeypatch, f"Issues, {ADDRESS}")
    assert run(capsys, "--help-all")[1].endswith(f"\n  faults\n    are reported to {ADDRESS}\n")
    manual = run(capsys, "man")[1].replace("\\-", "-")
    assert manual.endswith(f".SH BUGS\nFaults are reported to {ADDRESS}.\n")
    assert "where to report a fault" in run(capsys, "--help")[1]


@pytest.mark.parametrize(
    ("error", "end"), [(KeyError("x"), f".txt; send it to {ADDRESS}\n"), (MemoryError(), ".txt\n")]
)
def test_the_line_of_an_unexpected_error_names_it_unless_memory_is_lacking(home, monkeypatch, capsys, error, end):
    def fails(_):
        raise error

    with_address(monkeypatch, f"Issues, {ADDRESS}")
    monkeypatch.setattr(cli, "run", fails)
    status, _, err = run(capsys, "list")
    assert status == 1
    assert err.endswith(end)
