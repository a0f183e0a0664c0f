"""Playing a recording again: the same kitchen, the same actions, the hashes checked, the beliefs worked out anew."""

from collections import defaultdict

from bba.agents import Decision, PolicyOutput, stay_model_of
from bba.belief import BeliefConfig, BeliefUpdate, GateResult, PartnerModel, StayModel
from bba.errors import BBAError
from bba.kitchen import Kitchen, constants
from bba.kitchen.kitchen import state_digest
from bba.kitchen.state import StateVector
from bba.planner import Aside, Exchange, Message
from bba.play.observer import PARTNER, Observer
from bba.play.recorded_calls import RecordedAnswer
from bba.play.recording import Recording
from bba.play.trace import GameConfig, Tick, Trace


class Replay:
    """A recording as a game that can be stepped, with the same ticks as when it was played.

    Args:
        recording: what was recorded.
        source: how messages name it.
        fast: compiled kernels instead of plain ones.
    """

    def __init__(self, recording: Recording, source: str = "recording", *, fast: bool = False) -> None:
        self.recording, self.source = recording, source
        self._kitchen = Kitchen(recording.layout, recording.seed, mobility=recording.mobility, fast=fast)
        self.trace = recording.fresh_trace(self._kitchen.state.copy())
        stay_models = [
            stay_model_of(seat.agent, recording.mobility[player]) for player, seat in enumerate(recording.cast)
        ]
        self._observer = Observer(self._kitchen, stay_models[PARTNER])
        self._seats = (
            _Seat(self.trace, recording, 0, self._kitchen, stay_models[1]),
            _Seat(self.trace, recording, 1, self._kitchen, stay_models[0]),
        )
        self._previous: StateVector | None = None
        self._state: StateVector = self.trace.start
        self._check()

    @property
    def config(self) -> GameConfig:
        """What the game was set to."""
        return self.trace.config

    @property
    def done(self) -> bool:
        """Whether the last recorded step has been played."""
        return len(self.trace.ticks) >= self.recording.steps

    def step(self) -> Tick:
        """Play the next recorded step.

        Raises:
            BBAError: the state differs from the recorded one.
        """
        step = len(self.trace.ticks)
        observer, observer_gate = self._observer.update(self._previous, self._state)
        first, second = self._seats
        decisions = (
            first.decide(step, self._previous, self._state),
            second.decide(step, self._previous, self._state),
        )
        actions = int(first.record.actions[step]), int(second.record.actions[step])
        self._kitchen.advance(*actions)
        self._previous, self._state = self._state, self._kitchen.state.copy()
        self._check()
        tick = Tick(
            state=self._state,
            actions=actions,
            skills=(first.skill, second.skill),
            ages=(first.age(step), second.age(step)),
            ended=(first.ended(step), second.ended(step)),
            decisions=decisions,
            observer=observer,
            observer_gate=observer_gate,
        )
        self.trace.ticks.append(tick)
        return tick

    def run(self) -> Trace:
        """Play to the end and return the trace."""
        while not self.done:
            self.step()
        return self.trace

    def _check(self) -> None:
        step = self._kitchen.steps
        expected = self.recording.hashes.get(step)
        if expected is not None and expected != state_digest(self._kitchen.state):
            raise BBAError(f"{self.source}: the game differs from the recorded one at step {step} or shortly before")


class _Seat:
    """One recorded player, as it is played again."""

    def __init__(self, trace: Trace, recording: Recording, player: int, kitchen: Kitchen, other: StayModel) -> None:
        self.record = recording.seats[player]
        self.skill, self.since = constants.NO_SKILL, 0
        self._trace, self._player = trace, player
        self._choices = {choice.step: choice for choice in self.record.choices}
        self._pursued = dict(self.record.pursued)
        self._pursuing: int | None = None
        self._declared = dict(self.record.declared)
        self._policies = {said.step: said.reading for said in self.record.policy}
        self._policy: PolicyOutput | None = None
        self._turns: list[Message] = []
        self._asides: defaultdict[int, list[Aside]] = defaultdict(list)
        for side in self.record.asides:
            self._asides[side.step].append(side.aside(self.record.systems))
        self._model = _model(kitchen, 1 - player, other, trace.first_belief_config(player))

    def age(self, step: int) -> int:
        """For how many steps its skill has been running; 0 by hand."""
        return 0 if self.skill == constants.NO_SKILL else step - self.since

    def ended(self, step: int) -> int | None:
        """How the skill before this step's choice ended, if there is one."""
        choice = self._choices.get(step)
        return choice.ended if choice else None

    def decide(self, step: int, before: StateVector | None, state: StateVector) -> Decision:
        """The recorded decision with the belief and the gate as they were."""
        choice = self._choices.get(step)
        self._pursuing = self._pursued.get(step, self._pursuing)
        self._policy = self._policies.get(step, self._policy)
        mid_skill = self.skill != constants.NO_SKILL and (choice is None or choice.ended == constants.INTERRUPTED)
        belief, gate = self._observe_partner(step, before, state, mid_skill=mid_skill)
        if choice is not None:
            self.skill, self.since = choice.skill, step
        action = int(self.record.actions[step]) if self.skill == constants.NO_SKILL else None
        return Decision(
            self.skill,
            action=action,
            chosen=choice is not None,
            replanned=choice is not None and choice.replanned,
            belief=belief,
            gate=gate,
            exchange=self._exchange(choice.skill, choice.answer) if choice and choice.answer else None,
            asides=tuple(self._asides.get(step, ())),
            pursuing=self._pursuing,
            declared=self._declared.get(step),
            note=choice.note if choice else "",
            policy=self._policy,
        )

    def _observe_partner(
        self, step: int, before: StateVector | None, state: StateVector, *, mid_skill: bool
    ) -> tuple[BeliefUpdate | None, GateResult | None]:
        """What was believed; nothing in steps in which somebody without a belief sat here."""
        if self._model is None:
            return None, None
        belief_config = self._trace.config_at(step + 1).seats[self._player].belief_config
        if belief_config is not None and belief_config != self._model.belief_config:
            self._model.reconfigure(belief_config)
        found = self._model.observe(before, state, mid_skill=mid_skill)
        return (None, None) if belief_config is None else found

    def _exchange(self, skill: int, answer: RecordedAnswer) -> Exchange:
        """The exchange as it was, with the earlier turns that were sent along."""
        earlier = self._turns[len(self._turns) - 2 * answer.turns :]
        exchange = answer.exchange(skill, answer.messages(self.record.systems, earlier))
        if answer.answer:
            self._turns += [exchange.asked[0], Message(role="assistant", content=answer.answer)]
        return exchange


def _model(
    kitchen: Kitchen, partner: int, stay_model: StayModel, belief_config: BeliefConfig | None
) -> PartnerModel | None:
    """What the other player believed about this one, if it ever had a belief."""
    if belief_config is None:
        return None
    return PartnerModel(kitchen.grid, partner, belief_config, stay_model=stay_model, fast=kitchen.fast)
