"""Asks a planner the questions of the exam, one by one or several at a time."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import cache
from itertools import islice
from queue import SimpleQueue

from bba.agents.base import EpisodeContext
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.skill_planner import SkillPlanner
from bba.belief import StayModel
from bba.exam.answers import Answer
from bba.exam.situations import EGO, Question, told
from bba.kitchen import Layout
from bba.planner import ModelUnusable, Prompts

MakePlanner = Callable[[], SkillPlanner]


class Examiner:
    """Asks one planner; it has no memory of earlier questions.

    Args:
        planner: chooses skills.
    """

    def __init__(self, planner: SkillPlanner) -> None:
        self._planner = planner

    def ask(self, question: Question) -> Answer:
        """Returns the planner's answer.

        Raises:
            BBAError: it will not answer, now or later.
        """
        situation, belief = question.situation, question.belief
        self._planner.reset(_context(situation.kitchen))  # neither what was said nor what failed before counts
        started = time.perf_counter()
        decision = self._planner.plan(situation.observation(), told(belief))
        seconds, call = time.perf_counter() - started, decision.plan
        return Answer(
            question=question.key,
            skill=decision.skill,
            problem=call.problem if call else None,
            attempts=call.attempts if call else 1,
            text=call.response if call else "",
            usage=call.usage if call else None,
            seconds=round(seconds, 4),
        )


@cache
def _context(kitchen: str) -> EpisodeContext:
    return EpisodeContext(EGO, Layout.load(kitchen), 0, StayModel.NOISY, fast=False)


def scripted() -> SkillPlanner:
    """Returns the scripted planner with the prompts of `bayes`."""
    return ScriptedPlanner(Prompts.load(), "bayes", history_turns=0)


def answers(
    make: MakePlanner, asked: Sequence[Question], *, at_once: int = 1, give_up_after: int = 3
) -> Iterator[Answer]:
    """Yields the answers to questions as they come.

    Where a question cannot be answered, or the user interrupts, no other begins; the answers under way still come. A
    response without a usable plan is an answer: the exam is there to count them. Questions without any response, the
    last ones before the exam is given up, are none.

    Args:
        make: makes a planner; one for each thread.
        asked: the questions.
        at_once: the largest number of questions under way, 1 or more.
        give_up_after: questions in a row without any response after which no other is asked, 1 or more.

    Raises:
        BBAError: the planner will not answer.
        KeyboardInterrupt: the user has interrupted it.
    """
    silent: list[Answer] = []
    for answer in _as_they_come(make, asked, at_once):
        silent.append(answer)
        if answer.text or answer.problem is None:
            yield from silent
            silent.clear()
        elif len(silent) >= give_up_after:
            count = f"{len(silent)} question{'s' * (len(silent) != 1)}"
            raise ModelUnusable(f"no answer to {count} in a row: {answer.problem} (see --give-up-after)")
    yield from silent


def _as_they_come(make: MakePlanner, asked: Sequence[Question], at_once: int) -> Iterator[Answer]:
    if at_once == 1:
        yield from map(Examiner(make()).ask, asked)
        return
    idle: SimpleQueue[Examiner] = SimpleQueue()
    for _ in range(at_once):
        idle.put(Examiner(make()))
    left = iter(asked)
    with ThreadPoolExecutor(at_once) as threads:
        running = {threads.submit(_ask, idle, question) for question in islice(left, at_once)}
        problem: BaseException | None = None
        while running:
            try:
                done, running = wait(running, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt as interrupt:
                problem = interrupt
                continue
            for future in done:
                problem = problem or future.exception()
                if future.exception() is None:
                    yield future.result()
            if problem is None:
                running |= {threads.submit(_ask, idle, question) for question in islice(left, len(done))}
        if problem is not None:
            raise problem


def _ask(idle: "SimpleQueue[Examiner]", question: Question) -> Answer:
    examiner = idle.get()
    try:
        return examiner.ask(question)
    finally:
        idle.put(examiner)
