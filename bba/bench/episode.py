"""One episode of a benchmark: everything that determines it, the key that follows from that, and how it is played."""

import hashlib
import json
import time
from dataclasses import dataclass, replace
from functools import cached_property

from bba.agents import Agent, AgentOptions, Profile, agent_like
from bba.agents.learned.observation_encoder import ObservationEncoder
from bba.analysis.measures import SwitchResponse, measure, switch_responses
from bba.bench.provenance import code_digest, weights_digest
from bba.config import Options, PlannerOptions, changed
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.limits import Seed, Share, Steps
from bba.play import Game, Trace, record
from bba.play.recording_file import pack

Number = int | float | None
MODEL = "openai:"  # how the name of a language model's planner begins


class PlannerSettings(PlannerOptions):
    """How planners are asked, as far as it decides what they answer.

    Attributes:
        prompts: the digest of a folder of prompts; None for those that ship with the project.
        endpoint, max_tokens: of a language model; None where none plans.
    """

    prompts: str | None = None
    endpoint: str | None = None
    max_tokens: int | None = None


class Episode(Options):
    """A game before it is played: two games with the same of all this are the same game.

    `mobility` is that of both seats; `code` is the digest of what decides how a game goes
    (`bba.bench.provenance.code_digest`), `weights` those of what the two seats have learned (None: nothing).
    """

    layout: Layout
    seats: tuple[Profile, Profile]
    seed: Seed
    horizon: Steps
    mobility: Share
    skill_timeout: Steps
    planning: PlannerSettings = PlannerSettings()
    code: str
    weights: tuple[str | None, str | None] = (None, None)

    @cached_property
    def spec(self) -> str:
        """All of it as JSON, always the same text for the same episode."""
        return json.dumps(self.model_dump(mode="json", by_alias=True), sort_keys=True, ensure_ascii=False)

    @cached_property
    def key(self) -> str:
        """32 hex digits that stand for all of it."""
        return hashlib.blake2b(self.spec.encode(), digest_size=16).hexdigest()

    def finds_its_weights(self, options: AgentOptions) -> bool:
        """Whether what the two seats have learned is here as it was planned.

        Raises:
            BBAError: there is nothing at all, or it cannot be played.
        """
        return self.weights == tuple(weights_digest(seat.agent, self.layout, options) for seat in self.seats)

    def game(self, options: AgentOptions, *, fast: bool = True) -> Game:
        """The game at its first step; `options` is what the episode does not say of its agents.

        Raises:
            BBAError: it was planned with other code or weights than these, or an agent cannot be made.
        """
        if self.code != code_digest():
            raise BBAError("planned with other code than that which is to play it; install the same version everywhere")
        if not self.finds_its_weights(options):
            raise BBAError("planned with other weights than those that are to play it; have the same files everywhere")
        first, second = (_seated(seat, options) for seat in self.seats)
        return Game(
            self.layout,
            first,
            second,
            self.seed,
            horizon=self.horizon,
            mobility=(self.mobility, self.mobility),
            skill_timeout=self.skill_timeout,
            fast=fast,
        )


def _seated(seat: Profile, options: AgentOptions) -> Agent:
    """The agent of a seat; where a language model plans for it, the one that the seat names."""
    if seat.planner is not None and seat.planner.startswith(MODEL) and options.model is not None:
        options = replace(options, model=changed(options.model, {"model": seat.planner.removeprefix(MODEL)}))
    return agent_like(seat, options)


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What came of an episode.

    Attributes:
        failure: why there are no measures; None where there are.
        measures: the numbers of `bba.analysis.measures.Measures` by name.
        reactions: how each true switch of the partner was followed.
        seconds: how long it took to play.
        recording: the recording's bytes, where it was to be kept.
    """

    failure: str | None = None
    measures: dict[str, Number] | None = None
    reactions: tuple[SwitchResponse, ...] = ()
    seconds: float = 0.0
    recording: bytes | None = None


def play(episode: Episode, options: AgentOptions, *, keep_recording: bool = False) -> EpisodeResult:
    """Play an episode to its end; whatever goes wrong in it is its outcome."""
    started = time.perf_counter()
    try:
        trace = episode.game(options).run()
        return _outcome(trace, time.perf_counter() - started, keep_recording=keep_recording)
    except Exception as error:  # noqa: BLE001 - one episode's failure must not end the others
        return EpisodeResult(failure=reason(error), seconds=time.perf_counter() - started)


def _outcome(trace: Trace, seconds: float, *, keep_recording: bool) -> EpisodeResult:
    return EpisodeResult(
        measures=measure(trace).to_dict(),
        reactions=tuple(switch_responses(trace.ticks)),
        seconds=seconds,
        recording=pack(record(trace)) if keep_recording else None,
    )


def reason(error: BaseException) -> str:
    """Why something failed, as one line."""
    text = " ".join(str(error).split())
    return text if isinstance(error, BBAError) else f"{type(error).__name__}: {text}".rstrip(": ")


def warm_up() -> None:
    """Compile the kernels, or load them: the first game of a process waits for that, and so does every later one."""
    trace = Game("open", "bayes", "switching", horizon=2, fast=True).run()
    ObservationEncoder(trace.config.layout, fast=True).of(trace.start)
