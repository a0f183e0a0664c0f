"""Asks a planner the questions of the exam, prints its marks and compares it with other planners.

Every answer is kept as it comes. While answers are missing a bar counts them, or a line every ten seconds.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bba
from bba.agents import KEYLESS, ROLLOUT, SeatSpec, skill_planner
from bba.bench import Summary, prompts_digest
from bba.bench.runner import with_ledger
from bba.config import changed
from bba.errors import BBAError
from bba.exam.answers import (
    EXAM_SUFFIX,
    ExamConditions,
    Result,
    answers,
    begun,
    exam_usage,
    file_of,
    prices,
    read_results,
    used,
)
from bba.exam.marks import EXAM_MARKS, items_of, marks_by, marks_of, places
from bba.exam.report import (
    all_marks,
    as_markdown,
    beside_references,
    between_repeats,
    by_kind,
    figure,
    over_planners,
    row_name,
    verdicts,
)
from bba.exam.situations import Question, digest, load_situations, questions
from bba.files import hex_digest, make_folder, write_whole
from bba.planner.model_options import sampling_parameters
from bba.planner.prices import price_of
from bba.progress import progress_bar
from bba.report.drawing import check_drawing
from tui.arguments.seat_options import options_by_model
from tui.commands.compiling import compiling_told
from tui.commands.output import Printed, print_all, without_empty
from tui.commands.sweep import may_spend

if TYPE_CHECKING:
    from tui.commands.exam import ExamOptions

EXAM_FOLDER = Path("results/exam")
LEDGER = "spending.sqlite"
BATCH_SUFFIX = ".batch.json"
BATCH_SECONDS = 26 * 3600.0  # the provider's day, and what may come before and after it
TABLE = "exam.md"
FIGURE = "exam.svg"


@dataclass(frozen=True, slots=True)
class Exam:
    """One planner's exam.

    Attributes:
        options: of the planner.
        questions: the questions, answered or not.
        result: the answers so far.
        path: the file that keeps them.
    """

    options: SeatSpec
    questions: Sequence[Question]
    result: Result
    path: Path

    @property
    def unanswered(self) -> list[Question]:
        """The questions without an answer."""
        answered = {answer.question for answer in self.result.answers}
        return [question for question in self.questions if question.key not in answered]


def print_exam(exam: Exam, table: Path | None) -> None:
    """Prints the marks of a planner, its prices, and all planners of the folder."""
    result = exam.result
    items = items_of(result)
    parts: list[Printed] = [(f"exam of {row_name(result)}: {len(result.answers)} answers", "bold")]
    parts.append(without_empty(all_marks(items)))
    parts += [(verdict, "") for verdict in verdicts(items)]
    parts.append(("\nby kind of situation and by kitchen", "bold"))
    parts.append(without_empty(by_kind(items)))
    model_prices = prices(result, exam.questions, table)
    if model_prices is not None:
        parts.append((f"\na game costs about, in US dollars: {_dollars(model_prices.games)}", ""))
        parts.append((f"a benchmark costs about, in US dollars: {_dollars(model_prices.sweeps)}", ""))
    parts += _comparison(exam)
    print_all(parts)


def _comparison(exam: Exam) -> list[Printed]:
    folder = exam.path.parent
    results = comparable(folder, exam.result.asked.exam)
    parts: list[Printed] = [(f"\nall planners in {folder}", "bold")]
    parts.append(without_empty(over_planners(results)))
    parts += [(line, "") for line in between_repeats(results)]
    parts.append(("percent with 95 % intervals; lost in points, beside those of a feasible skill at random", "dim"))
    return parts


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
        problem = str(error).removeprefix("--report: ")
        sys.stderr.write(f"no figure: {problem}\n")
        return
    write_whole(folder / FIGURE, figure(results))


def exam_data(exam: Exam, table: Path | None) -> dict[str, Any]:
    """Returns marks with their intervals, by kind and kitchen, and beside chance; what was used, and prices."""
    result = exam.result
    items = items_of(result)
    model_prices = prices(result, exam.questions, table)
    chance = [item.at_random() for item in items]
    by_kind_of_situation = marks_by(items, lambda item: item.situation.kind)
    by_kitchen = marks_by(items, lambda item: item.situation.kitchen)
    return {
        "planner": result.planner,
        "repeat": result.asked.repeat,
        "answers": len(result.answers),
        "questions": result.total,
        "marks": _numbers(marks_of(items)),
        "at_random": _numbers(marks_of(chance)),
        "more_than_at_random": _numbers({mark.name: mark.paired_difference(items, chance) for mark in EXAM_MARKS}),
        "lost_than_chance_and_stay": beside_references(items),
        "places": places(items),
        "by_kind": {kind: _numbers(marks) for kind, marks in by_kind_of_situation.items()},
        "by_kitchen": {kitchen: _numbers(marks) for kitchen, marks in by_kitchen.items()},
        "used": used(result)._asdict(),
        "prices": None if model_prices is None else model_prices._asdict(),
        "file": str(exam.path),
    }


def _numbers(marks: dict[str, Summary | None]) -> dict[str, dict[str, float | None] | None]:
    return {name: _summary_data(summary) for name, summary in marks.items()}


def _summary_data(summary: Summary | None) -> dict[str, float | None] | None:
    if summary is None:
        return None
    return {"value": summary.mean, "n": summary.n, "low": summary.low, "high": summary.high}


def take_exam(settings: "ExamOptions") -> None:
    """Asks the planners what they have not answered yet, prints their marks, and compares all planners of the folder.

    Each answer is kept as it comes, so that the same command goes on after an interruption. A language model that does
    not answer, or whose limit is reached, does not keep the others from being asked.

    Raises:
        BBAError: an unsuitable setting, answers that cannot be kept, or a model that does not answer.
    """
    folder = settings.out or EXAM_FOLDER
    exams: list[Exam] = []
    for options in options_by_model(settings, settings.models).values():
        exams += _exams(options, folder, settings)
    unfinished = [exam for exam in exams if exam.unanswered]
    problems = list[BBAError]()
    text, dollars = _estimate(exams)
    free = not any(exam.options.model for exam in unfinished)
    if not may_spend("exam", text, dollars, settings, free=free):
        return
    if unfinished:
        make_folder(folder, f"--out: {folder}: cannot be made")
    for number, exam in enumerate(exams):
        if exam.unanswered:
            try:
                exams[number] = replace(exam, result=_ask(exam, settings))
            except KeyboardInterrupt:
                sys.stderr.write("interrupted: the same command goes on, and fetches what was sent as a batch\n")
                raise
            except BBAError as problem:
                problems.append(problem)
                exams[number] = replace(exam, result=begun(exam.path, exam.result))
    if not problems or len(exams) > 1:
        _print(exams, settings)
        write_comparison(folder, exams[0].result.asked.exam)
    if problems:
        raise problems[0]


def _exams(options: SeatSpec, folder: Path, settings: "ExamOptions") -> Iterator[Exam]:
    """Yields the exams of one planner; only a language model is asked several times."""
    repeats = settings.repeats if options.model else 1
    for repeat in range(1, 1 + repeats):
        model = options.model and changed(options.model, {"repeat": repeat})
        exam_options = with_ledger(replace(options, model=model, history_turns=0), folder / LEDGER)
        planner = skill_planner("bayes", exam_options).name
        new = _new(planner, exam_options, shuffled=settings.shuffle, repeat=repeat)
        path = file_of(folder, row_name(new))
        kept = begun(path, new)
        stem = path.name.removesuffix(EXAM_SUFFIX)
        batch = path.with_name(stem + BATCH_SUFFIX)
        if settings.batch and (model is None or model.provider != "openai"):
            raise BBAError(f"--batch: --planner openai has batches, {options.planner} has none")
        if settings.batch or batch.exists():
            at_once = max(1, new.total - len(kept.answers))  # limits a minute are none of a batch
            sent = {"batch_file": batch, "deadline": BATCH_SECONDS, "concurrency": at_once, "rpm": None, "tpm": None}
            exam_options = replace(exam_options, model=exam_options.model and changed(exam_options.model, sent))
        exam_questions = questions(load_situations(), new.asked.order)
        yield Exam(exam_options, exam_questions, kept, path)


def _print(exams: Sequence[Exam], settings: "ExamOptions") -> None:
    if settings.as_json:
        data = [exam_data(exam, settings.prices) for exam in exams]
        text = json.dumps(data[0] if len(data) == 1 else {"exams": data})
        sys.stdout.write(f"{text}\n")
    elif len(exams) == 1:
        print_exam(exams[0], settings.prices)
    else:
        print_all(_comparison(exams[0]))


def _new(planner: str, options: SeatSpec, *, shuffled: bool, repeat: int) -> Result:
    model = options.model
    endpoint = None
    sampling = None
    if model:
        endpoint = hex_digest(model.endpoint.encode())
        sampling = json.dumps(sampling_parameters(model), sort_keys=True)
    conditions = ExamConditions(
        history_turns=0,
        retries=options.retries,
        prompt_layout=options.effective_prompt_layout,
        exam=digest(load_situations()),
        prompts=prompts_digest(options.prompts, options.effective_prompt_layout),
        sampling=sampling,
        endpoint=endpoint,
        rollout=options.rollout.model_dump_json() if planner == ROLLOUT else None,
        shuffled=shuffled,
        repeat=repeat,
    )
    total = len(questions(load_situations()))
    return Result(planner=planner, version=bba.__version__, asked=conditions, total=total)


def _ask(exam: Exam, settings: "ExamOptions") -> Result:
    """Returns the result with all answers; writes it at the end, and after each answer that may have to be paid for."""
    result = exam.result
    planner = exam.options.planner
    model = exam.options.model
    keyless = planner in KEYLESS
    batch = model.batch_file if model else None
    threads = settings.concurrency
    if keyless:
        threads = 1
    elif model:
        threads = model.concurrency
    dollars = 0.0
    compiling = compiling_told(verbose=settings.verbose, moving=False)
    with progress_bar(len(exam.unanswered), "questions", shown=True) as bar, compiling:
        make = partial(skill_planner, "bayes", exam.options)
        new_answers = answers(
            make, exam.unanswered, at_once=threads, give_up_after=settings.give_up_after, patient=batch is None
        )
        for answer in new_answers:
            result = result.model_copy(update={"answers": (*result.answers, answer)})
            if answer.usage and answer.usage.cost:
                dollars += answer.usage.cost
            bar.say(f"{dollars:.2f} US dollars" if dollars else "")
            bar.advance()
            if not keyless or result.complete:
                write_whole(exam.path, result.model_dump_json(indent=1) + "\n")
    if batch is not None:
        batch.unlink(missing_ok=True)
    return result


def _estimate(exams: Sequence[Exam]) -> tuple[str, float | None]:
    """Returns what the questions will probably cost, as one line and in US dollars if the prices are known."""
    count = sum(len(exam.unanswered) for exam in exams)
    paid = [
        (exam.options.model, exam_usage(exam.unanswered, exam.options.templates))
        for exam in exams
        if exam.options.model
    ]
    if not paid:
        return f"{count} questions to the {exams[0].options.planner} planner: they cost nothing", 0.0
    prices = {model.model: price_of(model.model, model.prices) for model, _ in paid}
    unknown = [name for name, price in prices.items() if price is None]
    costs: list[float] = []
    for model, usage in paid:
        price = prices[model.model]
        if price is not None:
            costs.append(price.of(usage, batch=model.batch_file is not None))
    dollars = None if unknown else sum(costs)
    if dollars is None:
        cost = f"no price is known of {', '.join(unknown)} (see --prices)"
    else:
        cost = f"about {dollars:.2f} US dollars"
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for _, usage in paid) / 1e6
    return f"estimate: {count} questions, about {tokens:.2f} million tokens, {cost}; longer answers cost more", dollars
