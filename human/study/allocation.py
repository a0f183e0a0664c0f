"""Which cell a participant gets, a group and in it an order of the games; and the plan of a study in words.

Cells are filled by minimisation: a participant gets a cell of which the fewest have come. Those count who are complete
or still taking part. Who was excluded, or has been away for too long, does not count: their cell is given again.
"""

import random
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from bba.errors import BBAError
from bba.language import marked
from human.study.plan import Condition, Levels, Study
from human.study.progress import Progress
from human.study.tasks import finished, games_of, orders_of, place_of


class NoPlace(BBAError):
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
