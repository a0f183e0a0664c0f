"""Score cards as text: values with their intervals, and the leaderboard."""

from collections.abc import Sequence

from bba.analysis.plugin_measures import find_measure
from bba.bench.score_card.card import CardValue, ScoreCard
from bba.report.formatting import NONE
from bba.tabular import to_markdown

COLUMNS = ("reward", "duplicate_rate", "gap_rate", "replans", "recovery", "reached_30")


def score_text(value: CardValue | None, measure: str) -> str:
    """Returns a mean with its interval, with the decimals of a measure."""
    if value is None:
        return NONE
    places = find_measure(measure).decimals
    interval = "" if value.low is None or value.high is None else f" [{value.low:.{places}f}, {value.high:.{places}f}]"
    return f"{value.mean:.{places}f}{interval}"


def leaderboards(cards: Sequence[ScoreCard]) -> str:
    """Returns the tables of all protocols and sizes among these cards in Markdown, the larger size first."""
    kinds = dict.fromkeys(_kind(card) for card in sorted(cards, key=lambda card: -len(card.episodes)))
    return "\n".join(_section(kind, [card for card in cards if _kind(card) == kind]) for kind in kinds)


def _kind(card: ScoreCard) -> str:
    return f"{card.protocol.version} {card.protocol.size}"


def _section(kind: str, cards: Sequence[ScoreCard]) -> str:
    """Returns two tables: all games together, and the reward by kitchen."""
    ranked = sorted(cards, key=lambda card: -card.overall["reward"].mean)
    head = ("agent", *(find_measure(name).label for name in COLUMNS), "belief: right", "its error")
    layouts = list(dict.fromkeys(cell.layout for cell in ranked[0].cells))
    kitchens = to_markdown(("reward", *layouts), (_by_kitchen(card, layouts) for card in ranked))
    title = f"## {kind}: {len(ranked[0].episodes)} games an agent"
    return f"{title}\n\n{to_markdown(head, map(_row, ranked))}\n\n{kitchens}\n"


def _row(card: ScoreCard) -> tuple[str, ...]:
    belief = card.calibration
    known = (NONE, NONE) if belief is None else (f"{belief.accuracy.mean:.2f}", f"{belief.error:.2f}")
    values = (score_text(card.overall.get(name), name) for name in COLUMNS)
    return card.agent.name, *values, *known


def _by_kitchen(card: ScoreCard, layouts: Sequence[str]) -> tuple[str, ...]:
    """Returns the mean reward of a card in each kitchen."""
    found = {name: [one.measures["reward"] for one in card.episodes if one.layout == name] for name in layouts}
    return card.agent.name, *(f"{sum(rewards) / len(rewards):.0f}" for rewards in found.values())
