"""A trigger beside the built-in ones: it looks at how far the partner's actions speak against what was believed.

bba-tui watch open --trigger examples/plugins/commitment_trigger.py:surprised --trigger-option ratio=1.5
"""

from bba.agents.triggers import TriggerContext


def surprised(context: TriggerContext, ratio: float = 2.0, confidence: float = 0.4) -> bool:
    """Interrupts when another role than that believed at the decision explains the partner, and is believed."""
    if context.commitment_gate is None or context.belief is None:
        return False
    return context.commitment_gate.ratio >= ratio and context.belief.confidence >= confidence
