"""Twenty recorded games of every kind: of people in either seat, of agents, forks, duels, a study's, and old ones."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bba.agents import Controls, HumanAgent, Profile, load_agent
from bba.kitchen.constants import NO_SKILL
from bba.play import Game, Trace, fork, record, save
from human.study.simulation import ScriptedPerson
from tests.helpers.scripted_people import study_of_scripted_people
from tests.helpers.typist import PLAYER, game_of_a_typist, played_by_hand
from tui.arguments.options import WatchedGame
from tui.game_factory import session_request
from tui.learn.lesson import LESSON_STEPS

TESTS = Path(__file__).parents[1]
STEPS = 220
SCHEDULE = ((0, 0), (50, 1), (110, 2), (160, 3))
Make = Callable[[Path], Path]  # is given an empty folder; returns the file of the recording in it


def by_hand(**settings) -> Make:
    """A game of somebody who presses keys in seat 1."""
    return lambda folder: _saved(played_by_hand(STEPS, **{"schedule": SCHEDULE} | settings), folder)


def by_skills(folder: Path) -> Path:
    """A game of a person who now and then picks a skill by number, and lets the program carry it out."""
    game, typist = game_of_a_typist(schedule=SCHEDULE, horizon=STEPS)
    for step in range(STEPS):
        typist.press()
        if step // 40 % 2 and typist.pursued[-1] != NO_SKILL and game.running(PLAYER) == NO_SKILL:
            typist.controls.choose(typist.pursued[-1])
        game.step()
    return _saved(game.trace, folder)


def in_seat_0(folder: Path) -> Path:
    """A game of somebody who wanders about in the ego's seat."""
    controls = Controls()
    game = Game("ring", HumanAgent(controls), "switching", 3, horizon=STEPS)
    return _saved(_wandering(game, controls), folder)


def of_two_people(folder: Path) -> Path:
    """A game of two people, one of whom rests for long."""
    controls = Controls(), Controls()
    game = Game("open", HumanAgent(controls[0]), HumanAgent(controls[1]), 4, horizon=STEPS)
    return _saved(_wandering(game, *controls), folder)


def learned(folder: Path) -> Path:
    """The second part of Learn."""
    game = WatchedGame.model_validate({"partner": "human", "horizon": LESSON_STEPS})
    session = session_request(game, record=folder / "learn.bba").make(None)
    person = ScriptedPerson(session.game, session.controls[PLAYER], SCHEDULE)
    for _ in range(STEPS):
        person.press()
        session.step()
    session.close()
    return session.path


def of_a_study(folder: Path) -> Path:
    """The game of a participant."""
    return next(iter(study_of_scripted_people(folder, people=1).recordings.glob("*.bba")))


def of_agents(ego: str, partner: str = "switching", layout: str = "open", seed: int = 0) -> Make:
    """A game of agents that was watched."""
    return lambda folder: _saved(Game(layout, ego, partner, seed, horizon=STEPS).run(), folder)


def forked(ego: str | None, partner: str | None) -> Make:
    """A person's game that others play on from its middle; None for the one who has played so far."""

    def make(folder: Path) -> Path:
        trace = played_by_hand(STEPS, schedule=SCHEDULE)
        seats = trace.config.seats
        others: tuple[Profile, Profile] = (
            seats[0] if ego is None else load_agent(ego).profile,
            seats[1] if partner is None else load_agent(partner).profile,
        )
        return _saved(fork(trace, STEPS // 2, others).run(), folder)

    return make


def kept(*path: str) -> Make:
    """A recording that lies among the tests."""
    return lambda _: TESTS.joinpath(*path)


def _wandering(game: Game, *controls: Controls) -> Trace:
    """Plays to the end with people who press anything, one after the other, and rest in between."""
    rng = random.Random(game.trace.config.seed)
    while not game.done:
        busy = controls[game.kitchen.steps // 50 % len(controls)]
        if game.kitchen.steps % 50 > 12:
            busy.press(rng.choice((0, 1, 2, 3, 5, 5)))
        game.step()
    return game.trace


def _saved(trace: Trace, folder: Path) -> Path:
    path = folder / "game.bba"
    save(record(trace), path)
    return path


QUICK: dict[str, Make] = {
    "of a person in seat 0": in_seat_0,
    "of agents that replan": kept("screens", "recordings", "bayes-ring-replans.bba"),
}
THOROUGH: dict[str, Make] = {
    "of a person by hand": by_hand(),
    "of a person by skills": by_skills,
    "of Learn": learned,
    "of a study": of_a_study,
    "of two people": of_two_people,
    "of a person on ring beside proagent": by_hand(layout="ring", ego="proagent"),
    "of a person in two rooms": by_hand(layout="forced_coordination", ego="bayes-commit"),
    "of a person without a schedule": by_hand(schedule=None, seed=6),
    "of a person whose partner changes": forked("proagent", None),
    "of a person whom an agent follows": forked(None, "switching"),
    "of agents without a belief": of_agents("proagent"),
    "of a switching ego": of_agents("switching", "bayes", "ring"),
    "of a learned ego": of_agents("gamma", seed=2),
    "watched": kept("screens", "recordings", "bayes-open.bba"),
    "of the commitment gate": kept("screens", "recordings", "bayes-commit-ring.bba"),
    "a future": kept("screens", "recordings", "future-fork.bba"),
    "a duel": kept("screens", "recordings", "duel-open.bba"),
    "of version 3": kept("formats", "recording-v3.bba"),
}
RECORDED = [
    *(pytest.param(make, id=name) for name, make in QUICK.items()),
    *(pytest.param(make, id=name, marks=pytest.mark.thorough) for name, make in THOROUGH.items()),
]
