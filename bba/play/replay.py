"""Plays a game again: a recording as it was, or a fork, which shares the past of a game and goes on in its own way.

A replay is the same kitchen and actions, with hashes checked and beliefs computed again. A fork asks one question: what
if the gate were off, the ego planned anew here, the partner turned to another role?
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from bba.agents import (
    HUMAN,
    KEYLESS,
    ROLLOUT,
    Agent,
    AgentLike,
    Decision,
    EpisodeContext,
    ModelOfPartner,
    PluginAgent,
    Profile,
    ReplayedHuman,
    SeatSpec,
    agent_like,
    load_agent,
    own_planner,
    reconfigure,
)
from bba.agents.planning_agent import AGENT_VARIANTS, model_maker, partner_model, trigger_of
from bba.belief import ROLE_NAMES, STAGE_PASS
from bba.config import BeliefConfig, Knowledge
from bba.errors import BBAError
from bba.keywords import known_keywords
from bba.kitchen import Kitchen, StateVector, state_digest
from bba.play.game import Game
from bba.play.oracle import Truth
from bba.play.recording import RecordedDecision, Recording, decisions_of
from bba.play.ticks import Ticks
from bba.play.trace import EGO, GameConfig, Tick, Trace

NO_BELIEF = "bayes-no-belief"
SWITCHING = "switching"
LOCKED = "switching+locked"


class Replay:
    """A recording as a game that can be stepped, with the same ticks as when it was played.

    Args:
        recording: the recording.
        source: its name in messages.
        fast: whether to compute with compiled kernels.
    """

    def __init__(self, recording: Recording, source: str = "recording", *, fast: bool = False) -> None:
        self.recording = recording
        self.source = source
        config = recording.config
        self._kitchen = Kitchen(config.layout, config.seed, mobility=config.mobility, fast=fast)
        self._ticks = Ticks()
        self.trace = recording.trace_of(self._kitchen.state.copy(), self._ticks)
        contexts = config.context(0, fast=fast), config.context(1, fast=fast)
        self._observer = partner_model(contexts[0], BeliefConfig())
        self._models = _models_of(self.trace, contexts[0]), _models_of(self.trace, contexts[1])
        self._recorded = _decisions(recording)
        self._previous: StateVector | None = None
        self._state: StateVector = self.trace.start
        self._check()

    def __repr__(self) -> str:
        return f"Replay({self.recording!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: the decisions are read anew."""
        return {name: value for name, value in vars(self).items() if name != "_recorded"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._recorded = islice(_decisions(self.recording), len(self._ticks), None)

    @property
    def done(self) -> bool:
        """Whether the last recorded step has been played."""
        return len(self.trace.ticks) >= self.recording.steps

    def step(self) -> Tick:
        """Plays the next recorded step.

        Raises:
            BBAError: the state differs from the recorded one.
        """
        step = len(self.trace.ticks)
        observed = self._observer.observe(self._previous, self._state, mid_skill=True)
        first, second = next(self._recorded)
        decisions = self._with_belief(0, first), self._with_belief(1, second)
        if decisions[0].deliberate:
            self._observer.remember()
        first_action, second_action = (int(player.actions[step]) for player in self.recording.players)
        self._kitchen.advance(first_action, second_action)
        self._previous, self._state = self._state, self._kitchen.state.copy()
        self._check()
        tick = Tick(
            self._state,
            (first_action, second_action),
            (first.decision.skill, second.decision.skill),
            (first.age, second.age),
            (first.ended, second.ended),
            decisions,
            *observed,
        )
        self._ticks.append(tick)
        return tick

    def run(self) -> Trace:
        """Plays to the end and returns the trace."""
        while not self.done:
            self.step()
        return self.trace

    def _with_belief(self, player: int, recorded: RecordedDecision) -> Decision:
        """Returns a decision with belief and gates as they were, if the agent had them in this step."""
        profile = self.trace.config_at(len(self.trace.ticks) + 1).seats[player]
        models = self._models[player]
        decision = recorded.decision
        updates = {}
        if decision.replanned and not profile.plans:  # older versions counted each new choice of a policy
            decision = decision._replace(replanned=False)
        belief_config = profile.belief_config
        for knows, model in models.items():
            if belief_config is not None and belief_config != model.belief_config:
                model.reconfigure(belief_config)
            updates[knows] = model.observe(self._previous, self._state, mid_skill=recorded.mid_skill)
        if belief_config is not None:
            decision = decision.with_belief(updates[profile.knows])
        if decision.deliberate:
            for model in models.values():
                model.remember()
        return decision

    def _check(self) -> None:
        step = self._kitchen.steps
        expected = self.recording.hashes.get(step)
        if expected is not None and expected != state_digest(self._kitchen.state):
            raise BBAError(f"{self.source}: the game differs from the recorded one at step {step} or shortly before")


def _decisions(recording: Recording) -> Iterator[tuple[RecordedDecision, RecordedDecision]]:
    """Yields the decisions of both players, step by step."""
    first, second = recording.players
    return zip(decisions_of(first), decisions_of(second), strict=True)


def _models_of(trace: Trace, context: EpisodeContext) -> dict[Knowledge | None, ModelOfPartner]:
    """Returns a player's models of its partner by what they are told: its belief, and the oracles that it ever had.

    All take in every step, so that another one can go on from any. Without a belief there are none.
    """
    belief_config = trace.first_belief_config(context.player)
    if belief_config is None:
        return {}
    seats = [config.seats[context.player] for config in trace.configs]
    believer = next(seat for seat in seats if seat.belief_config is not None)
    models: dict[Knowledge | None, ModelOfPartner] = {None: model_maker(believer)(context, belief_config)}
    for knows in {seat.knows for seat in seats if seat.knows}:
        models[knows] = Truth(trace).model_of(knows, context, belief_config)
    return models


@known_keywords
def fork(
    trace: Trace,
    step: int,
    seats: tuple[AgentLike | SeatSpec | Profile, AgentLike | SeatSpec | Profile] | None = None,
    options: SeatSpec | None = None,
    *,
    fast: bool = False,
) -> Game:
    """Returns a game that has played the first `step` steps of a trace.

    With the same agents it continues exactly as the first game did. The past stays as it was: an agent with a belief
    takes over the belief of the agent that it replaces, and its own parameters count from here on. If that one had no
    belief, the new agent has observed from the start with its own parameters. One whose profile says `oracle` is told
    the truth.

    Args:
        trace: the game so far, at least `step` steps of it.
        step: the number of shared steps, 0 or more.
        seats: who continues: seats, agents, their names, classes or profiles; None for those of the trace.
        options: what a profile does not contain.
        fast: whether to compute with compiled kernels.

    Raises:
        BBAError: an agent cannot be made, or the steps were played by other rules than these.
    """
    config = trace.config
    first_seat, second_seat = seats or trace.config_at(step + 1).seats
    ego = _seat_profile(first_seat, options)
    partner = _seat_profile(second_seat, options)
    truth = Truth(trace)  # until the fork has a trace of its own; they share the first steps
    game = Game(
        config.layout,
        _agent(trace, 0, ego, options, truth),
        _agent(trace, 1, partner, options, truth),
        config.seed,
        horizon=config.horizon,
        mobility=config.mobility,
        skill_timeout=config.skill_timeout,
        fast=fast,
    )
    game.trace.config = config
    truth.trace = game.trace
    changes = dict(trace.changes)
    for played, tick in enumerate(islice(trace.ticks, step)):
        if played in changes:
            _change_config(game, changes[played])
        game.replay_step(tick)
    _change_config(game, replace(trace.config_at(step + 1), seats=(ego, partner)))
    return game


def _seat_profile(seat: AgentLike | SeatSpec | Profile, options: SeatSpec | None) -> Profile:
    if isinstance(seat, Profile):
        return seat
    return load_agent(seat, options).profile


def _agent(trace: Trace, player: int, profile: Profile, options: SeatSpec | None, truth: Truth) -> Agent:
    """Returns a new agent for a player, with the parameters of its first belief; a person repeats its decisions."""
    if profile.agent == HUMAN:
        return ReplayedHuman([tick.decisions[player] for tick in trace.ticks])
    first = trace.first_belief_config(player)
    if profile.belief_config is not None and first is not None:
        profile = replace(profile, belief_config=first)
    agent = agent_like(profile, options, oracle=truth.model_of)
    if isinstance(agent, PluginAgent) and not getattr(agent.target, "forkable", True):
        raise BBAError(f"{profile.agent}: says that it cannot be forked")
    return agent


def _change_config(game: Game, config: GameConfig) -> None:
    """Gives the agents the parameters of a configuration, and records it."""
    for agent, profile in zip(game.agents, config.seats, strict=True):
        if agent.profile.belief_config is not None and profile.belief_config is not None:
            reconfigure(agent, profile.belief_config)
    game.trace.change(config)


def worth_of_knowing(trace: Trace, step: int, knows: Knowledge, options: SeatSpec) -> int | None:
    """Returns how many points more come of a game in which the ego is told of its partner, from a step on.

    Both games are forks of this one, one with an ego that is told. A rollout planner takes the place of a person.

    Args:
        trace: the game.
        step: the number of steps that both share with it.
        knows: what the ego is told.
        options: what the agents' profiles do not contain.

    Returns:
        The points; None where there is no truth to be told, or where another game would cost money.

    Raises:
        BBAError: as `fork`.
    """
    ego, partner = (replace(seat, oracle=False) for seat in trace.config_at(step + 1).seats)
    if ego.agent == HUMAN:
        ego = load_agent(SeatSpec("bayes-commit", planner=ROLLOUT, weights=options.weights)).profile
    belief_config = ego.belief_config
    planners = {ego.planner, partner.planner} - {None}
    if belief_config is None or partner.agent == HUMAN or ego.plugins or not planners.issubset(KEYLESS):
        return None
    if knows != "policy" and not belief_config.filter.over_types:
        return None
    fast = ego.planner == ROLLOUT  # which is compiled in any case; plain beliefs over types are slow
    oracle_ego = replace(ego, oracle=knows)
    usual_ego = replace(ego, oracle=False)
    oracle_game = fork(trace, step, (oracle_ego, partner), options, fast=fast)
    oracle_score = oracle_game.run().score
    usual_game = fork(trace, step, (usual_ego, partner), options, fast=fast)
    return oracle_score - usual_game.run().score


def plays_without_belief(trace: Trace) -> bool:
    """Whether `without_belief` can play a game: one of agents with an ego that believes, and none that costs money."""
    ego, partner = trace.config.seats
    if ego.agent not in AGENT_VARIANTS or ego.belief_config is None or partner.agent == HUMAN:
        return False
    if not {ego.planner, partner.planner} - {None} <= set(KEYLESS):
        return False
    # A belief that was tuned is no matter. Where another agent plays on or is told the truth, neither is compared.
    same_agents = all(config.agents == trace.config.agents for config in trace.configs)
    return same_agents and not any(config.seats[EGO].oracle for config in trace.configs)


def without_belief(trace: Trace, options: SeatSpec | None = None) -> Game:
    """Returns the game from its start with an ego that has no belief: the same planner, partner, seed and kitchen.

    Args:
        trace: a game that `plays_without_belief`.
        options: what the agents' profiles do not contain.

    Raises:
        BBAError: as `fork`.
    """
    ego, partner = trace.config.seats
    unbelieving = Profile(NO_BELIEF, ego.planner, ask=ego.ask, rollout=ego.rollout)
    fast = ego.planner == ROLLOUT  # as in `worth_of_knowing`
    return fork(trace, 0, (unbelieving, partner), options, fast=fast)


class ForkPreset(NamedTuple):
    """A way to fork a game.

    Attributes:
        name: in a few words.
        changes: what is otherwise in the fork, in words.
        make: makes the fork, which has played the shared steps; None where the game gives no occasion for it.
        role: the role that the partner turns to; None where it turns to none.
    """

    name: str
    changes: str
    make: Callable[[], Game] | None
    role: int | None = None


def fork_presets(trace: Trace, step: int, options: SeatSpec) -> list[ForkPreset]:
    """Returns the ways to fork a game after so many steps, always in the same order: five, then one for each role.

    Args:
        trace: the game.
        step: the number of shared steps.
        options: what the agents' profiles do not contain.
    """
    ego, partner = trace.config_at(step + 1).seats
    planned = ego.agent in AGENT_VARIANTS
    next_ticks = trace.ticks[step : step + 1]
    replans = any(tick.decisions[EGO].replanned for tick in next_ticks)  # in the next step anyway
    other_planners = [name for name in KEYLESS if name != ego.planner]
    other_planner = other_planners[0] if other_planners else KEYLESS[0]
    other_planner_options = replace(options, planner=other_planner, planner_options={})

    def with_ego(make: Callable[[], Profile]) -> Callable[[], Game]:
        return lambda: fork(trace, step, (make(), partner), options)

    def replan_here() -> Game:
        game = fork(trace, step, None, options)
        game.time_out_skill(EGO)  # so that the ego has to choose a skill in the first step
        return game

    replannable = planned and not replans
    gated = planned and trigger_of(ego) != "never"
    plugins_without_trigger = tuple(plugin for plugin in ego.plugins if plugin.kind != "trigger")
    gate_off = replace(ego, trigger="never", plugins=plugins_without_trigger)
    believes = planned and ego.belief_config is not None
    swappable = HUMAN not in (ego.agent, partner.agent)
    swapped = replace(partner, oracle=False), replace(ego, oracle=False)  # nobody is told the truth any more
    without_gate = with_ego(lambda: gate_off)
    without_belief = with_ego(lambda: _profile(NO_BELIEF, ego, options))
    with_other_planner = with_ego(lambda: _profile(ego.agent, ego, other_planner_options))
    takes_other_planner = planned and own_planner(ego.agent, other_planner) == other_planner
    with_seats_swapped = partial(fork, trace, step, swapped, options)
    planner_change = f"planner {ego.planner} → {other_planner}"
    return [
        ForkPreset("gate off", "nothing interrupts the ego", without_gate if gated else None),
        ForkPreset("replan here", "the ego drops its skill here", replan_here if replannable else None),
        ForkPreset("no belief", "the ego has no belief", without_belief if believes else None),
        ForkPreset(f"planner {other_planner}", planner_change, with_other_planner if takes_other_planner else None),
        ForkPreset("swap both", "ego and partner change places", with_seats_swapped if swappable else None),
        *_turns(trace, step, options),
    ]


def _profile(agent: str, ego: Profile, options: SeatSpec) -> Profile:
    """Returns the profile of an agent that takes the ego's place, with the ego's planner unless the options say other.

    The parameters of belief and gate stay; the trigger too, if it is the same agent.
    """
    trigger = ego.trigger if agent == ego.agent else None
    ask = ego.effective_ask or options.effective_ask
    planner = own_planner(ego.agent, options.planner)
    seat = replace(
        options,
        agent=agent,
        planner=planner,
        ask=ask,
        trigger=trigger,
        knows=None,
        live=False,
        belief_config=ego.belief_config,
    )
    return load_agent(seat).profile


def _turns(trace: Trace, step: int, options: SeatSpec) -> Iterator[ForkPreset]:
    """Yields a preset for each role that the partner can turn to in the next step, with which it then stays."""
    ego, partner = trace.config_at(step + 1).seats
    agent = LOCKED if partner.agent.endswith("+locked") else SWITCHING
    for role in range(STAGE_PASS):
        previous_role = (role + 1) % STAGE_PASS
        schedule = ((0, previous_role), (step, role)) if step else ((0, role),)
        name = ROLE_NAMES[role].replace("_", " ")
        seats = (ego, Profile(agent, schedule=schedule))
        make = partial(fork, trace, step, seats, options)
        yield ForkPreset(name, f"the partner turns to {name}, where that has work", make, role)
