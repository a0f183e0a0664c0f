"""Declarations of a person, compared with the belief about it."""

from bba.agents import Controls, HumanAgent, load_agent
from bba.analysis.replans import Declaration, declarations
from bba.analysis.snapshot import belief_snapshot
from bba.play import Game


def played(said: dict[int, int]) -> Game:
    """A game in which a person stands still and declares roles, by step."""
    controls = Controls()
    game = Game("open", load_agent("bayes"), HumanAgent(controls), 0, horizon=60, mobility=(0.35, 1.0))
    while not game.done:
        if (role := said.get(len(game.trace.ticks) + 1)) is not None:
            controls.declare(role)
        game.step()
    return game


def test_each_counts_until_the_next_and_is_compared_with_the_belief():
    silent = played({}).trace
    best = [belief_snapshot(silent, step).belief.map_index for step in range(1, 61)]
    other = (best[20] + 1) % 6
    assert declarations(played({11: best[20], 31: other}).trace) == [
        Declaration(11, best[20], 20, best[10:30].count(best[20])),
        Declaration(31, other, 30, best[30:].count(other)),
    ]


def test_who_says_nothing_has_none():
    game = Game("open", load_agent("bayes"), HumanAgent(Controls()), 0, horizon=3, mobility=(0.35, 1.0))
    assert declarations(game.run()) == []
