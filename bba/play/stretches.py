"""Plays the stretches of one game between the choices of its agents (`bba.belief.stretch`)."""

from typing import Any, NamedTuple

import numpy as np

from bba.agents import Belief, Decision
from bba.agents.continuing import Continuation
from bba.belief import CONDITIONS, PartnerModel
from bba.belief.partner_model import partner_update
from bba.belief.reading import CONFIDENCE_NOW, GATE, MAP_NOW
from bba.belief.stretch import NOBODY, OBSERVER, Rows, Watchers, new_rows, play_stretch
from bba.kernels import compiled
from bba.kitchen.controller import SKILL, SkillRuns
from bba.kitchen.grid import Grid
from bba.kitchen.state import HEADER, STEP, StateVector
from bba.play.step_arrays import StepArrays
from bba.play.trace import EGO, Tick

ROWS = 512  # steps for which memory is taken at a time
NO_EXPECTATION = np.empty(0)
_CONTRADICTED = GATE + CONDITIONS.index("contradiction")  # in a reading


class Stretch(NamedTuple):
    """Steps that were played in one compiled call.

    Attributes:
        steps: how many they are, 0 or more.
        rows: what was played, a row a step.
        decisions: of both players in every step, but for belief and gates.
        hypotheses: the number of them in the model of player 0, player 1 and the observer; 0 for no model.
    """

    steps: int
    rows: Rows
    decisions: tuple[Decision, Decision]
    hypotheses: tuple[int, int, int]

    def tick(self, step: int) -> Tick:
        """Returns one of its steps, 0 for the first."""
        rows = self.rows
        first, second = (self._decision(step, player) for player in (0, 1))
        observer, gate, commitment = partner_update(rows.readings[step, OBSERVER], self.hypotheses[OBSERVER])
        return Tick(
            state=rows.states[2 + step],
            actions=_pair(rows.actions[step]),
            skills=_pair(rows.skills[step]),
            ages=_pair(rows.ages[step]),
            ended=(None, None),
            decisions=(first, second),
            observer=observer,
            observer_gate=gate,
            observer_commitment=commitment,
        )

    def write_to(self, arrays: StepArrays, first: int) -> None:
        """Writes its steps to arrays, from the place `first` on."""
        rows, decision = self.rows, self.decisions[EGO]
        to, played = slice(first, first + self.steps), slice(self.steps)
        readings = rows.readings[played, OBSERVER]
        arrays.states[to] = rows.states[2 : 2 + self.steps, :HEADER]
        arrays.skills[to] = rows.skills[played]
        arrays.believed[to] = readings[:, MAP_NOW]
        arrays.confidence[to] = readings[:, CONFIDENCE_NOW]
        arrays.contradicted[to] = readings[:, _CONTRADICTED]
        if decision.chosen or decision.replanned:
            arrays.chosen[to], arrays.replanned[to] = decision.chosen, decision.replanned
            arrays.commits[to] = decision.commits

    def belief(self, step: int, watcher: int) -> Belief | None:
        """Returns what player 0, player 1 or the observer believed before a step; None without a model."""
        size = self.hypotheses[watcher]
        return partner_update(self.rows.readings[step, watcher], size) if size else None

    def _decision(self, step: int, player: int) -> Decision:
        found = self.belief(step, player)
        if found is None:
            return self.decisions[player]
        belief, gate, commitment = found
        return self.decisions[player]._replace(belief=belief, gate=gate, commitment=commitment)


def _pair(row: Any) -> tuple[int, int]:
    first, second = row.tolist()
    return first, second


class PlayedOn(NamedTuple):
    """What was played.

    Attributes:
        stretch: the steps.
        beliefs: what the players believe now; None for one without a model.
        observer: what the observer believes now; None if the models have not taken in the last actions yet.
    """

    stretch: Stretch
    beliefs: tuple[Belief | None, Belief | None] = (None, None)
    observer: Belief | None = None


class StretchPlayer:
    """Plays a game's stretches.

    Args:
        grid: the kitchen.
        observer: the passive observer's model.
        timeout: steps after which a skill ends unfinished.
    """

    def __init__(self, grid: Grid, observer: PartnerModel, timeout: int) -> None:
        self._grid, self._observer, self._timeout = grid, observer, timeout
        self._play = compiled(play_stretch, allocates=False)
        self._used = self._width = 0
        self._rows = new_rows(0, 0, 0)
        self._key: list[tuple[object, ...]] = []
        self._known: Watchers | None = None

    def play(
        self,
        before: StateVector,
        state: StateVector,
        runs: SkillRuns,
        continuations: tuple[Continuation, Continuation],
        until: int,
    ) -> PlayedOn | None:
        """Plays on from a state, at most to the step `until`, and changes `runs`; None if somebody has to be asked."""
        first, second = continuations
        steps = min(first.until, second.until, until) - int(state[STEP])
        if steps <= 0:
            return None
        models = (first.model, second.model, self._observer)
        self._make_room(len(state), max(model.reading_size for model in models if model))
        rows = self._rows.between(self._used, min(self._used + steps, len(self._rows.actions)))
        rows.states[0], rows.states[1] = before, state
        skills = runs[:, SKILL].tolist()
        played, observed = self._play(
            self._grid, rows, runs, self._watchers(continuations), NO_EXPECTATION, len(rows.actions), self._timeout
        )
        self._used += played + 2
        decisions = first.decision._replace(skill=skills[0]), second.decision._replace(skill=skills[1])
        sizes = [len(model.hypotheses.names) if model else 0 for model in models]
        stretch = Stretch(played, rows, decisions, (sizes[0], sizes[1], sizes[2]))
        if not observed:
            return PlayedOn(stretch)
        beliefs = stretch.belief(played, 0), stretch.belief(played, 1)
        return PlayedOn(stretch, beliefs, stretch.belief(played, OBSERVER))

    def _make_room(self, state_size: int, width: int) -> None:
        """Takes new memory if there is none for the next steps."""
        if self._used + 2 >= len(self._rows.actions) or width != self._width:
            self._rows, self._used, self._width = new_rows(ROWS, state_size, width), 0, width

    def _watchers(self, continuations: tuple[Continuation, Continuation]) -> Watchers:
        """Returns who watches whom, made anew only if it differs from the last stretch."""
        # A model that is reconfigured has other arrays and another configuration, which may equal the one before.
        key: list[tuple[object, ...]] = [
            (one.model, one.model and id(one.model.belief_config), *one[3:]) for one in continuations
        ]
        if self._known is None or key != self._key:
            self._key, self._known = key, self._new_watchers(continuations)
        return self._known

    def _new_watchers(self, continuations: tuple[Continuation, Continuation]) -> Watchers:
        first, second = continuations
        models = first.model or self._observer, second.model or self._observer, self._observer
        watched = [model.partner if one.model else NOBODY for model, one in zip(models, continuations, strict=False)]
        return Watchers(
            (models[0].state, models[1].state, models[2].state),
            np.array([*watched, self._observer.partner]),
            np.array([first.interrupted_by, second.interrupted_by]),
            np.array([first.learns, second.learns]),
        )
