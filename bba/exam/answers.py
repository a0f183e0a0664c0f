"""The answers of one planner to the exam, the file that keeps them, and what its model costs by them.

Questions are asked one by one or several at a time. The file is JSON, written as a whole after each answer that was
paid for, so that an interruption loses none: docs/use/exam.md says what it holds.

The calls of a game are those that were measured (`bba.bench.price_estimate`). The tokens of a call are scaled: those
sent by how many this model counts where characters make us expect one, those received by how much longer its answers
are.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field

from bba.agents import EpisodeContext, ScriptedPlanner, SkillPlanner, planner_input
from bba.belief import StayModel
from bba.bench.names import OWN_PLANNERS, without_model
from bba.bench.presets import Sweep, load_sweep, sweep_names
from bba.bench.price_estimate import usage_table
from bba.config import EPISODE_DEFAULTS, ChatOptions, ConditionName
from bba.errors import BBAError
from bba.exam.situations import EGO, Question
from bba.files import read_bytes
from bba.kitchen.constants import N_SKILLS
from bba.llm.budget import tokens_of
from bba.planner import PLAN, LLMCall, Message, ModelUnusable, Prompts, Usage, total_usage
from bba.planner.prices import price_of
from bba.processes import in_thread
from bba.validation import checked

EXAM_SUFFIX = ".exam.json"


class Answer(BaseModel, frozen=True, extra="ignore"):  # later versions may add fields
    """The answer to one question.

    Attributes:
        question: the name of the question.
        skill: the skill that was chosen; STAY where no answer could be used.
        problem: why the last response could not be used; None if it was.
        attempts: the number of responses and failures to respond, 1 or more.
        text: the last response; "" for none, or for a planner that is not asked in prompts.
        usage: what all attempts used; None for a planner that costs nothing.
        seconds: from the question to the answer.
    """

    question: str
    skill: Annotated[int, Field(ge=0, lt=N_SKILLS)]
    problem: str | None = None
    attempts: Annotated[int, Field(ge=1, le=10**6)] = 1
    text: str = ""
    usage: Usage | None = None
    seconds: Annotated[float, Field(ge=0, le=1e9)] = 0.0

    def as_call(self, prompt: Sequence[Message] = ()) -> LLMCall:
        """Returns the answer as the plan that it was in a game; the file does not hold `prompt`, what was sent."""
        texts = tuple(message["content"] for message in prompt)
        return LLMCall(PLAN, texts, self.text, self.attempts, self.problem, self.usage, skill=self.skill)


class ExamConditions(ChatOptions):
    """How a planner was asked (`asked` in files); answers that were asked for in another way are not put together.

    Attributes:
        exam: digest of the situations.
        prompts: digest of a folder of prompts; None for those that ship with the project.
        sampling: what a model is sent beside the messages, as JSON; None for another planner.
        endpoint: digest of a model's address; None for another planner.
        rollout: the rollout planner's futures as JSON; None for another planner.
        shuffled: whether the valid actions stood in an order that was drawn.
        repeat: which time it was asked, from 1.
    """

    exam: str
    prompts: str | None = None
    sampling: str | None = None
    endpoint: str | None = None
    rollout: str | None = None
    shuffled: bool = False
    repeat: Annotated[int, Field(ge=1, le=1000)] = 1

    @property
    def order(self) -> int | None:
        """The seed of the order of the valid actions, different in each repeat; None for ascending."""
        return self.repeat if self.shuffled else None


class Result(BaseModel, frozen=True, extra="ignore"):
    """The answers of one planner.

    Attributes:
        planner: its name, such as "scripted" or "openai:gpt-4o".
        version: of the program that asked.
        asked: how it was asked.
        total: the number of questions of the exam.
        answers: the answers so far, each question once.
    """

    format: Literal["bba-exam"] = "bba-exam"
    schema_version: Literal[1] = 1
    planner: Annotated[str, Field(pattern=r"^[\w .:/@+-]{1,120}$")]
    version: str
    asked: ExamConditions
    total: Annotated[int, Field(ge=1, le=10**6)]
    answers: tuple[Answer, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every question is answered."""
        return len(self.answers) >= self.total


def file_of(folder: Path, planner: str) -> Path:
    """Returns the file of a planner's answers."""
    plain = re.sub(r"[^A-Za-z0-9.+-]+", "-", planner)
    return folder / f"{plain.strip('-.')}{EXAM_SUFFIX}"


def read_result(path: Path) -> Result:
    """Returns the answers in a file.

    Raises:
        BBAError: it cannot be read, or holds something else.
    """
    return checked(Result, read_bytes(path), f"{path}: not the answers to an exam")


def read_results(folder: Path) -> list[Result]:
    """Returns all answers in a folder, by the name of the file.

    Raises:
        BBAError: one cannot be read.
    """
    return [read_result(path) for path in sorted(folder.glob(f"*{EXAM_SUFFIX}"))]


def begun(path: Path, new: Result) -> Result:
    """Returns the answers that a file already holds, else `new`, which has none.

    Raises:
        BBAError: it holds answers of another planner, or asked for in another way.
    """
    if not path.exists():
        return new
    stored = read_result(path)
    changes = [name for name in ExamConditions.model_fields if getattr(stored.asked, name) != getattr(new.asked, name)]
    if stored.planner != new.planner:
        raise BBAError(f"{path}: holds the answers of {stored.planner}; take another folder with --out")
    if changes:
        changed = ", ".join(changes).replace("_", " ")
        raise BBAError(
            f"{path}: these answers were asked for with another {changed}; "
            "take another folder with --out, or remove the file"
        )
    return stored


MakePlanner = Callable[[], SkillPlanner]


def ask(planner: SkillPlanner, question: Question) -> Answer:
    """Returns the planner's answer, which owes nothing to earlier questions.

    Raises:
        BBAError: it will not answer, now or later.
    """
    observation = question.observation()
    planner.reset(EpisodeContext(EGO, observation.layout, 0, StayModel.NOISY, fast=False))
    started = time.perf_counter()
    decision = planner.plan(observation, question.partner_belief)
    seconds = time.perf_counter() - started
    call = decision.plan
    return Answer(
        question=question.key,
        skill=decision.skill,
        problem=call.problem if call else None,
        attempts=call.attempts if call else 1,
        text=call.response if call else "",
        usage=call.usage if call else None,
        seconds=round(seconds, 4),
    )


def scripted() -> SkillPlanner:
    """Returns the scripted planner with the prompts of `bayes`."""
    return ScriptedPlanner(Prompts.load(), "bayes", history_turns=0)


def answers(
    make: MakePlanner, requested: Sequence[Question], *, at_once: int = 1, give_up_after: int = 3, patient: bool = True
) -> Iterator[Answer]:
    """Yields the answers to questions as they come.

    Where a question cannot be answered, or the user interrupts, no other begins; the answers under way still come,
    unless nobody is patient. A response without a usable plan is an answer: the exam is there to count them. Questions
    without any response, the last ones before the exam is given up, are none.

    Args:
        make: makes a planner; one for each question.
        requested: the questions.
        at_once: the largest number of questions under way, 1 or more.
        give_up_after: questions in a row without any response after which no other is asked, 1 or more.
        patient: whether the end waits for what is under way; else an interruption is one at once.

    Raises:
        BBAError: the planner will not answer.
        KeyboardInterrupt: the user has interrupted it.
    """
    silent: list[Answer] = []
    for answer in _as_they_come(make, requested, at_once, patient):
        silent.append(answer)
        if answer.text or answer.problem is None:
            yield from silent
            silent.clear()
        elif len(silent) >= give_up_after:
            noun = "question" if len(silent) == 1 else "questions"
            raise ModelUnusable(f"no answer to {len(silent)} {noun} in a row: {answer.problem} (see --give-up-after)")
    yield from silent


def _as_they_come(make: MakePlanner, requested: Sequence[Question], at_once: int, patient: bool) -> Iterator[Answer]:
    def ask_new_planner(question: Question) -> Answer:
        return ask(make(), question)

    tasks = iter([partial(ask_new_planner, question) for question in requested])
    running = {in_thread(task) for task in islice(tasks, at_once)}
    problem: BaseException | None = None
    try:
        while running:
            try:
                done, running = wait(running, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt as interrupt:
                if not patient:
                    raise
                problem = interrupt
                continue
            for future in done:
                failure = future.exception()
                if failure is None:
                    yield future.result()
                elif problem is None:
                    problem = failure
            if problem is None:
                running |= {in_thread(task) for task in islice(tasks, len(done))}
    finally:
        wait(running if patient else ())
    if problem is not None:
        raise problem


PRICED_AGENT = "bayes"  # whose prompts the exam has


class AnswerUsage(NamedTuple):
    """What the answers of a planner used.

    Attributes:
        sent, received: tokens of an answer on average, all attempts together.
        estimated: whether some of them are estimated, because the endpoint does not report them.
        seconds: the median from question to answer.
        dollars: of all answers together; None if nothing has a price.
    """

    sent: float
    received: float
    estimated: bool
    seconds: float
    dollars: float | None


class Prices(NamedTuple):
    """What games of a model cost in US dollars.

    Attributes:
        games: of each agent, by name.
        sweeps: each benchmark, by name.
    """

    games: dict[str, float]
    sweeps: dict[str, float]


def used(result: Result) -> AnswerUsage:
    """Returns the tokens, time and cost of the answers; answers that were stored before count for their time only."""
    paid = [answer.usage for answer in result.answers if answer.usage is not None and not answer.usage.cached]
    total = total_usage(paid) or Usage()
    count = max(len(paid), 1)
    seconds = sorted(answer.seconds for answer in result.answers)
    middle = seconds[len(seconds) // 2] if seconds else 0.0
    return AnswerUsage(
        total.prompt_tokens / count, total.completion_tokens / count, total.estimated > 0, middle, total.cost
    )


def prices(result: Result, exam_questions: Sequence[Question], path: Path | None = None) -> Prices | None:
    """Returns the prices of games with the planner of a result; None without a price, or if nothing was paid for.

    Args:
        result: the answers.
        exam_questions: the questions of the exam.
        path: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    averages = used(result)
    price = price_of(result.planner.partition(":")[2], path)
    if price is None or not averages.sent:
        return None
    expected_tokens = exam_usage(exam_questions, Prompts.load()).prompt_tokens
    factor = averages.sent * len(exam_questions) / expected_tokens
    longer = max(0.0, averages.received - usage_table()[PRICED_AGENT].completion_tokens)

    def games_in(condition: ConditionName) -> dict[str, float]:
        games = {}
        for agent, usage in usage_table(condition).items():
            call = Usage(round(usage.prompt_tokens * factor), round(usage.completion_tokens + longer))
            games[agent] = EPISODE_DEFAULTS.horizon * usage.calls * price.of(call)
        return games

    sweeps = {}
    for name in sweep_names():
        sweep = load_sweep(name)
        sweeps[name] = _sweep_price(sweep, games_in(sweep.condition or "ours"))
    return Prices(games_in("ours"), sweeps)


def exam_usage(exam_questions: Sequence[Question], prompts: Prompts) -> Usage:
    """Returns the tokens that all questions probably have, with answers as short as the scripted planner's."""
    sent = 0
    for question in exam_questions:
        shown_scene = planner_input(question.observation(), question.partner_belief)
        sent += sum(tokens_of(message["content"]) for message in prompts.messages("bayes", shown_scene))
    received = len(exam_questions) * round(usage_table()[PRICED_AGENT].completion_tokens)
    return Usage(sent, received)


def _sweep_price(sweep: Sweep, game_prices: dict[str, float]) -> float:
    """Returns the price of a sweep at the most: games that it shares between cells, or cannot play, count as well."""
    variants = len({str(variant) for variant in sweep.variants})
    partners = [partner for group in sweep.partners.values() for partner in group]
    egos = {ego.name: ego.agent for ego in sweep.agents if not ego.planner}  # one model plans for all
    pairs = [(ego, without_model(partner)) for ego in egos.values() for partner in partners]
    # Of a model that plays with each planner that needs no key, once in either seat, one seat costs.
    games_of_models = 1 + sum(name in OWN_PLANNERS for name in sweep.models)
    games = variants * len(sweep.layouts) * sweep.seeds * sweep.horizon / EPISODE_DEFAULTS.horizon
    seats = [seat for pair in pairs for seat in pair]
    return games * games_of_models * sum(game_prices.get(seat, 0.0) for seat in seats)
