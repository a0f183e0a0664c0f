"""Replays a recording: the same kitchen and actions, with hashes checked and beliefs computed again."""

from collections import defaultdict

from bba.agents.base import Decision, EpisodeContext, ModelOfPartner, PolicyOutput
from bba.agents.planning_agent import model_maker, partner_model
from bba.belief import BeliefConfig, PartnerUpdate
from bba.errors import BBAError
from bba.field_types import Knowledge
from bba.kitchen import Kitchen, StateVector, constants, state_digest
from bba.planner import LLMCall
from bba.play.oracle import Truth
from bba.play.recording import Recording
from bba.play.trace import Tick, Trace


class Replay:
    """A recording as a game that can be stepped, with the same ticks as when it was played.

    Args:
        recording: the recording.
        source: its name in messages.
        fast: whether to compute with compiled kernels.
    """

    def __init__(self, recording: Recording, source: str = "recording", *, fast: bool = False) -> None:
        self.recording, self.source = recording, source
        config = recording.config
        self._kitchen = Kitchen(config.layout, config.seed, mobility=config.mobility, fast=fast)
        self.trace = recording.fresh_trace(self._kitchen.state.copy())
        contexts = config.context(0, fast=fast), config.context(1, fast=fast)
        self._observer = partner_model(contexts[0], BeliefConfig())
        self._players = (
            _ReplayedPlayer(self.trace, recording, contexts[0]),
            _ReplayedPlayer(self.trace, recording, contexts[1]),
        )
        self._previous: StateVector | None = None
        self._state: StateVector = self.trace.start
        self._check()

    def __repr__(self) -> str:
        return f"Replay({self.recording!r})"

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
        first, second = self._players
        decisions = (
            first.decide(step, self._previous, self._state),
            second.decide(step, self._previous, self._state),
        )
        if decisions[0].commits:
            self._observer.remember()
        actions = int(first.record.actions[step]), int(second.record.actions[step])
        self._kitchen.advance(*actions)
        self._previous, self._state = self._state, self._kitchen.state.copy()
        self._check()
        tick = Tick(
            self._state,
            actions,
            (first.skill, second.skill),
            (first.age, second.age),
            (first.ended, second.ended),
            decisions,
            *observed,
        )
        self.trace.ticks.append(tick)
        return tick

    def run(self) -> Trace:
        """Plays to the end and returns the trace."""
        while not self.done:
            self.step()
        return self.trace

    def _check(self) -> None:
        step = self._kitchen.steps
        expected = self.recording.hashes.get(step)
        if expected is not None and expected != state_digest(self._kitchen.state):
            raise BBAError(f"{self.source}: the game differs from the recorded one at step {step} or shortly before")


class _ReplayedPlayer:
    """One player of a recording, whose decisions are given out step by step."""

    def __init__(self, trace: Trace, recording: Recording, context: EpisodeContext) -> None:
        self.record = recording.players[context.player]
        self.skill, self.age = constants.NO_SKILL, 0  # 0 for primitive actions
        self.ended: int | None = None  # how the skill before this step's choice ended; None if there is no choice
        self._trace, self._player = trace, context.player
        self._choices = {choice.step: choice for choice in self.record.choices}
        self._scheduled_roles = dict(self.record.scheduled_roles)
        self._scheduled_role: int | None = None
        self._declared_roles = dict(self.record.declared_roles)
        self._policies = dict(self.record.policy)
        self._policy: PolicyOutput | None = None
        self._comparisons = dict(self.record.comparisons)
        self._calls: defaultdict[int, list[LLMCall]] = defaultdict(list)
        for step, call in self.record.calls:
            self._calls[step].append(call)
        self._models = _models_of(trace, context)

    def decide(self, step: int, before: StateVector | None, state: StateVector) -> Decision:
        """Returns the recorded decision, with belief and gate as they were."""
        choice = self._choices.get(step)
        self._scheduled_role = self._scheduled_roles.get(step, self._scheduled_role)
        self._policy = self._policies.get(step, self._policy)
        mid_skill = self.skill != constants.NO_SKILL and (choice is None or choice.ended == constants.INTERRUPTED)
        belief, gate, commitment = self._observe(step, before, state, mid_skill=mid_skill) or (None, None, None)
        self.skill, self.ended = (choice.skill, choice.ended) if choice else (self.skill, None)
        self.age = 0 if choice or self.skill == constants.NO_SKILL else self.age + 1
        action = int(self.record.actions[step]) if self.skill == constants.NO_SKILL else None
        decision = Decision(
            self.skill,
            action=action,
            chosen=choice is not None,
            replanned=choice is not None and choice.replanned,
            belief=belief,
            gate=gate,
            calls=tuple(self._calls.get(step, ())),
            scheduled_role=self._scheduled_role,
            declared_role=self._declared_roles.get(step),
            note=choice.note if choice else "",
            policy=self._policy,
            commitment=commitment,
            comparison=self._comparisons.get(step),
        )
        if decision.commits:
            for model in self._models.values():
                model.remember()
        return decision

    def _observe(
        self, step: int, before: StateVector | None, state: StateVector, *, mid_skill: bool
    ) -> PartnerUpdate | None:
        """Returns the belief and the results of its gates; None in the steps of an agent without a belief."""
        profile = self._trace.config_at(step + 1).seats[self._player]
        updates = {}
        for knows, model in self._models.items():
            if profile.belief_config is not None and profile.belief_config != model.belief_config:
                model.reconfigure(profile.belief_config)
            updates[knows] = model.observe(before, state, mid_skill=mid_skill)
        return updates[profile.knows] if profile.belief_config is not None else None


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
