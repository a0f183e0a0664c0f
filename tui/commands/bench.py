"""The command `bench`."""

from bba.config import EpisodeOptions, SkillOptions
from bba.settings import FirstSeed, ModelNames, PluginOptions
from tui.arguments.options import (
    AsJson,
    CommandOptions,
    ExportFile,
    Force,
    LayoutNames,
    ManyGames,
    Out,
    Repeats,
    Seeds,
    SpendingOptions,
    Spreadsheet,
    SweepOptions,
)


class Bench(SweepOptions, SpendingOptions, PluginOptions, EpisodeOptions, SkillOptions, ManyGames, CommandOptions):
    """Options of `bench`."""

    benchmark: str = "quick"
    models: ModelNames = None
    repeats: Repeats = 1
    layouts: LayoutNames = None
    seeds: Seeds = 1
    seed: FirstSeed = 0
    out: Out = None
    as_json: AsJson = False
    export: ExportFile = None
    force: Force = False
    spreadsheet: Spreadsheet = False


def bench(options: Bench) -> None:
    """Play a benchmark and print its tables.

    Raises:
        BBAError: an option that does not apply, results that cannot be stored, or episodes that failed.
    """
    from tui.commands.sweep import play_sweep

    play_sweep(options)
