"""Traces made by hand, short enough to work out."""

import numpy as np

from bba.agents import Decision, Profile
from bba.belief import BeliefUpdate, GateResult
from bba.kitchen import Kitchen, Layout, Skill
from bba.kitchen.constants import COMPLETED, EVENT, SCORE, STEP
from bba.planner import LLMCall
from bba.play import GameConfig, Tick, Trace

PROTEIN, RICE, PLATES, FILL = Skill.GRAB_MEAT, Skill.GRAB_RICE, Skill.GRAB_DIRTY_PLATE, Skill.GET_BOILED_RICE
ROLE = {PROTEIN: 0, RICE: 1, PLATES: 2, FILL: 3}


def tick(ego, partner, *, believed=0, sure=0.9, contradiction=False, chosen=False, replanned=False, completes=False):
    """One step: what both ran, what the observer believed (a role) and whether it was contradicted.

    `completes` says whether the partner completes its skill.
    """
    row = Kitchen("open").state.copy()
    row[EVENT + 1], row[COMPLETED + 1] = int(partner), completes
    posterior = [(1 - sure) / 5] * 6
    posterior[believed] = sure
    reading = BeliefUpdate(believed, sure, 9, 0.5, (0.5,), tuple(posterior), believed, 9, False)
    gate = GateResult(contradiction, True, True, True, True, 0.01 if contradiction else 0.5)
    calls = (LLMCall("plan", (), "", 2, skill=int(ego)),) if chosen else ()
    decisions = (
        Decision(int(ego), chosen=chosen, replanned=replanned, calls=calls),
        Decision(int(partner)),
    )
    return Tick(row, (4, 4), (int(ego), int(partner)), (0, 0), (None, None), decisions, reading, gate)


def trace(*ticks):
    config = GameConfig(
        Layout.load("open"), (Profile("ego", "scripted"), Profile("partner")), 0, len(ticks), (1.0, 1.0), 30
    )
    for step, each in enumerate(ticks, 1):
        each.state[STEP] = step
        each.state[SCORE] = 88
    return Trace(config, np.zeros_like(Kitchen("open").state), list(ticks))
