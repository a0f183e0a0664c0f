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


def write_inspect_logs(folder: Path, exchanges: Sequence[Exchange]) -> list[Path]:
    """Writes the logs and returns the files, which are named for the time at which the results were written.

    Raises:
        BBAError: they cannot be written.
    """
    if folder.is_dir():
        logs = folder / INSPECT
        sources = list(folder.iterdir())
    else:
        logs = folder.parent / INSPECT
        sources = [folder]
    changed = max(path.stat().st_mtime for path in sources if path.is_file())
    completed = datetime.fromtimestamp(changed, UTC)
    make_folder(logs, f"{logs}: cannot be made")
    start = completed.isoformat(timespec="seconds")[:19].replace(":", "-")  # by which the readers know a log
    texts = {}
    groups = grouped(((exchange.planner, exchange.task), exchange) for exchange in exchanges)
    for (planner, task), of_task in groups.items():
        planner_name = file_of(logs, planner).name.split(".exam")[0]
        log = _log(planner, task, of_task, completed)
        texts[logs / f"{start}_{task}_{planner_name}.json"] = json.dumps(log, indent=1) + "\n"
    write_together(texts)
    return list(texts)


def _log(planner: str, task: str, exchanges: Sequence[Exchange], completed: datetime) -> dict[str, Any]:
    seconds = sum(exchange.seconds for exchange in exchanges)
    began = completed - timedelta(seconds=seconds)  # as if one question was asked after the other
    times = {"started_at": began.isoformat(timespec="seconds"), "completed_at": completed.isoformat(timespec="seconds")}
    model = planner.replace(":", "/") or "none"
    number = hex_digest(planner.encode(), task.encode())
    usage = total_usage(exchange.call.usage for exchange in exchanges)
    dataset = {
        "name": f"bba-tui {task}",
        "samples": len(exchanges),
        "sample_ids": [exchange.question for exchange in exchanges],
        "shuffled": False,
    }
    evaluation = {
        "eval_id": number,
        "run_id": number,
        "task_id": f"{task}-{number}",
        "created": times["completed_at"],
        "task": task,
        "dataset": dataset,
        "model": model,
        "config": {},
        "packages": {"bba-tui": __version__},
        "metadata": dict(_shared_options(exchanges)),
    }
    results = {
        "total_samples": len(exchanges),
        "completed_samples": len(exchanges),
        "scores": [_usable(exchanges), *_summaries(exchanges)],
    }
    model_usage = {model: _tokens(usage)} if usage else {}
    return {
        "version": 2,
        "status": "success",
        "eval": evaluation,
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": results,
        "stats": {**times, "model_usage": model_usage},
        "samples": [_sample(exchange, model, times["completed_at"]) for exchange in exchanges],
    }


def _shared_options(exchanges: Sequence[Exchange]) -> Mapping[str, Any]:
    """Returns how the planner was asked, where all questions were asked alike."""
    options = [exchange.about.get("asked") for exchange in exchanges]
    first = options[0]
    if isinstance(first, dict) and all(of_exchange == first for of_exchange in options):
        return first
    return {}


def _usable(exchanges: Sequence[Exchange]) -> dict[str, Any]:
    share = sum(exchange.call.problem is None for exchange in exchanges) / len(exchanges)
    return _score(USABLE, {"accuracy": share}, len(exchanges))


def _summaries(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Returns the exam's marks with their 95 % intervals; those of repeated exams are of the first."""
    scores = []
    for name, summary in exchanges[0].summaries.items():
        if summary is not None and name != USABLE:
            scores.append(_score(name, _interval(summary), summary.n))
    return scores


def _interval(summary: Summary) -> dict[str, float]:
    values = {"mean": summary.mean, "low": summary.low, "high": summary.high}
    return {name: value for name, value in values.items() if value is not None}


def _score(name: str, values: Mapping[str, float], count: int) -> dict[str, Any]:
    metrics = {metric: {"name": metric, "value": value} for metric, value in values.items()}
    mark = MARK[name]
    metadata = {"about": mark.about, "unit": "points" if mark.points else "share"}
    return {"name": name, "scorer": name, "scored_samples": count, "metrics": metrics, "metadata": metadata}


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.prompt_tokens,
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "input_tokens_cache_read": usage.cached_tokens,
    }


def _sample(exchange: Exchange, model: str, completed: str) -> dict[str, Any]:
    """Returns an exchange as a sample; its event is what the viewer and the data frame of messages read."""
    call = exchange.call
    prompt = [{**message, "id": f"{exchange.question}#{number}"} for number, message in enumerate(call.messages, 1)]
    answer = {"role": "assistant", "content": call.response, "source": "generate", "model": model}
    answer["id"] = f"{exchange.question}#{len(prompt) + 1}"
    usage = _tokens(call.usage or Usage())
    verdict = {"value": "I" if call.problem else "C", "answer": exchange.said, "explanation": call.problem}
    scores = {name: {"value": value, "answer": exchange.said} for name, value in exchange.scores.items()}
    output = {
        "model": model,
        "choices": [{"message": answer, "stop_reason": "stop"}],
        "usage": usage,
        "time": exchange.seconds,
    }
    event = {
        "event": "model",
        "uuid": hex_digest(model.encode(), exchange.question.encode()),
        "timestamp": completed,
        "working_start": 0.0,
        "working_time": exchange.seconds,
        "model": model,
        "input": prompt,
        "tools": [],
        "tool_choice": "none",
        "config": {},
        "output": output,
    }
    return {
        "id": exchange.question,
        "epoch": 1,
        "input": prompt or exchange.question,
        "target": exchange.target,
        "messages": [*prompt, answer],
        "output": output,
        "events": [event],
        "scores": {**scores, USABLE: verdict},
        "metadata": {name: value for name, value in exchange.about.items() if name != "asked"},
        "model_usage": {model: usage} if call.usage else {},
        "total_time": exchange.seconds,
    }
