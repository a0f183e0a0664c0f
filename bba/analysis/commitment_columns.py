"""The columns of a trace table about a commitment gate. A value that does not exist is None, as at the first step."""

from collections.abc import Callable

from bba.analysis.snapshot import hypotheses_of
from bba.analysis.trace_columns import Read, TraceColumn, read_if_present
from bba.belief import COMMITMENT_CONDITIONS, NOTHING, BeliefUpdate, CommitmentResult
from bba.play.trace import Tick
from bba.tabular import Value

CONDITION_MEANINGS = {
    "told_apart": "Λ ≥ λ, and the MAP is not what is remembered",
    "confident": "the MAP's probability ≥ Γc",
    "mid_skill": "a skill is running that can be interrupted",
    "cooled_down": "its last opening is at least its cooldown ago",
}


def commitment_columns(
    of: Callable[[Tick], CommitmentResult | None], belief_of: Callable[[Tick], BeliefUpdate | None]
) -> dict[str, TraceColumn]:
    """Returns the columns about the four conditions of a commitment gate, their result, and what they are about."""

    def read(get: Callable[[CommitmentResult], Value]) -> Read:
        return read_if_present(lambda tick, _: of(tick), get)

    def condition(name: str) -> TraceColumn:
        meaning = f"commitment gate: {CONDITION_MEANINGS[name]}"
        return TraceColumn("bool", meaning, read(lambda result: bool(getattr(result, name))))

    def remembered(tick: Tick) -> str | None:
        result, belief = of(tick), belief_of(tick)
        if result is None or belief is None or result.remembered == NOTHING:
            return None
        return hypotheses_of(belief).names[result.remembered]

    return {
        **{f"commitment_gate_{name}": condition(name) for name in COMMITMENT_CONDITIONS},
        "commitment_gate_opens": TraceColumn(
            "bool", "whether all four conditions of the commitment gate hold", read(lambda result: result.opens)
        ),
        "commitment_gate_blocked_by": TraceColumn(
            "str", "the first of the four conditions that does not hold", read(lambda result: result.blocked_by)
        ),
        "commitment_gate_ratio": TraceColumn(
            "float",
            "Λ: log-likelihood ratio of the MAP against what is remembered, 0 or more",
            read(lambda result: result.ratio),
        ),
        "remembered": TraceColumn(
            "str",
            "the hypothesis that the commitment gate remembers; none if the belief was not confident",
            lambda tick, _: remembered(tick),
        ),
        "remembered_age": TraceColumn(
            "int", "the other player's actions since it was remembered", read(lambda result: result.age)
        ),
    }
