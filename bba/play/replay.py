"""Replays a recording: the same kitchen and actions, with hashes checked and beliefs computed again."""

from bba.agents.base import Decision, EpisodeContext, ModelOfPartner
from bba.agents.planning_agent import model_maker, partner_model
from bba.belief import BeliefConfig
from bba.errors import BBAError
from bba.field_types import Knowledge
from bba.kitchen import Kitchen, StateVector, state_digest
from bba.play.oracle import Truth
from bba.play.recording import RecordedDecision, Recording, decisions_of
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
        self._ticks: list[Tick] = []
        self.trace = recording.trace_of(self._kitchen.state.copy(), self._ticks)
        contexts = config.context(0, fast=fast), config.context(1, fast=fast)
        self._observer = partner_model(contexts[0], BeliefConfig())
        self._models = _models_of(self.trace, contexts[0]), _models_of(self.trace, contexts[1])
        self._recorded = zip(*map(decisions_of, recording.players), strict=True)
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
        first, second = next(self._recorded)
        decisions = self._with_belief(0, first), self._with_belief(1, second)
        if decisions[0].commits:
            self._observer.remember()
        one, other = (int(player.actions[step]) for player in self.recording.players)
        self._kitchen.advance(one, other)
        self._previous, self._state = self._state, self._kitchen.state.copy()
        self._check()
        tick = Tick(
            self._state,
            (one, other),
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
        """Returns a decision with belief and gates as they were; as it is in the steps of an agent without a belief."""
        profile, models = self.trace.config_at(len(self.trace.ticks) + 1).seats[player], self._models[player]
        decision, updates = recorded.decision, {}
        for knows, model in models.items():
            if profile.belief_config is not None and profile.belief_config != model.belief_config:
                model.reconfigure(profile.belief_config)
            updates[knows] = model.observe(self._previous, self._state, mid_skill=recorded.mid_skill)
        if profile.belief_config is not None:
            belief, gate, commitment = updates[profile.knows]
            decision = decision._replace(belief=belief, gate=gate, commitment=commitment)
        if decision.commits:
            for model in models.values():
                model.remember()
        return decision

    def _check(self) -> None:
        step = self._kitchen.steps
        expected = self.recording.hashes.get(step)
        if expected is not None and expected != state_digest(self._kitchen.state):
            raise BBAError(f"{self.source}: the game differs from the recorded one at step {step} or shortly before")


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
