"""The values of a sweep's episodes that the cells of its tables summarise."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, Literal, NamedTuple

from bba.agents import AGENT_VARIANTS, HYPOTHETICAL_MINDS, OWN_POLICY, is_learned
from bba.analysis import BR_PROX, MeasureValue
from bba.bench.episode import EpisodeResult, TableEntry, label
from bba.bench.preprint_values import PaperPlace
from bba.bench.presets import Sweep
from bba.bench.statistics import grouped, matched
from bba.bench.table_spec import AgentPair, Axis

Heading = dict[Axis, str]
Kind = Literal["planner", "learned", "other"]  # of agents: the best of each is marked
POOLED = "all"  # the group that stands for all groups of a layout


class DataPoints(NamedTuple):
    """The values of episodes that differ in their seed alone, or of differences of two, and their place in the tables.

    Attributes:
        place: where the preprint's value for them would be.
        heading: the value of each axis.
        values: seed and value of each; without those in which there was nothing to count.
        missing: how many episodes failed or were not played.
        kind: of the agent.
        partner: who plays seat 1.
        pair: the labels of the two agents whose differences these are; None for the values of one.
    """

    place: PaperPlace
    heading: Heading
    values: list[tuple[int, float]]
    missing: int
    kind: Kind
    partner: str
    pair: AgentPair | None = None


def _kinds(sweep: Sweep) -> dict[str, Kind]:
    """Returns the kind of each agent, by its name in the sweep."""
    kinds: dict[str, Kind] = {}
    for ego in sweep.agents:
        if ego.agent in AGENT_VARIANTS or ego.agent == HYPOTHETICAL_MINDS.name:
            kinds[ego.name] = "planner"
        elif ego.agent == OWN_POLICY or is_learned(ego.agent):
            kinds[ego.name] = "learned"
        else:
            kinds[ego.name] = "other"
    return kinds


def points_of(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[DataPoints]:
    """Returns the points of each case and measure: means, then differences, as far as the table shows them.

    There are none for BR-Prox if no best response was played.
    """
    table = sweep.table
    best_responses = dict[tuple[str, ...], float]()
    if BR_PROX in table.measures and sweep.shows_means:
        best_responses = _best_responses(entries, results)
    kinds = _kinds(sweep)
    points = []
    for entry, entry_label, pair, cases in _cases(sweep, entries):
        measures = list(table.measures)
        if pair is None and not best_responses:
            measures = [measure for measure in measures if measure != BR_PROX]
        axes = heading(sweep, entry) | {"agent": entry_label}
        games_by_seed = []
        missing = 0
        for seed, keys in cases:
            games = [_measures_of(key, results) for key in keys]
            games_by_seed.append((seed, games))
            if None in games:
                missing += 1
        for measure in measures:
            values = []
            for seed, games in games_by_seed:
                value = _value_of_games(entry, games, measure, {} if pair else best_responses)
                if value is not None:
                    values.append((seed, value))
            place = PaperPlace(
                table=sweep.paper or "",
                agent=entry.agent,
                model=entry.planner,
                layout=entry.layout,
                group=axes["group"],
                variant=entry.variant,
                measure=measure,
            )
            kind = kinds.get(entry.agent, "other")
            heading_of_measure = axes | {"measure": measure}
            points.append(DataPoints(place, heading_of_measure, values, missing, kind, entry.partner, pair))
    return points


def _value_of_games(
    entry: TableEntry,
    games: Sequence[Mapping[str, MeasureValue] | None],
    measure: str,
    best_responses: Mapping[tuple[str, ...], float],
) -> float | None:
    """Returns a measure of one game, or the difference of two; None if a game has no value."""
    values = []
    for game in games:
        value = _value(entry, game, measure, best_responses)
        if value is None:
            return None
        values.append(value)
    return values[0] - sum(values[1:])


Case = tuple[int, tuple[str, ...]]  # a seed, and the keys of its episode, or of the two whose difference counts


def _cases(
    sweep: Sweep, entries: Sequence[TableEntry]
) -> Iterator[tuple[TableEntry, str, AgentPair | None, list[Case]]]:
    """Yields entries that differ in their seed alone as one, its label, the pair of agents, and the cases.

    Those of a pair are all entries that differ in nothing but the agent.
    """
    if sweep.shows_means:
        cases_by_place: dict[tuple[Any, ...], list[Case]] = {}
        for entry in entries:
            cases_by_place.setdefault(entry[:-2], []).append((entry.seed, (entry.key,)))
        for place, cases in cases_by_place.items():
            entry_of_all = TableEntry._make((*place, 0, ""))
            yield entry_of_all, entry_of_all.label, None, cases
    for first_entries, second_entries in _entries_of_pairs(sweep, entries):
        cases_by_pair: dict[tuple[Any, ...], list[Case]] = {}
        for entry, second_entry in matched(first_entries, second_entries, lambda entry: entry[2:-1]):
            place_of_pair = (entry[:-2], second_entry.agent, second_entry.planner)
            cases_by_pair.setdefault(place_of_pair, []).append((entry.seed, (entry.key, second_entry.key)))
        for (place, second, second_planner), cases in cases_by_pair.items():
            entry_of_all = TableEntry._make((*place, 0, ""))
            pair = (entry_of_all.label, label(second, second_planner))
            yield entry_of_all._replace(agent=f"{entry_of_all.agent} - {second}"), " − ".join(pair), pair, cases


def _entries_of_pairs(
    sweep: Sweep, entries: Sequence[TableEntry]
) -> Iterator[tuple[Sequence[TableEntry], Sequence[TableEntry]]]:
    """Yields the entries of both agents of each pair."""
    if sweep.table.paired == "all":
        yield from combinations(grouped(((entry.agent, entry.planner), entry) for entry in entries).values(), 2)
    for first, second in sweep.pairs:
        first_entries = [entry for entry in entries if entry.agent == first]
        second_entries = [entry for entry in entries if entry.agent == second]
        yield first_entries, second_entries


def heading(sweep: Sweep, entry: TableEntry) -> Heading:
    """Returns the value of each axis for an entry, but for the measure."""
    is_pooled = entry.layout in sweep.table.pool and len(sweep.partners) > 1
    group = POOLED if is_pooled else entry.group
    return {"agent": entry.label, "layout": entry.layout, "group": group, "variant": entry.variant}


def _measures_of(key: str, results: Mapping[str, EpisodeResult]) -> Mapping[str, MeasureValue] | None:
    """Returns the measures of an episode; None if it failed or was not played."""
    return results[key].measures if key in results else None


def _value(
    entry: TableEntry,
    measures: Mapping[str, MeasureValue] | None,
    measure: str,
    best_responses: Mapping[tuple[str, ...], float],
) -> float | None:
    """Returns a measure of an entry; `best_responses` holds the rewards of best responses, for BR-Prox."""
    if measures is None:
        return None
    if measure != BR_PROX:
        return measures.get(measure)  # results of older versions lack newer measures
    reward = measures.get("reward")
    best_reward = best_responses.get((entry.layout, entry.partner, entry.variant))
    if reward is None or not best_reward:
        return None
    return reward / best_reward


def reward_of(entry: TableEntry, results: Mapping[str, EpisodeResult]) -> float | None:
    """Returns the reward of an entry's episode; None if it failed or was not played."""
    measures = _measures_of(entry.key, results)
    return None if measures is None else measures.get("reward")


def _best_responses(
    entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]
) -> dict[tuple[str, ...], float]:
    """Returns the mean reward of the best response by kitchen, partner and variant: the partner's own policy."""
    rewards_by_place: dict[tuple[str, ...], list[float]] = {}
    for entry in entries:
        reward = reward_of(entry, results) if entry.agent == OWN_POLICY else None
        if reward is not None:
            rewards_by_place.setdefault((entry.layout, entry.partner, entry.variant), []).append(reward)
    return {place: fmean(rewards) for place, rewards in rewards_by_place.items()}
