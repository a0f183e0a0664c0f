"""The command `exam`: asks a planner the questions of the exam, keeps its answers, and compares it with others."""

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import bba
from bba.agents import AgentOptions
from bba.agents.registry import KEYLESS, skill_planner
from bba.agents.rollout_planner import ROLLOUT
from bba.bench.provenance import folder_digest
from bba.config import LanguageModelOptions, PlannerOptions, RolloutOptions, changed
from bba.errors import BBAError
from bba.exam.answers import Asked, Result, begun, file_of, write_result
from bba.exam.asking import MakePlanner, answers
from bba.exam.prices import exam_usage
from bba.exam.situations import Question, digest, load_situations, questions
from bba.planner import Prompts
from bba.planner.llm.model_options import price_of, sampling_parameters
from bba.settings import Settings
from tui.arguments import check_options
from tui.commands.compiling import announce_compiling
from tui.commands.exam_output import print_exam, print_exam_json, write_comparison
from tui.commands.exam_progress import progress
from tui.commands.sweep_cost import ask_before
from tui.game_factory import agent_options

FOLDER = Path("results/exam")
LEDGER = "spending.sqlite"
TAKES = (
    *("planner", "prompts", "weights", "as_json", "out", "yes", "dry_run", "config"),
    *PlannerOptions.model_fields,
    *RolloutOptions.model_fields,
    *LanguageModelOptions.model_fields,
)


def take_exam(settings: Settings) -> None:
    """Asks the planner what it has not answered yet, prints its marks, and compares all planners of the folder.

    Each answer is kept as it comes, so that the same command goes on after an interruption.

    Raises:
        BBAError: an unsuitable setting, answers that cannot be kept, or a model that does not answer.
    """
    check_options(settings, "exam", TAKES)
    folder, asked = settings.out or FOLDER, questions(load_situations())
    options = _options(settings, folder)
    make = partial(skill_planner, "bayes", options)
    new = _new(make().name, asked, options)
    path = file_of(folder, new.planner)
    result = begun(path, new)
    left = result.left(asked)
    if settings.dry_run:
        sys.stdout.write(f"{_estimate(left, options)[0]}\n")
        return
    if left:
        _announce(left, options, settings)
        _make(folder)
        result = _ask(result, left, make, path, settings)
    (print_exam_json if settings.as_json else print_exam)(result, asked, path, settings.prices)
    write_comparison(folder, result.asked.exam)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BBAError(f"--out: {folder}: cannot be made: {error.strerror or error}") from None


def _options(settings: Settings, folder: Path) -> AgentOptions:
    """Returns the options of the planner: no earlier turns, and what is spent is kept in the folder."""
    options = replace(agent_options(settings), history_turns=0)
    if options.model is None:
        return options
    return replace(options, model=changed(options.model, {"ledger": folder / LEDGER}))


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
    if settings.planner == ROLLOUT:
        announce_compiling(ROLLOUT)
    with progress(len(left)) as count:
        for answer in answers(make, left, at_once=_threads(settings), give_up_after=settings.give_up_after):
            result = result.with_answer(answer)
            count(answer)
            if not keyless or result.complete:
                write_result(path, result)
    return result


def _threads(settings: Settings) -> int:
    return 1 if settings.planner in KEYLESS else settings.concurrency


def _announce(left: Sequence[Question], options: AgentOptions, settings: Settings) -> None:
    """Says what the questions will probably cost; asks above a threshold unless --yes is given.

    Raises:
        BBAError: the user does not agree, or cannot be asked.
    """
    if options.model is None:
        return
    text, dollars = _estimate(left, options)
    sys.stderr.write(f"{text}\n")
    if not settings.yes:
        ask_before("exam", dollars)


def _estimate(left: Sequence[Question], options: AgentOptions) -> tuple[str, float | None]:
    """Returns what the questions will probably cost, as one line and in US dollars if the price is known."""
    if options.model is None:
        return f"{len(left)} questions to the {options.planner} planner: they cost nothing", 0.0
    model, usage = options.model, exam_usage(left, Prompts.load(options.prompts, options.prompt_layout))
    price = price_of(model.model, model.prices)
    dollars = price.of(usage) if price else None
    cost = f"no price is known of {model.model} (see --prices)" if price is None else f"about {dollars:.2f} US dollars"
    tokens = (usage.prompt_tokens + usage.completion_tokens) / 1e6
    text = f"estimate: {len(left)} questions, about {tokens:.2f} million tokens, {cost}; longer answers cost more"
    return text, dollars
