"""The scripts for a cluster, run as SLURM runs them: with its variables, one task after the other."""

from pathlib import Path

import pytest

from bba import load_results
from tests.helpers.shell_scripts import run_in

ROOT = Path(__file__).parents[2]
CLUSTER = ROOT / "examples" / "cluster"


@pytest.fixture
def on_node(tmp_path):
    """Runs a script as a task of an array; returns the folder of results."""

    def run(script, *words, task=0):
        run_in(tmp_path, ["bash", CLUSTER / script, *words], SLURM_ARRAY_TASK_ID=str(task), SLURM_CPUS_PER_TASK="1")
        return tmp_path / "results"

    return run


@pytest.mark.thorough
def test_the_tasks_of_an_array_play_seeds_of_their_own_and_are_put_together(on_node):
    for task in (0, 1):
        results = on_node("sweep.sbatch", "quick", "2", "--horizon", "10", "--layouts", "open", task=task)
    games = {part: len(load_results(part).episodes) for part in (results / "quick-parts").iterdir()}
    for _ in range(2):  # who puts them together again plays nothing anew, either
        on_node("merge_parts.sh", "quick", "4", "--horizon", "10", "--layouts", "open")
    stored = load_results(results / "quick-all")
    assert len(stored.episodes) == sum(games.values()), "nothing was played anew"
    whole = max(stored.sweeps, key=lambda sweep: len(sweep.entries))
    assert {entry.seed for entry in whole.entries} == {0, 1, 2, 3}
    assert len(whole.results) == len({entry.key for entry in whole.entries})
    command = ["bba-tui", "bench", "quick", "--seeds", "4", "--horizon", "10", "--layouts", "open", "--out", "at-once"]
    run_in(results.parent, [*command, "--workers", "1"])
    (at_once,) = load_results(results.parent / "at-once").sweeps
    assert without_times(whole.rows) == without_times(at_once.rows)


def without_times(rows):
    """The rows of a sweep without what depends on the machine."""
    return [{name: value for name, value in row.items() if not name.endswith("seconds")} for row in rows]


def test_the_image_and_the_environment_install_extras_that_there_are():
    extras = (ROOT / "pyproject.toml").read_text("utf-8").split("[project.optional-dependencies]")[1]
    for name in ("Containerfile", "environment.yml"):
        text = (CLUSTER / name).read_text("utf-8")
        for extra in text.partition("[report")[2].partition("]")[0].split(","):
            assert f"\n{extra or 'report'} = [" in extras
