"""The command `exam`: asks a planner the questions of the exam, prints its marks and compares it with other planners.

Every answer is kept as it comes. While answers are missing a bar counts them, or a line every ten seconds.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import bba
from bba.agents import AgentOptions
from bba.agents.registry import KEYLESS, skill_planner
from bba.agents.rollout_planner import ROLLOUT
from bba.bench.provenance import folder_digest
from bba.bench.runner import with_ledger
from bba.bench.statistics import Summary
from bba.errors import BBAError
from bba.exam.answers import Answer, Asked, MakePlanner, Result, answers, begun, file_of, read_results
from bba.exam.marks import items_of, marks_by, marks_of
from bba.exam.prices import exam_usage, prices, used
from bba.exam.report import all_marks, as_markdown, by_kind, over_planners, write_figure
from bba.exam.situations import Question, digest, load_situations, questions
from bba.files import make_folder, write_whole
from bba.planner.llm.model_options import price_of, sampling_parameters
from bba.progress import line_writer
from bba.report.drawing import check_drawing
from bba.settings import Settings
from tui.arguments import check_options
from tui.commands.output import Printed, announce_compiling, plain_table, print_all
from tui.commands.sweep import may_spend
from tui.game_factory import agent_options

EXAM_FOLDER = Path("results/exam")
LEDGER = "spending.sqlite"
TABLE = "exam.md"


def print_exam(result: Result, asked: Sequence[Question], path: Path, table: Path | None) -> None:
    """Prints the marks of a planner, its prices, and all planners of the folder."""
    items, others = items_of(result), comparable(path.parent, result.asked.exam)
    found = prices(result, asked, table)
    costs = {} if found is None else {"\na game": found.games, "a benchmark": found.sweeps}
    print_all(
        [
            (f"exam of {result.planner}: {len(result.answers)} answers", "bold"),
            _table(all_marks(items), 1, 2),
            ("\nby kind of situation and by kitchen", "bold"),
            _table(by_kind(items), 1, 4),
            *((f"{what} costs about, in US dollars: {_dollars(of)}", "") for what, of in costs.items()),
            (f"\nall planners in {path.parent}", "bold"),
            _table(over_planners(others), 1, 20),
            ("percent with 95 % intervals; lost in points", "dim"),
        ]
    )


def _dollars(of_models: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {dollars:,.2f}" for name, dollars in of_models.items())


def comparable(folder: Path, exam: str) -> list[Result]:
    """Returns the answers in a folder to the exam with this digest.

    Raises:
        BBAError: a file cannot be read.
    """
    return [result for result in read_results(folder) if result.asked.exam == exam]


def write_comparison(folder: Path, exam: str) -> None:
    """Writes the table over planners and, where figures can be drawn, the figure.

    Raises:
        BBAError: a file cannot be read or written.
    """
    results = comparable(folder, exam)
    write_whole(folder / TABLE, as_markdown(results))
    try:
        check_drawing()
    except BBAError as error:
        sys.stderr.write(f"no figure: {str(error).removeprefix('--report: ')}\n")
        return
    write_figure(folder, results)


def print_exam_json(result: Result, asked: Sequence[Question], path: Path, table: Path | None) -> None:
    """Prints one JSON object: marks with their intervals, marks by kind and kitchen, what was used, and prices."""
    items, found = items_of(result), prices(result, asked, table)
    data: dict[str, Any] = {
        "planner": result.planner,
        "answers": len(result.answers),
        "questions": result.total,
        "marks": _numbers(marks_of(items)),
        "by_kind": {kind: _numbers(of) for kind, of in marks_by(items, lambda item: item.situation.kind).items()},
        "by_kitchen": {name: _numbers(of) for name, of in marks_by(items, lambda item: item.situation.kitchen).items()},
        "used": used(result)._asdict(),
        "prices": None if found is None else found._asdict(),
        "file": str(path),
    }
    sys.stdout.write(json.dumps(data) + "\n")


def _numbers(marks: dict[str, Summary | None]) -> dict[str, dict[str, float | None] | None]:
    return {
        name: None if one is None else {"value": one.mean, "n": one.n, "low": one.low, "high": one.high}
        for name, one in marks.items()
    }


def _table(content: tuple[list[str], list[list[str]]], first: int, last: int) -> Printed:
    """Returns a table whose columns from `first` to before `last` are numbers."""
    heading, rows = content
    table = plain_table(heading)
    for column in table.columns[first:last]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row)
    return table


@contextmanager
def progress(total: int) -> Iterator[Callable[[Answer], None]]:
    """Gives a function that counts an answer: on a bar on a terminal, elsewhere in a line every ten seconds."""
    columns = TextColumn("questions"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
    terminal, dollars = sys.stderr.isatty(), 0.0
    with Progress(*columns, console=Console(stderr=True), disable=not terminal) as bar:
        bar.add_task("", total=total)
        (task,) = bar.tasks
        write = line_writer(
            lambda: ", ".join(filter(None, (f"{task.completed:g} of {total} questions", task.description)))
        )

        def count(answer: Answer) -> None:
            nonlocal dollars
            dollars += answer.usage.cost or 0.0 if answer.usage else 0.0
            bar.update(task.id, advance=1, description=f"{dollars:.2f} US dollars" if dollars else "")
            if not terminal:
                write(False)

        yield count


def take_exam(settings: Settings) -> None:
    """Asks the planner what it has not answered yet, prints its marks, and compares all planners of the folder.

    Each answer is kept as it comes, so that the same command goes on after an interruption.

    Raises:
        BBAError: an unsuitable setting, answers that cannot be kept, or a model that does not answer.
    """
    check_options(settings, "exam")
    folder, asked = settings.out or EXAM_FOLDER, questions(load_situations())
    options = with_ledger(replace(agent_options(settings), history_turns=0), folder / LEDGER)
    make = partial(skill_planner, "bayes", options)
    new = _new(make().name, asked, options)
    path = file_of(folder, new.planner)
    result = begun(path, new)
    answered = {answer.question for answer in result.answers}
    left = [question for question in asked if question.key not in answered]
    if not may_spend("exam", *_estimate(left, options), settings, free=options.model is None or not left):
        return
    if left:
        make_folder(folder, f"--out: {folder}: cannot be made")
        result = _ask(result, left, make, path, settings)
    (print_exam_json if settings.as_json else print_exam)(result, asked, path, settings.prices)
    write_comparison(folder, result.asked.exam)


def _new(planner: str, asked: Sequence[Question], options: AgentOptions) -> Result:
    """Returns a result without answers."""
    model = options.model
    endpoint = hashlib.blake2b(model.endpoint.encode(), digest_size=8).hexdigest() if model else None
    how = Asked(
        history_turns=0,
        retries=options.retries,
        prompt_layout=options.prompt_layout,
        exam=digest(load_situations()),
        prompts=folder_digest(options.prompts) if options.prompts else None,
        sampling=json.dumps(sampling_parameters(model), sort_keys=True) if model else None,
        endpoint=endpoint,
        rollout=options.rollout.model_dump_json() if planner == ROLLOUT else None,
    )
    return Result(planner=planner, version=bba.__version__, asked=how, total=len(asked))


def _ask(result: Result, left: Sequence[Question], make: MakePlanner, path: Path, settings: Settings) -> Result:
    """Returns the result with all answers; writes it at the end, and after each answer that may have to be paid for."""
    keyless = settings.planner in KEYLESS
    threads = 1 if keyless else settings.concurrency
    if settings.planner == ROLLOUT:
        announce_compiling(ROLLOUT)
    with progress(len(left)) as count:
        for answer in answers(make, left, at_once=threads, give_up_after=settings.give_up_after):
            result = result.model_copy(update={"answers": (*result.answers, answer)})
            count(answer)
            if not keyless or result.complete:
                write_whole(path, result.model_dump_json(indent=1) + "\n")
    return result


def _estimate(left: Sequence[Question], options: AgentOptions) -> tuple[str, float | None]:
    """Returns what the questions will probably cost, as one line and in US dollars if the price is known."""
    if options.model is None:
        return f"{len(left)} questions to the {options.planner} planner: they cost nothing", 0.0
    model, usage = options.model, exam_usage(left, options.templates)
    price = price_of(model.model, model.prices)
    dollars = price.of(usage) if price else None
    cost = f"no price is known of {model.model} (see --prices)" if price is None else f"about {dollars:.2f} US dollars"
    tokens = (usage.prompt_tokens + usage.completion_tokens) / 1e6
    text = f"estimate: {len(left)} questions, about {tokens:.2f} million tokens, {cost}; longer answers cost more"
    return text, dollars
