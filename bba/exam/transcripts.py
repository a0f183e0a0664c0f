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
from bba.planner import Message, Prompts, Usage
from bba.play import Recording, load, unpack
from bba.text import encodable

Task = Literal["exam", "game", "sweep"]
NOTHING: Mapping[str, object] = MappingProxyType({})


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
        task: what it was asked in.
        about: what else is known of the question, by name.
        scores: the exam's marks of this answer, by name; of marks that compare answers to a situation with several
            beliefs, they are with the first one.
        summaries: the exam's marks of all answers of the planner, by name.
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
    task: Task = "game"
    about: Mapping[str, object] = NOTHING
    scores: Mapping[str, float] = MappingProxyType({})
    summaries: Mapping[str, Summary | None] = MappingProxyType({})

    def data(self) -> dict[str, object]:
        """Returns the fields of this exchange alone, by name, as JSON takes them."""
        data = self._asdict()
        data["usage"] = None if self.usage is None else asdict(self.usage)
        data["about"] = dict(self.about)
        data["scores"] = dict(self.scores)
        del data["summaries"]
        return data

    @property
    def text(self) -> str:
        """The names, the prompt, the problem and the answer, for a search."""
        prompt = [message["content"] for message in self.messages]
        return "\n".join([self.planner, self.question, self.problem or "", *prompt, self.answer])


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
        shown_scene = planner_input(question.observation(), question.partner_belief)
        yield Exchange(
            row_name(result),
            question.key,
            prompts.messages("bayes", shown_scene) if prompts else (),
            answer.text,
            SKILL_NAMES[answer.skill],
            answer.problem,
            answer.usage,
            answer.seconds,
            SKILL_NAMES[item.reference],
            "exam",
            {
                "kind": item.situation.kind,
                "variant": question.variant,
                "kitchen": item.situation.kitchen,
                "situation": item.situation.name,
                "attempts": answer.attempts,
                "asked": options,
            },
            scores.get(question.key, {}),
            summaries,
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
            skill = SKILL_NAMES[call.skill] if 0 <= call.skill < N_SKILLS else call.kind
            place = f"{name}, step {step + 1}, P{player}"
            seconds = call.usage.seconds if call.usage else 0.0
            yield Exchange(
                profile.planner or "",
                place,
                call.messages,
                call.response,
                skill,
                call.problem,
                call.usage,
                seconds,
                task=task,
                about={**game, "step": step + 1, "kind": call.kind, "attempts": call.attempts},
            )
