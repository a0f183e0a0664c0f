"""What language models were asked and what they answered, in exams, games and sweeps alike, and as logs of inspect_ai.

A log is JSON in version 2 of that project's format, one for each planner; `inspect view` and its readers open it.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from bba import __version__
from bba.agents.skill_planner import planner_input
from bba.bench import RESULTS_FILE
from bba.bench.results_reader import load_results, read_recording
from bba.bench.statistics import grouped
from bba.exam.answers import Result, file_of, read_results
from bba.exam.marks import items_of
from bba.exam.report import row_name
from bba.files import BBAError, make_folder, write_together
from bba.kitchen.constants import N_SKILLS, SKILL_NAMES
from bba.planner import Message, Prompts, Usage
from bba.play import Recording, load, unpack
from bba.text import encodable

INSPECT = "inspect"  # the folder of the logs


class Exchange(NamedTuple):
    """A question to a planner and its answer.

    Attributes:
        planner: who was asked, as in tables.
        question: its name: the exam's, or game, step and player.
        messages: what was sent; none where the prompts are not those that ship with the project.
        answer: the last response; "" for none.
        said: the skill that was read from it, or what else was asked, in a word.
        problem: why the answer could not be used; None if it was.
        usage: what it cost; None if it is not known.
        seconds: from the question to the answer; 0 if it is not known.
        target: the scripted planner's answer; "" where it was not asked.
    """

    planner: str
    question: str
    messages: Sequence[Message]
    answer: str
    said: str
    problem: str | None
    usage: Usage | None
    seconds: float
    target: str = ""

    @property
    def text(self) -> str:
        """Everything that was said."""
        said = (message["content"] for message in self.messages)
        return "\n".join([self.planner, self.question, self.problem or "", *said, self.answer])


def exchanges(folder: Path) -> Iterator[Exchange]:
    """Yields the exchanges of the exams, recordings and sweeps in a folder, or of one recording.

    Raises:
        BBAError: there is no such folder, or a file in it cannot be read.
    """
    if not folder.exists():
        raise BBAError(f"transcripts: there is no {folder}")
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.bba")):
        yield from _of_game(load(path), encodable(path.stem))
    for result in read_results(folder):
        yield from _of_exam(result)
    if (folder / RESULTS_FILE).is_file():
        for number, key in enumerate(load_results(folder).episodes):
            packed = read_recording(folder, key)
            if packed is not None:
                yield from _of_game(unpack(packed, f"{folder}: {key}"), f"episode {number}")


def _of_exam(result: Result) -> Iterator[Exchange]:
    prompts = None if result.asked.prompts else Prompts.load(layout=result.asked.prompt_layout)
    for item in items_of(result):
        question, answer = item.question, item.answer
        told = planner_input(question.observation(), question.told)
        yield Exchange(
            row_name(result),
            question.key,
            prompts.messages("bayes", told) if prompts else (),
            answer.text,
            SKILL_NAMES[answer.skill],
            answer.problem,
            answer.usage,
            answer.seconds,
            SKILL_NAMES[item.reference],
        )


def _of_game(recording: Recording, name: str) -> Iterator[Exchange]:
    for player, (profile, recorded) in enumerate(zip(recording.config.seats, recording.players, strict=True)):
        for step, call in recorded.calls:
            said = SKILL_NAMES[call.skill] if 0 <= call.skill < N_SKILLS else call.kind
            place, seconds = f"{name}, step {step + 1}, P{player}", call.usage.seconds if call.usage else 0.0
            yield Exchange(
                profile.planner or "", place, call.messages, call.response, said, call.problem, call.usage, seconds
            )


def write_inspect_logs(folder: Path, found: Sequence[Exchange]) -> list[Path]:
    """Writes a log of inspect_ai for each planner and returns the files, named for when what they tell was written.

    Raises:
        BBAError: they cannot be written.
    """
    logs = (folder if folder.is_dir() else folder.parent) / INSPECT
    changed = max(
        path.stat().st_mtime for path in (folder.iterdir() if folder.is_dir() else [folder]) if path.is_file()
    )
    created = datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")
    make_folder(logs, f"{logs}: cannot be made")
    start = f"{created[:19].replace(':', '-')}_bba-tui"  # the readers know a log by the time at the start of its name
    files = {
        logs / f"{start}_{file_of(logs, planner).name.split('.exam')[0]}.json": _inspect_log(planner, asked, created)
        for planner, asked in grouped((one.planner, one) for one in found).items()
    }
    write_together({path: json.dumps(log, indent=1) + "\n" for path, log in files.items()})
    return list(files)


def _inspect_log(planner: str, asked: Sequence[Exchange], created: str) -> dict[str, Any]:
    accuracy = {"name": "accuracy", "value": sum(one.problem is None for one in asked) / len(asked)}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": planner,
            "task_id": planner,
            "created": created,
            "task": "bba-tui",
            "dataset": {"name": "bba-tui", "samples": len(asked)},
            "model": planner.replace(":", "/"),
            "config": {},
            "packages": {"bba-tui": __version__},
        },
        "results": {
            "total_samples": len(asked),
            "completed_samples": len(asked),
            "scores": [{"name": "usable", "scorer": "usable", "metrics": {"accuracy": accuracy}}],
        },
        "samples": [_sample(one) for one in asked],
    }


def _sample(one: Exchange) -> dict[str, Any]:
    usage, answer = one.usage or Usage(), {"role": "assistant", "content": one.answer, "source": "generate"}
    tokens = {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}
    return {
        "id": one.question,
        "epoch": 1,
        "input": [*one.messages] or one.question,
        "target": one.target,
        "messages": [*one.messages, answer],
        "output": {
            "model": one.planner,
            "choices": [{"message": answer, "stop_reason": "stop"}],
            "usage": tokens | {"total_tokens": sum(tokens.values())},
            "time": one.seconds,
        },
        "scores": {
            "usable": {
                "value": "I" if one.problem else "C",
                "answer": one.said,
                "explanation": one.problem,
            }
        },
    }
