"""The parameters of belief and gate and their defaults. Each is declared here and nowhere else.

The order of the fields is their order on the command line and on the screen; `PARAMETERS` is the table of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from bba.config.options import DEFAULTS_OF_PLANNER, MOST_STEPS, Options, expanded, select

_DIGITS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # of a power of ten: steps that look alike on a log scale

PERCENT = tuple(percent / 100 for percent in range(101))  # 0, 0.01, …, 1


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """Stands in the annotation of a field, beside pydantic's `Field`.

    Attributes:
        symbol: how it is written in a line, such as "Γ".
        label: its name in plain words; the symbol if empty.
        slider_values: the values that a slider steps through, ascending; whole numbers (int) where the field takes
            them. Empty for a parameter that cannot be changed while a game runs.
        step: what the buttons of a number field take away and add.
        sentence: what it does, in a sentence for sliders and fields.
        gate: the gate that alone goes by it, by its trigger; None for one that counts beside every trigger.
        often: whether it is one of the few that are shown first.
    """

    symbol: str
    label: str = ""
    slider_values: tuple[float, ...] = ()
    step: float = 1
    sentence: str = ""
    gate: Literal["gate", "commitment"] | None = None
    often: bool = False


def decades(first: int, last: int) -> tuple[float, ...]:
    """Slider values from 10^first to 10^last on a log scale, ten a decade."""
    values = []
    for power in range(first, last):
        for digit in _DIGITS:
            values.append(float(f"{digit}e{power}"))
    return (*values, 10.0**last)


class GateConfig(Options):
    """The parameters of the gate (`bba.belief.gate`)."""

    theta_obs: Annotated[
        float,
        Field(ge=0, le=1, description="gate: product of likelihoods below which actions contradict the belief"),
        ParameterInfo(
            "θ",
            "evidence",
            decades(-3, 0),
            step=0.01,
            sentence="Below this the partner's last actions contradict what is believed.",
            gate="gate",
            often=True,
        ),
    ] = 0.04
    gamma_conf: Annotated[
        float,
        Field(ge=0, le=1, description="gate: confidence from which the belief counts"),
        ParameterInfo(
            "Γ",
            "confidence",
            PERCENT,
            step=0.05,
            sentence="From this probability on the likeliest role counts as known.",
            often=True,
        ),
    ] = 0.65
    stability: Annotated[
        int,
        Field(ge=0, le=MOST_STEPS, description="gate: beliefs in a row that must have had the same MAP"),
        ParameterInfo(
            "K",
            "stability",
            tuple(range(31)),
            sentence="So many guesses in a row must have named the same role.",
            gate="gate",
            often=True,
        ),
    ] = 3
    cooldown: Annotated[
        int,
        Field(ge=0, le=MOST_STEPS, description="gate: steps between openings, at least"),
        ParameterInfo(
            "cooldown",
            "cooldown",
            tuple(range(101)),
            sentence="So many steps lie between two replans by this gate, at least.",
            gate="gate",
            often=True,
        ),
    ] = 6


class FilterConfig(Options):
    """The parameters of the filter (`bba.belief.filter`), with the window k of the gate's contradiction test."""

    window: Annotated[
        int,
        Field(ge=1, le=10_000, description="gate: how many last actions it looks at"),
        ParameterInfo(
            "k",
            "window",
            tuple(range(1, 51)),
            sentence="The gate looks at so many of the partner's last actions.",
        ),
    ] = 10
    psi: Annotated[
        Literal["roles", "skills"],
        Field(description="belief: over six roles or over 22 skills"),
        ParameterInfo("Ψ"),
    ] = "roles"
    alpha: Annotated[
        float,
        Field(ge=1e-6, le=1e6, description="belief: weight of the uniform prior"),
        ParameterInfo(
            "α",
            "prior weight",
            decades(-2, 2),
            step=0.5,
            sentence="The higher, the longer all roles count as about equally likely.",
        ),
    ] = 1.0
    epsilon: Annotated[
        float,
        Field(ge=0.001, le=0.999, description="belief: share of actions at random"),
        ParameterInfo(
            "ε",
            "slips",
            PERCENT[1:-1],
            step=0.05,
            sentence="So large a share of the partner's actions is taken to mean nothing.",
            often=True,
        ),
    ] = 0.3
    support_weight: Annotated[
        float,
        Field(ge=0.001, le=1, description="belief: weight of put-downs"),
        ParameterInfo(
            "support",
            "put-downs",
            PERCENT[1:],
            step=0.05,
            sentence="So much it counts that the partner puts something down.",
        ),
    ] = 0.35
    support_as: Annotated[
        Literal["factor", "exponent"],
        Field(description="belief: weight of put-downs as a factor or as an exponent of their likelihood"),
        ParameterInfo("support as"),
    ] = "factor"
    likelihood_scale: Annotated[
        float,
        Field(ge=0.01, le=10, description="belief: exponent of the likelihoods"),
        ParameterInfo(
            "scale",
            "sharpness",
            decades(-1, 1),
            step=0.1,
            sentence="The higher, the more each of the partner's actions moves the belief.",
            often=True,
        ),
    ] = 1.0
    floor: Annotated[
        float,
        Field(ge=0, le=0.999, description="belief: share always spread over all hypotheses"),
        ParameterInfo(
            "floor",
            "floor",
            PERCENT[:-1],
            step=0.02,
            sentence="So much of the belief stays spread over all roles, so that it can turn.",
            often=True,
        ),
    ] = 0.24
    infeasible: Annotated[
        Literal["excluded", "kept"],
        Field(description="belief: roles without a feasible skill at the start of a segment: excluded or kept"),
        ParameterInfo("infeasible"),
    ] = "excluded"
    posterior_actions: Annotated[
        Literal["segment", "window"],
        Field(description="belief: actions that it counts: all of the segment, or the last k of them"),
        ParameterInfo("b over"),
    ] = "segment"
    contradiction_factors: Annotated[
        Literal["relative", "absolute"],
        Field(description="gate: factors of ℓ: likelihoods relative to the likeliest action's, or as they are"),
        ParameterInfo("ℓ"),
    ] = "relative"
    hazard: Annotated[
        float,
        Field(ge=0, le=0.5, description="belief: chance per step that the partner drops its skill"),
        ParameterInfo(
            "h",
            "skill drop",
            PERCENT[:51],
            step=0.01,
            sentence="So likely the partner drops what it does, in each step.",
        ),
    ] = 0.0
    prior: Annotated[
        Literal["counts", "network", "preferences", "types", "propensities", "population"],
        Field(
            description="belief: prior from completed skills, the behaviour network, or that and preferences; "
            "or a belief over who the partner is (types), and over what it tends to do (propensities), "
            "or what partners do on average, whoever this one is (population)"
        ),
        ParameterInfo("prior"),
    ] = "counts"

    @property
    def over_types(self) -> bool:
        """Whether the belief is over who the partner is (`bba.belief.partner_types`)."""
        return self.prior in ("types", "propensities", "population")

    @property
    def knows_population(self) -> bool:
        """Whether partners from nothing are among those whom it expects (`bba.belief.propensities`)."""
        return self.prior in ("propensities", "population")


class CommitmentConfig(Options):
    """The parameters of the commitment gate (`bba.belief.gate`)."""

    commitment_ratio: Annotated[
        float,
        Field(ge=0, le=1000, description="commitment gate: log-likelihood ratio from which actions are told apart"),
        ParameterInfo(
            "λ",
            "told apart",
            tuple(tenths / 10 for tenths in range(101)),
            step=0.1,
            sentence="From this on the partner's actions fit another role clearly better.",
            gate="commitment",
            often=True,
        ),
    ] = 2.3
    commitment_conf: Annotated[
        float,
        Field(ge=0, le=1, description="commitment gate: confidence from which a belief, then and now, counts"),
        ParameterInfo(
            "Γc",
            "commits from",
            PERCENT,
            step=0.05,
            sentence="From this probability on a belief is remembered, and counts.",
            gate="commitment",
            often=True,
        ),
    ] = 0.35
    commitment_cooldown: Annotated[
        int,
        Field(ge=0, le=MOST_STEPS, description="commitment gate: steps between openings, at least"),
        ParameterInfo(
            "cooldown c",
            "commit pause",
            tuple(range(101)),
            sentence="So many steps lie between two replans by this gate, at least.",
            gate="commitment",
            often=True,
        ),
    ] = 10
    renewal: Annotated[
        Literal["completion", "decision"],
        Field(description="commitment gate: memory renewed when the partner completes a skill, or only at decisions"),
        ParameterInfo("renewal"),
    ] = "completion"


class BeliefConfig(Options):
    """The parameters of a belief and of the two gates on it."""

    filter: FilterConfig = FilterConfig()
    gate: GateConfig = GateConfig()
    commitment: CommitmentConfig = CommitmentConfig()  # of the commitment gate; stored score cards have it by this name

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Builds all three from values by parameter name, or from those of named settings (`bba.config.options`).

        Other names are ignored, missing parameters have their default.

        Raises:
            BBAError: a value is out of range.
        """
        chosen = expanded(values)
        return cls(
            filter=select(FilterConfig, chosen),
            gate=select(GateConfig, chosen),
            commitment=select(CommitmentConfig, chosen),
        )

    @classmethod
    def for_planner(cls, planner: str, values: Mapping[str, Any]) -> Self:
        """Builds all three from the defaults of a planner and, before them, from values as `of` takes them.

        Raises:
            BBAError: a value is out of range.
        """
        defaults = DEFAULTS_OF_PLANNER.get(planner, {})
        chosen = {name: value for name, value in values.items() if value is not None}
        return cls.of({**defaults, **chosen})

    @property
    def values(self) -> dict[str, Any]:
        """The values of all parameters by name."""
        return {**dict(self.gate), **dict(self.commitment), **dict(self.filter)}

    def changed(self, changes: Mapping[str, Any]) -> "BeliefConfig":
        """Copies it with other values of some parameters, or with named settings; other names are ignored.

        Raises:
            BBAError: a value is out of range.
        """
        return BeliefConfig.of({**self.values, **expanded(changes)})
