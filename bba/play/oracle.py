"""An oracle: a model of the partner that is told the truth, to measure what knowing it would be worth.

The truth is what a game's trace says that the players really do.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from bba.agents.base import EpisodeContext
from bba.agents.learned.families import SCRATCH_PARTNERS
from bba.agents.learned.weights import weights_for
from bba.agents.planning_agent import behaviour_prior, partner_model
from bba.agents.role_partners import LOCKED, SwitchingPartner, roles_from, unlocked
from bba.belief import (
    ADAPTS,
    BY_PROPENSITY,
    LOCKED_DRAWN,
    NO_ROLE,
    ROLE_FIRST,
    ROLE_OF_SKILL,
    BehaviourPrior,
    BeliefUpdate,
    OracleKnowledge,
    PartnerModel,
    PartnerUpdate,
    PopulationNetwork,
    Tendencies,
    TypeBelief,
)
from bba.belief import LOCKED as BY_SCRIPT
from bba.config import BeliefConfig, Knowledge
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.constants import N_SKILLS, NO_SKILL, SKILL_STAY, STEP, StateVector
from bba.play.trace import Trace

UNKNOWN_ROLE = -1
# The ways to choose of partners that adapt and that are locked: learned ones, and those that work by a script.
CHOOSERS: Mapping[bool, tuple[int, ...]] = {False: (ADAPTS, ROLE_FIRST), True: (LOCKED_DRAWN, BY_SCRIPT)}
NO_VARIANCE = np.full(N_SKILLS, 1e-6, np.float32)  # of log-propensities: a policy that is told is exact
IMPOSSIBLE = 1e-6  # the relative likelihood of anything but the truth, so that one step tells them apart


class OracleModel(PartnerModel):
    """A player's model of its partner, whose belief is certain of what the partner really does.

    Before the partner's first skill the belief is uniform. While the partner waits or handles a fire, which is no
    hypothesis, the last one stays. A change of the truth has ℓ = 0 and anything else ℓ = 1, so that the gates open at
    true changes, as far as K and the cooldowns let them.

    Args:
        context: of the player.
        belief_config: Ψ and the parameters of the gates; those of the filter have no effect.
        truth: returns the skill that the partner ran in a step (1 is the first), `NO_SKILL` if none.
        prior: learns how the partner differs from the behaviour model, which the truth does not tell; None: not.
    """

    def __init__(
        self,
        context: EpisodeContext,
        belief_config: BeliefConfig,
        truth: Callable[[int], int],
        prior: BehaviourPrior | None = None,
    ) -> None:
        super().__init__(context.layout, 1 - context.player, belief_config, prior=prior)
        self.learns = True  # no kernel is told the truth
        self._truth = truth
        self._idle = False
        self._known = UNKNOWN_ROLE
        self._kept = 0
        self._known_at_choice = UNKNOWN_ROLE

    @property
    def moved(self) -> float:
        """Whether the truth is another than at the ego's last choice: 1 if so, else 0."""
        return float(self._known != self._known_at_choice)

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour model, and whether it waits; None if that is not learned."""
        learned = super().tendencies
        if learned is None:
            return None
        return learned._replace(idle=float(self._idle))

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> PartnerUpdate:
        """Takes over the truth and evaluates the gates; of the states it only uses which step they are of."""
        skill = self._truth(int(state[STEP]))
        if self._prior is not None:
            self._prior.expected(before, state)
        self._idle = skill == SKILL_STAY
        hypothesis = UNKNOWN_ROLE if skill == NO_SKILL else int(self.hypotheses.hypothesis_of_skill[skill])
        if hypothesis == UNKNOWN_ROLE:
            hypothesis = self._known
        belief = self._update(hypothesis)
        self._belief = belief
        if before is None:
            return PartnerUpdate(belief)
        gate = self.state.gate.evaluate(belief, mid_skill=mid_skill)
        commitment_gate = self.state.commitment_gate.evaluate(belief, mid_skill=mid_skill)
        return PartnerUpdate(belief, gate, commitment_gate)

    def remember(self) -> None:
        """Tells the commitment gate that the ego has chosen a skill, given the truth as it is now."""
        self._known_at_choice = self._known
        self.state.commitment_gate.remember(self._belief)

    def _update(self, hypothesis: int) -> BeliefUpdate:
        """Takes over the true hypothesis, UNKNOWN_ROLE for none yet; returns the belief that is certain of it."""
        previous = self._known
        kept = self._kept
        size = len(self.hypotheses.names)
        self._known = hypothesis
        self._kept = kept + 1 if hypothesis == previous else 1
        changed = UNKNOWN_ROLE not in (previous, hypothesis) and hypothesis != previous
        likelihood = 0.0 if changed else 1.0
        posterior = tuple([float(index == hypothesis) for index in range(size)])
        if hypothesis == UNKNOWN_ROLE:
            posterior = (1 / size,) * size
        return BeliefUpdate(
            prior_map=max(previous, 0),
            prior_confidence=1 / size if previous == UNKNOWN_ROLE else 1.0,
            prior_stable_updates=kept,
            contradiction_likelihood=likelihood,
            likelihood_ratios=(likelihood,),
            posterior=posterior,
            map_index=max(hypothesis, 0),
            stable_updates=self._kept,
            new_segment=False,
            relative_likelihoods=tuple([1.0 if index == hypothesis else IMPOSSIBLE for index in range(size)]),
        )


@dataclass
class Truth:
    """What a game's trace says that the other player has done.

    Attributes:
        trace: of the game; None until it has one; may be exchanged for one that goes on otherwise.
    """

    trace: Trace | None = None

    def model_of(self, knows: Knowledge, context: EpisodeContext, belief_config: BeliefConfig) -> PartnerModel:
        """Returns a model of a player's partner that is told this truth.

        Args:
            knows: what a belief over who the partner is is told: role, rule, or the whole policy with its schedule.
            context: of the player.
            belief_config: the parameters of belief and gates.

        Raises:
            BBAError: the belief is not over who the partner is, and is to be told less than the policy.
        """
        partner = 1 - context.player
        if belief_config.filter.over_types:
            policy = None
            if knows == "policy" and belief_config.filter.knows_population:
                policy = self.policy(partner, context.layout)
            known = partial(self.known, context, partner, knows, told_policy=policy is not None)
            return partner_model(context, belief_config, truth=known, policy=policy)
        if knows != "policy":
            raise BBAError(f"{knows}: only a belief over who the partner is can be told it (--belief types)")
        prior = behaviour_prior(context, belief_config)
        assert not isinstance(prior, TypeBelief)  # which is told what it believes, above
        return OracleModel(context, belief_config, lambda step: self.skill(step, partner), prior)

    def policy(self, player: int, layout: Layout) -> PopulationNetwork | None:
        """Returns the policy of a player that is a partner from nothing; None for any other."""
        if self.trace is None:
            return None
        name = self.trace.config.seats[player].agent
        if name not in SCRATCH_PARTNERS:
            return None
        return PopulationNetwork(weights_for(name, layout).policy, NO_VARIANCE, tanh=True)

    def known(
        self,
        context: EpisodeContext,
        player: int,
        knows: Knowledge,
        state: StateVector,
        *,
        told_policy: bool = False,
    ) -> OracleKnowledge:
        """Returns what is told of a player in a state; `told_policy` says whether its network is known, too."""
        if self.trace is None:
            return OracleKnowledge()
        profile = self.trace.config.seats[player]
        step = int(state[STEP])
        choosers = CHOOSERS[profile.agent.endswith(LOCKED)]
        from_nothing = profile.agent in SCRATCH_PARTNERS  # which know no roles
        if from_nothing:
            choosers += (BY_PROPENSITY,)
        has_role = profile.agent == SwitchingPartner.name or choosers == CHOOSERS[True]
        schedule = roles_from(profile.schedule, context, step) if has_role else ()
        skill = self.skill(step, player)
        role = NO_ROLE
        if schedule:
            role = schedule[0][1]
        elif skill != NO_SKILL:
            role = ROLE_OF_SKILL[skill]
        known_role = None if role == NO_ROLE else role
        if knows == "role":
            return OracleKnowledge(role=known_role)
        if knows == "rule":
            return OracleKnowledge(choosers)
        scripted = unlocked(profile.agent) == SwitchingPartner.name
        exactly: tuple[int, ...] = (choosers[scripted],)
        if told_policy:
            exactly = (BY_PROPENSITY,)
        elif from_nothing:
            exactly += (BY_PROPENSITY,)  # a belief over roles and rules has the first alone
        return OracleKnowledge(exactly, known_role, skill, schedule)

    def skill(self, step: int, player: int) -> int:
        """Returns the skill that a player ran in a step; `NO_SKILL` if none."""
        if not self.trace or not step:
            return NO_SKILL
        return self.trace.ticks[step - 1].skills[player]
