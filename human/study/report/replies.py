"""What participants answered: means of scales, sliders and numbers, counts of choices; answers in words are counted."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bba.report.content import TableText
from bba.report.formatting import NONE, CellText
from bba.tabular import Row
from human.study.plan import Study
from human.study.questions import SurveyQuestion
from human.study.report.intervals import distinct, over_participants, summary_cell

MEASURED = {"scale": "score", "slider": "score", "number": "number"}  # the column of an answer with a value


def reply_tables(study: Study, answers: Sequence[Row]) -> Iterator[TableText]:
    """Yields the tables of the answers: those after games by agent, then those without a game, then the choices."""
    after = [question for question in study.questions if question.when == "after-game" and question.type in MEASURED]
    agents = distinct(answers, "agent")
    if after and agents:
        rows = [([_text(asked)], [_cell(asked, answers, agent) for agent in agents]) for asked in after]
        yield TableText("after each game, by agent", ["question"], agents, rows)
    once = [question for question in study.questions if question.when != "after-game" and question.type in MEASURED]
    if once:
        rows = [([_text(asked)], [_cell(asked, answers, None)]) for asked in once]
        yield TableText("before and after all games", ["question"], ["mean"], rows)
    for asked in study.questions:
        if asked.type in ("choice", "choices"):
            yield _choices(asked, answers)


def words_given(study: Study, answers: Sequence[Row]) -> list[tuple[str, int]]:
    """Returns each question for words with the number of participants' answers that are not empty."""
    given = Counter(str(row["question"]) for row in answers if row["words"])
    return [(asked.text, given[asked.name]) for asked in study.questions if asked.type == "text"]


def _cell(asked: SurveyQuestion, answers: Sequence[Row], agent: str | None) -> CellText:
    rows = [row for row in answers if row["question"] == asked.name and row["agent"] == agent]
    return summary_cell(over_participants(rows, MEASURED[asked.type]), 2)


def _text(asked: SurveyQuestion) -> str:
    """Returns a question with what its values mean."""
    ends = asked.ends or ((asked.labels[0], asked.labels[-1]) if asked.labels else None)
    return f"{asked.text} ({ends[0]} – {ends[1]})" if ends else asked.text


def _choices(asked: SurveyQuestion, answers: Sequence[Row]) -> TableText:
    """Returns how often each choice was made, by agent for questions after games."""
    columns = distinct(answers, "agent") if asked.when == "after-game" else []
    rows = []
    for choice in asked.choices or ():
        chosen = [
            row for row in answers if row["question"] == asked.name and choice in str(row["chosen"] or "").split(" | ")
        ]
        counts = Counter(str(row["agent"]) for row in chosen)
        shown = [str(counts[agent] or NONE) for agent in columns] or [str(len(chosen) or NONE)]
        rows.append(([choice], [CellText(text) for text in shown]))
    return TableText(asked.text, ["answer"], columns or ["participants"], rows)
