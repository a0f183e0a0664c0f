"""What the tests of the screen share: games with no planner in them, moments, and made-up ticks."""

from dataclasses import replace

from bba.agents import AgentOptions, BeliefConfig, Decision, Profile, load_agent
from bba.agents.registry import BACKENDS
from bba.analysis.snapshot import Snapshot
from bba.belief import BeliefUpdate, GateResult
from bba.planner import LLMCall
from bba.play import Game, Tick, Trace
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource


def game(layout: str = "open", **settings) -> Game:
    """Two switching partners: deterministic, and no planner's taste in it."""
    return Game(layout, "switching", "switching", **{"seed": 0, "horizon": 60} | settings)


def played(steps: int, **settings) -> Trace:
    """A game after so many steps."""
    return fresh_source(steps, **settings).trace


def fresh_source(steps: int = 0, **settings) -> PlaybackSource:
    """A source that has played so many steps."""
    source = PlaybackSource(lambda: game(**settings))
    for _ in range(steps):
        source.step()
    return source


def slow_source(monkeypatch, backend, agent: str = "bayes") -> PlaybackSource:
    """A source whose ego is planned for by this backend, with 1000 steps and nobody waiting for it."""
    monkeypatch.setitem(BACKENDS, "slow", lambda _: backend)
    options = AgentOptions(planner="slow", live=True)
    return PlaybackSource(
        lambda: Game("open", load_agent(agent, options), "switching", 4, horizon=1000), options=options
    )


def still_app(steps: int = 0, app: dict | None = None, **settings) -> BBAApp:
    """The app on a game after so many steps, its clock stopped; `app` holds options of its own."""
    return BBAApp(fresh_source(steps, **settings), autostart=False, **(app or {}))


def belief(posterior=(0.1, 0.1, 0.1, 0.1, 0.5, 0.1), **fields) -> BeliefUpdate:
    """A reading of the filter, by default one whose MAP is serving."""
    best = max(range(len(posterior)), key=posterior.__getitem__)
    found = {
        "prior_map": best,
        "prior_confidence": posterior[best],
        "prior_commitment": 5,
        "contradiction_likelihood": 0.5,
        "likelihood_ratios": (0.5,),
        "posterior": tuple(posterior),
        "map_index": best,
        "commitment": 6,
        "new_segment": False,
    }
    return BeliefUpdate(**found | fields)


def reading(contradiction_likelihood: float = 0.5, **lamps: bool) -> GateResult:
    """A reading of the gate, all lamps lit but those that are named otherwise."""
    lit = dict.fromkeys(("contradiction", "stable", "confident", "mid_skill", "cooled_down"), True)
    return GateResult(**lit | lamps, contradiction_likelihood=contradiction_likelihood)


def thinking(decision: Decision, trace: Trace | None = None) -> Snapshot:
    """A moment of an ego with belief and gate whose last decision was this one."""
    trace = trace or played(3)
    told = Trace(
        replace(trace.config, seats=(Profile("bayes", "scripted", BeliefConfig()), trace.config.seats[1])),
        trace.start,
        list(trace.ticks),
    )
    last: Tick = told.ticks[-1]
    told.ticks[-1] = last._replace(decisions=(decision, last.decisions[1]))
    return Snapshot(told, len(told.ticks))


def plan_call(**fields) -> LLMCall:
    """A plan to wait, without a word."""
    return LLMCall(**{"kind": "plan", "texts": (), "response": "", "skill": 4} | fields)


def texts(lines) -> list[str]:
    """The plain text of lines."""
    return [line.plain for line in lines]
