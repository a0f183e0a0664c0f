"""Cross-play in one call: every ego with every partner in every kitchen, and what their differences are worth."""

import weakref
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bba.agents import AgentLike, SeatSpec
from bba.bench.presets import Sweep
from bba.bench.results_reader import StoredSweep
from bba.bench.runner import PlayedSweep, play_sweep
from bba.bench.sweep_parts import EgoSpec
from bba.config import EPISODE_DEFAULTS, SKILL_TIMEOUT
from bba.errors import BBAError, shortened
from bba.keywords import known_keywords
from bba.kitchen import Layout
from bba.plugins.handing_over import hand_over, short_name
from bba.temporary import temporary_folder
from bba.validation import checked

Player = AgentLike | EgoSpec | Mapping[str, Any]  # an ego may be what stands in a sweep's file
Kitchens = str | Path | Layout | Sequence[str | Path | Layout]


@known_keywords
def crossplay(
    egos: Sequence[Player] | Mapping[str, Player],
    partners: Sequence[AgentLike] | Mapping[str, AgentLike] | None = None,
    kitchens: Kitchens = ("open",),
    seeds: int | Iterable[int] = 5,
    *,
    options: SeatSpec | None = None,
    measures: Sequence[Any] = ("reward",),
    horizon: int = EPISODE_DEFAULTS.horizon,
    mobility: float = EPISODE_DEFAULTS.mobility,
    skill_timeout: int = SKILL_TIMEOUT,
    folder: Path | str | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> StoredSweep:
    """Plays every ego (player 0) with every partner (player 1) in every kitchen with every seed.

    Worker processes play the games. An agent that cannot be pickled, such as one that holds an open connection, is
    played in this process, and a line on standard error and in `caveats` says so. Each game gets a copy of an object.

    Args:
        egos: names, classes, functions that make an agent, and agents alike; or such by the names that they have in
            the result. Also what stands in a sweep's file, as ``{"agent": "bayes", "planner": "rollout"}``.
        partners: the same, without the last; None for the egos.
        kitchens: names, files and `Layout`s, or one alone.
        seeds: how many, from 0 on, or consecutive ones, as ``range(20, 40)``.
        options: how agents plan, as in `bba.run_sweep`.
        measures: names of measures, or functions of a trace.
        horizon, mobility, skill_timeout: as in `bba.Game`.
        folder: where games are kept, so that the same call plays nothing anew; None for a folder that goes with the
            result.
        workers, progress: as in `bba.run_sweep`.

    Returns:
        The games, with `means`, `differences` of all pairs, `traces`, `recordings`, `to_frame` and `plot`; `print`
        shows means and differences, a notebook the tables. Intervals are clustered by seed and stratified by kitchen.

    Raises:
        BBAError: an argument that is not allowed, or no game could be played.
    """
    titled_egos = _titled(egos, "egos")
    titled_partners = titled_egos if partners is None else _titled(partners, "partners")
    first_seed, count = _seeds(seeds)
    table: dict[str, Any] = {"measures": [hand_over("measure", measure) for measure in measures]}
    if len(titled_egos) == 1:
        table |= {"paired": None, "means": False}
    values = {
        "name": "crossplay",
        "title": "Cross-play",
        "kind": "crossplay",
        "agents": [_ego(title, ego) for title, ego in titled_egos.items()],
        "partners": {title: [_partner(partner)] for title, partner in titled_partners.items()},
        "layouts": [str(kitchen) if isinstance(kitchen, Path) else kitchen for kitchen in _listed(kitchens)],
        "seeds": count,
        "first_seed": first_seed,
        "horizon": horizon,
        "mobility": mobility,
        "skill_timeout": skill_timeout,
        "table": table,
    }
    sweep = checked(Sweep, values, "crossplay")
    holder = None
    if folder is None:
        holder = _FolderForNow()
        folder = holder.folder
    played = play_sweep(sweep, Path(folder), options, workers=workers, progress=progress, recordings=True)
    return StoredSweep(
        sweep=sweep,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        entries=played.plan.entries,
        results=played.results,
        earlier=0,
        caveats=(*played.plan.left_out, *played.notes, *_failures(played)),
        folder=Path(folder),
        holder=holder,
    )


class _FolderForNow:
    """A folder that is removed with this object, or at the end of the process."""

    def __init__(self) -> None:
        stack = ExitStack()
        self.folder = stack.enter_context(temporary_folder())
        weakref.finalize(self, stack.close)


def _listed(things: Any) -> list[Any]:
    """Returns several things as a list; one alone as a list of it."""
    if isinstance(things, Iterable) and not isinstance(things, str | Layout):
        return list(things)
    return [things]


def _titled(players: Any, argument: str) -> dict[str, Any]:
    """Returns players by their names in the result; those with the same name get numbers.

    Raises:
        BBAError: there are none.
    """
    if isinstance(players, Mapping) and "agent" not in players:
        return {str(title): player for title, player in players.items()}
    single = isinstance(players, str | type | Mapping) or not isinstance(players, Iterable)
    listed = [players] if single else list(players)
    if not listed:
        raise BBAError(f"{argument}: none are given")
    titled: dict[str, Any] = {}
    for player in listed:
        title = _title(player)
        number = 1
        while title in titled:
            number += 1
            title = f"{_title(player)} {number}"
        titled[title] = player
    return titled


def _title(player: Any) -> str:
    if isinstance(player, SeatSpec):
        raise BBAError('a SeatSpec has no place here; give a name, a class, an agent or {"agent": …, "planner": …}')
    if isinstance(player, Mapping):
        player = checked(EgoSpec, dict(player), "egos")
    if isinstance(player, EgoSpec):
        return player.name
    return short_name("agent", hand_over("agent", player))


def _ego(title: str, player: Any) -> dict[str, Any]:
    """Returns an ego as it stands in a sweep's file."""
    if isinstance(player, EgoSpec):
        player = player.model_dump()
    values = dict(player) if isinstance(player, Mapping) else {"agent": player}
    return values | ({} if values.get("agent") == title else {"title": title})


def _partner(player: Any) -> str:
    if isinstance(player, EgoSpec | Mapping):
        raise BBAError(f"partners: {shortened(player)} is not allowed; a name, a class, a function or an agent")
    return hand_over("agent", player)


def _seeds(seeds: int | Iterable[int]) -> tuple[int, int]:
    """Returns the first seed and how many there are.

    Raises:
        BBAError: they do not follow one another.
    """
    if isinstance(seeds, int):
        return 0, seeds
    listed = list(seeds)
    if not listed or listed != list(range(listed[0], listed[0] + len(listed))):
        raise BBAError(f"seeds: {shortened(listed)} is not allowed; a number of seeds, or consecutive ones")
    return listed[0], len(listed)


def _failures(played: PlayedSweep) -> list[str]:
    """Returns a line for each reason why games failed.

    Raises:
        BBAError: all of them failed.
    """
    reasons = Counter(result.failure for result in played.results.values() if result.failure is not None)
    total = len(played.results)
    if total and reasons.total() == total:
        raise BBAError(f"every game failed: {reasons.most_common(1)[0][0]}")
    return [f"{count} of {total} games failed: {reason}" for reason, count in reasons.most_common()]
