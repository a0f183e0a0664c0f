"""The plan of a study in words: its groups, and the games of the first participants."""

from datetime import UTC, datetime

from human.study.allocation import next_cell
from human.study.design import Levels, group_name
from human.study.plan import Condition, Study
from human.study.progress import Progress
from human.study.tasks import ordered_games

FIRST = 12  # participants at most
LONG_AGO = datetime.fromtimestamp(0, UTC)  # when the participants of the preview consented


def plan_in_words(study: Study) -> str:
    """Returns the groups and the games of the first participants, one a line, if nobody drops out."""
    groups = study.groups
    sizes = f"{groups[0].games} games a participant" + (f", {len(groups)} groups" if len(groups) > 1 else "")
    ends = "" if study.complete is None else f", ends after {study.complete} complete"
    lines = [f"{study.name}: {sizes}, order {study.order}{ends}"]
    return "\n".join([*lines, *(_line(study, progress) for progress in first_participants(study, _shown(study)))])


def first_participants(study: Study, count: int) -> list[Progress]:
    """Returns so many participants, as they would be enrolled if nobody dropped out."""
    enrolled: list[Progress] = []
    for number in range(count):
        group, row = next_cell(study, enrolled, number)
        enrolled.append(Progress(participant=f"P{number + 1}", number=number, group=group, row=row, consented=LONG_AGO))
    return enrolled


def _shown(study: Study) -> int:
    return min(FIRST, study.complete or FIRST)


def _line(study: Study, progress: Progress) -> str:
    group, row = progress.group or 0, progress.row or 0
    name = group_name(study.groups[group], study.between)
    games = (_game(study.groups[group], game) for game in ordered_games(study, progress.number, group, row))
    return f"{progress.number + 1:4}. {f'{name}: ' if name else ''}{', '.join(games)}"


def _game(group: Levels, game: Condition) -> str:
    """Returns a game as layout/agent, with hints and speed where they differ between a participant's games."""
    hints = ["hints" if game.hints else "no hints"] if len(group.hints) > 1 else []
    return "/".join([game.layout, game.agent, *hints, *([f"{game.speed:g} a second"] if len(group.speed) > 1 else [])])
