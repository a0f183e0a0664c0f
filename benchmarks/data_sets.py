"""`python -m benchmarks.data_sets`: makes the sets of recordings that ship anew, in `assets/data`.

The pairs are games without a language model. The people are simulated: participants of the study in
`assets/data/people/study.toml`, of which the recordings are kept, one a game.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from bba.kitchen import Layout
from bba.play import Game, record, save
from tui.cli import main as command_line

PAIRS = (
    ("bayes", "switching"),
    ("bayes-commit", "switching+locked"),
    ("bayes-no-belief", "switching"),
    ("proagent", "bayes"),
    ("hypothetical-minds", "switching"),
    ("switching", "switching"),
)
SEED, HORIZON = 600, 1200  # of the pairs; the seed of the first one, each has its own
PARTICIPANTS = 4
TUTORIAL = "tutorial"


def main() -> None:
    """Plays all games and writes their recordings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data_sets", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("assets/data"))
    arguments = parser.parse_args()
    for name, game in pairs():
        save(record(game.run()), arguments.out / "pairs" / f"{name}.bba")
    with tempfile.TemporaryDirectory() as name:
        for recording in recordings_of_people(arguments.out / "people" / "study.toml", Path(name) / "study"):
            shutil.copyfile(recording, arguments.out / "people" / recording.name.lower())


def pairs() -> Iterator[tuple[str, Game]]:
    """Yields the games of the pairs with their names, before their first step."""
    for number, (layout, (ego, partner)) in enumerate(product(Layout.names(), PAIRS)):
        yield f"{layout}-{ego}-{partner}", Game(layout, ego, partner, SEED + number, horizon=HORIZON, fast=True)


def recordings_of_people(study: Path, folder: Path) -> Iterator[Path]:
    """Lets simulated people take part in the study, in this folder; yields the recordings of their games."""
    words = ["study", "simulate", str(study), "--participants", str(PARTICIPANTS), "--workers", "1"]
    code = command_line([*words, "--out", str(folder)])
    if code != 0:
        sys.exit(code)
    for recording in sorted((folder / "recordings").glob("*.bba")):
        if TUTORIAL not in recording.name:
            yield recording


if __name__ == "__main__":
    main()
