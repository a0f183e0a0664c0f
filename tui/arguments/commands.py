"""The table of commands: parser, help, completion, manual page, flat spellings and dispatch all follow from it."""

import json
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from bba.config import (
    BELIEF_OPTIONS,
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
)
from bba.errors import BBAError, nearest
from bba.settings import (
    SHORT,
    FilmOptions,
    KitchenOptions,
    ModelsOptions,
    PeopleOptions,
    PlannedOptions,
    PluginOptions,
    PromptOptions,
    ScoreOptions,
    SeatOptions,
    ServingOptions,
    Settings,
    SpendingOptions,
    StudyOptions,
    StudyTableOptions,
    SweepOptions,
    TrainingOptions,
    TranscriptOptions,
    WatchOptions,
)

Group = type[Options] | str  # options that belong together, or one by its name
BELIEF: tuple[Group, ...] = (NamedOptions, GateConfig, CommitmentConfig, FilterConfig)
MODEL: tuple[Group, ...] = (PlannerOptions, RolloutOptions, LanguageModelOptions)
GAME: tuple[Group, ...] = (
    SeatOptions,
    PlannedOptions,
    "seed",
    EpisodeOptions,
    SkillOptions,
    *BELIEF,
    *MODEL,
    PluginOptions,
    "models",
)
GROUPED = ("study", "kitchen")  # what commands of two words begin with
OPTION_OF = {field.replace("_", "-"): option for option, field in SHORT.items()}


class Command(NamedTuple):
    """A command: a word before its options.

    Attributes:
        about: its purpose, in a few words.
        run: the function that runs the command, as "module:function"; it takes the settings.
        field: the setting that asks for it.
        options: its options.
        value: what may follow the command, in a word; "" for nothing.
        bare: the setting's value where nothing follows; None: something must.
        word: the setting that has what follows, if not `field`.
        verb: the word that must stand before what follows; "" for none.
        examples: two lines as people type them, without "bba-tui".
        writes: what it leaves behind; "" for nothing.
        flat: whether it may be asked for by its option, too, without a word on that.
        more: which options name what people write as a second word; "" for none.
    """

    about: str
    run: str
    field: str
    options: tuple[Group, ...]
    value: str = ""
    bare: Any = None
    word: str = ""
    verb: str = ""
    examples: tuple[str, ...] = ()
    writes: str = ""
    flat: bool = False
    more: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The settings that it takes, in the order of its help; that which asks for it is not among them."""
        names: list[str] = []
        for group in (*self.options, "config"):
            if isinstance(group, str):
                names.append(group)
            else:
                names += group.model_fields
        return tuple(name for name in dict.fromkeys(names) if name != self.field)

    def asked(self, settings: Settings) -> bool:
        """Whether the settings ask for it."""
        return getattr(settings, self.field) not in (None, False)


_INTERACT = "tui.commands.interactive:interact"
_STUDY = "tui.commands.study:"
_SHOWN: tuple[Group, ...] = (WatchOptions, PluginOptions, *MODEL)

# A command further down counts where the settings ask for several: `--headless --sweep quick` is a sweep.
COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "watch": Command(
            "watch two agents cook",
            _INTERACT,
            "watch",
            (*GAME, WatchOptions, "plain", "record", "force"),
            "KITCHEN",
            bare=True,
            word="layout",
            examples=("watch ring --agent bayes-commit", "watch open --planner rollout --seed 3"),
            writes="the game, where --record names a file",
            more="--agent and --partner name the cooks",
        ),
        "duel": Command(
            "watch two egos in the same game, side by side",
            _INTERACT,
            "duel",
            ("agents", *GAME, WatchOptions, "record", "force"),
            "KITCHEN",
            bare=True,
            word="layout",
            examples=("duel", "duel ring --agents bayes,proagent --seed 3"),
            writes="both games in one file, where --record names it",
            more="--agents names the egos, as bayes,proagent",
        ),
        "play": Command(
            "be the partner of an agent",
            _INTERACT,
            "play",
            (*GAME, WatchOptions, "plain", "record", "force", PeopleOptions),
            "KITCHEN",
            bare="terminal",
            word="layout",
            examples=("play ring --mind", "play open --turns --agent proagent"),
            writes="a recording of the game",
            flat=True,
            more="--agent and --partner name the cooks",
        ),
        "learn": Command(
            "make a burrito; see an agent read you",
            _INTERACT,
            "learn",
            ("plain", "theme", "motion"),
            bare=True,
            examples=("learn", "learn --plain"),
        ),
        "design": Command(
            "draw a kitchen",
            _INTERACT,
            "design",
            (*GAME, WatchOptions),
            "FILE",
            bare="new",
            examples=("design mine.toml", "design ring"),
            more="one kitchen is drawn at a time",
            writes="the kitchen's file, when it is saved",
        ),
        "kitchen-import": Command(
            "make a kitchen of a layout of Overcooked-AI",
            "tui.commands.kitchen:import_kitchen",
            "kitchen_import",
            (KitchenOptions, "out", "force"),
            "FILE",
            examples=("kitchen import cramped_room.layout", "kitchen import ring.layout --fill --out mine.toml"),
            writes="the kitchen's file, NAME.toml or --out",
        ),
        "replay": Command(
            "watch a recorded game",
            _INTERACT,
            "replay",
            (*_SHOWN, "plain", "record", "force"),
            "FILE",
            examples=("replay game.bba", "replay game.bba --pause-on replan"),
            flat=True,
        ),
        "recordings": Command(
            "browse the recorded games",
            _INTERACT,
            "recordings",
            _SHOWN,
            bare=True,
            examples=("recordings", "recordings --theme light"),
        ),
        "results": Command(
            "browse the tables and games of benchmarks",
            _INTERACT,
            "results",
            _SHOWN,
            "FOLDER",
            bare="results",
            examples=("results", "results results/quick"),
        ),
        "study": Command(
            "take part in a study",
            f"{_STUDY}take_part",
            "study",
            (StudyOptions, "out", "weights", "plain", WatchOptions, PluginOptions, *MODEL),
            "FILE",
            examples=("study example.toml --check", "study example.toml --participant P1 --plain"),
            writes="the study's folder, results/NAME or --out",
        ),
        "study-check": Command(
            "print a study's plan, or its first mistake",
            f"{_STUDY}check_study",
            "study_check",
            ("weights",),
            "STUDY",
            examples=("study check mine.toml", "study check example"),
        ),
        "study-simulate": Command(
            "fill a folder with simulated participants",
            f"{_STUDY}simulate_study",
            "study_simulate",
            ("participants", "out", "workers", "weights", PluginOptions, *MODEL),
            "STUDY",
            examples=("study simulate mine.toml --participants 200", "study simulate example --out trial"),
            writes="a study's folder, marked as simulated, in results/NAME-simulated or --out",
        ),
        "study-power": Command(
            "print how many participants a study needs",
            f"{_STUDY}print_power",
            "study_power",
            ("effect", "from_study"),
            "STUDY",
            examples=("study power mine.toml --effect 0.5", "study power mine.toml --from results/pilot"),
        ),
        "study-preregister": Command(
            "print a study's preregistration",
            f"{_STUDY}print_preregistration",
            "study_preregister",
            (),
            "STUDY",
            examples=("study preregister mine.toml", "study preregister example"),
        ),
        "study-package": Command(
            "write one file for the reviewers of a study",
            f"{_STUDY}package_study",
            "study_package",
            ("out", "force", "free_text"),
            "FOLDER",
            examples=("study package results/mine --out mine.zip", "study package results/mine --out mine.zip --force"),
            writes="the file: data without identifiers, recordings, and a script that makes the report's tables",
            more="--out names the file",
        ),
        "headless": Command(
            "play without a screen and print the measures",
            "tui.commands.headless:play_headless",
            "headless",
            (*GAME, "seeds", "as_json", "record", "replay", "export", "force", FilmOptions),
            "KITCHEN",
            bare=True,
            word="layout",
            examples=("headless open --seeds 5", "headless ring --agent proagent --json"),
            writes="files where --record or --export name them",
            flat=True,
            more="--agent and --partner name the cooks",
        ),
        "export": Command(
            "write a game as a film, a picture or a table",
            "tui.commands.headless:play_headless",
            "export",
            (*GAME, "replay", "duel", "agents", "record", "force", FilmOptions, "theme"),
            "FILE",
            examples=("export game.gif --replay game.bba", "export steps.parquet --layout ring --export-steps 1:600"),
            writes="the file: .gif .png .svg .cast .jsonl .parquet",
            flat=True,
            more="--replay names the game",
        ),
        "serve": Command(
            "serve the app in the browser",
            "tui.serve.command:serve",
            "serve",
            (ServingOptions, "study", "play", "learn", "out", *GAME, WatchOptions, PeopleOptions),
            "HOST:PORT",
            bare="127.0.0.1:8000",
            examples=("serve", "serve 0.0.0.0:8000 --study example.toml"),
            flat=True,
        ),
        "study-tables": Command(
            "write the tables of a study",
            f"{_STUDY}tables_of_study",
            "study_tables",
            (StudyTableOptions, "spreadsheet"),
            "FOLDER",
            examples=("study tables results/example", "study tables results/example --anonymous"),
            writes="tables beside the study's data",
        ),
        "report": Command(
            "write results or a study as a page with figures",
            "tui.commands.results:report",
            "report",
            ("out", "spreadsheet", "plugins"),
            "FOLDER",
            examples=("report results/quick", "report results/quick --out page.html"),
            writes="report.html and its tables, in the folder or at --out",
            flat=True,
            more="--out names the page",
        ),
        "exam": Command(
            "put 200 questions to a planner, no game",
            "tui.commands.exam:take_exam",
            "exam",
            (PlannedOptions, "as_json", "out", SpendingOptions, ModelsOptions, *MODEL),
            bare=True,
            examples=("exam", "exam --planner openai --model gpt-4o --dry-run"),
            writes="the answers and a comparison, in results/exam or --out",
        ),
        "transcripts": Command(
            "show what language models were asked and answered",
            "tui.commands.results:show_transcripts",
            "transcripts",
            (TranscriptOptions, "as_json", "export", "plugins"),
            "FOLDER",
            bare="results/exam",
            examples=("transcripts results/exam --problem", "transcripts results/exam --show open-clear-1/own"),
            writes="with --export inspect, logs for inspect_ai in FOLDER/inspect",
            more="--show names exchanges",
        ),
        "bundle": Command(
            "make one file of results or of a recording, to share",
            "tui.commands.results:write_one_file",
            "bundle",
            ("results", "replay", "plugins"),
            "FILE",
            examples=("bundle quick.zip --results results/quick", "bundle game.zip --replay game.bba"),
            writes="the file, without keys and addresses",
            more="--results or --replay names what goes into it",
        ),
        "merge": Command(
            "put the results of several folders together",
            "tui.commands.results:merge_results",
            "merge",
            ("out",),
            "FOLDER,FOLDER",
            examples=("merge run-1,run-2 --out all", "merge results/a,results/b --out results/both"),
            writes="the results in the folder of --out",
            more="commas stand between them, as run-1,run-2",
        ),
        "verify": Command(
            "check a score card, and play some of its games again",
            "tui.commands.score_card:verify_card",
            "verify",
            ("again", "plugins", "weights", "prompts"),
            "CARD",
            examples=("verify mine.json", "verify mine.json --again all"),
        ),
        "score": Command(
            "play a frozen benchmark, write a score card",
            "tui.commands.score_card:play_benchmark",
            "benchmark",
            (
                ScoreOptions,
                "agent",
                "trigger",
                PlannedOptions,
                *BELIEF,
                *MODEL,
                "agent_option",
                "planner_option",
                "trigger_option",
                "partner_model",
                "partner_model_option",
                "plugins",
                "yes",
                "as_json",
                "out",
                "workers",
                "engine",
                "address",
                "fail_fast",
            ),
            "VERSION",
            bare="v1",
            examples=("score v1 --agent proagent", "score v1 --agent mine.py:Agent --size full"),
            writes="the games and the card, in results/… or --out",
        ),
        "bench": Command(
            "play a benchmark and print its tables",
            "tui.commands.sweep:play_sweep",
            "sweep",
            (
                SweepOptions,
                SpendingOptions,
                "models",
                "repeats",
                "layouts",
                "seeds",
                "seed",
                "out",
                "workers",
                "as_json",
                "export",
                "force",
                "spreadsheet",
                "trigger",
                PlannedOptions,
                EpisodeOptions,
                SkillOptions,
                *BELIEF,
                *MODEL,
                PluginOptions,
            ),
            "BENCHMARK",
            bare="quick",
            examples=("bench quick", "bench table1 --agents bayes,proagent --seeds 5"),
            writes="the results, in results/NAME or --out; the same command goes on",
            flat=True,
            more="--agents, --partners and --layouts say what is played",
        ),
        "models": Command(
            "list the language models on this machine, or download one",
            "tui.commands.listing:models",
            "local_models",
            (),
            "NAME",
            bare="list",
            verb="get",
            examples=("models", "models get qwen2.5-coder-0.5b"),
            writes="with get: the model, in the cache folder of this user",
        ),
        "check-partners": Command(
            "play the learned partners and print what they do against their weights",
            "tui.commands.score_card:check_partners",
            "check_partners",
            ("layout", "layouts", "seed", "seeds", "horizon", "weights", "workers", "as_json"),
            bare=True,
            examples=("check-partners", "check-partners --layout ring --json"),
        ),
        "train": Command(
            "train learned policies",
            "tui.commands.train:train",
            "train",
            (TrainingOptions, "layout", "layouts", "out", "workers", "seed"),
            "POLICY",
            bare="all",
            examples=("train bp:G1-2 --layout ring", "train human --from results/example"),
            writes="weights and records, in results/training or --out",
            more="--layouts names the kitchens",
        ),
        "prompt": Command(
            "print what the ego's model is sent at a step",
            "tui.commands.headless:show_prompt",
            "show_prompt",
            (*GAME, PromptOptions, "as_json"),
            "KITCHEN",
            bare=True,
            word="layout",
            examples=("prompt open --step 100", "prompt --scene mine.toml --agent proagent"),
        ),
        "check-agent": Command(
            "check that an agent keeps to its protocol",
            "tui.commands.listing:print_agent_check",
            "check_agent",
            ("agent_option", "plugins", "weights"),
            "NAME",
            examples=("check-agent mine.agent:Mine", "check-agent mine.py:Agent --agent-option patience=3"),
        ),
        "new-agent": Command(
            "write a package with an agent of your own",
            "tui.commands.listing:print_new_agent",
            "new_agent",
            (),
            "NAME",
            examples=("new-agent mine", "new-agent my_partner"),
            writes="a folder of that name with the agent, its test and a benchmark",
        ),
        "warm": Command(
            "compile all kernels now: for images, and before many games",
            "tui.commands.headless:compile_kernels",
            "warm",
            (),
            bare=True,
            examples=("warm",),
            writes="the compiled kernels, in the folder for caches or NUMBA_CACHE_DIR",
        ),
        "completion": Command(
            "print a script that completes commands, options and names",
            "tui.arguments.completion:print_script",
            "completion",
            (),
            "SHELL",
            examples=("completion bash", "completion fish"),
        ),
        "list": Command(
            "print the kitchens, agents, planners, benchmarks and keys there are",
            "tui.commands.listing:print_list",
            "list_all",
            (),
            bare=True,
            examples=("list", "list"),
            flat=True,
        ),
    }
)


def joined(words: Sequence[str]) -> list[str]:
    """Returns words with a command of two words as one: `study check` is `study-check`."""
    first_two = "-".join(words[:2])
    if len(words) > 1 and first_two in COMMANDS:
        return [first_two, *words[2:]]
    return list(words)


def spelling(name: str) -> str:
    """Returns a command as it is shown: `study-check` is `study check`; both are taken."""
    first, _, second = name.partition("-")
    return f"{first} {second}" if first in GROUPED and second else name


def spelled_out(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """Returns a command and the word after it written as options, before its other options.

    Args:
        words: the command, if there is one, and the words after it.
        options: the options, each with its value.

    Raises:
        BBAError: a command lacks what must follow it, or what follows it is named by an option, too.
    """
    if not words or words[0] not in COMMANDS:
        return [*words, *options]
    name, *rest = words
    _check_second_word(name, rest)
    command = COMMANDS[name]
    flag = option(command.field)
    asking = flag if command.bare in (None, True) else f"{flag}={command.bare}"
    if command.verb and rest:
        verb, *rest = rest
        if verb != command.verb or not rest:
            raise BBAError(f"{name}: bba-tui {name}, or bba-tui {name} {command.verb} {command.value}")
    if command.value and rest:
        target = option(command.word or command.field)
        if any(text.partition("=")[0] == target for text in options):
            raise BBAError(f"{target}: {rest[0]!r} after {spelling(name)} says the same; take one of them")
        first = [asking] if command.word and flag not in options else []
        return [*first, f"{target}={rest[0]}", *rest[1:], *options]
    if command.bare is None:
        line = f"bba-tui {spelling(name)}"
        raise BBAError(f"{spelling(name)}: needs a {command.value}: {line} {command.value}; see {line} --help")
    first = [asking] if flag not in options else []
    return [*first, *rest, *options]


def _check_second_word(name: str, rest: Sequence[str]) -> None:
    """Raises BBAError where two words follow the first one of commands of two words, and the first is misspelt."""
    if name not in GROUPED or len(rest) < 2:
        return
    commands = [title for title in COMMANDS if title.startswith(f"{name}-")]
    near = nearest(rest[0], [title.removeprefix(f"{name}-") for title in commands])
    if near:
        raise BBAError(f"{name} {rest[0]}: no such command; the nearest is {name} {near[0]}")


def option(field: str) -> str:
    """Returns the option of a setting, as "--export-steps"."""
    dashed = field.replace("_", "-")
    return f"--{OPTION_OF.get(dashed, dashed)}"


def command_of(settings: Settings) -> Command:
    """Returns the command that the settings ask for: the last one of the table, else what to play is asked."""
    for command in list(COMMANDS.values())[::-1]:
        if command.asked(settings):
            return command
    return COMMANDS["watch"]


# Options that say how something is shown, kept or paid for, not what comes of it; headers may hold a key.
HOW = {*WatchOptions.model_fields, *SpendingOptions.model_fields} - {"real_time"}
HOW |= {"plain", "record", "force", "config", "as_json", "export", "spreadsheet", "workers", "extra_headers"}


def command_words(name: str, settings: Settings) -> list[str]:
    """Returns the command line that repeats a game or a benchmark: its subject, and all options that change the result.

    The line of a game names cooks, planner and seed; other options are left out where they have their default. The line
    holds no secret: an address is without what names an account, and headers are left out.
    """
    from bba.planner.account import shown_address

    command = COMMANDS[name]
    subject = command.word or command.field
    always = settings.model_fields_set & BELIEF_OPTIONS  # which a planner's own defaults else replace
    always |= {"watch": {"agent"}, "duel": {"agents"}, "bench": set()}[name]
    if subject == "layout":
        always |= {"partner", "planner", "seed"}
    line = ["bba-tui", name, str(getattr(settings, subject))]
    for field in command.fields:
        value = getattr(settings, field)
        if field == subject or field in HOW or value is None:
            continue
        if value == Settings.model_fields[field].default and field not in always:
            continue
        line.append(option(field))
        if value is True:
            continue
        text = json.dumps(value) if isinstance(value, dict) else str(value)
        line.append(shown_address(text) if field == "base_url" else text)
    return line


def old_form(settings: Settings, given: Collection[str]) -> str:
    """Returns a line about the option that a command has replaced; "" if the command was not asked for by one.

    Args:
        settings: all of them.
        given: the names of those on the command line.
    """
    command = command_of(settings)
    if command.flat or command.field not in given or not command.asked(settings):
        return ""
    (name,) = (title for title, entry in COMMANDS.items() if entry is command)
    spelt = spelling(name)
    return f"{option(command.field)}: is now the command `bba-tui {spelt}`; the option goes with the next release"


def not_taken(name: str, word: str) -> str:
    """Returns the message about an option that a command does not take."""
    fields = {option(field): field for field in Settings.model_fields}
    field = fields.get(word, "")
    command = COMMANDS[name]
    takers = [title for title, entry in COMMANDS.items() if field in (entry.field, *entry.fields)]
    spelt = spelling(name)
    if field and takers:
        commands = ", ".join(map(spelling, takers[:3]))
        return f"{word}: is no option of {spelt}, but of {commands}; see bba-tui {spelt} --help"
    near = nearest(word, [option(field) for field in (command.field, *command.fields)])
    offered = ""
    if near:
        verb = "is" if len(near) == 1 else "are"
        offered = f"the nearest {verb} {', '.join(near)}; "
    return f"{word}: is no option of {spelt}; {offered}see bba-tui {spelt} --help"


def too_many(name: str, word: str) -> str:
    """Returns the message about a word too many, after all that a command takes."""
    command = COMMANDS[name]
    spelt = spelling(name)
    if f"--{word}" in map(option, command.fields):
        return f"{word}: one word too many; the option is --{word}"
    if not command.value:
        return f"{word}: one word too many; {spelt} takes options only; see bba-tui {spelt} --help"
    more = f"; {command.more}" if command.more else ""
    return f"{word}: one word too many; {spelt} takes one {command.value}{more}; see bba-tui {spelt} --help"
