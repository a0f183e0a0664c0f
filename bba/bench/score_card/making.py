"""Makes the score card of an agent from the stored games of its sweep."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bba.agents import AgentOptions, Profile, load_agent
from bba.agents.registry import KEYLESS
from bba.bench.episode import EpisodeResult
from bba.bench.plan import SweepPlan, TableEntry, label
from bba.bench.provenance import versions
from bba.bench.score_card.card import (
    CardAgent,
    CardEpisode,
    CardProgram,
    CardProtocol,
    ScoreCard,
    sealed,
)
from bba.bench.score_card.protocol import Protocol
from bba.bench.score_card.scored_game import scored_game
from bba.bench.score_card.summary import summary_of
from bba.play import Replay
from bba.play.recording_file import unpack
from bba.plugins import find_used

OURS = "bba-tui"


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
    return (_episode(entry, results[entry.key], read(entry.key), protocol) for entry in plan.entries)


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


def _episode(entry: TableEntry, result: EpisodeResult, recording: bytes, protocol: Protocol) -> CardEpisode:
    trace = Replay(unpack(recording, f"the recording of episode {entry.key}"), fast=True).run()
    return CardEpisode(
        layout=entry.layout,
        group=entry.group,
        partner=entry.partner,
        seed=entry.seed,
        seconds=round(result.seconds, 3),
        **scored_game(trace, protocol.measures),
    )


def card_agent(plan: SweepPlan) -> CardAgent:
    """Returns who plays seat 0 in all games of a plan."""
    games = list(plan.episodes.values())
    profile = games[0].seats[0]
    own = find_used(profile.plugins, "agent")
    return CardAgent(
        name=label(profile.label, profile.planner),
        source=f"{own.name}, source {own.digest}" if own else f"{OURS} {versions()['bba']}",
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
    if profile.plugins == (own,) or (own is None and profile == _usual(profile)):
        return ""
    return hashlib.blake2b(repr(profile).encode(), digest_size=3).hexdigest()


def _usual(profile: Profile) -> Profile | None:
    """Returns the profile of the agent of this name without other options; None if a language model plans for it."""
    planner = profile.planner or "scripted"
    return load_agent(profile.agent, AgentOptions(planner=planner)).profile if planner in KEYLESS else None
