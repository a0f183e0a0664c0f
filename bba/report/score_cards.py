"""Score cards as text: values with their intervals, and the leaderboard."""

from collections.abc import Iterator, Sequence

from bba.analysis.plugin_measures import find_measure
from bba.bench.score_card.card import CardValue, ScoreCard
from bba.bench.statistics import mean_difference
from bba.report.formatting import NONE
from bba.tabular import to_markdown

COLUMNS = ("reward", "duplicate_rate", "gap_rate", "replans", "recovery", "reached_30")
ARROWS = {1: " ↑", -1: " ↓", 0: ""}  # more is better, less is better, neither


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
    """Returns two tables: all games together, and the reward by kitchen and against the first card."""
    ranked = sorted(cards, key=lambda card: -card.overall["reward"].mean)
    head = ("agent", *map(_heading, COLUMNS), "belief: right ↑", "its error ↓")
    layouts = list(dict.fromkeys(cell.layout for cell in ranked[0].cells))
    rows = ((card.agent.name, *_by_kitchen(card, layouts), _behind(card, ranked[0])) for card in ranked)
    kitchens = to_markdown(("reward", *layouts, "against the first, game by game"), rows)
    title = f"## {kind}: {len(ranked[0].episodes)} games an agent"
    return f"{title}\n\n{to_markdown(head, map(_row, ranked))}\n\n{kitchens}\n"


def _heading(name: str) -> str:
    """Returns a measure's label with its unit, and an arrow that says whether more or less of it is better."""
    measure = find_measure(name)
    unit = f", {measure.unit}" if measure.unit and measure.unit not in measure.label else ""
    return f"{measure.label}{unit}{ARROWS[measure.better]}"


def _row(card: ScoreCard) -> tuple[str, ...]:
    belief = card.calibration
    known = (NONE, NONE) if belief is None else (f"{belief.accuracy.mean:.2f}", f"{belief.error:.2f}")
    values = (score_text(card.overall.get(name), name) for name in COLUMNS)
    return card.agent.name, *values, *known


def _by_kitchen(card: ScoreCard, layouts: Sequence[str]) -> Iterator[str]:
    """Yields the mean reward of a card in each kitchen."""
    for name in layouts:
        rewards = [one.measures["reward"] for one in card.episodes if one.layout == name]
        yield f"{sum(rewards) / len(rewards):.0f}"


def _behind(card: ScoreCard, first: ScoreCard) -> str:
    """Returns the mean difference of the rewards of the same games to those of the first card, with its interval."""
    best = {one.place: one.measures["reward"] for one in first.episodes}
    found = mean_difference([one.measures["reward"] - best[one.place] for one in card.episodes])
    if card is first or found is None or found.low is None or found.high is None:
        return NONE
    return f"{found.mean:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
