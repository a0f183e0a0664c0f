"""Named settings: an option whose value stands for several parameters at once.

The parameters of a named setting are defaults: a parameter that is given beside it, from whatever source, counts. To
add one, add it to `NAMED` under its option and its name to the option's type; another option of this kind is another
entry of `NAMED` and another field of `NamedOptions`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field

from bba.config.base import Options

CommitmentName = Literal["selective", "responsive"]
BeliefName = Literal["preprint", "skills"]


class NamedOptions(Options):
    """The options whose values are named settings; None for the parameters' own defaults."""

    commitment: CommitmentName | None = Field(
        None, description="commitment gate: selective (few replans, the default) or responsive (many)"
    )
    belief: BeliefName | None = Field(
        None, description="belief: as in the preprint (the default), or over skills, with what the partner prefers"
    )


# option: name: values of parameters. Measured in docs/belief.md.
NAMED: Mapping[str, Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "commitment": {
            "selective": {
                "commitment_ratio": 2.3,
                "commitment_conf": 0.35,
                "commitment_cooldown": 10,
                "renewal": "completion",
            },
            "responsive": {
                "commitment_ratio": 1.0,
                "commitment_conf": 0.3,
                "commitment_cooldown": 3,
                "renewal": "decision",
            },
        },
        "belief": {
            "preprint": {},
            "skills": {"psi": "skills", "epsilon": 0.1, "floor": 0.02, "hazard": 0.02, "prior": "preferences"},
        },
    }
)


# planner: the named settings that are its defaults; those of other planners are the parameters' own defaults.
DEFAULTS_OF_PLANNER: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"rollout": {"belief": "skills", "commitment": "responsive"}}
)


def expanded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values with those of the named settings among them; a parameter that is given itself keeps its value.

    An option of `NAMED` that is None or that names no setting stands for nothing.
    """
    chosen: dict[str, Any] = {}
    for option, settings in NAMED.items():
        name = values.get(option)
        chosen |= settings.get(name, {}) if isinstance(name, str) else {}
    return {**chosen, **values}
