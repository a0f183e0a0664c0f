"""What the answers of a recorded game cost: tokens, seconds and dollars, in a file beside the recording.

They differ between two runs with the same answers, so a recording is without them: the same game from the same answers
gives the same bytes. ``game.bba`` has ``game.usage.json`` beside it. Without that file, or where it belongs to another
recording, the costs are not known; everything else is.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from bba.errors import BBAError
from bba.files import read_bytes
from bba.planner.chat import Usage
from bba.play.recording import RecordedPlayer, Recording, StrictModel

SUFFIX = ".usage.json"
Usages = tuple[Usage | None, ...]


class UsageFile(StrictModel):
    """What each call of a recording cost.

    Attributes:
        recording: the digest of the recording's bytes (`digest`).
        players: for each player the costs of its calls, in order; None where they are not known.
    """

    format: Literal["bba-usage"] = "bba-usage"
    version: Literal[1] = 1
    recording: str
    players: tuple[Usages, Usages]


def beside(recording: Path) -> Path:
    """Returns the file beside a recording that holds what its answers cost."""
    return recording.with_name(recording.name.removesuffix(".bba") + SUFFIX)


def digest(packed: bytes) -> str:
    """Returns 64 hex digits: the digest of a recording's bytes."""
    return hashlib.sha256(packed).hexdigest()


def usage_text(recording: Recording, packed: bytes) -> str | None:
    """Returns the content of the file; None if no cost is known."""
    first, second = (tuple(call.usage for _, call in player.calls) for player in recording.players)
    if not any((*first, *second)):
        return None
    content = UsageFile(recording=digest(packed), players=(first, second)).model_dump(mode="json")
    return json.dumps(content, separators=(",", ":")) + "\n"


def without_usage(recording: Recording) -> Recording:
    """Returns the recording without what its answers cost."""
    return _with(recording, [(None,) * len(player.calls) for player in recording.players])


def with_usage(recording: Recording, packed: bytes, path: Path) -> Recording:
    """Returns the recording with what the file beside it says; as it is where that file is missing or of another one.

    Args:
        recording: the recording.
        packed: its bytes.
        path: its file.
    """
    try:
        found = UsageFile.model_validate_json(read_bytes(beside(path)))
    except (BBAError, ValidationError):
        return recording
    counts = [len(player.calls) for player in recording.players]
    fits = found.recording == digest(packed) and [len(usages) for usages in found.players] == counts
    return _with(recording, found.players) if fits else recording


def _with(recording: Recording, usages: Sequence[Usages]) -> Recording:
    first, second = (_player(player, found) for player, found in zip(recording.players, usages, strict=True))
    return recording.model_copy(update={"players": (first, second)})


def _player(player: RecordedPlayer, usages: Usages) -> RecordedPlayer:
    pairs = zip(player.calls, usages, strict=True)
    calls = tuple((step, replace(call, usage=usage)) for (step, call), usage in pairs)
    return player.model_copy(update={"calls": calls})
