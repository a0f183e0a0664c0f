"""The compiled kernels: bounds, caching, errors."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bba.kitchen import Kitchen, Layout
from bba.kitchen.constants import STEP
from tests.helpers.random_kitchens import SkillPlay

PLAY = """
import numpy as np
from bba.kitchen import Layout
from bba.kitchen.batch import KitchenBatch

rng = np.random.default_rng(0)
STEPS = 2000
for name in Layout.names():
    batch = KitchenBatch(name, 8, mobility=(0.35, 1.0))
    for step in range(STEPS):
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
    for step in range(STEPS):
        batch.step(rng.integers(0, 6, (8, 2)))
        batch.observe()
    batch.states[0, batch.states.shape[1] // 2 :] = 0
try:
    batch._step(batch.grid, batch.states, np.full((4, 2), 5, np.int32))
except IndexError:
    print("checked")
"""


@pytest.mark.parametrize("name", Layout.names())
def test_no_plain_kernel_reads_or_writes_out_of_bounds(name: str) -> None:
    """NumPy raises IndexError at the first; that compiled kernels do as plain ones do is tested elsewhere."""
    kitchen, rng = Kitchen(name, mobility=(0.35, 1.0)), np.random.default_rng(0)
    for first, second in rng.integers(0, 6, (200, 2)).tolist():
        kitchen.advance(first, second)
    play = SkillPlay(kitchen, 0)
    for _ in range(60):
        play.step()
    assert kitchen.state[STEP] == 260


@pytest.mark.long
def test_no_kernel_reads_or_writes_out_of_bounds() -> None:
    """Long play with every access checked; the last line makes sure that the check is really on."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    result = subprocess.run(
        [sys.executable, "-c", PLAY],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "checked\n", result.stderr


def test_playing_plain_does_not_import_the_compiler() -> None:
    code = (
        "import sys; from bba.kitchen import Kitchen; k = Kitchen('open'); k.step((0, 5)); k.mask(0); k.scene();"
        "print('numba' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert result.stdout == "False\n", result.stderr
