"""Results name the version of the behaviour that played them: a panel of games forces it up when they change."""

import json
import re

from bba.bench.episode import BEHAVIOURS, code_digest
from tests.helpers import behaviour_panel


def test_the_panel_of_games_is_that_of_this_version():
    kept, found = json.loads(behaviour_panel.FILE.read_text()), behaviour_panel.panel()
    changed = [name for name in found.keys() | kept["panel"].keys() if found.get(name) != kept["panel"].get(name)]
    append = f'append "{behaviour_panel.version_of(found)}" to BEHAVIOURS'
    assert not changed, f"changed: {changed}. If meant, {append}, then: python -m tests.helpers.behaviour_panel"
    assert kept["behaviour"] == code_digest()


def test_each_version_has_a_name_of_its_own():
    assert len(set(BEHAVIOURS)) == len(BEHAVIOURS)
    assert all(re.fullmatch("[0-9a-f]{16}", version) for version in BEHAVIOURS)
