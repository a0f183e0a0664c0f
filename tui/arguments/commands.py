"""The table of commands: parser, help, completion, manual page and dispatch follow from it and the commands' models."""

from collections.abc import Mapping
from types import MappingProxyType

from bba.config import (
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    NamedOptions,
    SkillOptions,
)
from bba.settings import PlannedOptions, SeatOptions
from tui.arguments.command import Command, Group
from tui.arguments.options import PeopleOptions

BELIEF: tuple[Group, ...] = (NamedOptions, GateConfig, CommitmentConfig, FilterConfig)
EGO_PLUGINS = (
    "agent_option",
    "planner_option",
    "trigger_option",
    "partner_model",
    "partner_model_option",
    "plugins",
)

# What is played where no command is named; without any option of a game the start screen asks.
START = Command("asks what to do", "tui.commands.start:start")

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "watch": Command(
            "watch two agents cook",
            "tui.commands.watch:watch",
            field="layout",
            value="KITCHEN",
            examples=("watch ring --agent bayes-commit", "watch open --planner rollout --seed 3"),
            writes="the game, where --record names a file",
            more="--agent and --partner name the cooks",
            unoffered=(PeopleOptions,),
        ),
        "duel": Command(
            "watch two egos in the same game, side by side",
            "tui.commands.duel:duel",
            field="layout",
            value="KITCHEN",
            examples=("duel", "duel ring --agents bayes,proagent --seed 3"),
            writes="both games in one file, where --record names it",
            more="--agents names the egos, as bayes,proagent",
            unoffered=("plain",),
        ),
        "play": Command(
            "be the partner of an agent",
            "tui.commands.play:play",
            field="layout",
            value="KITCHEN",
            examples=("play ring --mind", "play open --turns --agent proagent"),
            writes="a recording of the game",
            more="--agent and --partner name the cooks",
        ),
        "learn": Command(
            "make a burrito; see an agent read you",
            "tui.commands.learn:learn",
            examples=("learn", "learn --plain"),
            unoffered=("speed", "real_time", "pause_on"),
        ),
        "design": Command(
            "draw a kitchen",
            "tui.commands.design:design",
            field="kitchen",
            value="FILE",
            examples=("design mine.toml", "design ring"),
            writes="the kitchen's file, when it is saved",
            more="one kitchen is drawn at a time",
        ),
        "kitchen-import": Command(
            "make a kitchen of a layout of Overcooked-AI",
            "tui.commands.kitchen:kitchen_import",
            field="source",
            value="FILE",
            examples=("kitchen import cramped_room.layout", "kitchen import ring.layout --fill --out mine.toml"),
            writes="the kitchen's file, NAME.toml or --out",
        ),
        "replay": Command(
            "watch a recorded game",
            "tui.commands.replay:replay",
            field="recording",
            value="FILE",
            examples=("replay game.bba", "replay game.bba --pause-on replan"),
            unoffered=("trigger", PlannedOptions, *BELIEF),
        ),
        "recordings": Command(
            "browse the recorded games",
            "tui.commands.recordings:recordings",
            examples=("recordings", "recordings --theme light"),
        ),
        "results": Command(
            "browse the tables and games of benchmarks",
            "tui.commands.results:results",
            field="folder",
            value="FOLDER",
            examples=("results", "results results/quick"),
        ),
        "study": Command(
            "take part in a study",
            "tui.commands.study:study",
            field="study",
            value="FILE",
            examples=("study example.toml --check", "study example.toml --participant P1 --plain"),
            writes="the study's folder, results/NAME or --out",
            unoffered=(SeatOptions, "seed", "models", "planner", "prompts", EpisodeOptions, SkillOptions, *BELIEF),
        ),
        "study-check": Command(
            "print a study's plan, or its first mistake",
            "tui.commands.study:study_check",
            field="study",
            value="STUDY",
            examples=("study check mine.toml", "study check example"),
        ),
        "study-simulate": Command(
            "fill a folder with simulated participants",
            "tui.commands.study:study_simulate",
            field="study",
            value="STUDY",
            examples=("study simulate mine.toml --participants 200", "study simulate example --out trial"),
            writes="a study's folder, marked as simulated, in results/NAME-simulated or --out",
            unoffered=(SeatOptions, "seed", "models", "planner", "prompts", EpisodeOptions, SkillOptions, *BELIEF),
        ),
        "study-power": Command(
            "print how many participants a study needs",
            "tui.commands.study:study_power",
            field="study",
            value="STUDY",
            examples=("study power mine.toml --effect 0.5", "study power mine.toml --from results/pilot"),
        ),
        "study-preregister": Command(
            "print a study's preregistration",
            "tui.commands.study:study_preregister",
            field="study",
            value="STUDY",
            examples=("study preregister mine.toml", "study preregister example"),
        ),
        "study-package": Command(
            "write one file for the reviewers of a study",
            "tui.commands.study:study_package",
            field="folder",
            value="FOLDER",
            examples=("study package results/mine --out mine.zip", "study package results/mine --out mine.zip --force"),
            writes="the file: data without identifiers, recordings, and a script that makes the report's tables",
            more="--out names the file",
        ),
        "headless": Command(
            "play without a screen and print the measures",
            "tui.commands.headless:headless",
            field="layout",
            value="KITCHEN",
            examples=("headless open --seeds 5", "headless ring --agent proagent --json"),
            writes="files where --record or --export name them",
            more="--agent and --partner name the cooks",
        ),
        "export": Command(
            "write a game as a film, a picture or a table",
            "tui.commands.export:export",
            field="file",
            value="FILE",
            examples=("export game.gif --replay game.bba", "export steps.parquet --layout ring --export-steps 1:600"),
            writes="the file: .gif .png .svg .cast .jsonl .parquet",
            more="--replay names the game",
        ),
        "serve": Command(
            "serve the app in the browser",
            "tui.serve.serve:serve",
            field="served_at",
            value="HOST:PORT",
            examples=("serve", "serve 0.0.0.0:8000 --study example.toml"),
        ),
        "study-tables": Command(
            "write the tables of a study",
            "tui.commands.study:study_tables",
            field="folder",
            value="FOLDER",
            examples=("study tables results/example", "study tables results/example --anonymous"),
            writes="tables beside the study's data",
        ),
        "report": Command(
            "write results or a study as a page with figures",
            "tui.commands.report:report",
            field="folder",
            value="FOLDER",
            examples=("report results/quick", "report results/quick --out page.html"),
            writes="report.html and its tables, in the folder or at --out",
            more="--out names the page",
        ),
        "exam": Command(
            "put 200 questions to a planner, no game",
            "tui.commands.exam:exam",
            examples=("exam", "exam --planner openai --model gpt-4o --dry-run"),
            writes="the answers and a comparison, in results/exam or --out",
            unoffered=("trigger", *BELIEF, *EGO_PLUGINS),
        ),
        "transcripts": Command(
            "show what language models were asked and answered",
            "tui.commands.transcripts:transcripts",
            field="folder",
            value="FOLDER",
            examples=("transcripts results/exam --problem", "transcripts results/exam --show open-clear-1/own"),
            writes="with --export inspect, logs for inspect_ai in FOLDER/inspect",
            more="--show names exchanges",
        ),
        "bundle": Command(
            "make one file of results or of a recording, to share",
            "tui.commands.bundle:bundle",
            field="file",
            value="FILE",
            examples=("bundle quick.zip --results results/quick", "bundle game.zip --replay game.bba"),
            writes="the file, without keys and addresses",
            more="--results or --replay names what goes into it",
        ),
        "merge": Command(
            "put the results of several folders together",
            "tui.commands.merge:merge",
            field="folders",
            value="FOLDER,FOLDER",
            examples=("merge run-1,run-2 --out all", "merge results/a,results/b --out results/both"),
            writes="the results in the folder of --out",
            more="commas stand between them, as run-1,run-2",
        ),
        "verify": Command(
            "check a score card, and play some of its games again",
            "tui.commands.score:verify",
            field="card",
            value="CARD",
            examples=("verify mine.json", "verify mine.json --again all"),
        ),
        "score": Command(
            "play a frozen benchmark, write a score card",
            "tui.commands.score:score",
            field="version",
            value="VERSION",
            examples=("score v1 --agent proagent", "score v1 --agent mine.py:Agent --size full"),
            writes="the games and the card, in results/… or --out",
        ),
        "bench": Command(
            "play a benchmark and print its tables",
            "tui.commands.bench:bench",
            field="benchmark",
            value="BENCHMARK",
            examples=("bench quick", "bench table1 --agents bayes,proagent --seeds 5"),
            writes="the results, in results/NAME or --out; the same command goes on",
            more="--agents, --partners and --layouts say what is played",
        ),
        "models": Command(
            "list the language models on this machine, or download one",
            "tui.commands.models:models",
            field="name",
            value="NAME",
            verb="get",
            examples=("models", "models get qwen2.5-coder-0.5b"),
            writes="with get: the model, in the cache folder of this user",
        ),
        "check-partners": Command(
            "play the learned partners and print what they do against their weights",
            "tui.commands.score:check_partners",
            examples=("check-partners", "check-partners --layout ring --json"),
        ),
        "train": Command(
            "train learned policies",
            "tui.commands.train:train",
            field="policy",
            value="POLICY",
            examples=("train bp:G1-2 --layout ring", "train human --from results/example"),
            writes="weights and records, in results/training or --out",
            more="--layouts names the kitchens",
        ),
        "prompt": Command(
            "print what the ego's model is sent at a step",
            "tui.commands.prompt:prompt",
            field="layout",
            value="KITCHEN",
            examples=("prompt open --step 100", "prompt --scene mine.toml --agent proagent"),
        ),
        "check-agent": Command(
            "check that an agent keeps to its protocol",
            "tui.commands.agents:check_agent",
            field="checked",
            value="NAME",
            examples=("check-agent mine.agent:Mine", "check-agent mine.py:Agent --agent-option patience=3"),
        ),
        "new-agent": Command(
            "write a package with an agent of your own",
            "tui.commands.agents:new_agent",
            field="name",
            value="NAME",
            examples=("new-agent mine", "new-agent my_partner"),
            writes="a folder of that name with the agent, its test and a benchmark",
        ),
        "warm": Command(
            "compile all kernels now: for images, and before many games",
            "tui.commands.warm:warm",
            examples=("warm",),
            writes="the compiled kernels, in the folder for caches or NUMBA_CACHE_DIR",
        ),
        "completion": Command(
            "print a script that completes commands, options and names",
            "tui.commands.completion:completion",
            field="shell",
            value="SHELL",
            examples=("completion bash", "completion fish"),
        ),
        "list": Command(
            "print the kitchens, agents, planners, benchmarks and keys there are",
            "tui.commands.list:list_all",
            examples=("list", "list"),
        ),
    }
)

# A line without a command that has one of these options is that command; the first one counts.
FLAT: Mapping[str, str] = MappingProxyType(
    {
        "list_all": "list",
        "sweep": "bench",
        "report": "report",
        "serve": "serve",
        "headless": "headless",
        "export": "export",
        "replay": "replay",
        "play": "play",
    }
)
# Which of them the options of the command go on to say; what the others name stands after the command.
STAYING = ("play",)
# Options of earlier versions whose command has another name.
FORMER = {"--local-models": "models", "--benchmark": "score", "--show-prompt": "prompt"}
