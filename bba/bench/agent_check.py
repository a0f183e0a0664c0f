"""Checks that an agent keeps to the protocol, on which games, forks, recordings and sweeps rely; writes a new one.

A new agent is a small package with its test and a sweep, from the templates in ``configs/new_agent``.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from bba.agents import Agent, AgentOptions, Decision, EpisodeContext, Observation, load_agent
from bba.bench.engines import ProcessEngine
from bba.bench.episode import Episode, code_digest, play, reason, weights_digest
from bba.errors import BBAError
from bba.files import data_dir, make_folder, read_text, write_together
from bba.kitchen import Layout
from bba.play import Game, Replay, Trace, fork, pack, record


class Tried:
    """An agent with which something is tried during a game: asking it again, going on with its copy, timing it.

    Args:
        agent: the agent.
        times: how often it is asked in each step; the last answer counts.
        copied_at: the step from which a copy of it goes on; None for none.

    Attributes:
        seconds: how long each answer took.
    """

    def __init__(self, agent: Agent, *, times: int = 1, copied_at: int | None = None) -> None:
        self._agent = agent
        self._times = times
        self._copied_at = copied_at
        self.profile = agent.profile
        self.seconds = list[float]()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._agent.reset(context)

    def observe(self, observation: Observation) -> Any:
        """Lets the agent, or from its step on the copy, observe the step."""
        if observation.step == self._copied_at:
            self._agent = self._agent.copy()  # type: ignore[attr-defined]  # only such an agent is copied
        return self._agent.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        """Returns the agent's last answer."""
        for _ in range(self._times):
            began = time.perf_counter()
            decision = self._agent.decide(observation)
            self.seconds.append(time.perf_counter() - began)
        return decision

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets the agent take over the decision."""
        self._agent.commit(observation, decision)


SEED = 7
OTHER = "switching"  # plays the other seat


class AgentCheck(NamedTuple):
    """One check.

    Attributes:
        name: what is promised.
        found: what was found, in a few words; "" if there is nothing to say.
        problem: how the agent breaks the promise; "" if it keeps it.
    """

    name: str
    found: str = ""
    problem: str = ""


def check_agent(
    name: str, options: Mapping[str, Any] | None = None, *, steps: int = 120, worker: bool = True
) -> list[AgentCheck]:
    """Returns what became of every check, in order.

    Args:
        name: a plug-in, or the name of an agent that ships with the project.
        options: those of a plug-in.
        steps: of each game.
        worker: whether a game is also played in another process, which has to compile or load its kernels.
    """
    return list(agent_checks(name, options or {}, steps=steps, worker=worker))


def agent_checks(
    name: str, options: Mapping[str, Any], *, steps: int = 120, worker: bool = True
) -> Iterator[AgentCheck]:
    """Yields the result of each check as soon as it is known; none after the first if there is no such agent."""
    subject = _Subject(name, options, steps)
    checks: list[tuple[str, Callable[[], str | None]]] = [
        ("made by its name", subject.made),
        ("plays both seats of every kitchen", subject.everywhere),
        ("same game under the same seed", subject.same_game),
        ("deciding changes nothing", subject.decides_twice),
        ("a copy goes on in the same way", subject.copied),
        ("a fork goes on in the same way", subject.forked),
        ("recorded and replayed", subject.replayed),
        ("same game in a worker process", subject.in_worker),
        ("time of a decision", subject.timed),
    ]
    for number, (promise, check) in enumerate(checks):
        if check == subject.in_worker and not worker:
            continue
        try:
            yield AgentCheck(promise, check() or "")
        except Exception as error:  # noqa: BLE001 - whatever an agent does wrong is what is asked here
            yield AgentCheck(promise, problem=reason(error))
            if number == 0:
                return


@dataclass(frozen=True, slots=True)
class _Subject:
    """The agent that is checked; each method is a check, which returns what it found."""

    name: str
    options: Mapping[str, Any]
    steps: int

    def agent(self) -> Agent:
        return load_agent(self.name, AgentOptions(agent_options=self.options))

    def game(self, agent: Agent | None = None, layout: str = "open", seat: int = 0) -> Game:
        own = agent or self.agent()
        first, second = (own, load_agent(OTHER)) if seat == 0 else (load_agent(OTHER), own)
        return Game(layout, first, second, SEED, horizon=self.steps)

    def made(self) -> str:
        return self.agent().profile.label

    def everywhere(self) -> str:
        layouts = Layout.names()
        for layout, seat in product(layouts, (0, 1)):
            try:
                self.game(layout=layout, seat=seat).run()
            except BBAError as error:
                raise BBAError(f"{layout}, player {seat}: {error}") from None
        return f"{len(layouts)} kitchens, {self.steps} steps each"

    def same_game(self) -> None:
        agent = self.agent()
        first = self.game(agent).run()
        _alike(first, self.game(agent).run(), "the same agent after another reset plays otherwise")
        _alike(first, self.game().run(), "a new agent plays otherwise")

    def decides_twice(self) -> None:
        asked = self.game(Tried(self.agent(), times=2))
        _alike(self.game().run(), asked.run(), "asked twice a step it plays otherwise")

    def copied(self) -> str | None:
        agent = self.agent()
        if not hasattr(agent, "copy"):
            return "cannot be copied"
        copied = self.game(Tried(agent, copied_at=self.steps // 2))
        _alike(self.game().run(), copied.run(), "a copy in the middle of a game plays otherwise")
        return None

    def forked(self) -> str | None:
        trace = self.game().run()
        if not getattr(self.agent(), "forkable", True):
            return "says that it cannot be forked"
        _alike(trace, fork(trace, self.steps // 2).run(), "after a fork in the middle it plays otherwise")
        return None

    def replayed(self) -> None:
        trace = self.game().run()
        _alike(trace, Replay(record(trace)).run(), "its recording replays otherwise")

    def in_worker(self) -> None:
        layout = Layout.load("open")
        episode = Episode(
            layout=layout,
            seats=(self.agent().profile, load_agent(OTHER).profile),
            seed=SEED,
            horizon=self.steps,
            mobility=0.35,
            skill_timeout=30,
            code=code_digest(),
            weights=(weights_digest(self.name, layout, AgentOptions()), None),
        )
        with closing(ProcessEngine(1)) as engine:
            result = engine.submit(play, episode, AgentOptions(), keep_recording=True).result()
        if result.failure is not None:
            raise BBAError(result.failure)
        if result.recording != pack(record(self.game().run())):
            raise BBAError("plays another game there")

    def timed(self) -> str:
        timed = Tried(self.agent())
        self.game(timed).run()
        slowest = max(timed.seconds) * 1e3
        median = statistics.median(timed.seconds) * 1e3
        return f"median {median:.2f} ms, slowest {slowest:.1f} ms"


def _alike(first: Trace, second: Trace, problem: str) -> None:
    """Checks that two games are the same; the message names the first step that is not."""
    for one, other in zip(first.ticks, second.ticks, strict=True):
        if one.actions != other.actions or one.skills != other.skills or (one.state != other.state).any():
            raise BBAError(f"{problem} from step {one.step} on")


MODULE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TEMPLATE_FILES = (  # the name of a template, and of the file that it becomes
    ("pyproject.toml.txt", "pyproject.toml"),
    ("init.txt", "{name}/__init__.py"),
    ("agent.txt", "{name}/agent.py"),
    ("test_agent.txt", "tests/test_agent.py"),
    ("sweep.toml.txt", "sweep.toml"),
)


def write_new_agent(name: str, parent: Path | None = None) -> Path:
    """Writes the package into a new folder of that name, and returns the folder.

    Args:
        name: the package's name: small letters, digits and underscores.
        parent: where the folder is made; None for the working folder.

    Raises:
        BBAError: the name cannot be that of a package, or there is such a folder.
    """
    if not MODULE_NAME.fullmatch(name):
        raise BBAError(f"--new-agent: got {name!r}; a name has small letters, digits and underscores, as my_agent")
    folder = (parent or Path()) / name
    if folder.exists():
        raise BBAError(f"--new-agent: {folder} is there already; take another name")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    templates = data_dir("configs/new_agent")
    files: dict[Path, str | bytes] = {
        folder / file.format(name=name): read_text(templates / template)
        .replace("{name}", name)
        .replace("{Class}", class_name)
        for template, file in TEMPLATE_FILES
    }
    for path in files:
        make_folder(path.parent)
    write_together(files)
    return folder
