"""The provenance of a result: the version of the behaviour that played it, and the versions of the software."""

import hashlib
import os
import platform
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import bba
from bba.agents import AgentOptions, weights_file
from bba.files import read_bytes
from bba.kitchen import Layout

# The versions of the behaviour, the present one last: 16 hex digits each, which results name as the code that played
# them. A new one is appended when the rules, a planner, an agent or a measure changes what comes of a game; the panel
# of recorded games in `tests/bench/test_behaviour.py` notices that and says which digits.
BEHAVIOURS = ("c6b182bc2f0ffcc8", "5e99a1cfcf1835bf", "6afff19aa7e12804")


def code_digest() -> str:
    """Returns the version of the behaviour: 16 hex digits that change when games or their measures do."""
    return BEHAVIOURS[-1]


@cache
def source_digest() -> str:
    """Returns 16 hex digits: the digest of this package's sources, which changes with every edit."""
    return folder_digest(Path(bba.__file__).parent, "**/*.py")


def folder_digest(folder: Path, files: str = "*.md") -> str:
    """Returns 16 hex digits: the digest of these files of a folder, by default of the prompt templates in it."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(folder.glob(files)):
        digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


def weights_digest(name: str, layout: Layout, options: AgentOptions) -> str | None:
    """Returns 16 hex digits: the digest of an agent's weights for a layout; None for an agent without weights.

    Raises:
        NoWeights: the agent needs weights, and there are none.
        BBAError: the weights cannot be played.
    """
    path = weights_file(name, layout, options)
    return None if path is None else hashlib.blake2b(read_bytes(path), digest_size=8).hexdigest()


def other_code_note(codes: Iterable[str]) -> list[str]:
    """Returns a line about the episodes that other code than this has played; none if this has played all.

    Args:
        codes: for each episode the digest of the code that played it.
    """
    counts, own = Counter(codes), code_digest()
    others = counts.keys() - {own}
    if not others:
        return []
    number = counts.total() - counts[own]
    return [f"{number} of {counts.total()} episodes were played by other code than this ({', '.join(sorted(others))})"]


@cache
def versions() -> dict[str, str]:
    """Returns the versions of this program, its `source`, Python and the numeric libraries; the `machine` in words."""
    own = {"bba": bba.__version__, "source": source_digest(), "python": platform.python_version()}
    machine = f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    return own | {name: version(name) for name in ("numpy", "numba")} | {"machine": machine}


def _processor() -> str:
    """Returns the processor's name; Python does not know it on Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown processor"
