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

from bba.agents import Agent, Decision, EpisodeContext, Observation, SeatSpec, load_agent
from bba.bench.engines import ProcessEngine
from bba.bench.episode import Episode, code_digest, play, reason, weights_digest
from bba.errors import BBAError
from bba.files import data_dir, make_folder, read_text, write_together
from bba.kitchen import Layout
from bba.play import Game, Replay, Trace, fork, pack, record

SEED = 7
PARTNER_NAME = "switching"  # plays the other seat


class ProbedAgent:
    """An agent that is tested during a game: it decides several times a step, is replaced by its copy, is timed.

    Args:
        agent: the agent.
        repeats: how often the agent decides in each step; the last decision counts.
        copied_at: the step from which a copy of the agent goes on; None for no copy.

    Attributes:
        seconds: how long each decision took.
    """

    def __init__(self, agent: Agent, *, repeats: int = 1, copied_at: int | None = None) -> None:
        self._agent = agent
        self._repeats = repeats
        self._copied_at = copied_at
        self.profile = agent.profile
        self.seconds = list[float]()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._agent.reset(context)

    def observe(self, observation: Observation) -> Any:
        """Lets the agent, or its copy from step `copied_at` on, observe the step."""
        if observation.step == self._copied_at:
            self._agent = self._agent.copy()  # type: ignore[attr-defined]  # only such an agent is copied
        return self._agent.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        """Returns the agent's last decision."""
        for _ in range(self._repeats):
            began = time.perf_counter()
            decision = self._agent.decide(observation)
            self.seconds.append(time.perf_counter() - began)
        return decision

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets the agent take over the decision."""
        self._agent.commit(observation, decision)


class AgentCheck(NamedTuple):
    """The result of one check.

    Attributes:
        name: what is promised.
        result: what came of it, in a few words; "" if there is nothing to say.
        problem: how the agent breaks the promise; "" if it keeps it.
    """

    name: str
    result: str = ""
    problem: str = ""


def check_agent(
    name: str, options: Mapping[str, Any] | None = None, *, steps: int = 120, worker: bool = True
) -> list[AgentCheck]:
    """Returns the results of all checks, in order.

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
        ("made by its name", subject.check_name),
        ("plays both seats of every kitchen", subject.check_kitchens),
        ("same game under the same seed", subject.check_same_seed),
        ("deciding changes nothing", subject.check_deciding_twice),
        ("a copy goes on in the same way", subject.check_copy),
        ("a fork goes on in the same way", subject.check_fork),
        ("recorded and replayed", subject.check_replay),
    ]
    if worker:
        checks.append(("same game in a worker process", subject.check_worker))
    checks.append(("time of a decision", subject.check_time))
    for number, (promise, check) in enumerate(checks):
        try:
            result = check()
        except Exception as error:  # noqa: BLE001 - a check reports whatever an agent does wrong
            yield AgentCheck(promise, problem=reason(error))
            if number == 0:
                return
        else:
            yield AgentCheck(promise, result or "")


@dataclass(frozen=True, slots=True)
class _Subject:
    """The agent that is checked; each ``check_…`` returns its result in a few words, if there is something to say."""

    name: str
    options: Mapping[str, Any]
    steps: int

    def agent(self) -> Agent:
        return load_agent(SeatSpec(self.name, agent_options=self.options))

    def game(self, agent: Agent | None = None, layout: str = "open", seat: int = 0) -> Game:
        subject = agent or self.agent()
        partner = load_agent(PARTNER_NAME)
        if seat == 0:
            return Game(layout, subject, partner, SEED, horizon=self.steps)
        return Game(layout, partner, subject, SEED, horizon=self.steps)

    def check_name(self) -> str:
        return self.agent().profile.label

    def check_kitchens(self) -> str:
        layouts = Layout.names()
        for layout, seat in product(layouts, (0, 1)):
            try:
                self.game(layout=layout, seat=seat).run()
            except BBAError as error:
                raise BBAError(f"{layout}, player {seat}: {error}") from None
        return f"{len(layouts)} kitchens, {self.steps} steps each"

    def check_same_seed(self) -> None:
        agent = self.agent()
        first = self.game(agent).run()
        after_reset = self.game(agent).run()
        _check_alike(first, after_reset, "the same agent after another reset plays otherwise")
        _check_alike(first, self.game().run(), "a new agent plays otherwise")

    def check_deciding_twice(self) -> None:
        once = self.game().run()
        twice = self.game(ProbedAgent(self.agent(), repeats=2)).run()
        _check_alike(once, twice, "asked twice a step it plays otherwise")

    def check_copy(self) -> str | None:
        agent = self.agent()
        if not hasattr(agent, "copy"):
            return "cannot be copied"
        original = self.game().run()
        copied = self.game(ProbedAgent(agent, copied_at=self.steps // 2)).run()
        _check_alike(original, copied, "a copy in the middle of a game plays otherwise")
        return None

    def check_fork(self) -> str | None:
        trace = self.game().run()
        if not getattr(self.agent(), "forkable", True):
            return "says that it cannot be forked"
        forked = fork(trace, self.steps // 2).run()
        _check_alike(trace, forked, "after a fork in the middle it plays otherwise")
        return None

    def check_replay(self) -> None:
        trace = self.game().run()
        replayed = Replay(record(trace)).run()
        _check_alike(trace, replayed, "its recording replays otherwise")

    def check_worker(self) -> None:
        layout = Layout.load("open")
        episode = Episode(
            layout=layout,
            seats=(self.agent().profile, load_agent(PARTNER_NAME).profile),
            seed=SEED,
            horizon=self.steps,
            mobility=0.35,
            skill_timeout=30,
            code=code_digest(),
            weights=(weights_digest(SeatSpec(self.name), layout), None),
        )
        with closing(ProcessEngine(1)) as engine:
            result = engine.submit(play, episode, SeatSpec(), keep_recording=True).result()
        if result.failure is not None:
            raise BBAError(result.failure)
        if result.recording != pack(record(self.game().run())):
            raise BBAError("plays another game there")

    def check_time(self) -> str:
        agent = ProbedAgent(self.agent())
        self.game(agent).run()
        slowest = max(agent.seconds) * 1e3
        median = statistics.median(agent.seconds) * 1e3
        return f"median {median:.2f} ms, slowest {slowest:.1f} ms"


def _check_alike(expected: Trace, actual: Trace, problem: str) -> None:
    """Checks that two games are the same; the message names the first step that is not."""
    for tick, actual_tick in zip(expected.ticks, actual.ticks, strict=True):
        same_choices = tick.actions == actual_tick.actions and tick.skills == actual_tick.skills
        if not same_choices or (tick.state != actual_tick.state).any():
            raise BBAError(f"{problem} from step {tick.step} on")


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
        raise BBAError(f"new-agent: got {name!r}; a name has small letters, digits and underscores, as my_agent")
    folder = (parent or Path()) / name
    if folder.exists():
        raise BBAError(f"new-agent: {folder} is there already; take another name")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    templates = data_dir("configs/new_agent")
    files: dict[Path, str | bytes] = {}
    for template, file in TEMPLATE_FILES:
        text = read_text(templates / template)
        path = folder / file.format(name=name)
        files[path] = text.replace("{name}", name).replace("{Class}", class_name)
    for path in files:
        make_folder(path.parent)
    write_together(files)
    return folder
