"""The situations of the exam, which ship as data, and how the planner's question is made from one.

`benchmarks.exam_situations` takes them from games. A situation holds the state before a decision of player 0, what was
believed of the partner then, and what the partner really did.
"""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BaseModel, Field, TypeAdapter

from bba.agents import Observation, PartnerBelief
from bba.agents.handmade_scene import belief_over_roles
from bba.belief import NO_ROLE, ROLE_NAMES, likeliest
from bba.config import BeliefConfig, Seed, Share, StepsOrNone
from bba.errors import BBAError
from bba.files import data_dir, hex_digest, read_bytes
from bba.kitchen import N_SKILLS, NO_SKILL, RUNNING, STATE_HEADER, Layout
from bba.validation import checked

Kind = Literal["clear", "right", "wrong", "uncertain", "hazard", "hand-over", "idle", "switched"]
# With the belief that the agent had in the game, with two roles exchanged in that belief, and without a belief block.
Variant = Literal["own", "other", "none"]
SITUATION_KINDS: dict[Kind, str] = {
    "clear": "one need is clear, whatever is believed",
    "right": "the belief is confident and right",
    "wrong": "the belief is confident and wrong, and the partner's actions contradict it",
    "uncertain": "no role is believed with confidence",
    "hazard": "fire, food about to burn, or charcoal in the way",
    "hand-over": "the partner has put something down that can be taken",
    "idle": "the partner waits",
    "switched": "the partner has turned to another role within 20 steps",
}
EGO = 0
GAMMA_CONF = BeliefConfig().gate.gamma_conf


class StoredBelief(BaseModel, frozen=True, extra="forbid"):
    """A belief over the six roles.

    Attributes:
        posterior: a probability for each role, (6,).
        commitment: u − 1 (`BeliefUpdate.stable_updates`), as u was counted when the exam was written.
    """

    posterior: tuple[Share, ...] = Field(min_length=len(ROLE_NAMES), max_length=len(ROLE_NAMES))
    commitment: Annotated[int, Field(ge=0)]

    @property
    def role(self) -> int:
        """The likeliest role."""
        return likeliest(self.posterior)

    @property
    def confident(self) -> bool:
        """Whether its probability reaches Γ."""
        return self.posterior[self.role] >= GAMMA_CONF

    def shown(self) -> PartnerBelief:
        """Returns the belief as a planner is told it."""
        return belief_over_roles(self.posterior, self.commitment)


class ExamSituation(BaseModel, frozen=True, extra="forbid"):
    """A decision of player 0.

    Attributes:
        name: unique, such as "open-clear-1".
        kind: what it is an example of.
        kitchen: the name of a shipped layout.
        partner, seed, step: the game that it is from, and the number of steps played before.
        state: the state vector (`bba.kitchen.constants`).
        truth: the partner's true role in the step; -1 for none.
        belief: what the agent believed.
        other: the other belief with which it is asked as well; None if it is asked once.
        values: what the rollout planner expects of each feasible skill in points, by variant.
    """

    name: str
    kind: Kind
    kitchen: str
    partner: str
    seed: Seed
    step: StepsOrNone
    state: tuple[Annotated[int, Field(ge=-(2**31), lt=2**31)], ...]
    truth: Annotated[int, Field(ge=NO_ROLE, lt=len(ROLE_NAMES))]
    belief: StoredBelief
    other: StoredBelief | None = None
    values: dict[Variant, dict[Annotated[int, Field(ge=0, lt=N_SKILLS)], float]] = {}

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants in which the situation is asked."""
        return ("own", "other", "none") if self.other else ("own",)

    def observation(self) -> Observation:
        """Returns what player 0 observes, with no skill running.

        Raises:
            BBAError: the kitchen is another one than that of the state.
        """
        layout = Layout.load(self.kitchen)
        if len(self.state) != STATE_HEADER + 2 * layout.width * layout.height:
            raise BBAError(f"exam: {self.name}: the kitchen {self.kitchen} has another size than its state")
        return Observation(EGO, layout, None, np.array(self.state, np.int32), NO_SKILL, 0, RUNNING, False)


@dataclass(frozen=True, slots=True)
class Question:
    """A situation in one variant.

    Attributes:
        situation: what is asked about.
        variant: with which belief.
        order: the seed of the order in which the valid actions stand; None for ascending.
    """

    situation: ExamSituation
    variant: Variant
    order: int | None = None

    @property
    def key(self) -> str:
        """The name of the question in results."""
        return f"{self.situation.name}/{self.variant}"

    @property
    def belief(self) -> StoredBelief | None:
        """The belief that the planner is told; None for none."""
        if self.variant == "own":
            return self.situation.belief
        if self.variant == "other":
            return self.situation.other
        return None

    @property
    def offered(self) -> tuple[int, ...]:
        """The feasible skills, in the order in which they are offered."""
        skills = sorted(self.situation.values[self.variant])
        if self.order is not None:
            random.Random(f"{self.order} {self.key}").shuffle(skills)
        return tuple(skills)

    def observation(self) -> Observation:
        """Returns what player 0 observes; its feasible skills have the order of the question.

        Raises:
            BBAError: as that of the situation.
        """
        observation = self.situation.observation()
        if self.order is None:
            return observation
        return _Reordered(*observation).offering(self.offered)

    @property
    def partner_belief(self) -> PartnerBelief | None:
        """The belief in the form in which a planner is told it; None for none."""
        return None if self.belief is None else self.belief.shown()


class _Reordered(Observation):
    """An observation whose feasible skills have an order of their own."""

    _offered: tuple[int, ...]

    def offering(self, skills: tuple[int, ...]) -> Self:
        self._offered = skills
        return self

    def feasible(self) -> tuple[int, ...]:
        """Returns the skills that could be started now."""
        return self._offered


SHIPPED_SITUATIONS = data_dir("assets/exam") / "situations.json"
_SITUATIONS = TypeAdapter(tuple[ExamSituation, ...])


@cache
def load_situations(path: Path | None = None) -> tuple[ExamSituation, ...]:
    """Returns the situations in a file, by default those that ship with the project.

    Raises:
        BBAError: the file cannot be read or holds something else.
    """
    path = path or SHIPPED_SITUATIONS
    return checked(_SITUATIONS, read_bytes(path), path)


def questions(situations: tuple[ExamSituation, ...], order: int | None = None) -> tuple[Question, ...]:
    """Returns the questions of an exam: every situation in its variants; `order` is that of the valid actions."""
    exam = []
    for situation in situations:
        exam += [Question(situation, variant, order) for variant in situation.variants]
    return tuple(exam)


def digest(situations: tuple[ExamSituation, ...]) -> str:
    """Returns 16 hex digits that change with any of the situations."""
    return hex_digest(_SITUATIONS.dump_json(situations))
