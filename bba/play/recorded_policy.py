"""What learned policies told of their choices, as it is written to a recording and read back."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Self

from pydantic import Field, field_validator

from bba.agents import PolicyOutput
from bba.kitchen.constants import N_SKILLS
from bba.limits import Share, StepsOrNone
from bba.play.recorded_calls import StrictModel


class RecordedPolicyOutput(StrictModel):
    """One reading of a policy, as `bba.agents.base.PolicyOutput`."""

    probabilities: tuple[Share, ...]
    clusters: Annotated[tuple[Share, ...], Field(max_length=1000)]

    @field_validator("probabilities")
    @classmethod
    def _check(cls, probabilities: tuple[float, ...]) -> tuple[float, ...]:
        if len(probabilities) not in (0, N_SKILLS):
            raise ValueError(f"{len(probabilities)} of them; one a skill ({N_SKILLS}) or none")
        return probabilities


class RecordedPolicyChange(StrictModel):
    """What a policy told from a step on (counted from 0); None where from then on no policy sat there."""

    step: StepsOrNone
    shares: RecordedPolicyOutput | None

    @classmethod
    def of(cls, step: int, reading: PolicyOutput | None) -> Self:
        """The same for a file."""
        return cls(step=step, shares=None if reading is None else RecordedPolicyOutput(**reading._asdict()))

    @property
    def reading(self) -> PolicyOutput | None:
        """The same for a game."""
        return None if self.shares is None else PolicyOutput(self.shares.probabilities, self.shares.clusters)


def recorded_policy_changes(readings: Iterable[PolicyOutput | None]) -> Iterator[RecordedPolicyChange]:
    """One for every step in which something else is told than in the step before; before the first it is nothing."""
    before: PolicyOutput | None = None
    for step, reading in enumerate(readings):
        if reading != before:
            yield RecordedPolicyChange.of(step, reading)
            before = reading
