"""Whether learned partners do what they are paid to like, and leave what they are paid to dislike.

Each plays whole games beside `EGO`, and with itself. What it did is counted feature by feature and held against its
weights: of a group's four partners, two like a varied feature and two dislike it. What a seat cannot do on a layout,
because none of the stations is in reach from where it stands, is no fault of the partner's and is said to be so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from bba.agents import AgentOptions, NoWeights, load_agent, weights_file
from bba.agents.learned.preferences import PARTNERS, PREFERENCE_GROUPS, feature_weights
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.features import N_FEATURES, NO_FEATURE, feature_of, reachable_features
from bba.kitchen.grid import grid_of
from bba.kitchen.state import COMPLETED
from bba.play import Game, Trace

EGO = "proagent"


@dataclass(frozen=True, slots=True)
class CheckGame:
    """A game to be played; `seat` is the partner's, None where it has both."""

    partner: str
    layout: Layout
    seat: int | None
    seed: int
    horizon: int


@dataclass(frozen=True, slots=True)
class GameCounts:
    """What came of a match.

    Attributes:
        reward: the team's.
        counts: how often the partner did each feature, (9,); of both seats where it has both.
    """

    reward: int
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PartnerRow:
    """What a partner does in one seat of a layout: means over games.

    Attributes:
        partner, layout, seat: whose line it is, and where.
        rates: how often it did each feature in a game, (9,).
        weights: what it is paid for each, (9,) in points.
        able: whether it can do each there at all, (9,).
        reward: the team's, beside the ego.
        self_play: the team's, with itself.
    """

    partner: str
    layout: str
    seat: int
    rates: NDArray[np.float64]
    weights: NDArray[np.float64]
    able: NDArray[np.bool_]
    reward: float
    self_play: float


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """How often the partners of a group do what they like and what they dislike.

    Attributes:
        group, layout, seat, feature: of which feature, and where.
        liked, disliked: mean rates a game of those who like it and of those who do not; None where there is none.
        able: whether anybody in that seat can do it at all.
    """

    group: str
    layout: str
    seat: int
    feature: int
    liked: float | None
    disliked: float | None
    able: bool

    @property
    def ratio(self) -> float | None:
        """How many times as often those who like it do it; None where that says nothing."""
        if not self.able or self.liked is None or not self.disliked:
            return None
        return self.liked / self.disliked


def seats_to_check(layout: Layout) -> tuple[int, ...]:
    """Seat 1, where partners sit; the other one too, if other things can be done from there."""
    return (1,) if np.array_equal(reachable_features(layout, 0), reachable_features(layout, 1)) else (1, 0)


def check_games(
    layouts: Sequence[Layout], seeds: Sequence[int], horizon: int, options: AgentOptions
) -> list[CheckGame]:
    """Every game that the check needs, of all partners that have weights for the layouts.

    Raises:
        BBAError: none has, or weights cannot be played.
    """
    found, lacking = [], []
    for layout in layouts:
        for partner in PARTNERS:
            try:
                weights_file(partner, layout, options)
            except NoWeights as error:
                lacking.append(error)
                continue
            seats = (*seats_to_check(layout), None)
            found += [CheckGame(partner, layout, seat, seed, horizon) for seat in seats for seed in seeds]
    if not found:
        raise BBAError(str(lacking[0]))
    return found


def play_check_game(match: CheckGame, options: AgentOptions) -> GameCounts:
    """Play a match to its end, and count.

    Raises:
        BBAError: the partner's weights cannot be played.
    """
    names = [match.partner if match.seat in (seat, None) else EGO for seat in range(2)]
    first, second = (load_agent(name, options) for name in names)
    trace = Game(match.layout, first, second, match.seed, horizon=match.horizon, fast=True).run()
    seats = range(2) if match.seat is None else (match.seat,)
    return GameCounts(trace.score, sum((counts_of(trace, seat) for seat in seats), np.zeros(N_FEATURES, np.int64)))


def counts_of(trace: Trace, seat: int) -> NDArray[np.int64]:
    """How often who sat there did each feature, (9,)."""
    grid, counts = grid_of(trace.config.layout), np.zeros(N_FEATURES, np.int64)
    for before, after in pairwise([trace.start, *(tick.state for tick in trace.ticks)]):
        if after[COMPLETED + seat]:
            did = feature_of(grid, before, after, seat)
            if did != NO_FEATURE:
                counts[did] += 1
    return counts


def partner_rows(played: Sequence[tuple[CheckGame, GameCounts]]) -> list[PartnerRow]:
    """What each partner does, seat by seat, in the order of the matches."""
    places = dict.fromkeys((match.partner, match.layout, match.seat) for match, _ in played if match.seat is not None)
    return [_line(partner, layout, seat, played) for partner, layout, seat in places if seat is not None]


def _line(partner: str, layout: Layout, seat: int, played: Sequence[tuple[CheckGame, GameCounts]]) -> PartnerRow:
    own = [(match, result) for match, result in played if (match.partner, match.layout) == (partner, layout)]
    beside = [result for match, result in own if match.seat == seat]
    return PartnerRow(
        partner=partner,
        layout=layout.name,
        seat=seat,
        rates=np.mean([result.counts for result in beside], axis=0),
        weights=feature_weights(partner),
        able=reachable_features(layout, seat),
        reward=fmean(result.reward for result in beside),
        self_play=fmean(result.reward for match, result in own if match.seat is None),
    )


def group_effects(found: Sequence[PartnerRow]) -> Iterator[GroupEffect]:
    """For each seat of each layout, each group and each of its varied features."""
    for layout, seat in dict.fromkeys((line.layout, line.seat) for line in found):
        here = [line for line in found if (line.layout, line.seat) == (layout, seat)]
        for name, group in PREFERENCE_GROUPS.items():
            own = [line for line in here if line.partner.startswith(f"bp:{name}-")]
            for feature in group.varied if own else ():
                rates = [
                    [float(line.rates[feature]) for line in own if np.sign(line.weights[feature]) == sign]
                    for sign in (1, -1)
                ]
                liked, disliked = (fmean(some) if some else None for some in rates)
                yield GroupEffect(name, layout, seat, feature, liked, disliked, bool(own[0].able[feature]))
