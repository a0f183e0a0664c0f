"""Checks that learned partners do what their reward weights favour and avoid what they penalise.

Each partner plays whole games beside `EGO_AGENT` and with itself. The features that it completes are counted and
compared with its weights: of the four partners of a group, two like a varied feature and two dislike it. A feature that
cannot be reached from a seat of a layout is marked as such and not compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from statistics import fmean

import numpy as np

from bba.agents import (
    LEARNED_PARTNERS,
    PREFERENCE_GROUPS,
    NoWeights,
    SeatSpec,
    feature_weights,
    load_agent,
    weights_files,
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
        if not self.able or self.liked is None or not self.disliked:
            return None
        return self.liked / self.disliked


def seats_to_check(layout: Layout) -> tuple[int, ...]:
    """Returns seat 1, the partner's, and seat 0 too if other features can be reached from there."""
    if np.array_equal(reachable_features(layout, 0), reachable_features(layout, 1)):
        return (1,)
    return (1, 0)


def check_games(layouts: Sequence[Layout], seeds: Sequence[int], horizon: int, base: SeatSpec) -> list[CheckGame]:
    """Returns every game of the check, for all partners with weights for the layouts.

    Raises:
        BBAError: no partner has weights, or weights cannot be played.
    """
    games = []
    lacking = []
    for layout, partner in product(layouts, LEARNED_PARTNERS):
        try:
            weights_files(base.of_agent(partner), layout)
        except NoWeights as error:
            lacking.append(error)
            continue
        seats = (*seats_to_check(layout), None)
        games += [CheckGame(partner, layout, seat, seed, horizon) for seat, seed in product(seats, seeds)]
    if not games:
        raise BBAError(str(lacking[0]))
    return games


def play_check_game(game: CheckGame, base: SeatSpec) -> GameCounts:
    """Plays a game to its end and counts what the partner completed.

    Raises:
        BBAError: the partner's weights cannot be played.
    """
    names = [game.partner if game.seat in (seat, None) else EGO_AGENT for seat in range(2)]
    first, second = (load_agent(base.of_agent(name)) for name in names)
    trace = Game(game.layout, first, second, game.seed, horizon=game.horizon, fast=True).run()
    counts = np.zeros(N_FEATURES, np.int64)
    for seat in range(2):
        if game.seat in (seat, None):
            counts += counts_of(trace, seat)
    return GameCounts(trace.score, counts)


def counts_of(trace: Trace, seat: int) -> Int64Array:
    """Returns how often the player of a seat completed each feature, (9,)."""
    grid = grid_of(trace.config.layout)
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    transitions = [(state, next_state) for state, next_state in pairwise(states) if next_state[COMPLETED + seat]]
    features = np.array([feature_of(grid, state, next_state, seat) for state, next_state in transitions], np.int64)
    return np.bincount(features[features != NO_FEATURE], minlength=N_FEATURES)


def partner_rows(games: Sequence[tuple[CheckGame, GameCounts]]) -> list[PartnerRow]:
    """Returns the behaviour of each partner, seat by seat, in the order of the games."""
    places = dict.fromkeys((game.partner, game.layout, game.seat) for game, _ in games)
    return [_row(partner, layout, seat, games) for partner, layout, seat in places if seat is not None]


def _row(partner: str, layout: Layout, seat: int, games: Sequence[tuple[CheckGame, GameCounts]]) -> PartnerRow:
    beside_ego = []
    with_itself = []
    for game, game_counts in games:
        if (game.partner, game.layout) != (partner, layout):
            continue
        if game.seat == seat:
            beside_ego.append(game_counts)
        elif game.seat is None:
            with_itself.append(game_counts)
    return PartnerRow(
        partner=partner,
        layout=layout.name,
        seat=seat,
        rates=np.mean([game_counts.counts for game_counts in beside_ego], axis=0),
        weights=feature_weights(partner),
        able=reachable_features(layout, seat),
        reward=fmean(game_counts.reward for game_counts in beside_ego),
        self_play=fmean(game_counts.reward for game_counts in with_itself),
    )


def group_effects(rows: Sequence[PartnerRow]) -> Iterator[GroupEffect]:
    """Yields the effect of each varied feature of each group, for each seat of each layout."""
    for layout, seat in dict.fromkeys((row.layout, row.seat) for row in rows):
        rows_of_seat = [row for row in rows if (row.layout, row.seat) == (layout, seat)]
        for name, group in PREFERENCE_GROUPS.items():
            members = [row for row in rows_of_seat if row.partner.startswith(f"bp:{name}-")]
            if not members:
                continue
            for feature in group.varied:
                liked = _mean_rate(members, feature, sign=1)
                disliked = _mean_rate(members, feature, sign=-1)
                yield GroupEffect(name, layout, seat, feature, liked, disliked, bool(members[0].able[feature]))


def _mean_rate(rows: Sequence[PartnerRow], feature: int, *, sign: int) -> float | None:
    """Returns the mean rate of the partners whose weight of the feature has this sign; None without any."""
    rates = [float(row.rates[feature]) for row in rows if np.sign(row.weights[feature]) == sign]
    return fmean(rates) if rates else None
