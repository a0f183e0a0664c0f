"""The tasks of a participant, and which games and which place in the study are theirs.

What is to be done next follows from the study and the participant's progress alone. The order of a participant's games
is counterbalanced (Williams, 1949), random, or that of the file.

Which cell a participant gets, a group and in it an order of the games, is decided by minimisation: one of which the
fewest have come. Those count who are complete or still taking part. Who was excluded, or has been away for too long,
does not count: their cell is given again.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from bba.language import marked
from human.study.model import ForParticipants, LastEnding
from human.study.plan import Condition, Levels, PracticeRule, Study
from human.study.progress import Progress
from human.study.questions import InformationPage, PageWhen, SurveyQuestion, When, meets


def asked(study: Study, progress: Progress, when: When, game: int | None) -> list[SurveyQuestion]:
    """Returns the questions that a participant is asked at one point of the study, in this participant's order.

    Args:
        study: the study.
        progress: the participant's number and the answers so far.
        when: which questions.
        game: the game just played, from 0; None before the first and after the last one.

    Neighbours of the order "random" are shuffled; who depends on a question follows it. What depends on an answer that
    is still to come is left out.
    """
    seed = f"{study.seed} {progress.number} {game}"
    answers = {answer.question: answer.value for answer in progress.answers if answer.game in (None, game)}
    candidates = [question for question in study.questions if question.when == when]
    questions: list[SurveyQuestion] = []
    for (order, block), neighbours in groupby(candidates, lambda question: (question.order, question.block)):
        run = list(neighbours)
        questions += _shuffled(run, f"{seed} {block} {run[0].name}") if order == "random" else run
    return [
        question
        for question in questions
        if all(name in answers and meets(wanted, answers[name]) for name, wanted in question.show_if.items())
    ]


def _shuffled(questions: Iterable[SurveyQuestion], seed: str) -> list[SurveyQuestion]:
    """Shuffles questions; one that depends on another one among them moves together with it."""
    families: list[list[SurveyQuestion]] = []
    for question in questions:
        mine = next((family for family in families if any(one.name in question.show_if for one in family)), None)
        if mine is None:
            families.append([question])
        else:
            mine.append(question)
    random.Random(seed).shuffle(families)
    return [question for family in families for question in family]


def balanced_order(size: int, number: int) -> list[int]:
    """Returns the order of `size` conditions for participant `number` (from 0): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition has each position equally often, and
    follows each other condition equally often. Then the rows repeat.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = [(i + 1) // 2 if i % 2 else (size - i // 2) % size for i in range(size)]  # 0, 1, n−1, 2, n−2, …
    order = [(place + row) % size for place in zigzag]
    return order[::-1] if row >= size else order


class PracticeTask(NamedTuple):
    """The tutorial."""


class BreakTask(NamedTuple):
    """A break after a game (from 0).

    Attributes:
        shortest, longest: seconds before one can go on, and after which the study goes on.
    """

    game: int
    shortest: float
    longest: float


class PairTask(NamedTuple):
    """Finding the other one of two people."""


class PlayTask(NamedTuple):
    """A game: its position in the participant's order, from 0, the number of games, and the condition."""

    game: int
    games: int
    condition: Condition


class QuestionTask(NamedTuple):
    """A question.

    Attributes:
        game: the game that was just played, from 0; None before the first and after the last one.
        question: the question.
        position, of: its position among the questions asked here, from 1, and their number as far as it is known.
    """

    game: int | None
    question: SurveyQuestion
    position: int
    of: int


class PageTask(NamedTuple):
    """A page of the study's own after a game (from 0); None before the first and after the last one."""

    game: int | None
    page: InformationPage


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


StudyTask = PracticeTask | PairTask | FailedTryTask | PlayTask | QuestionTask | BreakTask | PageTask


def next_task(study: Study, progress: Progress) -> StudyTask | None:
    """Returns the next task; None at the end. Who was excluded has the last pages only."""
    tasks = _open_tasks if progress.excluded is None else _last_pages
    return next(tasks(study, progress), None)


def finished(study: Study, progress: Progress) -> bool:
    """Returns whether a participant has done everything; who was excluded after that has, too."""
    return next(_open_tasks(study, progress.model_copy(update={"excluded": None})), None) is None


def ending_of(study: Study, progress: Progress) -> LastEnding:
    """Returns how the study ends for a participant with nothing but the last pages before them."""
    if progress.excluded is not None:
        return "screened-out"
    questions = {question.name: question for question in study.questions}
    allowed = study.exclude.attention
    checked = [questions[answer.question].as_expected(answer.value) for answer in progress.answers]
    if allowed is not None and checked.count(False) > allowed:
        return "failed-attention"
    return "finished-after-idle" if "idle" in progress.endings else "finished"


def _open_tasks(study: Study, progress: Progress) -> Iterator[StudyTask]:
    yield from open_pages(study, progress, "start", None)
    yield from open_questions(study, progress, "start", None)
    if study.tutorial and progress.practice is None:
        yield PracticeTask()
    yield from open_questions(study, progress, "practice", None)
    if study.practice is not None and (
        tried := failed_try(study.practice, progress, asked(study, progress, "practice", None))
    ):
        yield tried
    yield from open_pages(study, progress, "before-games", None)
    if study.people == 2 and progress.pair is None:
        yield PairTask()
    order = games_of(study, progress)
    ended = {played.game for played in progress.games if played.ended is not None}
    rested = {pause.game for pause in progress.breaks if pause.ended is not None and pause.page is None}
    for game, condition in enumerate(order):
        if game not in ended:
            yield PlayTask(game, len(order), condition)
        yield from open_questions(study, progress, "after-game", game)
        due = study.breaks is not None and game + 1 < len(order) and (game + 1) % study.breaks.every == 0
        if study.breaks is not None and due and game not in rested:
            yield BreakTask(game, study.breaks.shortest, study.breaks.longest)
        yield from open_pages(study, progress, "between-games", game) if game + 1 < len(order) else ()
    yield from open_pages(study, progress, "after-games", None)
    yield from open_questions(study, progress, "end", None)
    yield from _last_pages(study, progress)


def _last_pages(study: Study, progress: Progress) -> Iterator[PageTask]:
    ending = ending_of(study, progress)
    return (task for task in open_pages(study, progress, "end", None) if ending in (task.page.endings or [ending]))


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


def open_pages(study: Study, progress: Progress, when: PageWhen, game: int | None) -> Iterator[PageTask]:
    """Returns the pages of one point of the study that were not read yet; `game` as in `PageTask`."""
    read = {(one.page, one.game) for one in progress.breaks if one.ended is not None}
    return (PageTask(game, page) for page in study.pages if page.when == when and (page.name, game) not in read)


def open_questions(study: Study, progress: Progress, when: When, game: int | None) -> Iterator[QuestionTask]:
    """Returns the questions of one point of the study that are not answered yet."""
    answered = {answer.question for answer in progress.answers if answer.game == game}
    questions = asked(study, progress, when, game)
    return (
        QuestionTask(game, question, position, len(questions))
        for position, question in enumerate(questions, 1)
        if question.name not in answered
    )


def place_of(study: Study, progress: Progress) -> tuple[int, int]:
    """Returns a participant's group and order; where none are noted, there is one group and the number is the order."""
    if progress.group is None or progress.row is None:
        return 0, progress.number % orders_of(study, 0)
    return progress.group, progress.row


def orders_of(study: Study, group: int) -> int:
    """Returns the number of orders among which a group's participants are distributed."""
    games = study.groups[group].games
    return 1 if study.order != "latin" else games * (1 + games % 2)


def games_of(study: Study, progress: Progress) -> list[Condition]:
    """Returns a participant's games in their order; two people have the order of the one who came first."""
    group, row = place_of(study, progress)
    number = progress.number if progress.pair is None else progress.pair.number
    conditions = study.conditions(number, group)
    order = list(range(len(conditions)))
    if study.order == "latin":
        order = balanced_order(len(order), row)
    elif study.order == "random":
        random.Random(f"{study.seed} {number} order").shuffle(order)
    return [conditions[index] for index in order]


class NoPlace(ForParticipants):
    """A study takes no further participant, now or ever."""


def next_cell(study: Study, counted: Iterable[Progress], number: int) -> tuple[int, int]:
    """Returns the cell of the next participant: of the groups with the fewest one at random, there the rarest order.

    A cell is a group, and which of its orders of the games; both count from 0.

    Args:
        study: the study.
        counted: the participants who count.
        number: the new participant's number, which decides among groups of the same size.
    """
    taken = Counter(place_of(study, progress) for progress in counted)
    sizes = Counter(group for group, _ in taken.elements())
    draw = random.Random(f"{study.seed} {number} group")
    smallest = min(range(len(study.groups)), key=lambda group: (sizes[group], draw.random()))
    row = min(range(orders_of(study, smallest)), key=lambda row: (taken[smallest, row], row))
    return smallest, row


def counted_with_place(study: Study, everybody: Iterable[Progress], now: datetime) -> list[Progress]:
    """Returns who counts, if there is a place for one more.

    Raises:
        NoPlace: there is none.
    """
    counted = [progress for progress in everybody if has_place(study, progress, now)]
    if study.complete is not None and len(counted) >= study.complete:
        done = sum(finished(study, progress) for progress in counted)
        raise NoPlace(
            marked("this study has all the participants that it needs")
            if done >= study.complete
            else marked("all places of this study are taken at this moment; some may become free later")
        )
    return counted


def has_place(study: Study, progress: Progress, now: datetime) -> bool:
    """Returns whether a participant has a place: complete, or still taking part."""
    return progress.excluded is None and (finished(study, progress) or not away(study, progress, now))


def away(study: Study, progress: Progress, now: datetime) -> bool:
    """Returns whether a participant was last heard of so long ago that their place is given again."""
    hours = study.replace_after
    return hours is not None and now - (progress.seen or progress.consented) > timedelta(hours=hours)


MOST_PREVIEWED = 12  # participants at most
LONG_AGO = datetime.fromtimestamp(0, UTC)  # when the participants of the preview consented


def plan_in_words(study: Study) -> str:
    """Returns the groups and the games of the first participants, one a line, if nobody drops out."""
    groups = study.groups
    sizes = f"{groups[0].games} games a participant" + (f", {len(groups)} groups" if len(groups) > 1 else "")
    ends = "" if study.complete is None else f", ends after {study.complete} complete"
    lines = [f"{study.name}: {sizes}, order {study.order}{ends}"]
    lines += [f"page {page.name}: {page.when}, {len(page.text)} characters" for page in study.pages]
    enrolled: list[Progress] = []
    for number in range(min(MOST_PREVIEWED, study.complete or MOST_PREVIEWED)):
        group, row = next_cell(study, enrolled, number)
        one = Progress(participant=f"P{number + 1}", number=number, group=group, row=row, consented=LONG_AGO)
        enrolled.append(one)
        name = study.group_name(group)
        games = ", ".join(_game(groups[group], game) for game in games_of(study, one))
        lines.append(f"{number + 1:4}. {f'{name}: ' if name else ''}{games}")
    return "\n".join(lines)


def _game(group: Levels, game: Condition) -> str:
    """Returns a game as layout/agent, with hints and speed where they differ between a participant's games."""
    hints = ["hints" if game.hints else "no hints"] if len(group.hints) > 1 else []
    return "/".join([game.layout, game.agent, *hints, *([f"{game.speed:g} a second"] if len(group.speed) > 1 else [])])
