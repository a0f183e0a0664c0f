"""A program that runs with one more parameter and prints, as JSON, where it is found.

The parameter is one line, put into the source of `bba.config.belief` while that module is imported. Everything else is
the program as it is. `python -m tests.helpers.one_more_parameter FOLDER`
"""

import contextlib
import importlib.machinery
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

MODULE, BEFORE = "bba.config.belief", "    theta_obs: Annotated["
LINE = (
    '    dummy: Annotated[float, Field(ge=0, le=1, description="gate: a dummy"), '
    'ParameterInfo("δ", "dummy", PERCENT, step=0.1)] = 0.5\n'
)


class OneMoreLine(importlib.machinery.SourceFileLoader):
    """Loads a module from its source with `LINE` in it; never from or into a cache."""

    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text(encoding="utf-8")
        assert source.count(BEFORE) == 1
        return compile(source.replace(BEFORE, LINE + BEFORE), self.path, "exec")


class Finder:
    """Finds that module before anybody else does."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name == MODULE else None
        if spec is not None:
            spec.loader = OneMoreLine(name, str(spec.origin))
        return spec


def options(folder: Path) -> dict[str, Any]:
    """Help, command line, environment and file."""
    from bba.errors import BBAError
    from tests.helpers.command_line import parsed
    from tui.cli import main

    found: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as text:
        main(["--help-all"])
    found["help"] = " ".join(text.getvalue().split())
    (folder / "mine.toml").write_text("dummy = 0.2\n")
    found["file"] = parsed(["--config", str(folder / "mine.toml")]).model_dump()["dummy"]
    os.environ["BBA_DUMMY"] = "0.3"
    found["environment"] = parsed(["--config", str(folder / "mine.toml")]).model_dump()["dummy"]
    found["command line"] = parsed(["--dummy", "0.4"]).model_dump()["dummy"]
    try:
        parsed(["--dummy", "2"])
    except BBAError as error:
        found["mistake"] = str(error)
    return found


def game(folder: Path) -> dict[str, Any]:
    """Agent, recording and exported columns."""
    from bba.analysis.trace_table import TRACE_COLUMNS, rows
    from bba.play import load, record, save
    from bba.tabular import data_dictionary
    from tests.helpers.command_line import parsed
    from tui.game_factory import make_game

    trace = make_game(parsed(["--dummy", "0.4", "--horizon", "2"]), 0, fast=False).run()
    save(record(trace), folder / "game.bba")
    profile = load(folder / "game.bba").config.seats[0]
    gate: Any = profile.belief_config.gate if profile.belief_config else None
    return {
        "recording": gate.dummy,
        "columns": [row["p0_dummy"] for row in rows(trace)],
        "dictionary": data_dictionary(TRACE_COLUMNS),
    }


def sweep() -> dict[str, Any]:
    """A variant, its heading in the tables, its episode, and the command that plays the episode again."""
    from bba.agents import SeatSpec
    from bba.bench.plan import plan_sweep
    from bba.bench.tables import table_blocks
    from bba.report.appendix import command_of
    from tests.helpers.tiny_sweeps import sweep

    table = {"rows": ["variant"], "columns": ["agent"]}
    made = plan_sweep(sweep(agents=["bayes"], seeds=1, variants=[{"dummy": 0.1}], table=table), SeatSpec())
    (episode,) = made.episodes.values()
    return {
        "heading": table_blocks(made.sweep, made.entries, {})[0].rows[0]["variant"],
        "episode": json.loads(episode.spec)["seats"][0]["belief_config"]["gate"]["dummy"],
        "command": command_of(episode),
    }


def screen() -> dict[str, Any]:
    """The panel "tuning", what is noted of a change, and what a number field says of a wrong number."""
    from bba.config import BeliefConfig, differences, markdown_table
    from tui.widgets.form_fields import problem_of
    from tui.widgets.tuning import Slider, TuningPanel

    sliders = [one for one in TuningPanel().compose() if isinstance(one, Slider)]
    default = BeliefConfig()
    return {
        "sliders": [one.label for one in sliders],
        "change": differences(default, default.changed({"dummy": 0.6})),
        "problem": problem_of("dummy", "2"),
        "document": markdown_table(),
    }


if __name__ == "__main__":
    sys.meta_path.insert(0, Finder)
    where = Path(sys.argv[1])
    sys.stdout.write(json.dumps(options(where) | game(where) | sweep() | screen()))
