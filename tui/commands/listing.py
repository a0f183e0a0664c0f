"""The commands `list`, `models`, `new-agent` and `check-agent`: what there is, and what helps to write more."""

import sys
from collections.abc import Mapping
from typing import Any

from bba.agents import DESCRIPTIONS, PLANNERS
from bba.bench.agent_check import agent_checks, write_new_agent
from bba.bench.presets import load_sweep, sweep_names
from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Layout
from bba.llm.local_download import get_model
from bba.llm.local_models import BLOCK, find, found_models, known_models, read_header
from bba.plugins import KINDS, installed
from bba.progress import progress_bar
from bba.tables import TableRow, table_of
from bba.terminal_text import print_lines, visible_line
from human.keymap import ENTRIES, SITUATIONS
from tui.commands.output import Printed, print_all
from tui.commands.reproduce import programs

NAME_WIDTH = 24  # cells of a name
TO_COPY = {  # what is written of one's own after a shipped file, and the folder of these
    "kitchens": "configs/layouts",
    "benchmarks": "configs/benchmarks",
    "prompts": "configs/prompts",
    "studies": "configs/studies",
}


def print_list() -> None:
    """Prints what there is: layouts, agents, planners, installed plug-ins, sweeps, programs, files, and keys.

    Keys stand where they count first.
    """
    sections: list[tuple[str, Mapping[str, str]]] = [
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
    ]
    for kind in KINDS:
        plugins = {name: f"from {place}" for name, place in installed(kind).items()}
        if plugins:
            sections.append((f"plug-ins: {kind}", plugins))
    sections.append(("benchmarks", {name: load_sweep(name).title for name in sweep_names()}))
    sections.append(("programs behind the documents, for reproduce", programs()))
    sections.append(("files to copy and change", {kind: str(data_dir(folder)) for kind, folder in TO_COPY.items()}))
    first_situations: dict[str, str] = {}
    for situation, table in SITUATIONS.items():
        for entry in table:
            first_situations.setdefault(entry.name, situation)
    for situation in SITUATIONS:
        keys = {
            name: f"{' '.join(entry.keys):18}{entry.description}"
            for name, entry in ENTRIES.items()
            if first_situations[name] == situation
        }
        if keys:
            sections.append((f"keys {situation}", keys))
    for title, entries in sections:
        sys.stdout.write(f"{title}\n")
        for name, description in entries.items():
            line = f"  {name:{NAME_WIDTH}}{description}".rstrip()
            sys.stdout.write(f"{line}\n")


def print_new_agent(name: str) -> None:
    """Writes the package and prints what to do next."""
    folder = write_new_agent(name)
    class_name = "".join(part.capitalize() for part in name.split("_"))
    agent = f"{name}.agent:{class_name}"
    sys.stdout.write(
        f"written to {folder}; next:\n"
        f"  cd {folder}\n"
        f"  bba-tui watch open --agent {agent}\n"
        f"  bba-tui check-agent {agent}\n"
        f"  bba-tui bench sweep.toml\n"
    )


def print_agent_check(name: str, agent_options: dict[str, Any]) -> None:
    """Prints each check as soon as it is done.

    Raises:
        BBAError: the agent does not pass all of them.
    """
    failed = 0
    for check in agent_checks(name, agent_options):
        mark = "ok"
        remark = check.result
        if check.problem:
            failed += 1
            mark = "FAILED"
            remark = check.problem
        line = f"{mark:8}{check.name}"
        if remark:
            line += f": {visible_line(remark)}"
        print_lines(line)
        sys.stdout.flush()
    if failed:
        raise BBAError(f"check-agent: {name} does not keep {failed} of the promises above")


def download(name: str) -> None:
    """Downloads a language model and says how to play with it.

    Raises:
        BBAError: the model cannot be had.
    """
    downloads = known_models()
    size = round(downloads[name].size / BLOCK) if name in downloads else 0
    with progress_bar(size, "MiB", shown=name in downloads) as progress:
        path = get_model(name, progress)
    print_lines(f"{name} is {visible_line(path)}", f"play with it: bba-tui --planner local --model {name}")


def print_models() -> None:
    """Prints which language models are on this machine, and which can be downloaded."""
    present: list[TableRow] = []
    lacking: list[TableRow] = []
    for model in found_models():
        try:
            header = read_header(model.path)
            size = f"{round(model.path.stat().st_size / BLOCK)} MiB"
        except (BBAError, OSError):
            present.append([model.name, model.place, "", "damaged", ""])
            continue
        context = f"{header.context}" if header.chats else "no chat"
        present.append([model.name, model.place, size, header.quantisation, context])
    for name, model_file in known_models().items():
        try:
            find(name)
        except BBAError:
            lacking.append([name, f"{round(model_file.size / BLOCK)} MiB", model_file.license, model_file.source])
    parts: list[Printed] = []
    if present:
        title = "on this machine: --planner local --model NAME, or any GGUF file"
        parts.append(table_of(["model", "from"], ["size", "stored as", "context"], rows=present, title=title))
    if lacking:
        title = "to download: bba-tui models get NAME"
        parts.append(table_of(["model"], ["size"], ["licence", "from"], rows=lacking, title=title))
    print_all(parts)
