"""The choices of people in recorded games, and how belief and gates follow them."""

import numpy as np
import pytest

from bba.agents.learned.agent import role_after
from bba.analysis.coordination import gate_counts
from bba.analysis.human_choices import choices_of, joined, role_changes, with_inferred_skills
from bba.belief import NO_ROLE
from bba.kitchen import constants
from bba.kitchen.constants import COMPLETED, EVENT
from bba.play.ticks import step_arrays
from tests.helpers.typist import played_by_hand


@pytest.fixture(scope="module")
def trace():
    return with_inferred_skills(played_by_hand(200, schedule=((0, 0), (60, 1), (120, 2))))


def test_every_completion_is_a_choice_with_its_pause_and_duration(trace):
    choices = choices_of(trace, 1, "1")
    done = [tick for tick in trace.ticks if tick.state[COMPLETED + 1]]
    assert len(choices.skills) + choices.left_out == len(done) > 10
    assert choices.left_out == 0
    assert choices.skills.tolist() == [tick.state[EVENT + 1] for tick in done]
    assert choices.durations.sum() == done[-1].step
    stays = sum(tick.actions[1] == constants.ACTION_STAY for tick in trace.ticks[: done[-1].step])
    assert choices.pauses.sum() == stays
    assert choices.masks[np.arange(len(choices.skills)), choices.skills].all()
    assert not choices.masks[:, constants.SKILL_STAY].any()


def test_the_last_input_is_the_role_of_the_work_before(trace):
    choices, role = choices_of(trace, 1, "1"), NO_ROLE
    for inputs, skill, switches in zip(choices.inputs, choices.skills, choices.switches, strict=True):
        assert inputs[-7:].tolist() == [float(one == role % 7) for one in range(7)]
        after = role_after(role, int(skill))
        assert switches == (role != NO_ROLE and after != role)
        role = after
    assert 2 <= choices.switches.sum() < len(choices.switches)
    assert len(joined([choices, choices]).skills) == 2 * len(choices.skills)


def test_gates_are_counted_against_the_switches(trace):
    contradiction, commitment = gate_counts(trace)
    for found in (contradiction, commitment):
        assert found.switches == len(role_changes(step_arrays(trace.ticks))) >= 2
        assert found.caught_10 <= found.caught_30 <= found.switches
        assert found.needless <= found.openings
    opens = [bool(tick.observer_gate and tick.observer_gate.opens) for tick in trace.ticks]
    assert contradiction.openings == sum(
        now and not before for before, now in zip([False, *opens], opens, strict=False)
    )
