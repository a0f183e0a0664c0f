"""All options of the command line by group; a command's own model puts groups and single options together.

Options that describe a game stand in `bba.settings`.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import CliDualFlag

from bba.config import (
    REAL_TIME,
    CommitmentConfig,
    ConditionName,
    Count,
    EngineName,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
    StepsOrNone,
    ThemeName,
    Workers,
)
from bba.settings import (
    AgentName,
    FirstSeed,
    GameOptions,
    LayoutName,
    ModelNames,
    PlannedOptions,
    PlayerOptions,
    PluginOptions,
    SeatOptions,
)

FILM_SPEED = 10.0  # steps a second, whatever the speed of the game was
StepsASecond = Annotated[float, Field(ge=1, le=50)]

# Whom watch, play and the start screen open with (`tui.playback.shown_pair`), and by kitchen a game in which the ego
# soon changes its plan since its partner turns to other work.
SHOWN_EGO = "bayes-value"
SHOWN_PARTNER = "switching+locked"
SHOWN_SEEDS = {"open": 46, "ring": 44, "forced_coordination": 40}
SHOWN_SEED = SHOWN_SEEDS["open"]  # in other kitchens, too

# What some commands take without the rest of its group.
Seeds = Annotated[int, Field(ge=1, le=10_000, description="how many games, one a seed")]
Record = Annotated[Path | None, Field(description="write the game to this file")]
Force = Annotated[bool, Field(description="write over a file that exists")]
AsJson = Annotated[bool, Field(description="print one JSON object")]
Verbose = Annotated[bool, Field(description="say how far compiling is, too")]
Check = Annotated[
    bool,
    Field(description="only check: walk through a study and store nothing; or say what a folder of prompts lacks"),
]
Spreadsheet = Annotated[
    bool, Field(description="CSV files for spreadsheet programs: marked as UTF-8, and no cell is a formula")
]
Out = Annotated[Path | None, Field(description="where the results go, if not where the command says")]
WorkerCount = Annotated[Workers | None, Field(description="games or trainings at the same time, if not one a core")]
LayoutNames = Annotated[str | None, Field(description="these kitchens, as open,ring")]
Turns = Annotated[bool, Field(description="turn by turn: the world waits for a key")]
Theme = Annotated[ThemeName | None, Field(description="the colours; else those chosen last")]
Egos = Annotated[str | None, Field(description="these egos instead of the usual ones, as bayes,proagent")]
Engine = Annotated[EngineName, Field(description="this machine's cores, or a Ray cluster")]
ClusterAddress = Annotated[str | None, Field(description="a Ray cluster's address, if not this machine alone")]
FailFast = Annotated[bool, Field(description="stop at the first episode that fails")]
Yes = Annotated[bool, Field(description="do not ask before spending more than a dollar")]
Repeats = Annotated[int, Field(ge=1, le=100, description="how many times a model gets each question")]
GamesAgain = Annotated[Count | Literal["all"], Field(description="how many games of a card are played again, or all")]
Participants = Annotated[int, Field(ge=1, le=10_000, description="simulated participants")]
EffectSize = Annotated[
    Annotated[float, Field(gt=0, le=10)] | None,
    Field(description="in standard deviations, if not the study's smallest effect of interest"),
]
FreeText = Annotated[bool, Field(description="with answers in words and reasons, which may tell who somebody is")]
FromStudy = Annotated[
    Path | None,
    Field(description="a study's folder: to train human from its people, or a pilot to plan a study's size"),
]
Duel = Annotated[bool, Field(description="watch two egos in the same game, side by side: two of --agents")]
PlayedIn = Annotated[
    Literal["terminal", "window"] | None,
    Field(description="play yourself, as the partner unless it is --agent human"),
]
Learn = Annotated[bool, Field(description="learn to play in 3 minutes: a first burrito, then an agent that reads you")]
ConfigFile = Annotated[Path | None, Field(description="TOML file with any of these options")]
ReplayFile = Annotated[Path | None, Field(description="show the game in this file")]
ResultsFolder = Annotated[Path | None, Field(description="show the results in this folder, or in those in it")]
StudyFile = Annotated[Path | None, Field(description="take part in the study that this TOML file describes")]
ExportFile = Annotated[
    Path | None,
    Field(
        description="write the game, or the replayed one, as .gif .png .cast .svg .jsonl or .parquet, without a screen"
    ),
]


class CommandOptions(Options):
    """What every command takes."""

    config: ConfigFile = None


class GeneralOptions(Options):
    """What concerns every command."""

    config: ConfigFile = None
    verbose: Verbose = False
    version: bool = Field(False, description="print the version")


class WatchOptions(Options):
    """How a game is shown."""

    speed: StepsASecond = Field(10.0, description="steps a second on the screen")
    real_time: bool = Field(
        REAL_TIME, description="the game goes on while a language model answers, in place of waiting"
    )
    theme: Theme = None
    pause_on: str | None = Field(None, description="pause at these events: replan, contradiction, switch")
    motion: CliDualFlag[bool] = Field(True, description="slide, flicker and flash on the screen; else as chosen last")


class ScreenOptions(WatchOptions, CommandOptions):
    """What every command with a screen may be told of it."""


class WatchedGame(WatchOptions, GameOptions):
    """A game on the screen."""


class TwoEgos(GameOptions):
    """Two games that differ in the ego."""

    agents: Egos = None


class ShownPair(SeatOptions):
    """The cooks that a game opens with where it is there to be looked at."""

    agent: AgentName = SHOWN_EGO
    partner: str = Field(SHOWN_PARTNER, description=SeatOptions.model_fields["partner"].description)


class ChosenGame(ShownPair, WatchedGame, TwoEgos):
    """A game as the start screen asks for it."""

    seed: FirstSeed = SHOWN_SEED
    turns: Turns = False


class DuelGame(WatchedGame, TwoEgos):
    """Two games that differ in the ego, on the screen."""


class RecordOptions(Options):
    """Where a game is recorded."""

    record: Record = None
    force: Force = False


class PlainOptions(Options):
    """How a game is described where no screen is seen."""

    plain: bool = Field(False, description="lines of text in place of the screen; by itself where there is no terminal")


class ShownGame(PlainOptions, RecordOptions, ScreenOptions):
    """How a game is shown, and where it is recorded."""


class FilmOptions(Options):
    """What of a game is written, and how."""

    export_steps: str | None = Field(None, description="these steps only, as 100:300 or 1:2400:2")
    film_speed: StepsASecond = Field(FILM_SPEED, description="steps a second of a .gif or .cast")


class ScreenlessGame(FilmOptions, RecordOptions, TwoEgos):
    """A game without a screen, or two that differ in the ego."""

    verbose: Verbose = False


class PeopleOptions(Options):
    """How people play."""

    turns: Turns = False
    mind: bool = Field(False, description="show the agent's belief and gate at once")
    bell: bool = Field(False, description="ring the bell at a delivery, a lost order and a fire")


class KitchenOptions(Options):
    """How a kitchen is made of a layout of another project."""

    fill: bool = Field(False, description="place what the kitchen lacks on its counters")


class FileOptions(Options):
    """Files and numbers that several commands take."""

    seed: FirstSeed = 0
    seeds: Seeds = 1
    record: Record = None
    force: Force = False
    as_json: AsJson = False
    spreadsheet: Spreadsheet = False
    out: Out = None
    workers: WorkerCount = None
    layouts: LayoutNames = None


class SomeKitchens(Options):
    """One kitchen, or several."""

    layout: LayoutName = "open"
    layouts: LayoutNames = None


class SweepOptions(Options):
    """What of a benchmark is played, and where."""

    agents: Egos = None
    partners: str | None = Field(None, description="these partners, groups or family, as switching, G1, scratch")
    condition: ConditionName | None = Field(
        None,
        description="language models: preprint (strict prompts, the last turns, text, asked always; that of the "
        "preprint's benchmarks) or ours",
    )
    engine: Engine = "local"
    address: ClusterAddress = None
    accept_code: Annotated[str, Field(pattern=r"^[0-9a-f]{16}(,[0-9a-f]{16})*$")] | None = Field(
        None, description="count the results of this version of the behaviour, too; tables say so"
    )
    fail_fast: FailFast = False
    keep_recordings: bool = Field(False, description="store each game's recording, too, as with a language model")


class ManyGames(PlayerOptions):
    """How the games of a benchmark are played."""

    engine: Engine = "local"
    address: ClusterAddress = None
    fail_fast: FailFast = False
    workers: WorkerCount = None


class SpendingOptions(Options):
    """What is asked before a language model is paid."""

    yes: Yes = False
    dry_run: bool = Field(False, description="only say what would be asked, its price, and how long games take here")


class ModelsOptions(Options):
    """Which language models are asked, and how often."""

    models: ModelNames = None
    repeats: Repeats = 1
    batch: bool = Field(False, description="exam: send all questions at once, at half the price, answered within a day")
    shuffle: bool = Field(False, description="exam: draw the order of the valid actions for each question")


class TranscriptOptions(Options):
    """Which exchanges with language models are shown."""

    search: str | None = Field(None, description="transcripts: only those in which this is said")
    problem: bool = Field(False, description="transcripts: only those whose answer could not be used")
    show: str | None = Field(None, description="transcripts: in full, by number or question, as 3,17; compares several")


class ScoreOptions(Options):
    """How much of a frozen benchmark is played, or played again."""

    size: str = Field("quick", description="quick or full")
    again: GamesAgain = 8


class StudyOptions(Options):
    """Who takes part in a study."""

    participant: str | None = Field(None, description="the participant's code; else it is asked for")
    check: Check = False
    exclude: str | None = Field(None, description="exclude this participant; their place is free again")
    why: str | None = Field(None, description="the reason for --exclude, in the tables")
    include: str | None = Field(None, description="undo the exclusion of this participant")
    readmit: str | None = Field(None, description="let this participant go on in another browser, once")


class StudyPlanningOptions(Options):
    """What is planned before a study has data, and what of it reviewers get."""

    participants: Participants = 100
    effect: EffectSize = None
    free_text: FreeText = False


class StudyTableOptions(Options):
    """Which tables of a study are written."""

    anonymous: bool = Field(False, description="without codes, free text and dates")
    withdraw: str | None = Field(None, description="first delete everything about the participant with this code")


class ServingOptions(Options):
    """How the app is served in the browser."""

    sessions: Annotated[int, Field(ge=1, le=100)] = Field(4, description="visitors at the same time")
    monitor: str | None = Field(None, description="a page for a study's researchers at HOST:PORT, as 127.0.0.1:8001")
    idle: Annotated[float, Field(ge=0.1, le=1440)] = Field(
        15.0, description="minutes without a key after which a visitor, once warned, leaves the place"
    )
    token_file: Path | None = Field(None, description="keep the link's secret in this file, made if missing")
    public_url: str | None = Field(
        None, description="the address that visitors use, as https://study.example.org, if another one"
    )


class TrainingOptions(Options):
    """What policies are trained on."""

    from_study: FromStudy = None
    train_steps: Count | None = Field(None, description="steps of the kitchen that a policy trains on")


class PromptOptions(Options):
    """Of which step a prompt is shown."""

    step: StepsOrNone = Field(0, description="the step up to which it plays")
    scene: Path | None = Field(None, description="TOML file with a scene made by hand to ask in, instead of a game")


class ReproductionOptions(Options):
    """What a program behind the documents is given."""

    arguments: str = Field("", description="its own options, one line in quotes")


class FlatOptions(Options):
    """Options that stand for a command where none is named, or that name what another command takes."""

    duel: Duel = False
    play: PlayedIn = None
    learn: Learn = False
    replay: ReplayFile = None
    results: ResultsFolder = None
    study: StudyFile = None
    headless: bool = Field(False, description="play without a screen and print a summary")
    export: ExportFile = None
    serve: str | None = Field(None, description="serve in the browser at HOST:PORT; if bare, 127.0.0.1:8000")
    report: Path | None = Field(None, description="write report.html about the benchmark or study in this folder")
    sweep: str | None = Field(None, description="play a benchmark: a name or a .toml file; if bare, quick")
    list_all: bool = Field(False, description="print the kitchens, agents and planners there are")


# Titles of the help, each with the models of its options.
GROUPS: Mapping[str, tuple[type[Options], ...]] = MappingProxyType(
    {
        "game": (SeatOptions, PlannedOptions, EpisodeOptions, SkillOptions),
        "screen": (WatchOptions, PlainOptions, PeopleOptions),
        "files": (FileOptions, KitchenOptions, FilmOptions, PromptOptions),
        "benchmark": (
            SweepOptions,
            SpendingOptions,
            ModelsOptions,
            ScoreOptions,
            TranscriptOptions,
            ReproductionOptions,
        ),
        "belief and gate": (NamedOptions, GateConfig, CommitmentConfig, FilterConfig),
        "planner": (PlannerOptions, RolloutOptions),
        "language model": (LanguageModelOptions,),
        "studies and serving": (StudyOptions, StudyPlanningOptions, StudyTableOptions, ServingOptions),
        "training": (TrainingOptions,),
        "plug-ins": (PluginOptions,),
        "general": (GeneralOptions,),
        "commands as options": (FlatOptions,),
    }
)

# option: what it is, of all options
OPTION_FIELDS: Mapping[str, FieldInfo] = MappingProxyType(
    {name: field for models in GROUPS.values() for model in models for name, field in model.model_fields.items()}
)
