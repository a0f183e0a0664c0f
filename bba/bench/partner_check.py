"""Checks that learned partners do what their reward weights favour and avoid what they penalise.

Each partner plays whole games beside `EGO_AGENT` and with itself. The features that it completes are counted and
compared with its weights: of the four partners of a group, two like a varied feature and two dislike it. A feature that
cannot be reached from a seat of a layout is marked as such and not compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import numpy as np

from bba.agents import (
    LEARNED_PARTNERS,
    PREFERENCE_GROUPS,
    AgentOptions,
    NoWeights,
    feature_weights,
    load_agent,
    weights_file,
)
from bba.errors import BBAError
from bba.kitchen import (
    COMPLETED,
    N_FEATURES,
    NO_FEATURE,
    BoolArray,
    Float64Array,
    Int64Array,
    Layout,
    feature_of,
    grid_of,
    reachable_features,
)
from bba.play import Game, Trace

EGO_AGENT = "proagent"


@dataclass(frozen=True, slots=True)
class CheckGame:
    """A game to be played; `seat` is the partner's, or None if it plays both seats."""

    partner: str
    layout: Layout
    seat: int | None
    seed: int
    horizon: int


@dataclass(frozen=True, slots=True)
class GameCounts:
    """The result of a game.

    Attributes:
        reward: the team's reward.
        counts: how often the partner completed each feature, (9,); in both seats if it plays both.
    """

    reward: int
    counts: Int64Array


@dataclass(frozen=True, slots=True)
class PartnerRow:
    """The behaviour of a partner in one seat of a layout, as means over games.

    Attributes:
        partner, layout, seat: the partner and its place.
        rates: how often it completes each feature in a game, (9,).
        weights: the reward weight of each feature, (9,) in points.
        able: whether each feature can be reached from that seat, (9,).
        reward: the team's reward beside the ego.
        self_play: the team's reward with itself.
    """

    partner: str
    layout: str
    seat: int
    rates: Float64Array
    weights: Float64Array
    able: BoolArray
    reward: float
    self_play: float


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """How often the partners of a group complete a feature that they like or dislike.

    Attributes:
        group, layout, seat, feature: the feature and its place.
        liked, disliked: mean rate a game of the partners that like it and of those that dislike it; None without any.
        able: whether the feature can be reached from that seat.
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
        """`liked` / `disliked`; None if it is not defined."""
        return self.liked / self.disliked if self.able and self.liked is not None and self.disliked else None


def seats_to_check(layout: Layout) -> tuple[int, ...]:
    """Returns seat 1, the partner's, and seat 0 too if other features can be reached from there."""
    return (1,) if np.array_equal(reachable_features(layout, 0), reachable_features(layout, 1)) else (1, 0)


def check_games(
    layouts: Sequence[Layout], seeds: Sequence[int], horizon: int, options: AgentOptions
) -> list[CheckGame]:
    """Returns every game of the check, for all partners with weights for the layouts.

    Raises:
        BBAError: no partner has weights, or weights cannot be played.
    """
    found = []
    lacking = []
    for layout in layouts:
        for partner in LEARNED_PARTNERS:
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


def play_check_game(game: CheckGame, options: AgentOptions) -> GameCounts:
    """Plays a game to its end and counts what the partner completed.

    Raises:
        BBAError: the partner's weights cannot be played.
    """
    names = [game.partner if game.seat in (seat, None) else EGO_AGENT for seat in range(2)]
    first, second = (load_agent(name, options) for name in names)
    trace = Game(game.layout, first, second, game.seed, horizon=game.horizon, fast=True).run()
    seats = range(2) if game.seat is None else (game.seat,)
    return GameCounts(trace.score, sum((counts_of(trace, seat) for seat in seats), np.zeros(N_FEATURES, np.int64)))


def counts_of(trace: Trace, seat: int) -> Int64Array:
    """Returns how often the player of a seat completed each feature, (9,)."""
    grid = grid_of(trace.config.layout)
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    completed = ((before, after) for before, after in pairwise(states) if after[COMPLETED + seat])
    features = np.array([feature_of(grid, before, after, seat) for before, after in completed], np.int64)
    return np.bincount(features[features != NO_FEATURE], minlength=N_FEATURES)


def partner_rows(played: Sequence[tuple[CheckGame, GameCounts]]) -> list[PartnerRow]:
    """Returns the behaviour of each partner, seat by seat, in the order of the games."""
    places = dict.fromkeys((game.partner, game.layout, game.seat) for game, _ in played if game.seat is not None)
    return [_row(partner, layout, seat, played) for partner, layout, seat in places if seat is not None]


def _row(partner: str, layout: Layout, seat: int, played: Sequence[tuple[CheckGame, GameCounts]]) -> PartnerRow:
    own = [(game, result) for game, result in played if (game.partner, game.layout) == (partner, layout)]
    beside = [result for game, result in own if game.seat == seat]
    return PartnerRow(
        partner=partner,
        layout=layout.name,
        seat=seat,
        rates=np.mean([result.counts for result in beside], axis=0),
        weights=feature_weights(partner),
        able=reachable_features(layout, seat),
        reward=fmean(result.reward for result in beside),
        self_play=fmean(result.reward for game, result in own if game.seat is None),
    )


def group_effects(found: Sequence[PartnerRow]) -> Iterator[GroupEffect]:
    """Yields the effect of each varied feature of each group, for each seat of each layout."""
    for layout, seat in dict.fromkeys((row.layout, row.seat) for row in found):
        here = [row for row in found if (row.layout, row.seat) == (layout, seat)]
        for name, group in PREFERENCE_GROUPS.items():
            own = [row for row in here if row.partner.startswith(f"bp:{name}-")]
            for feature in group.varied if own else ():
                rates = [
                    [float(row.rates[feature]) for row in own if np.sign(row.weights[feature]) == sign]
                    for sign in (1, -1)
                ]
                liked, disliked = (fmean(some) if some else None for some in rates)
                yield GroupEffect(name, layout, seat, feature, liked, disliked, bool(own[0].able[feature]))
