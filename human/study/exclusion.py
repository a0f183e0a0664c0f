"""Exclusion: who is excluded from a study, why, and what follows from it; and which games do not count.

There are two reasons (`Exclusion.why`), and no other:

    practice    the last try of the practice does not meet the study's rule, which says `otherwise = "exclude"`
    researcher  by hand, `bba-tui study FILE --exclude CODE`: the report lists what may be a reason, such as games that
                were given up or interrupted and attention checks that failed, but none of it excludes by itself

What they did is kept. Who is excluded

    - has no further task, and is not complete (`tasks.next_task`, `tasks.finished`);
    - has no place any more: their group and order are given again (`allocation.has_place`);
    - stays in the tables, whose column `excluded` of the participants says why;
    - does not count in what is computed from them: in the report and `people.md` (`without_excluded`), and for those
      who learn from people (`tables.recorded_games`).

Of the participants who count, the report's means leave out games that are not whole (`whole_games`). Who withdraws is
not excluded: everything about them is deleted (`StudyFolder.withdraw`).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bba.tabular import Row
from human.study.plan import PracticeRule
from human.study.progress import Progress
from human.study.questions import SurveyQuestion


class FailedTryTask(NamedTuple):
    """What follows a try of the practice that did not meet its rule.

    Attributes:
        right, of: the number of questions of practice that were answered right, and of all of them.
        stages: whether enough stages of the tutorial were completed.
        left: tries that are left; 0: the participant is excluded.
    """

    right: int
    of: int
    stages: bool
    left: int


def failed_try(rule: PracticeRule, progress: Progress, questions: Sequence[SurveyQuestion]) -> FailedTryTask | None:
    """Returns what follows a participant's last try of the practice: None if it meets the rule, or the rule lets it go.

    Args:
        rule: the study's.
        progress: the participant's.
        questions: those of practice that this participant is asked.
    """
    answers = {answer.question: answer.value for answer in progress.answers if answer.game is None}
    right = sum(bool(question.as_expected(answers.get(question.name))) for question in questions)
    stages = rule.stages == 0 or (progress.practice is not None and progress.practice.stages >= rule.stages)
    left = max(0, rule.tries - len(progress.tries) - 1)
    passed = (stages and right == len(questions)) or (left == 0 and rule.otherwise == "go-on")
    return None if passed else FailedTryTask(right, len(questions), stages, left)


def without_excluded(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Returns the tables of a study without the rows of people who were excluded."""
    out = {row["participant"] for row in tables["participants"] if row["excluded"] is not None}
    return {name: [row for row in rows if row["participant"] not in out] for name, rows in tables.items()}


def whole_games(games: Sequence[Row]) -> list[Row]:
    """Returns the games that count: played to their end, with a recording that can be used."""
    return [row for row in games if row["ended"] is not None and not row["given_up"] and row["reward"] is not None]
