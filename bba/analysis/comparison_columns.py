"""The columns of a trace table about what a rollout planner compared; None in steps in which it was not asked."""

from collections.abc import Callable

from bba.analysis.trace_columns import Read, TraceColumn, read_if_present
from bba.kitchen.constants import SKILL_NAMES
from bba.planner.rollout import Comparison
from bba.tabular import Value


def comparison_columns(player: int) -> dict[str, TraceColumn]:
    """Returns the columns about the comparisons of the planner in a player's seat; a recording holds all its values."""

    def read(get: Callable[[Comparison], Value]) -> Read:
        return read_if_present(lambda tick, _: tick.decisions[player].comparison, get)

    def assumed(comparison: Comparison) -> int | None:
        partner = comparison.partner
        return partner.index(max(partner)) if partner else None

    def assumed_name(comparison: Comparison) -> Value:
        skill = assumed(comparison)
        return None if skill is None else SKILL_NAMES[skill]

    return {
        "compared": TraceColumn(
            "int", "skills that its rollout planner compared", read(lambda comparison: len(comparison.options))
        ),
        "compared_default": TraceColumn(
            "str",
            "the skill that they were compared with: the running one, else the behaviour network's likeliest",
            read(lambda comparison: SKILL_NAMES[comparison.options[0].skill]),
        ),
        "compared_value": TraceColumn(
            "float", "the mean return of the chosen skill's futures, in points", read(lambda one: one.best.value)
        ),
        "compared_gain": TraceColumn(
            "float", "by how much that is more than the default's, in points", read(lambda one: one.best.gain)
        ),
        "compared_error": TraceColumn("float", "the standard error of that gain", read(lambda one: one.best.error)),
        "assumed_skill": TraceColumn(
            "str",
            "the other player's likeliest skill in the futures; none if the behaviour network drew it",
            read(assumed_name),
        ),
        "assumed_share": TraceColumn(
            "float", "its probability, 0 to 1", read(lambda comparison: max(comparison.partner, default=None))
        ),
    }
