"""Says how often cooks stayed for want of a usable answer: results with such games are not the model's alone."""

from collections.abc import Iterable

from bba.analysis.measures import MeasureValues

FALLBACKS = "planner_fallbacks"


def fallback_note(games: Iterable[MeasureValues | None]) -> list[str]:
    """Returns a line about the decisions without a usable answer in these games; none if there were none."""
    counts = [int(game.get(FALLBACKS) or 0) for game in games if game is not None]
    total, touched = sum(counts), sum(count > 0 for count in counts)
    if not total:
        return []
    one = total == 1
    return [
        f"{total} decision{'s' * (not one)} in {touched} of {len(counts)} game{'s' * (len(counts) != 1)} had no usable "
        f"answer: there the cook stayed, which the figures include (planner fallbacks)"
    ]
