"""`python -m benchmarks.shown`: the recordings that ship, which open games until the planner is compiled and loaded.

They are the game that opens in each kitchen, and the same with an ego without a belief, for a duel. A recording has the
kitchen, the ego and the seed in its name. It ends where it would be too large, long after a compiler is done.
"""

import argparse
from pathlib import Path

from bba.play import save
from bba.play.recording import Recorder
from tui.arguments.options import SHOWN_SEEDS, TwoEgos
from tui.game_factory import duelists, make_game
from tui.playback.shown_pair import RECORDINGS

STEPS = {"forced_coordination": 1200}  # of the games that are not recorded to their end


def main() -> None:
    """Plays and records all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shown", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(RECORDINGS))
    parser.add_argument("--kitchens", nargs="*", default=[*SHOWN_SEEDS])
    options = parser.parse_args()
    for kitchen in options.kitchens:
        for seat in duelists(TwoEgos.model_validate({"layout": kitchen})):
            game = make_game(seat, seat.seed, fast=True)
            steps = STEPS.get(kitchen, seat.horizon)
            while len(game.trace.ticks) < steps:
                game.step()
            path = options.out / f"{kitchen}-{seat.agent}-{seat.seed}.bba"
            save(Recorder(game.trace).recording(), path)
            print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
