"""Makes the score card of an agent from the stored games of its sweep, and checks one: what it says follows from them,
and games that are played again are the same, bit for bit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from bba.agents import KEYLESS, AgentOptions, Profile, load_agent, pays
from bba.analysis import (
    belief_tally,
    calibration_error,
    hypotheses_of,
    measure,
    pursued_steps,
    reliability,
    switch_responses,
)
from bba.analysis.measures import REACHED_WITHIN
from bba.bench.episode import Episode, EpisodeResult, code_digest, folder_digest, label, versions, weights_digest
from bba.bench.plan import SweepPlan
from bba.bench.presets import NO_SETTINGS
from bba.bench.score_card.card import (
    DECIMALS,
    CardAgent,
    CardBelief,
    CardCalibration,
    CardCell,
    CardCost,
    CardEpisode,
    CardProgram,
    CardProtocol,
    CardRecovery,
    CardSpeed,
    CardSummary,
    CardValue,
    Protocol,
    ScoreCard,
    sealed,
)
from bba.bench.statistics import Summary, grouped, mean_over_games, ratio_over_games
from bba.config import Options
from bba.errors import BBAError
from bba.files import hex_digest
from bba.kitchen import Layout
from bba.play import EGO, Replay, Trace, unpack
from bba.plugins import find_used

FOLLOWED = (0, 5, 10, 20, 40, 60)  # steps after a switch
PLANNING = ("planner_calls", "planner_prompt_tokens", "planner_completion_tokens", "planner_cost")
REPLANNING = ("replans", "needless_replans", *(f"reached_{steps}" for steps in REACHED_WITHIN))
LEAST_BELIEF = 1e-9  # a smaller share of a belief counts as this one, or one sure mistake would weigh infinitely


def scored_game(trace: Trace, measures: Sequence[str]) -> dict[str, Any]:
    """Returns the fields of a `CardEpisode` that follow from a trace; `measures` are those of the protocol."""
    found = measure(trace)
    values = ((name, found[name]) for name in (*measures, *PLANNING))
    steps = pursued_steps(trace)
    delays = [response.complemented for response in switch_responses(steps)]
    return {
        "game": trace_digest(trace),
        "decisions": int(steps.commits.sum()),
        "followed": [sum(delay is not None and delay <= steps for delay in delays) for steps in FOLLOWED],
        "measures": {name: round(value, DECIMALS) for name, value in values if value is not None},
        "belief": own_belief(trace),
    }


def trace_digest(trace: Trace) -> str:
    """Returns 16 hex digits: the digest of the states, the actions and the skills of a game, step by step."""
    steps = ((*tick.actions, *tick.skills, *tick.state) for tick in trace.ticks)
    return hex_digest(trace.start.astype("<i4").tobytes(), *(np.array(step, "<i4").tobytes() for step in steps))


def own_belief(trace: Trace) -> CardBelief | None:
    """Returns how good the belief was by which the ego played; None if it had none."""
    updates = [tick.decisions[EGO].belief for tick in trace.ticks]
    beliefs = [hypotheses_of(one).by_role(one.posterior) for one in updates if one is not None]
    if not beliefs or len(beliefs) < len(updates):
        return None
    tally = belief_tally(trace, np.maximum(np.array(beliefs), LEAST_BELIEF))
    bins = tuple((int(steps), round(float(sure), DECIMALS), int(right)) for steps, sure, right in tally.bins)
    return CardBelief(steps=tally.steps, right=tally.right, log_loss=round(tally.log_loss, DECIMALS), bins=bins)


def summary_of(protocol: Protocol, episodes: Sequence[CardEpisode]) -> CardSummary:
    """Returns what follows from the games of a card."""
    cells = grouped(((episode.layout, episode.group), episode) for episode in episodes)
    return CardSummary(
        overall=_means(protocol.measures, episodes),
        cells=tuple(
            CardCell(layout=layout, group=group, measures=_means(protocol.measures, games))
            for (layout, group), games in cells.items()
        ),
        calibration=_calibration([one.belief for one in episodes if one.belief is not None]),
        recovery=_recovery(episodes),
        speed=_speed(protocol, episodes),
        cost=_cost(episodes),
    )


def _means(measures: Iterable[str], episodes: Sequence[CardEpisode]) -> dict[str, CardValue]:
    found = {name: [one.measures[name] for one in episodes if name in one.measures] for name in measures}
    return {name: _value(mean_over_games(values)) for name, values in found.items() if values}


def _value(summary: Summary) -> CardValue:
    low, high = (None if end is None else round(end, DECIMALS) for end in (summary.low, summary.high))
    return CardValue(mean=round(summary.mean, DECIMALS), low=low, high=high, n=summary.n)


def _calibration(beliefs: Sequence[CardBelief]) -> CardCalibration | None:
    """Returns how good the agent's belief was; None without one, and without any step that counts."""
    if not sum(one.steps for one in beliefs):
        return None
    steps = [one.steps for one in beliefs]
    summed = np.sum([one.bins for one in beliefs], axis=0)
    bins = ((round(sure, DECIMALS), round(right, DECIMALS), count) for sure, right, count, _ in reliability(summed))
    return CardCalibration(
        steps=sum(steps),
        accuracy=_value(ratio_over_games([one.right for one in beliefs], steps)),
        log_loss=_value(ratio_over_games([one.log_loss for one in beliefs], steps)),
        error=round(calibration_error(summed), DECIMALS),
        bins=tuple(bins),
    )


def _recovery(episodes: Sequence[CardEpisode]) -> CardRecovery:
    switches = [one.measures.get("switches", 0) for one in episodes]
    within = {
        str(steps): _value(ratio_over_games([one.followed[place] for one in episodes], switches))
        for place, steps in enumerate(FOLLOWED)
    }
    return CardRecovery(switches=int(sum(switches)), within=within if any(switches) else {})


def _speed(protocol: Protocol, episodes: Sequence[CardEpisode]) -> CardSpeed:
    steps = len(episodes) * protocol.horizon
    decisions = sum(one.decisions for one in episodes)
    seconds = round(sum(one.seconds for one in episodes), 3)
    rates = (round(count / max(seconds, 1e-3), 1) for count in (steps, decisions))
    return CardSpeed(
        steps=steps, decisions=decisions, seconds=seconds, steps_a_second=next(rates), decisions_a_second=next(rates)
    )


def _cost(episodes: Sequence[CardEpisode]) -> CardCost:
    def total(name: str) -> float | None:
        known = [one.measures[name] for one in episodes if name in one.measures]
        return round(sum(known), DECIMALS) if known else None

    sent = total("planner_prompt_tokens")
    answered = total("planner_completion_tokens")
    return CardCost(
        calls=int(total("planner_calls") or 0),
        prompt_tokens=None if sent is None else int(sent),
        completion_tokens=None if answered is None else int(answered),
        dollars=total("planner_cost"),
    )


MEASURE_TOLERANCE = 2e-6  # by how much a rounded number may differ where another version of NumPy sums it up


def check_contents(card: ScoreCard, protocol: Protocol) -> None:
    """Checks that a card holds every game of the protocol once, and that all else that it says follows from them.

    Raises:
        BBAError: it does not.
    """
    if card.protocol.digest != protocol.digest:
        raise BBAError(f"its protocol is another {protocol.version} than that of this program")
    wanted = protocol.places(card.protocol.size)
    found = [one.place for one in card.episodes]
    if len(found) != len(wanted) or {*found} != wanted:
        raise BBAError(f"it does not hold each of the {len(wanted)} games of {card.protocol.size} once")
    problem = _difference("", card.summary, summary_of(protocol, card.episodes))
    if problem:
        raise BBAError(f"{problem} does not follow from its games")


def _difference(where: str, one: object, other: object) -> str:
    """Returns the place of the first difference between two parts of a card; "" if they are the same."""
    if isinstance(one, Options) and isinstance(other, Options):
        one = dict(one)
        other = dict(other)
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return where or "what it holds"
        return next(filter(None, (_difference(f"{where}.{key}".strip("."), one[key], other[key]) for key in one)), "")
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        if len(one) != len(other):
            return where
        pairs = enumerate(zip(one, other, strict=True))
        return next(filter(None, (_difference(f"{where}.{place}", *pair) for place, pair in pairs)), "")
    if isinstance(one, float) and isinstance(other, int | float):
        return "" if abs(one - other) <= MEASURE_TOLERANCE * max(1.0, abs(other)) else where
    return "" if one == other else where


def drawn(card: ScoreCard, count: int | Literal["all"]) -> list[CardEpisode]:
    """Returns the games that are to be played again; the card's checksum draws them, so nobody chooses them."""
    if count == "all" or count >= len(card.episodes):
        return list(card.episodes)
    rng = np.random.default_rng(int(card.checksum, 16))
    return [card.episodes[place] for place in sorted(rng.choice(len(card.episodes), count, replace=False))]


def repeatable(card: ScoreCard) -> bool:
    """Whether its games can be played again: no language model plans, no decision depends on the machine's speed."""
    planner = card.agent.profile.planner
    return card.agent.profile.repeatable and (planner is None or not pays(planner.partition(":")[0]))


def play_again(
    card: ScoreCard, protocol: Protocol, games: list[CardEpisode], options: AgentOptions
) -> Iterator[CardEpisode]:
    """Plays these games again and yields each that is the same.

    Args:
        card: the card.
        protocol: its protocol.
        games: games of the card.
        options: what a card does not say of an agent: the folders of prompts and weights.

    Raises:
        BBAError: one is another game, or cannot be played.
    """
    options = _options(card, options)
    made = card.program
    played = f" (played by version {made.versions.get('bba', '?')}, code {made.code}; this is other code)"
    other_code = "" if made.code == code_digest() else played
    for game in games:
        trace = _episode(card, protocol, game, options).game(options).run()
        problem = _changed(game, scored_game(trace, protocol.measures))
        if problem:
            raise BBAError(f"{game.title}: played again, {problem}{other_code}")
        yield game


def _options(card: ScoreCard, options: AgentOptions) -> AgentOptions:
    planning = card.agent.planning
    if planning.prompts != (folder_digest(options.prompts) if options.prompts else None):
        raise BBAError("its prompts are not those of this program; --prompts names their folder")
    shared = {name: getattr(planning, name) for name in ("history_turns", "retries", "prompt_layout")}
    profile = card.agent.profile
    return replace(options, planner=profile.planner or "scripted", belief_config=profile.belief_config, **shared)


def _episode(card: ScoreCard, protocol: Protocol, game: CardEpisode, options: AgentOptions) -> Episode:
    layout = Layout.load(game.layout)
    profile = card.agent.profile
    own, partner = (weights_digest(name, layout, options) for name in (profile.agent, game.partner))
    if own != card.agent.weights.get(game.layout):
        raise BBAError(f"{profile.agent}: has other weights for {game.layout} here; --weights names their folder")
    settings = protocol.partner_settings.get(game.group, NO_SETTINGS)
    return Episode(
        layout=layout,
        seats=(profile, load_agent(game.partner, AgentOptions(schedule=settings.schedule)).profile),
        seed=game.seed,
        horizon=protocol.horizon,
        mobility=settings.beside(protocol.mobility),
        skill_timeout=protocol.skill_timeout,
        code=code_digest(),
        weights=(own, partner),
    )


def _changed(game: CardEpisode, again: dict[str, Any]) -> str:
    """Returns what is not the same; "" if nothing is. What planning took is not compared: it may be measured."""
    if again["game"] != game.game:
        return "it is another game"
    same = {"decisions": game.decisions, "followed": list(game.followed)}
    if any(again[name] != value for name, value in same.items()):
        return "its decisions or switches are others"
    left_out = set(PLANNING)
    if "replans" in game.measures and "replans" not in again["measures"]:
        left_out |= set(REPLANNING)  # older versions counted each new choice of an agent without a planner
    found, known = ({k: v for k, v in one.items() if k not in left_out} for one in (again["measures"], game.measures))
    problem = _difference("measures", found, known) or _difference("belief", again["belief"], game.belief)
    return f"its {problem} is another one" if problem else ""


def card_episodes(
    protocol: Protocol, plan: SweepPlan, results: Mapping[str, EpisodeResult], read: Callable[[str], bytes]
) -> Iterator[CardEpisode]:
    """Yields each game of a card; it is played once more from its recording.

    Args:
        protocol: the benchmark.
        plan: its games.
        results: of all of them, by key.
        read: returns the recording of a game by its key.

    Raises:
        BBAError: a recording is damaged.
    """
    for entry in plan.entries:
        trace = Replay(unpack(read(entry.key), f"the recording of episode {entry.key}"), fast=True).run()
        yield CardEpisode(
            layout=entry.layout,
            group=entry.group,
            partner=entry.partner,
            seed=entry.seed,
            seconds=round(results[entry.key].seconds, 3),
            **scored_game(trace, protocol.measures),
        )


def make_card(protocol: Protocol, size: str, plan: SweepPlan, episodes: Sequence[CardEpisode]) -> ScoreCard:
    """Returns the card of these games, all of a plan; `size` is that of the protocol."""
    values: dict[str, Any] = {
        "protocol": CardProtocol(version=protocol.version, size=size, digest=protocol.digest),
        "agent": card_agent(plan),
        "program": CardProgram(code=next(iter(plan.episodes.values())).code, versions=versions()),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "episodes": tuple(episodes),
    }
    return sealed(dict(summary_of(protocol, episodes)) | values)


def card_agent(plan: SweepPlan) -> CardAgent:
    """Returns who plays seat 0 in all games of a plan."""
    games = list(plan.episodes.values())
    profile = games[0].seats[0]
    own = find_used(profile.plugins, "agent")
    return CardAgent(
        name=label(profile.label, profile.planner),
        source=f"{own.name}, source {own.digest}" if own else f"bba-tui {versions()['bba']}",
        profile=profile,
        planning=games[0].planning,
        weights={game.layout.name: game.weights[0] for game in games if game.weights[0] is not None},
    )


def file_name(card: ScoreCard) -> str:
    """Returns the name of a card's file: agent and planner, a digest if other options set it apart, and the size."""
    profile = card.agent.profile
    named = [profile.label, profile.planner, _apart(profile), card.protocol.version, card.protocol.size]
    return re.sub(r"[^\w.]+", "-", "-".join(filter(None, named))).strip("-") + ".json"


def _apart(profile: Profile) -> str:
    """Returns six hex digits for an agent that does not play as its name and its planner alone say, else ""."""
    own = find_used(profile.plugins, "agent")
    planner = profile.planner or "scripted"
    usual = None
    if own is None and planner in KEYLESS:
        usual = load_agent(profile.agent, AgentOptions(planner=planner)).profile
    if profile == usual or profile.plugins == (own,):
        return ""
    return hex_digest(repr(profile).encode(), size=3)
