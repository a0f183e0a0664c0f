"""One episode of a benchmark: its specification and key, its place in tables, its result, and the versions of
behaviour and code that played it.
"""

import json
import os
import platform
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import bba
from bba.agents import KEYLESS, ROLLOUT, Agent, Profile, SeatSpec, agent_like, model_of, weights_files
from bba.agents.registry import planner_of
from bba.analysis import (
    RULE_1_NAMES,
    MeasureValue,
    SwitchResponse,
    measure,
    plugin_measure,
    pursued_steps,
    switch_responses,
)
from bba.config import ChatOptions, ConversationName, Options, PromptLayout, Seed, Share, Steps, changed
from bba.errors import BBAError
from bba.files import hex_digest, read_bytes
from bba.kernels import processor_line
from bba.kitchen import Layout
from bba.planner import ModelUnusable
from bba.play import Game, Tick, Trace, pack, record
from bba.play.oracle import Truth
from bba.plugins import PluginError, UsedPlugin, allow_used, load_used

# The versions of the behaviour, the present one last: 16 hex digits each, which results name as the code that played
# them. A new one is appended when the rules, a planner, an agent or a measure changes what comes of a game; the panel
# of recorded games in `tests/bench/test_behaviour.py` notices that and says which digits.
BEHAVIOURS = ("c6b182bc2f0ffcc8", "5e99a1cfcf1835bf", "6afff19aa7e12804", "1fefd30387c37932", "f605055b1279757e")


RULE_2_MARK = "gap_rate_all_points"  # a measure that results lacked as long as rule 1 was the only one
RULED = frozenset([*RULE_1_NAMES, *RULE_1_NAMES.values()])  # the measures that depend on the scoring rule


def code_digest() -> str:
    """Returns the version of the behaviour: 16 hex digits that change when games or their measures do."""
    return BEHAVIOURS[-1]


@cache
def source_digest() -> str:
    """Returns 16 hex digits: the digest of this package's sources, which changes with every edit."""
    return folder_digest(Path(bba.__file__).parent, "**/*.py")


def folder_digest(folder: Path, files: str = "*.md") -> str:
    """Returns 16 hex digits: the digest of these files of a folder, by default of the prompt templates in it."""
    paths = sorted(folder.glob(files))
    return hex_digest(*(path.relative_to(folder).as_posix().encode() + path.read_bytes() for path in paths))


def prompts_digest(folder: Path | None, layout: PromptLayout) -> str | None:
    """Returns 16 hex digits: the digest of the texts of a folder that a layout of prompts sends; None for no folder."""
    if folder is None:
        return None
    return folder_digest(folder, "**/*.md" if layout == "strict" else "*.md")


def weights_digest(seat: SeatSpec, layout: Layout) -> str | None:
    """Returns 16 hex digits: the digest of the weights of a seat's agent for a layout; None for one without weights.

    Raises:
        NoWeights: the agent needs weights, and there are none.
        BBAError: the weights cannot be played.
    """
    files = weights_files(seat, layout)
    return hex_digest(*map(read_bytes, files)) if files else None


def other_code_note(codes: Iterable[str]) -> list[str]:
    """Returns a line about the episodes that other code than this has played; none if this has played all.

    Args:
        codes: for each episode the digest of the code that played it.
    """
    counts = Counter(codes)
    this_code = code_digest()
    other_codes = sorted(counts.keys() - {this_code})
    if not other_codes:
        return []
    total = counts.total()
    number = total - counts[this_code]
    return [f"{number} of {total} episodes were played by other code than this ({', '.join(other_codes)})"]


def names_by_rule(names: Iterable[str], code: str) -> tuple[str, ...]:
    """Returns the names of the measures of stored episodes as they are read: those of rule 1 have names of their own.

    Args:
        names: as they are stored. All measures of rule 2 are stored together, so that its results are known by them.
        code: the version of the behaviour that played the episodes.
    """
    stored_names = tuple(names)
    if code == code_digest() or RULE_2_MARK in stored_names:
        return stored_names
    return tuple(RULE_1_NAMES.get(name, name) for name in stored_names)


def scoring_note(measures: Collection[str], results: Iterable["EpisodeResult"]) -> list[str]:
    """Returns a line with the scoring rule of results; none if tables of these measures do not depend on it."""
    if not RULED.intersection(measures):
        return []
    games = [result.measures for result in results if result.measures is not None]
    old = sum(RULE_2_MARK in game and not RULE_1_NAMES.keys() & set(game) for game in games)
    if not old:
        return ["scored by rule 2 (docs/reference/measures.md)"]
    return [f"{old} of {len(games)} episodes were scored by rule 1, whose measures have names of their own"]


@cache
def versions() -> dict[str, str]:
    """Returns the versions of this program, its `source`, Python and the numeric libraries; the `machine` in words."""
    processor = processor_line("model name").partition(":")[2].strip() or platform.processor() or "unknown processor"
    return {
        "bba": bba.__version__,
        "source": source_digest(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "machine": f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
    }


class SpecText(NamedTuple):
    """The specification, as JSON, of all episodes that differ in their seed alone.

    Attributes:
        before_seed, after_seed: the text around the seed; `after_seed` is None if the seed was not found in a text that
            another version of this program has written, and all of it is in `before_seed`.
    """

    before_seed: str
    after_seed: str | None

    @classmethod
    def of(cls, spec: str, seed: object) -> "SpecText":
        """Returns the text of one episode's specification; `seed` is its seed."""
        beginning, mark, end = spec.rpartition(f'"seed": {seed}, ')
        if not mark:
            return cls(spec, None)
        return cls(f'{beginning}"seed": ', f", {end}")

    def with_seed(self, seed: int) -> str:
        """Returns the specification of the episode with this seed."""
        return self.before_seed if self.after_seed is None else f"{self.before_seed}{seed}{self.after_seed}"

    def key(self, seed: int) -> str:
        """Returns the key of the episode with this seed: 32 hex digits, the digest of its specification."""
        return hex_digest(self.with_seed(seed).encode(), size=16)


class PlannerSettings(ChatOptions):
    """The settings of the planners that affect their answers.

    Attributes:
        prompts: digest of a folder of prompts; None for the prompts that ship with the project.
        endpoint, max_tokens: settings of a language model; None if none plans.
        sampling: what a language model is sent besides; None for nothing.
    """

    prompts: str | None = None
    endpoint: str | None = None
    max_tokens: int | None = None
    sampling: str | None = None

    @property
    def repeat(self) -> int:
        """Which time the same game is played with the same language models, from 1."""
        sampling = json.loads(self.sampling or "{}")
        return int(sampling.get("repeat", 1))

    @property
    def conversation(self) -> ConversationName:
        """Which earlier turns a language model is sent."""
        sampling = json.loads(self.sampling or "{}")
        turns: ConversationName = sampling.get("conversation", "roll")
        return turns


class Episode(Options):
    """Everything that determines a game: two episodes with the same values are the same game.

    Attributes:
        layout, seats, seed, horizon, skill_timeout: as in `bba.play.GameConfig`.
        mobility: the mobility of both seats, 0 to 1; two numbers where they differ.
        planning: how the planners are asked.
        code: version of the behaviour (`bba.bench.episode.code_digest`).
        weights: digests of the weights of the two seats; None for an agent that has not learned.
        measures: the measures of plug-ins that are stored beside ours.
    """

    layout: Layout
    seats: tuple[Profile, Profile]
    seed: Seed
    horizon: Steps
    mobility: Share | tuple[Share, Share]
    skill_timeout: Steps
    planning: PlannerSettings = PlannerSettings()
    code: str
    weights: tuple[str | None, str | None] = (None, None)
    measures: tuple[UsedPlugin, ...] = ()

    @cached_property
    def spec_text(self) -> SpecText:
        """The text of `spec` around the seed: all seeds share it."""
        values = self.model_dump(mode="json", by_alias=True) | {"seed": None}
        return SpecText.of(json.dumps(values, sort_keys=True, ensure_ascii=False), "null")

    @property
    def spec(self) -> str:
        """The episode as JSON; the same episode always gives the same text."""
        return self.spec_text.with_seed(self.seed)

    @cached_property
    def key(self) -> str:
        """32 hex digits: the digest of `spec`."""
        return self.spec_text.key(self.seed)

    def of_code(self, code: str) -> "Episode":
        """Returns the same episode as code of another digest would play it."""
        values = {name: getattr(self, name) for name in Episode.model_fields}
        return Episode.model_validate(values | {"code": code})

    def of_seed(self, seed: int, key: str | None = None) -> "Episode":
        """Returns the same episode with another seed, which is not checked; `key` is its key, if that is known."""
        values = {name: self.__dict__[name] for name in Episode.model_fields}
        values["seed"] = seed
        episode = Episode.model_construct(self.model_fields_set, **values)
        # The cached properties are filled in, since it takes long to compute them for each of many seeds.
        episode.__dict__["spec_text"] = self.spec_text
        if key:
            episode.__dict__["key"] = key
        return episode

    @property
    def simulates(self) -> bool:
        """Whether a rollout planner plans in it."""
        return any(seat.planner == ROLLOUT for seat in self.seats)

    def finds_its_weights(self, base: SeatSpec) -> bool:
        """Returns whether the weights of both seats are those with which the episode was planned.

        Args:
            base: what is said of the seats that is not part of the episode.

        Raises:
            BBAError: there are no weights, or they cannot be played.
        """
        first, second = self.seats
        return self.weights == (self._weights_of(first, base), self._weights_of(second, base))

    def _weights_of(self, profile: Profile, base: SeatSpec) -> str | None:
        planner = planner_of(profile, base)
        seat = replace(base, agent=profile.agent, planner=planner, belief_config=profile.belief_config)
        return weights_digest(seat, self.layout)

    def game(self, base: SeatSpec, *, fast: bool = True) -> Game:
        """Returns the game at its first step; `base` is what is said of its seats that is not part of the episode.

        Raises:
            BBAError: it was planned with other code or weights than these, or an agent cannot be made.
        """
        if self.code != code_digest():
            raise BBAError("planned with other code than that which is to play it; install the same version everywhere")
        if not self.finds_its_weights(base):
            raise BBAError("planned with other weights than those that are to play it; have the same files everywhere")
        truth = Truth()
        first, second = (_seated(profile, base, truth, self.planning.repeat) for profile in self.seats)
        mobility = self.mobility if isinstance(self.mobility, tuple) else (self.mobility, self.mobility)
        game = Game(
            self.layout,
            first,
            second,
            self.seed,
            horizon=self.horizon,
            mobility=mobility,
            skill_timeout=self.skill_timeout,
            fast=fast,
        )
        truth.trace = game.trace
        return game


class TableEntry(NamedTuple):
    """The place of an episode in the tables of its sweep. Several entries may share one episode.

    Attributes:
        agent: who plays seat 0.
        planner: what plans for it, as "scripted"; None if it has no planner.
        layout: the kitchen's name.
        group, partner: who plays seat 1, and the group of partners that it counts for.
        variant: the label of seat 0's settings.
        seed: the seed of everything random in the game.
        key: the key of the episode.
    """

    agent: str
    planner: str | None
    layout: str
    group: str
    partner: str
    variant: str
    seed: int
    key: str

    @property
    def label(self) -> str:
        """The ego's name in tables."""
        return label(self.agent, self.planner)


def label(agent: str, planner: str | None) -> str:
    """Returns an agent's name with its planner, so that the scripted planner is not taken for a language model."""
    if planner is None:
        return agent
    if planner in KEYLESS:
        return f"{agent} ({planner} planner)"
    return f"{agent} ({model_of(planner) or planner})"


def _seated(profile: Profile, base: SeatSpec, truth: Truth, repeat: int) -> Agent:
    """Returns the agent with a profile; a language model that plans for it is the one that the profile names."""
    model = model_of(profile.planner)
    if model is not None and base.model is not None:
        base = base.of_model(model)
        if base.model is not None:
            base = replace(base, model=changed(base.model, {"repeat": repeat}))
    elif profile.planner is not None and profile.planner in KEYLESS:
        base = base.planned_by(profile.planner)
    return agent_like(profile, base, oracle=truth.model_of)


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of an episode.

    Attributes:
        failure: why it failed, in one line; None if it did not.
        measures: its measures by name; None if it failed.
        switch_responses: how each switch of the partner was followed.
        seconds: how long it took to play.
        recorded: whether its recording is stored; False of a result that is not stored yet.
        recording: the bytes of the recording; None if it was not to be kept or is not read.
        details: the traceback of a failure that is a mistake in code; "" for others.
        stops: whether no other episode should begin, because its model will answer none; not stored.
    """

    failure: str | None = None
    measures: Mapping[str, MeasureValue] | None = None
    switch_responses: Sequence[SwitchResponse] = ()
    seconds: float = 0.0
    recorded: bool = False
    recording: bytes | None = None
    details: str = ""
    stops: bool = False


def play(
    episode: Episode,
    base: SeatSpec,
    *,
    keep_recording: bool = False,
    after_steps: Callable[[Sequence[Tick]], object] | None = None,
) -> EpisodeResult:
    """Plays an episode to its end; an exception becomes the failure of its result.

    Args:
        episode: the episode.
        base: what is said of its seats that is not part of the episode.
        keep_recording: whether the result has the recording, too.
        after_steps: is called with each of its steps, one or several at a time, before the next one begins.
    """
    started = time.perf_counter()
    for used in (*episode.seats[0].plugins, *episode.seats[1].plugins, *episode.measures):
        allow_used(used)
    try:
        for used in episode.measures:
            load_used(used)
        measures = [plugin_measure(used.name).target for used in episode.measures]
        trace = _played(episode.game(base), after_steps)
        return EpisodeResult(
            seconds=time.perf_counter() - started,
            measures=measure(trace, own=measures),
            switch_responses=tuple(switch_responses(pursued_steps(trace))),
            recording=pack(record(trace)) if keep_recording else None,
        )
    except Exception as error:  # noqa: BLE001 - one episode's failure must not end the others
        stops = isinstance(error, ModelUnusable)
        seconds = time.perf_counter() - started
        return EpisodeResult(failure=reason(error), details=details(error), seconds=seconds, stops=stops)


def _played(game: Game, after_steps: Callable[[Sequence[Tick]], object] | None) -> Trace:
    """Plays a game to its end and returns its trace; calls a function after each step, or after several."""
    if after_steps is None:
        return game.run()
    while not game.done:
        played = len(game.trace.ticks)
        game.advance()
        after_steps(game.trace.ticks[played:])
    return game.trace


def reason(error: BaseException) -> str:
    """Returns why something failed, as one line."""
    text = " ".join(str(error).split())
    if isinstance(error, BBAError):
        return text
    return f"{type(error).__name__}: {text}".rstrip(": ")


def details(error: BaseException) -> str:
    """Returns the traceback of a mistake in code; "" for an error whose line says all."""
    if isinstance(error, PluginError):
        return error.details
    if isinstance(error, BBAError):
        return ""
    return "".join(traceback.format_exception(error))
