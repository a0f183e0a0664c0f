"""All options of the command line; each source overrides those before it:

default < file (``--config``) < environment (``BBA_*``) < command line. Options that several packages share are declared
in `bba.config`, all others here.
"""

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    CliDualFlag,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bba.config import (
    REAL_TIME,
    CommitmentConfig,
    Count,
    EngineName,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    Key,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    Seed,
    SkillOptions,
    StepsOrNone,
    ThemeName,
    TriggerName,
    Trimmed,
    Workers,
)
from bba.errors import BBAError, instead
from bba.files import parse_toml

KEYS_TABLE = "keys"  # the table in a file that assigns keys (human.keymap); not an option
FILM_SPEED = 10.0  # steps a second, whatever the speed of the game was
StepsASecond = Annotated[float, Field(ge=1, le=50)]
# Option: field, where a field cannot have the option's name.
SHORT = {"json": "as_json", "list": "list_all", "from": "from_study"}


class SeatOptions(Options):
    """The kitchen and the two cooks."""

    layout: str = Field("open", description="kitchen: a name (see bba-tui list) or a .toml file")
    agent: str = Field("bayes", description="who cook 1 is, the ego: a name, or a plug-in as module:Name")
    partner: str = Field(
        "switching", description="who cook 2 is, its partner; bayes@MODEL is planned for by that model"
    )
    schedule: str | None = Field(None, description="roles of a switching or locked partner, as 0:prep_rice,120:serve")
    trigger: TriggerName | None = Field(
        None, description="what interrupts the ego's skill, if not its agent's own trigger (bayes: gate)"
    )


class PlannedOptions(Options):
    """What plans, and from which files."""

    planner: str = Field("scripted", description="what plans for language-model agents")
    prompts: Path | None = Field(None, description="folder of prompt templates to use instead of the shipped ones")
    weights: Path | None = Field(None, description="folder of learned policies' weights instead of the shipped ones")


class WatchOptions(Options):
    """How a game is shown."""

    speed: StepsASecond = Field(10.0, description="steps a second on the screen")
    real_time: bool = Field(
        REAL_TIME, description="the game goes on while a language model answers, in place of waiting"
    )
    theme: ThemeName | None = Field(None, description="the colours; else those chosen last")
    pause_on: str | None = Field(None, description="pause at these events: replan, contradiction, switch")
    motion: CliDualFlag[bool] = Field(True, description="slide, flicker and flash on the screen; else as chosen last")


class PlainOptions(Options):
    """How a game is described where no screen is seen."""

    plain: bool = Field(False, description="lines of text in place of the screen; by itself where there is no terminal")


class FilmOptions(Options):
    """What of a game is written, and how."""

    export_steps: str | None = Field(None, description="these steps only, as 100:300 or 1:2400:2")
    film_speed: StepsASecond = Field(FILM_SPEED, description="steps a second of a .gif or .cast")


class PeopleOptions(Options):
    """How people play."""

    turns: bool = Field(False, description="turn by turn: the world waits for a key")
    mind: bool = Field(False, description="show the agent's belief and gate at once")
    bell: bool = Field(False, description="ring the bell at a delivery, a lost order and a fire")


class KitchenOptions(Options):
    """How a kitchen is made of a layout of another project."""

    fill: bool = Field(False, description="place what the kitchen lacks on its counters")


class FileOptions(Options):
    """Files and numbers that several commands take."""

    seed: Seed = Field(0, description="random seed")
    seeds: Annotated[int, Field(ge=1, le=10_000)] = Field(1, description="how many games, one a seed")
    record: Path | None = Field(None, description="write the game to this file")
    force: bool = Field(False, description="write over a file that exists")
    as_json: bool = Field(False, description="print one JSON object")
    spreadsheet: bool = Field(
        False, description="CSV files for spreadsheet programs: marked as UTF-8, and no cell is a formula"
    )
    out: Path | None = Field(None, description="where the results go, if not where the command says")
    workers: Workers | None = Field(None, description="games or trainings at the same time, if not one a core")
    layouts: str | None = Field(None, description="these kitchens, as open,ring")


class SweepOptions(Options):
    """What of a benchmark is played, and where."""

    agents: str | None = Field(None, description="these egos instead of the usual ones, as bayes,proagent")
    partners: str | None = Field(None, description="these partners or groups instead, as switching or G1")
    engine: EngineName = Field("local", description="this machine's cores, or a Ray cluster")
    address: str | None = Field(None, description="a Ray cluster's address, if not this machine alone")
    accept_code: Annotated[str, Field(pattern=r"^[0-9a-f]{16}(,[0-9a-f]{16})*$")] | None = Field(
        None, description="count the results of this version of the behaviour, too; tables say so"
    )
    fail_fast: bool = Field(False, description="stop at the first episode that fails")
    keep_recordings: bool = Field(False, description="store each game's recording, too, as with a language model")


class SpendingOptions(Options):
    """What is asked before a language model is paid."""

    yes: bool = Field(False, description="do not ask before spending more than a dollar")
    dry_run: bool = Field(False, description="only say what would be asked, its price, and how long games take here")


class ModelsOptions(Options):
    """Which language models are asked, and how often."""

    models: str | None = Field(
        None, description="these language models, as gpt-4o,gpt-5.2, or a .toml file with a table of options for each"
    )
    repeats: Annotated[int, Field(ge=1, le=100)] = Field(1, description="how many times a model gets each question")
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
    again: Count | Literal["all"] = Field(8, description="how many games of a card are played again, or all")


class StudyOptions(Options):
    """Who takes part in a study."""

    participant: str | None = Field(None, description="the participant's code; else it is asked for")
    check: bool = Field(False, description="show the study's plan, walk through it, and store nothing")
    exclude: str | None = Field(None, description="exclude this participant; their place is free again")
    why: str | None = Field(None, description="the reason for --exclude, in the tables")
    include: str | None = Field(None, description="undo the exclusion of this participant")
    readmit: str | None = Field(None, description="let this participant go on in another browser, once")


class StudyPlanningOptions(Options):
    """What is planned before a study has data, and what of it reviewers get."""

    participants: Annotated[int, Field(ge=1, le=10_000)] = Field(100, description="simulated participants")
    effect: Annotated[float, Field(gt=0, le=10)] | None = Field(
        None, description="in standard deviations, if not the study's smallest effect of interest"
    )
    free_text: bool = Field(False, description="with answers in words and reasons, which may tell who somebody is")


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

    from_study: Path | None = Field(
        None, description="a study's folder: to train human from its people, or a pilot to plan a study's size"
    )
    train_steps: Count | None = Field(None, description="steps of the kitchen that a policy trains on")


OptionText = dict[str, bool | int | float | str | list[bool | int | float | str]]


class PluginOptions(Options):
    """Agents, planners, triggers and measures from outside this project."""

    agent_option: OptionText = Field({}, description="option of a plug-in --agent; may be repeated")
    partner_option: OptionText = Field({}, description="option of a plug-in --partner")
    planner_option: OptionText = Field({}, description="option of a plug-in --planner")
    trigger_option: OptionText = Field({}, description="option of a plug-in --trigger")
    partner_model: str | None = Field(None, description="a plug-in in the place of the ego's filter and gates")
    partner_model_option: OptionText = Field({}, description="option of a --partner-model")
    measures: str | None = Field(None, description="measures that are plug-ins, beside ours, as mine:idle,mine.py:late")
    plugins: str | None = Field(
        None, description="modules whose plug-ins a recording or results may name, as mine,agents.py: their code is run"
    )


class PromptOptions(Options):
    """Of which step a prompt is shown."""

    step: StepsOrNone = Field(0, description="the step up to which it plays")
    scene: Path | None = Field(None, description="TOML file with a scene made by hand to ask in, instead of a game")


class GeneralOptions(Options):
    """What concerns every command."""

    config: Path | None = Field(None, description="TOML file with any of these options")
    version: bool = Field(False, description="print the version")


class CommandOptions(Options):
    """What to do: each is a command, too (`tui.arguments.commands`)."""

    watch: bool = Field(False, description="watch a game at once, without the start screen")
    duel: bool = Field(False, description="watch two egos in the same game, side by side: two of --agents")
    play: Literal["terminal", "window"] | None = Field(
        None, description="play yourself, as the partner unless it is --agent human"
    )
    learn: bool = Field(False, description="learn to play in 3 minutes: a first burrito, then an agent that reads you")
    design: str | None = Field(None, description="draw a kitchen: a .toml file, new or not, or a name to begin from")
    kitchen_import: Path | None = Field(None, description="make a kitchen of this layout of Overcooked-AI")
    replay: Path | None = Field(None, description="show the game in this file")
    recordings: bool = Field(False, description="browse the recorded games")
    results: Path | None = Field(
        None, description="show the results in this folder, or in those in it; if bare, results"
    )
    study: Path | None = Field(None, description="take part in the study that this TOML file describes")
    study_check: Path | None = Field(None, description="print the plan of the study in this TOML file, or its mistake")
    study_simulate: Path | None = Field(None, description="fill a folder with simulated participants of this study")
    study_power: Path | None = Field(None, description="print how many participants an effect in this study takes")
    study_preregister: Path | None = Field(None, description="print this study's preregistration")
    study_package: Path | None = Field(None, description="write one file of the study in this folder, for reviewers")
    headless: bool = Field(False, description="play without a screen and print a summary")
    export: Path | None = Field(
        None,
        description="write the game, or the replayed one, as .gif .png .cast .svg .jsonl or .parquet, without a screen",
    )
    serve: str | None = Field(None, description="serve in the browser at HOST:PORT; if bare, 127.0.0.1:8000")
    study_tables: Path | None = Field(None, description="write the tables of the study in this folder")
    report: Path | None = Field(None, description="write report.html about the benchmark or study in this folder")
    local_models: str | None = Field(None, description="list the language models on this machine, or download this one")
    exam: bool = Field(False, description="ask the planner 200 questions before any game, and compare planners")
    transcripts: Path | None = Field(
        None, description="show what language models were asked and answered in the exams and games of this folder"
    )
    bundle: Path | None = Field(
        None, description="write the results of --results, or the recording of --replay, into one file, to share"
    )
    merge: str | None = Field(
        None, description="put the results of these folders together in the folder of --out, as run-1,run-2"
    )
    verify: Path | None = Field(None, description="check a score card, and play some of its games again")
    benchmark: str | None = Field(None, description="play a frozen benchmark and write a score card: v1 or v2")
    sweep: str | None = Field(None, description="play a benchmark: a name or a .toml file; if bare, quick")
    check_partners: bool = Field(
        False, description="play the learned partners; compare what they do with what they like"
    )
    train: str | None = Field(
        None,
        description="train learned policies: bp, one as bp:G1-2, gamma, talents, planner or human; if bare, all",
    )
    show_prompt: bool = Field(False, description="play to a step and print what the ego's model is sent there")
    check_agent: str | None = Field(None, description="check that an agent keeps to what games and benchmarks rely on")
    new_agent: str | None = Field(
        None, description="write a package with an agent of your own, its test and a benchmark"
    )
    completion: Literal["bash", "zsh", "tcsh", "fish"] | None = Field(
        None, description="print a script that completes commands, options and names in this shell"
    )
    warm: bool = Field(False, description="compile all kernels now, so that no game waits for one or plays without it")
    list_all: bool = Field(False, description="print the kitchens, agents and planners there are")


class Settings(
    LanguageModelOptions,
    RolloutOptions,
    PlannerOptions,
    SkillOptions,
    FilterConfig,
    CommitmentConfig,
    GateConfig,
    NamedOptions,
    GeneralOptions,
    PluginOptions,
    PromptOptions,
    TrainingOptions,
    ServingOptions,
    StudyTableOptions,
    StudyPlanningOptions,
    StudyOptions,
    ScoreOptions,
    TranscriptOptions,
    ModelsOptions,
    SpendingOptions,
    SweepOptions,
    KitchenOptions,
    FileOptions,
    PeopleOptions,
    FilmOptions,
    PlainOptions,
    WatchOptions,
    EpisodeOptions,
    PlannedOptions,
    SeatOptions,
    CommandOptions,
    BaseSettings,
):
    """Watch BayesBeliefAgent cook with a partner that changes its mind, or run the same game without a screen."""

    # The options are those of the base classes; `tui.arguments.commands` says which command takes which.
    model_config = SettingsConfigDict(env_prefix="BBA_", extra="forbid", hide_input_in_errors=True, frozen=True)

    def __init__(self, **values: Any) -> None:
        BaseSettings.__init__(self, **values)  # which reads its sources; what is wrong is said by the command line

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The file comes last: environment and command line override it, and may name it."""
        config_file = _ConfigFile(settings_cls, {})
        # An environment without these variables need not be looked through for each option, which takes 4 ms.
        if any(name.upper().startswith("BBA_") for name in os.environ):
            return init_settings, env_settings, config_file
        return init_settings, config_file


class Secrets(BaseSettings):
    """Secrets, and the address of OpenAI's own tools: from the environment only, and never shown."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", hide_input_in_errors=True, frozen=True)

    own_key: Key = Field(None, validation_alias="BBA_API_KEY")
    openai_key: Key = Field(None, validation_alias="OPENAI_API_KEY")
    base_url: Trimmed | None = Field(None, validation_alias="OPENAI_BASE_URL")

    @property
    def api_key(self) -> SecretStr | None:
        """The key of an OpenAI-compatible endpoint."""
        return self.own_key or self.openai_key


class _ConfigFile(InitSettingsSource):
    """The TOML file that the ``config`` option of a source above names."""

    def __call__(self) -> dict[str, Any]:
        """Returns the options in the file, by name.

        Raises:
            BBAError: the file cannot be read, is not TOML, or holds an unknown option.
        """
        config = self.current_state.get("config")
        if config is None:
            return {}
        path = Path(str(config))
        allowed = set(Settings.model_fields) - {"config"} | {KEYS_TABLE}
        options = {}
        for key, value in parse_toml(path).items():
            name = SHORT.get(key, key.replace("-", "_"))
            if name not in allowed:
                raise BBAError(f"{path}: {key}: unknown option; {instead(name, sorted(allowed))}")
            if name != KEYS_TABLE:
                options[name] = value
        return options
