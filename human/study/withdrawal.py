"""Withdrawal: everything about a participant is deleted, and only how many have withdrawn is kept."""

import json
import shutil
from pathlib import Path

from bba.errors import BBAError
from bba.files import read_text, write_whole

DERIVED = ("tables", "tables-anonymous")  # folders that hold data of everybody, and can be made anew
REPORT = "report.html"


def delete_participant(folder: Path, participant: str) -> None:
    """Deletes a participant's files, and what was made from everybody's; counts the withdrawal.

    Raises:
        BBAError: a file cannot be deleted or written.
    """
    try:
        for file in _files(folder, participant):
            file.unlink(missing_ok=True)
        for name in DERIVED:
            shutil.rmtree(folder / name, ignore_errors=True)
        (folder / REPORT).unlink(missing_ok=True)
    except OSError as error:
        raise BBAError(f"{folder}: cannot be deleted: {error.strerror or error}") from None
    write_whole(_count_file(folder), json.dumps({"withdrawn": withdrawals(folder) + 1}) + "\n")


def withdrawals(folder: Path) -> int:
    """Returns how many participants have withdrawn.

    Raises:
        BBAError: the file that counts them cannot be read.
    """
    file = _count_file(folder)
    if not file.exists():
        return 0
    try:
        return int(json.loads(read_text(file))["withdrawn"])
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{file}: not a count of withdrawals") from None


def _files(folder: Path, participant: str) -> list[Path]:
    """Returns the files about a participant. The progress comes first: without it the others belong to nobody."""
    recordings = (folder / "recordings").glob(f"{participant}-*")
    own = [file for file in recordings if file.name.startswith((f"{participant}-game-", f"{participant}-tutorial."))]
    progress = folder / "participants" / f"{participant}.json"
    return [progress, *sorted(own), folder / "logs" / f"{participant}.jsonl"]


def _count_file(folder: Path) -> Path:
    return folder / "withdrawn.json"
