"""What language models were asked and what they answered, in exams, games and sweeps alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from bba.agents.skill_planner import planner_input
from bba.bench import RESULTS_FILE
from bba.bench.results_reader import load_results, read_recording
from bba.bench.statistics import Summary, grouped
from bba.errors import BBAError
from bba.exam.answers import Result, read_results
from bba.exam.marks import EXAM_MARKS, Mark, MarkedAnswer, items_of, marks_of
from bba.exam.report import row_name
from bba.kitchen.constants import N_SKILLS, SKILL_NAMES
from bba.planner import LLMCall, Message, Prompts
from bba.play import Recording, load, unpack
from bba.text import encodable

Task = Literal["exam", "game", "sweep"]
NOTHING: Mapping[str, object] = MappingProxyType({})


class Exchange(NamedTuple):
    """A question to a planner and its answer, and what an exam or a game knows of both.

    Attributes:
        planner: who was asked, as in tables.
        question: its name: the exam's, or game, step and player.
        call: the question and its answer; without texts where the prompts are not those that ship with the project.
        seconds: from the question to the answer; 0 if it is not known.
        target: the scripted planner's answer; "" where it was not asked.
        task: what it was asked in.
        about: what else is known of the question, by name.
        scores: the exam's marks of this answer, by name; of marks that compare answers to a situation with several
            beliefs, they are with the first one.
        summaries: the exam's marks of all answers of the planner, by name.
    """

    planner: str
    question: str
    call: LLMCall
    seconds: float
    target: str = ""
    task: Task = "game"
    about: Mapping[str, object] = NOTHING
    scores: Mapping[str, float] = MappingProxyType({})
    summaries: Mapping[str, Summary | None] = MappingProxyType({})

    @property
    def said(self) -> str:
        """The skill that was read from the answer, or what else was asked, in a word."""
        if 0 <= self.call.skill < N_SKILLS:
            return SKILL_NAMES[self.call.skill]
        return self.call.kind

    def data(self) -> dict[str, object]:
        """Returns what is known of this exchange alone, by name, as JSON takes it."""
        call = self.call
        return {
            "planner": self.planner,
            "question": self.question,
            "messages": call.messages,
            "answer": call.response,
            "said": self.said,
            "problem": call.problem,
            "usage": None if call.usage is None else asdict(call.usage),
            "seconds": self.seconds,
            "target": self.target,
            "task": self.task,
            "about": dict(self.about),
            "scores": dict(self.scores),
        }

    @property
    def text(self) -> str:
        """The names, the prompt, the problem and the answer, for a search."""
        call = self.call
        return "\n".join([self.planner, self.question, call.problem or "", *call.texts, call.response])


def exchanges(folder: Path) -> Iterator[Exchange]:
    """Yields the exchanges of the exams, recordings and sweeps in a folder, or of one recording.

    Raises:
        BBAError: there is no such folder, or a file in it cannot be read.
    """
    if not folder.exists():
        raise BBAError(f"transcripts: there is no {folder}")
    recordings = [folder] if folder.is_file() else sorted(folder.glob("*.bba"))
    for path in recordings:
        yield from _of_game(load(path), encodable(path.stem))
    for result in read_results(folder):
        yield from _of_exam(result)
    if (folder / RESULTS_FILE).is_file():
        for number, key in enumerate(load_results(folder).episodes):
            packed = read_recording(folder, key)
            if packed is not None:
                yield from _of_game(unpack(packed, f"{folder}: {key}"), f"episode {number}", "sweep")


def _of_exam(result: Result) -> Iterator[Exchange]:
    prompts = None if result.asked.prompts else Prompts.load(layout=result.asked.prompt_layout)
    items = items_of(result)
    scores = _scores(items)
    summaries = marks_of(items)
    options = {name: value for name, value in result.asked.model_dump().items() if value is not None}
    for item in items:
        question = item.question
        answer = item.answer
        prompt: Sequence[Message] = ()
        if prompts is not None:
            prompt = prompts.messages("bayes", planner_input(question.observation(), question.partner_belief))
        yield Exchange(
            planner=row_name(result),
            question=question.key,
            call=answer.as_call(prompt),
            seconds=answer.seconds,
            target=SKILL_NAMES[item.reference],
            task="exam",
            about={
                "kind": item.situation.kind,
                "variant": question.variant,
                "kitchen": item.situation.kitchen,
                "situation": item.situation.name,
                "attempts": answer.attempts,
                "asked": options,
            },
            scores=scores.get(question.key, {}),
            summaries=summaries,
        )


def _scores(items: Sequence[MarkedAnswer]) -> dict[str, dict[str, float]]:
    """Returns the marks of each question, by its name: those of the question alone, and those of its situation."""
    scores: dict[str, dict[str, float]] = {item.question.key: {} for item in items}
    situations = grouped((item.situation.name, item) for item in items)
    for mark in EXAM_MARKS:
        if mark.name == "most_frequent":  # is one of all answers together
            continue
        for of_situation in situations.values():
            for key, value in _scores_in_situation(mark, of_situation).items():
                scores[key][mark.name] = float(value)
    return scores


def _scores_in_situation(mark: Mark, items: Sequence[MarkedAnswer]) -> dict[str, float]:
    """Returns a mark of each question that has it alone; if none has, that of the situation, at its first question."""
    scores = {}
    for item in items:
        values = mark.each([item])
        if values:
            scores[item.question.key] = values[0]
    if not scores:
        for value in mark.each(items)[:1]:
            scores[items[0].question.key] = value
    return scores


def _of_game(recording: Recording, name: str, task: Task = "game") -> Iterator[Exchange]:
    config = recording.config
    for player, (profile, recorded) in enumerate(zip(config.seats, recording.players, strict=True)):
        game = {"agent": profile.agent, "kitchen": config.layout.name, "seed": config.seed, "player": player}
        for step, call in recorded.calls:
            yield Exchange(
                planner=profile.planner or "",
                question=f"{name}, step {step + 1}, P{player}",
                call=call,
                seconds=call.usage.seconds if call.usage else 0.0,
                task=task,
                about={**game, "step": step + 1, "kind": call.kind, "attempts": call.attempts},
            )
