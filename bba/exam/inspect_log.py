"""Logs of inspect_ai: what a planner was asked, what it answered, and the exam's marks of it.

A log is JSON in version 2 of that project's format, one for each planner and for exams, games and sweeps apart. Its
viewer, its readers and its data frames open it. Their readers of a log's beginning take the fields in this order.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bba import __version__
from bba.bench.statistics import Summary, grouped
from bba.exam.answers import file_of
from bba.exam.marks import MARK
from bba.exam.transcripts import Exchange
from bba.files import hex_digest, make_folder, write_together
from bba.planner import Usage, total_usage

INSPECT = "inspect"  # the folder of the logs
USABLE = "usable"  # the mark that every answer has, in a game too


def write_inspect_logs(folder: Path, found: Sequence[Exchange]) -> list[Path]:
    """Writes the logs and returns the files, named for when what they tell was written.

    Raises:
        BBAError: they cannot be written.
    """
    logs = (folder if folder.is_dir() else folder.parent) / INSPECT
    changed = max(
        path.stat().st_mtime for path in (folder.iterdir() if folder.is_dir() else [folder]) if path.is_file()
    )
    completed = datetime.fromtimestamp(changed, UTC)
    make_folder(logs, f"{logs}: cannot be made")
    start = completed.isoformat(timespec="seconds")[:19].replace(":", "-")  # by which the readers know a log
    files = {
        logs / f"{start}_{task}_{file_of(logs, planner).name.split('.exam')[0]}.json": _log(
            planner, task, of, completed
        )
        for (planner, task), of in grouped(((one.planner, one.task), one) for one in found).items()
    }
    write_together({path: json.dumps(log, indent=1) + "\n" for path, log in files.items()})
    return list(files)


def _log(planner: str, task: str, asked: Sequence[Exchange], completed: datetime) -> dict[str, Any]:
    began = completed - timedelta(seconds=sum(one.seconds for one in asked))  # as if one was asked after the other
    times = {"started_at": began.isoformat(timespec="seconds"), "completed_at": completed.isoformat(timespec="seconds")}
    model = planner.replace(":", "/") or "none"
    number = hex_digest(planner.encode(), task.encode())
    used = total_usage(one.usage for one in asked)
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": number,
            "run_id": number,
            "task_id": f"{task}-{number}",
            "created": times["completed_at"],
            "task": task,
            "dataset": {
                "name": f"bba-tui {task}",
                "samples": len(asked),
                "sample_ids": [one.question for one in asked],
                "shuffled": False,
            },
            "model": model,
            "config": {},
            "packages": {"bba-tui": __version__},
            "metadata": dict(_shared([one.about.get("asked") for one in asked])),
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": len(asked),
            "completed_samples": len(asked),
            "scores": [_usable(asked), *_summaries(asked)],
        },
        "stats": {**times, "model_usage": {model: _tokens(used)} if used else {}},
        "samples": [_sample(one, model, times["completed_at"]) for one in asked],
    }


def _shared(told: Sequence[object]) -> Mapping[str, Any]:
    """Returns how the planner was asked, where all questions were asked alike."""
    first = told[0]
    return first if isinstance(first, dict) and all(one == first for one in told) else {}


def _usable(asked: Sequence[Exchange]) -> dict[str, Any]:
    share = sum(one.problem is None for one in asked) / len(asked)
    return _score(USABLE, {"accuracy": share}, len(asked))


def _summaries(asked: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Returns the exam's marks with their 95 % intervals; those of repeated exams are of the first."""
    found = {name: one for name, one in asked[0].summaries.items() if one is not None and name != USABLE}
    return [_score(name, _interval(summary), summary.n) for name, summary in found.items()]


def _interval(summary: Summary) -> dict[str, float]:
    values = {"mean": summary.mean, "low": summary.low, "high": summary.high}
    return {name: value for name, value in values.items() if value is not None}


def _score(name: str, values: Mapping[str, float], count: int) -> dict[str, Any]:
    metrics = {metric: {"name": metric, "value": value} for metric, value in values.items()}
    about = {"about": MARK[name].about, "unit": "points" if MARK[name].points else "share"}
    return {"name": name, "scorer": name, "scored_samples": count, "metrics": metrics, "metadata": about}


def _tokens(usage: Usage) -> dict[str, int]:
    tokens = {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}
    return {
        **tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "input_tokens_cache_read": usage.cached_tokens,
    }


def _sample(one: Exchange, model: str, completed: str) -> dict[str, Any]:
    """Returns an exchange as a sample; its event is what the viewer and the data frame of messages read."""
    asked = [{**message, "id": f"{one.question}#{number}"} for number, message in enumerate(one.messages, 1)]
    answer = {"role": "assistant", "content": one.answer, "source": "generate", "model": model}
    answer["id"] = f"{one.question}#{len(asked) + 1}"
    usage = _tokens(one.usage or Usage())
    verdict = {"value": "I" if one.problem else "C", "answer": one.said, "explanation": one.problem}
    scores = {name: {"value": value, "answer": one.said} for name, value in one.scores.items()}
    output = {
        "model": model,
        "choices": [{"message": answer, "stop_reason": "stop"}],
        "usage": usage,
        "time": one.seconds,
    }
    event = {
        "event": "model",
        "uuid": hex_digest(model.encode(), one.question.encode()),
        "timestamp": completed,
        "working_start": 0.0,
        "working_time": one.seconds,
        "model": model,
        "input": asked,
        "tools": [],
        "tool_choice": "none",
        "config": {},
        "output": output,
    }
    return {
        "id": one.question,
        "epoch": 1,
        "input": asked or one.question,
        "target": one.target,
        "messages": [*asked, answer],
        "output": output,
        "events": [event],
        "scores": {**scores, USABLE: verdict},
        "metadata": {name: value for name, value in one.about.items() if name != "asked"},
        "model_usage": {model: usage} if one.usage else {},
        "total_time": one.seconds,
    }
