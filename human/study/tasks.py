"""The tasks of a participant, and which games and which place in the study are theirs.

What is to be done next follows from the study and the participant's progress alone. The order of a participant's games
is counterbalanced (Williams, 1949), random, or that of the file.

Which cell a participant gets, a group and in it an order of the games, is decided by minimisation: one of which the
fewest have come. Those count who are complete or still taking part. Who was excluded, or has been away for too long,
does not count: their cell is given again.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby
from typing import NamedTuple

from bba.language import marked
from human.study.endings import LastEnding
from human.study.errors import ParticipantError
from human.study.information_pages import InformationPage, PageWhen
from human.study.plan import Condition, FactorLevels, PracticeRule, Study
from human.study.progress import Progress
from human.study.questionnaire import Answer, SurveyQuestion, When, meets


def questions_asked(study: Study, progress: Progress, when: When, game: int | None) -> list[SurveyQuestion]:
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
    answers = progress.values(None, game)
    candidates = [question for question in study.questions if question.when == when]
    questions: list[SurveyQuestion] = []
    for (order, block), neighbours in groupby(candidates, lambda question: (question.order, question.block)):
        run = list(neighbours)
        if order == "random":
            run = _shuffled(run, f"{seed} {block} {run[0].name}")
        questions += run
    return [question for question in questions if _is_shown(question, answers)]


def _is_shown(question: SurveyQuestion, answers: Mapping[str, Answer]) -> bool:
    """Returns whether the answers on which a question depends were given."""
    for name, expected in question.show_if.items():
        if name not in answers or not meets(expected, answers[name]):
            return False
    return True


def _shuffled(questions: Iterable[SurveyQuestion], seed: str) -> list[SurveyQuestion]:
    """Shuffles questions; one that depends on another one among them moves together with it."""
    families: list[list[SurveyQuestion]] = []
    for question in questions:
        for family in families:
            if any(member.name in question.show_if for member in family):
                family.append(question)
                break
        else:
            families.append([question])
    random.Random(seed).shuffle(families)
    return list(chain.from_iterable(families))


def balanced_order(size: int, number: int) -> list[int]:
    """Returns the order of `size` conditions for participant `number` (from 0): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition has each position equally often, and
    follows each other condition equally often. Then the rows repeat.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = []  # 0, 1, n−1, 2, n−2, …
    for place in range(size):
        if place % 2 == 1:
            zigzag.append((place + 1) // 2)
        else:
            zigzag.append((size - place // 2) % size)
    order = [(condition + row) % size for condition in zigzag]
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
    included = progress.model_copy(update={"excluded": None})
    return next(_open_tasks(study, included), None) is None


def ending_of(study: Study, progress: Progress) -> LastEnding:
    """Returns how the study ends for a participant with nothing but the last pages before them."""
    if progress.excluded is not None:
        return "screened-out"
    questions = {question.name: question for question in study.questions}
    checks = [questions[answer.question].as_expected(answer.value) for answer in progress.answers]
    allowed = study.exclude.attention
    if allowed is not None and checks.count(False) > allowed:
        return "failed-attention"
    if "idle" in progress.endings:
        return "finished-after-idle"
    return "finished"


def _open_tasks(study: Study, progress: Progress) -> Iterator[StudyTask]:
    yield from open_pages(study, progress, "start", None)
    yield from open_questions(study, progress, "start", None)
    if study.tutorial and progress.practice is None:
        yield PracticeTask()
    yield from open_questions(study, progress, "practice", None)
    if study.practice is not None:
        questions = questions_asked(study, progress, "practice", None)
        failed = failed_try(study.practice, progress, questions)
        if failed is not None:
            yield failed
    yield from open_pages(study, progress, "before-games", None)
    if study.people == 2 and progress.pair is None:
        yield PairTask()
    order = games_of(study, progress)
    ended_games = {played.game for played in progress.games if played.ended is not None}
    for game, condition in enumerate(order):
        if game not in ended_games:
            yield PlayTask(game, len(order), condition)
        yield from open_questions(study, progress, "after-game", game)
        if game + 1 < len(order):
            yield from _open_breaks(study, progress, game)
            yield from open_pages(study, progress, "between-games", game)
    yield from open_pages(study, progress, "after-games", None)
    yield from open_questions(study, progress, "end", None)
    yield from _last_pages(study, progress)


def _open_breaks(study: Study, progress: Progress, game: int) -> Iterator[BreakTask]:
    """Yields the break after a game, if one is due there that has not ended."""
    rule = study.breaks
    if rule is None or (game + 1) % rule.every != 0:
        return
    for pause in progress.breaks:
        if pause.game == game and pause.page is None and pause.ended is not None:
            return
    yield BreakTask(game, rule.shortest, rule.longest)


def _last_pages(study: Study, progress: Progress) -> Iterator[PageTask]:
    ending = ending_of(study, progress)
    for task in open_pages(study, progress, "end", None):
        if not task.page.endings or ending in task.page.endings:
            yield task


def failed_try(rule: PracticeRule, progress: Progress, questions: Sequence[SurveyQuestion]) -> FailedTryTask | None:
    """Returns what follows a participant's last try of the practice: None if it meets the rule, or the rule lets it go.

    Args:
        rule: the study's.
        progress: the participant's.
        questions: those of practice that this participant is asked.
    """
    answers = progress.values(None)
    right = 0
    for question in questions:
        if question.as_expected(answers.get(question.name)):
            right += 1
    completed = 0
    if progress.practice is not None:
        completed = progress.practice.stages
    stages = completed >= rule.stages
    tries_left = max(0, rule.tries - len(progress.tries) - 1)
    if stages and right == len(questions):
        return None
    if tries_left == 0 and rule.otherwise == "go-on":
        return None
    return FailedTryTask(right, len(questions), stages, tries_left)


def open_pages(study: Study, progress: Progress, when: PageWhen, game: int | None) -> Iterator[PageTask]:
    """Yields the pages of one point of the study that were not read yet; `game` as in `PageTask`."""
    read = {(pause.page, pause.game) for pause in progress.breaks if pause.ended is not None}
    for page in study.pages:
        if page.when == when and (page.name, game) not in read:
            yield PageTask(game, page)


def open_questions(study: Study, progress: Progress, when: When, game: int | None) -> Iterator[QuestionTask]:
    """Yields the questions of one point of the study that are not answered yet."""
    answered = {answer.question for answer in progress.answers if answer.game == game}
    questions = questions_asked(study, progress, when, game)
    for position, question in enumerate(questions, 1):
        if question.name not in answered:
            yield QuestionTask(game, question, position, len(questions))


def place_of(study: Study, progress: Progress) -> tuple[int, int]:
    """Returns a participant's group and order; where none are noted, there is one group and the number is the order."""
    if progress.group is None or progress.row is None:
        return 0, progress.number % orders_of(study, 0)
    return progress.group, progress.row


def orders_of(study: Study, group: int) -> int:
    """Returns the number of orders among which a group's participants are distributed."""
    if study.order != "latin":
        return 1
    games = study.groups[group].games
    return games if games % 2 == 0 else 2 * games


def games_of(study: Study, progress: Progress) -> list[Condition]:
    """Returns a participant's games in their order; two people have the order of the one who came first."""
    group, row = place_of(study, progress)
    number = progress.number
    if progress.pair is not None:
        number = progress.pair.number
    conditions = study.conditions(number, group)
    order = list(range(len(conditions)))
    if study.order == "latin":
        order = balanced_order(len(order), row)
    elif study.order == "random":
        random.Random(f"{study.seed} {number} order").shuffle(order)
    return [conditions[index] for index in order]


class NoPlaceInStudy(ParticipantError):
    """A study takes no further participant, now or ever."""


def next_cell(study: Study, counted: Iterable[Progress], number: int) -> tuple[int, int]:
    """Returns the cell of the next participant: of the groups with the fewest one at random, there the rarest order.

    A cell is a group, and which of its orders of the games; both count from 0.

    Args:
        study: the study.
        counted: the participants who count.
        number: the new participant's number, which decides among groups of the same size.
    """
    cells = [place_of(study, progress) for progress in counted]
    cell_sizes = Counter(cells)
    group_sizes = Counter(group for group, _ in cells)
    rng = random.Random(f"{study.seed} {number} group")
    groups = range(len(study.groups))
    smallest = min(groups, key=lambda group: (group_sizes[group], rng.random()))
    rows = range(orders_of(study, smallest))
    row = min(rows, key=lambda row: cell_sizes[smallest, row])  # the first one of those that are as rare
    return smallest, row


def counted_with_place(study: Study, everybody: Iterable[Progress], now: datetime) -> list[Progress]:
    """Returns who counts, if there is a place for one more.

    Raises:
        NoPlaceInStudy: there is none.
    """
    counted = [progress for progress in everybody if has_place(study, progress, now)]
    if study.complete is not None and len(counted) >= study.complete:
        complete = sum(finished(study, progress) for progress in counted)
        if complete >= study.complete:
            raise NoPlaceInStudy(marked("this study has all the participants that it needs"))
        raise NoPlaceInStudy(marked("all places of this study are taken at this moment; some may become free later"))
    return counted


def has_place(study: Study, progress: Progress, now: datetime) -> bool:
    """Returns whether a participant has a place: complete, or still taking part."""
    if progress.excluded is not None:
        return False
    return finished(study, progress) or not away(study, progress, now)


def away(study: Study, progress: Progress, now: datetime) -> bool:
    """Returns whether a participant was last heard of so long ago that their place is given again."""
    if study.replace_after is None:
        return False
    last_heard_of = progress.seen or progress.consented
    return now - last_heard_of > timedelta(hours=study.replace_after)


MOST_PREVIEWED = 12  # participants at most
LONG_AGO = datetime.fromtimestamp(0, UTC)  # when the participants of the preview consented


def plan_in_words(study: Study) -> str:
    """Returns the groups and the games of the first participants, one a line, if nobody drops out."""
    groups = study.groups
    summary = [f"{study.name}: {groups[0].games} games a participant"]
    if len(groups) > 1:
        summary.append(f"{len(groups)} groups")
    summary.append(f"order {study.order}")
    if study.complete is not None:
        summary.append(f"ends after {study.complete} complete")
    lines = [", ".join(summary)]
    for page in study.pages:
        lines.append(f"page {page.name}: {page.when}, {len(page.text)} characters")
    enrolled: list[Progress] = []
    previewed = min(MOST_PREVIEWED, study.complete or MOST_PREVIEWED)
    for number in range(previewed):
        group, row = next_cell(study, enrolled, number)
        progress = Progress(participant=f"P{number + 1}", number=number, group=group, row=row, consented=LONG_AGO)
        enrolled.append(progress)
        game_names = []
        for game in games_of(study, progress):
            game_names.append(_game_in_words(groups[group], game))
        games = ", ".join(game_names)
        name = study.group_name(group)
        if name:
            games = f"{name}: {games}"
        lines.append(f"{number + 1:4}. {games}")
    if study.complete is not None and study.complete > previewed:
        lines.append(f"and {study.complete - previewed} more, whose groups and orders go on in the same way")
    return "\n".join(lines)


def _game_in_words(group: FactorLevels, game: Condition) -> str:
    """Returns a game as layout/agent, with hints and speed where they differ between a participant's games."""
    parts = [game.layout, game.agent]
    if len(group.hints) > 1:
        parts.append("hints" if game.hints else "no hints")
    if len(group.speed) > 1:
        parts.append(f"{game.speed:g} a second")
    return "/".join(parts)
