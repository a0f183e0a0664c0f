"""Makes the score card of an agent from the stored games of its sweep, and checks one: its summary follows from its
games, and games that are played again are the same, bit for bit.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from bba.agents import KEYLESS, Profile, SeatSpec, load_agent, pays
from bba.analysis import (
    measure,
    own_tally,
    pursued_steps,
    switch_responses,
)
from bba.analysis.measures import REACHED_WITHIN
from bba.bench.episode import Episode, EpisodeResult, code_digest, label, prompts_digest, versions, weights_digest
from bba.bench.plan import SweepPlan
from bba.bench.score_card.card import (
    DECIMALS,
    CardAgent,
    CardBelief,
    CardEpisode,
    CardProgram,
    CardProtocol,
    Protocol,
    ScoreCard,
    sealed,
)
from bba.bench.score_card.summary import FOLLOWED, OVER_SEEDS, summary_of
from bba.bench.sweep_parts import NO_SETTINGS
from bba.config import Options
from bba.errors import BBAError
from bba.files import hex_digest
from bba.kitchen import Layout
from bba.play import Replay, Trace, unpack
from bba.plugins import find_used

PLANNING = ("planner_calls", "planner_prompt_tokens", "planner_completion_tokens", "planner_cost")
REPLANNING = ("replans", "needless_replans", *(f"reached_{steps}" for steps in REACHED_WITHIN))


def scored_game(trace: Trace, protocol: Protocol) -> dict[str, Any]:
    """Returns the fields of a `CardEpisode` that follow from a trace."""
    measured = measure(trace)
    values: dict[str, float] = {}
    for name in (*protocol.measures, *PLANNING):
        value = measured[protocol.measured_as(name)]
        if value is not None:
            values[name] = round(value, DECIMALS)
    steps = pursued_steps(trace)
    responses = switch_responses(steps)
    delays = [response.complemented for response in responses if response.complemented is not None]
    return {
        "game": trace_digest(trace),
        "decisions": int(steps.deliberate.sum()),
        "followed": [sum(1 for delay in delays if delay <= within) for within in FOLLOWED],
        "measures": values,
        "belief": own_belief(trace),
    }


def trace_digest(trace: Trace) -> str:
    """Returns 16 hex digits: the digest of the states, the actions and the skills of a game, step by step."""
    steps = ((*tick.actions, *tick.skills, *tick.state) for tick in trace.ticks)
    return hex_digest(trace.start.astype("<i4").tobytes(), *(np.array(step, "<i4").tobytes() for step in steps))


def own_belief(trace: Trace) -> CardBelief | None:
    """Returns how good the belief was by which the ego played; None if it had none."""
    tally = own_tally(trace)
    if tally is None:
        return None
    bins = tuple((int(steps), round(float(sure), DECIMALS), int(right)) for steps, sure, right in tally.bins)
    return CardBelief(steps=tally.steps, right=tally.right, log_loss=round(tally.log_loss, DECIMALS), bins=bins)


MEASURE_TOLERANCE = 2e-6  # by how much a rounded number may differ where another version of NumPy sums it up


def check_contents(card: ScoreCard, protocol: Protocol) -> None:
    """Checks that a card holds every game of the protocol once, and that all else in it follows from these games.

    Raises:
        BBAError: it does not.
    """
    if card.protocol.digest != protocol.digest:
        raise BBAError(f"its protocol is another {protocol.version} than that of this program")
    protocol_places = protocol.places(card.protocol.size)
    card_places = [episode.place for episode in card.episodes]
    if len(card_places) != len(protocol_places) or set(card_places) != protocol_places:
        raise BBAError(f"it does not hold each of the {len(protocol_places)} games of {card.protocol.size} once")
    problem = _difference("", card.summary, summary_of(protocol, card.episodes, card.intervals))
    if problem:
        raise BBAError(f"{problem} does not follow from its games")


def _difference(path: str, actual: object, expected: object) -> str:
    """Returns the path of the first difference between two parts of a card; "" if they are the same."""
    if isinstance(actual, Options) and isinstance(expected, Options):
        actual = dict(actual)
        expected = dict(expected)
    if isinstance(actual, dict) and isinstance(expected, dict):
        if actual.keys() != expected.keys():
            return path or "what it holds"
        for key in actual:
            difference = _difference(f"{path}.{key}".strip("."), actual[key], expected[key])
            if difference:
                return difference
        return ""
    if isinstance(actual, tuple | list) and isinstance(expected, tuple | list):
        if len(actual) != len(expected):
            return path
        for index, (actual_part, expected_part) in enumerate(zip(actual, expected, strict=True)):
            difference = _difference(f"{path}.{index}", actual_part, expected_part)
            if difference:
                return difference
        return ""
    if isinstance(actual, float) and isinstance(expected, int | float):
        is_same = abs(actual - expected) <= MEASURE_TOLERANCE * max(1.0, abs(expected))
    else:
        is_same = actual == expected
    return "" if is_same else path


def drawn(card: ScoreCard, count: int | Literal["all"]) -> list[CardEpisode]:
    """Returns the games that are to be played again; the card's checksum draws them, so nobody chooses them."""
    if count == "all" or count >= len(card.episodes):
        return list(card.episodes)
    rng = np.random.default_rng(int(card.checksum, 16))
    places = sorted(rng.choice(len(card.episodes), count, replace=False))
    return [card.episodes[place] for place in places]


def repeatable(card: ScoreCard) -> bool:
    """Whether its games can be played again: no language model plans, no decision depends on the machine's speed."""
    profile = card.agent.profile
    if not profile.repeatable:
        return False
    if profile.planner is None:
        return True
    provider, _, _ = profile.planner.partition(":")
    return not pays(provider)


def play_again(card: ScoreCard, protocol: Protocol, games: list[CardEpisode], base: SeatSpec) -> Iterator[CardEpisode]:
    """Plays these games again and yields each that is the same.

    Args:
        card: the card.
        protocol: its protocol.
        games: games of the card.
        base: what a card does not hold of an agent: the folders of prompts and weights.

    Raises:
        BBAError: a game comes out as another one, or cannot be played.
    """
    base = _seat_of_card(card, base)
    program = card.program
    code_note = ""
    if program.code != code_digest():
        version = program.versions.get("bba", "?")
        code_note = f" (played by version {version}, code {program.code}; this is other code)"
    for game in games:
        trace = _episode(card, protocol, game, base).game(base).run()
        problem = _change(game, scored_game(trace, protocol))
        if problem:
            raise BBAError(f"{game.title}: played again, {problem}{code_note}")
        yield game


def _seat_of_card(card: ScoreCard, base: SeatSpec) -> SeatSpec:
    planning = card.agent.planning
    if planning.prompts != prompts_digest(base.prompts, planning.prompt_layout):
        raise BBAError("its prompts are not those of this program; --prompts names their folder")
    profile = card.agent.profile
    return replace(
        base,
        planner=profile.planner or "scripted",
        belief_config=profile.belief_config,
        history_turns=planning.history_turns,
        retries=planning.retries,
        prompt_layout=planning.prompt_layout,
    )


def _episode(card: ScoreCard, protocol: Protocol, game: CardEpisode, base: SeatSpec) -> Episode:
    layout = Layout.load(game.layout)
    profile = card.agent.profile
    ego_weights = weights_digest(base.of_agent(profile.agent), layout)
    partner_weights = weights_digest(base.of_agent(game.partner), layout)
    if ego_weights != card.agent.weights.get(game.layout):
        raise BBAError(f"{profile.agent}: has other weights for {game.layout} here; --weights names their folder")
    settings = protocol.partner_settings.get(game.group, NO_SETTINGS)
    partner = load_agent(SeatSpec(game.partner, schedule=settings.schedule))
    return Episode(
        layout=layout,
        seats=(profile, partner.profile),
        seed=game.seed,
        horizon=protocol.horizon,
        mobility=settings.mobility_of_seats(protocol.mobility),
        skill_timeout=protocol.skill_timeout,
        code=code_digest(),
        weights=(ego_weights, partner_weights),
    )


def _change(game: CardEpisode, replayed: dict[str, Any]) -> str:
    """Returns what is not the same; "" if nothing is. What planning took is not compared: it may be measured."""
    if replayed["game"] != game.game:
        return "it is another game"
    if replayed["decisions"] != game.decisions or replayed["followed"] != list(game.followed):
        return "its decisions or switches are others"
    not_compared = set(PLANNING)
    if "replans" in game.measures and "replans" not in replayed["measures"]:
        not_compared |= set(REPLANNING)  # older versions counted each new choice of an agent without a planner
    measures = {name: value for name, value in replayed["measures"].items() if name not in not_compared}
    card_measures = {name: value for name, value in game.measures.items() if name not in not_compared}
    problem = _difference("measures", measures, card_measures)
    if not problem:
        problem = _difference("belief", replayed["belief"], game.belief)
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
        recording = unpack(read(entry.key), f"the recording of episode {entry.key}")
        trace = Replay(recording, fast=True).run()
        yield CardEpisode(
            layout=entry.layout,
            group=entry.group,
            partner=entry.partner,
            seed=entry.seed,
            seconds=round(results[entry.key].seconds, 3),
            **scored_game(trace, protocol),
        )


def make_card(protocol: Protocol, size: str, plan: SweepPlan, episodes: Sequence[CardEpisode]) -> ScoreCard:
    """Returns the card of these games, all of a plan; `size` is that of the protocol."""
    first_episode = next(iter(plan.episodes.values()))
    values: dict[str, Any] = dict(summary_of(protocol, episodes, OVER_SEEDS))
    values["protocol"] = CardProtocol(version=protocol.version, size=size, digest=protocol.digest)
    values["agent"] = card_agent(plan)
    values["program"] = CardProgram(code=first_episode.code, versions=versions())
    values["made"] = datetime.now(UTC).isoformat(timespec="seconds")
    values["episodes"] = tuple(episodes)
    return sealed(values)


def card_agent(plan: SweepPlan) -> CardAgent:
    """Returns who plays seat 0 in all games of a plan."""
    episodes = list(plan.episodes.values())
    profile = episodes[0].seats[0]
    plugin = find_used(profile.plugins, "agent")
    source = f"bba-tui {versions()['bba']}"
    if plugin is not None:
        source = f"{plugin.name}, source {plugin.digest}"
    weights = {}
    for episode in episodes:
        ego_weights = episode.weights[0]
        if ego_weights is not None:
            weights[episode.layout.name] = ego_weights
    return CardAgent(
        name=_name(profile),
        source=source,
        profile=profile,
        planning=episodes[0].planning,
        weights=weights,
    )


def _name(profile: Profile) -> str:
    """Returns an agent's name as people read it, with the parts of it that are plug-ins: they set its games apart."""
    parts = [plugin.label for plugin in profile.plugins if plugin.kind in ("partner-model", "trigger")]
    return ", ".join([label(profile.label, profile.planner), *parts])


def file_name(card: ScoreCard) -> str:
    """Returns the name of a card's file: agent and planner, a digest if other options set it apart, and the size."""
    profile = card.agent.profile
    parts = [
        profile.label,
        profile.planner,
        _digest_of_options(profile),
        card.protocol.version,
        card.protocol.size,
    ]
    name = "-".join(part for part in parts if part)
    stem = re.sub(r"[^\w.]+", "-", name).strip("-")
    return f"{stem}.json"


def _digest_of_options(profile: Profile) -> str:
    """Returns six hex digits for an agent that does not play as its name and its planner alone say, else ""."""
    plugin = find_used(profile.plugins, "agent")
    planner = profile.planner or "scripted"
    usual = None
    if plugin is None and planner in KEYLESS:
        usual = load_agent(SeatSpec(profile.agent, planner=planner)).profile
    if profile == usual or profile.plugins == (plugin,):
        return ""
    return hex_digest(repr(profile).encode(), size=3)
