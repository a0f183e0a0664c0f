"""A benchmark of two short games, in the place of those that ship, and cards of it."""

from bba.agents import SeatSpec
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.score_card import card as protocols
from bba.bench.score_card.card import sealed
from bba.bench.score_card.check import card_episodes, make_card, summary_of
from bba.kitchen import Layout
from bba.kitchen.layout import layout_digest

TEXT = """
title = "A tiny benchmark"
layouts = ["open"]
horizon = 60
measures = ["reward", "skill_accuracy", "switches", "replans", "recovery"]
weights = "{weights}"

[sizes.quick]
first_seed = 100
seeds = 2

[sizes.full]
first_seed = 100
seeds = 3

[partners]
switching = ["switching"]

[kitchens]
open = "{open}"
"""


def install_tiny_benchmark(monkeypatch, folder):
    """Writes the benchmark v1 into a folder, where it is found from now on, and returns it."""
    monkeypatch.setattr(protocols, "PROTOCOL_FOLDER", str(folder))
    file = folder / "v1.toml"
    file.write_text(TEXT.format(weights="", open=""), "utf-8")
    draft = protocols.load_protocol("v1")
    digests = {"weights": protocols.partners_digest(draft), "open": layout_digest(Layout.load("open"))}
    file.write_text(TEXT.format(**digests), "utf-8")
    return protocols.load_protocol("v1")


def play_card(protocol, agent="bayes", options=None):
    """Plays the quick size and returns its card."""
    options = options or SeatSpec()
    plan = plan_sweep(protocol.sweep("quick", agent), options)
    results = {key: play(one, options, keep_recording=True) for key, one in plan.episodes.items()}
    games = card_episodes(protocol, plan, results, lambda key: results[key].recording)
    return make_card(protocol, "quick", plan, list(games))


def forged(card, protocol, *, summed=True, **changes):
    """Returns the card with its first game changed, and a checksum that fits; `summed`: with means that fit, too."""
    first, *rest = card.episodes
    episodes = (first.model_copy(update=changes), *rest)
    summary = summary_of(protocol, episodes) if summed else card.summary
    return sealed(dict(card) | dict(summary) | {"episodes": episodes})
