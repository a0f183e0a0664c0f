"""The provenance of a result: a digest of the code that decides how a game goes, and the versions of the software.

What of a source file can change a game: not its docstrings, its whole-line comments and the help of options.
"""

import hashlib
import os
import platform
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import bba
from bba.agents import AgentOptions, weights_file
from bba.files import data_dir, read_bytes
from bba.kitchen import Layout

LEFT_OUT = re.compile(
    rb'^[ ]*r?"""(?:[^"\\]|\\.|"(?!""))*"""[ ]*\n'  # a docstring: a text that is a statement of its own
    rb"|^[ ]*#.*\n"
    rb'|(?<=description=)"(?:[^"\\\n]|\\.)*"',
    re.MULTILINE,
)


def deciding_text(source: bytes) -> bytes:
    """Returns a Python source file without what cannot change a game."""
    return LEFT_OUT.sub(b"", source)


DECIDING = ("config", "kitchen", "belief", "planner", "agents", "play")  # packages
# Modules and packages among these that no game that is played without a screen asks: drawing, the interfaces of other
# libraries, forks, and files of recordings.
SHOWING = (
    "kitchen/render/",
    "kitchen/env.py",
    "config/table.py",
    "play/env.py",
    "play/seat_env.py",
    "play/fork.py",
    "play/fork_presets.py",
    "play/replay.py",
    "play/recording",
    "play/usage_file.py",
)
MEASURING = ("measures", "measured_span", "coordination", "role_changes", "switch_responses")  # of `bba.analysis`


@cache
def code_digest() -> str:
    """Returns 16 hex digits: the digest of the sources and prompts that decide a game and its measures.

    Drawing, display and the texts of docstrings, comments and help are left out: they change no game.
    """
    package = Path(bba.__file__).parent
    sources = [file for name in DECIDING for file in (package / name).rglob("*.py")]
    sources = [file for file in sources if not file.relative_to(package).as_posix().startswith(SHOWING)]
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted([*sources, *(package / "analysis" / f"{name}.py" for name in MEASURING)]):
        digest.update(file.relative_to(package).as_posix().encode() + deciding_text(file.read_bytes()))
    digest.update(folder_digest(data_dir("configs/prompts")).encode())
    return digest.hexdigest()


def folder_digest(folder: Path) -> str:
    """Returns 16 hex digits: the digest of the prompt templates in a folder."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(folder.glob("*.md")):
        digest.update(file.name.encode() + file.read_bytes())
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
    """Returns the versions of this program, of Python and of the libraries that compute, and the `machine` in words."""
    own = {"bba": bba.__version__, "python": platform.python_version()}
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
