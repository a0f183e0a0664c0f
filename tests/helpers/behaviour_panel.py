"""A panel of short games that notices a change of the behaviour: of rules, planners, agents, prompts or measures.

Run as a module it writes what the games come to now; `tests/bench/test_behaviour.py` compares.
"""

import hashlib
import json
from pathlib import Path

from bba.agents import SeatSpec, load_agent
from bba.analysis.measures import measure
from bba.bench.episode import code_digest, folder_digest
from bba.config import RolloutOptions
from bba.files import data_dir
from bba.play import Game

FILE = Path(__file__).parents[1] / "bench" / "behaviour.json"
LAYOUTS = ("open", "ring", "forced_coordination", "burrito")
STEPS = 240
SIMULATED = RolloutOptions(futures=4, future_steps=20, candidates=3)
PAIRS = (
    ("bayes", "switching"),
    ("bayes-commit", "switching+locked"),
    ("proagent", "bayes"),
    ("periodic-10", "switching"),
    ("completion-held", "proagent"),
    ("hypothetical-minds", "switching"),
)
LEARNED = (("gamma", "switching"), ("talents", "bp:G1-2"))  # there are no weights for the fourth kitchen


def play(layout: str, ego: str, partner: str, options: SeatSpec, seed: int) -> str:
    """Returns 16 hex digits: the digest of a game's actions, states and measures."""
    game = Game(layout, load_agent(ego, options), partner, seed, horizon=STEPS, fast=True)
    game.run()
    digest = hashlib.blake2b(digest_size=8)
    for tick in game.trace.ticks:
        digest.update(bytes(map(int, tick.actions)) + tick.state.tobytes())
    values = {name: value for name, value in measure(game.trace).items() if value is not None and "seconds" not in name}
    digest.update(json.dumps({name: f"{value:.9g}" for name, value in sorted(values.items())}).encode())
    return digest.hexdigest()


def panel() -> dict[str, str]:
    """Returns the digest of each game, and that of the prompts, by name."""
    found = {"prompts": folder_digest(data_dir("configs/prompts"))}
    simulated = SeatSpec(planner="rollout", rollout=SIMULATED)
    for number, layout in enumerate(LAYOUTS):
        for ego, partner in PAIRS if layout == "burrito" else (*PAIRS, *LEARNED):
            found[f"{layout}: {ego}, {partner}"] = play(layout, ego, partner, SeatSpec(), number)
        if layout != "burrito":
            found[f"{layout}: bayes that simulates"] = play(layout, "bayes", "bp:G1-1+locked", simulated, number)
    return found


def version_of(found: dict[str, str]) -> str:
    """Returns 16 hex digits: the name of the behaviour that makes these games."""
    return hashlib.blake2b(json.dumps(found, sort_keys=True).encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    found = panel()
    before = json.loads(FILE.read_text()) if FILE.exists() else None
    if before and before["panel"] != found and before["behaviour"] == code_digest():
        raise SystemExit(f'the games changed: append "{version_of(found)}" to bba.bench.episode.BEHAVIOURS first')
    FILE.write_text(json.dumps({"behaviour": code_digest(), "panel": found}, indent=1) + "\n")
