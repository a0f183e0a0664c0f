"""Whether the partner is idle: it stays where it is because it has nothing to do, not because its moves fail.

A busy partner acts in a share m of its steps (the mobility of an agent); an idle one hardly ever:

    q ∝ q · P(stays or acts | idle)        (1 − q) ∝ (1 − q) · P(stays or acts | busy)

after which an idle partner turns busy with probability `WAKES`, a busy one idle with probability `RESTS`. To complete
a skill is busy work.
"""

SLIPS = 0.03  # the share of its steps in which an idle partner acts
RESTS, WAKES = 0.02, 0.05  # a step
WORKED = 0.2  # what is left of q when the partner completes a skill


class Idleness:
    """The probability that a partner is idle.

    Args:
        acts: the share of its steps in which a busy partner acts, above 0 and below 1.

    Attributes:
        probability: q, 0 to 1.
    """

    def __init__(self, acts: float) -> None:
        self._acts, self.probability = acts, 0.0

    def observe(self, *, stayed: bool, completed: bool) -> None:
        """Takes in one step of the partner."""
        idle = self.probability * (1 - SLIPS if stayed else SLIPS)
        busy = (1 - self.probability) * (1 - self._acts if stayed else self._acts)
        share = idle / (idle + busy)
        self.probability = share * (1 - WAKES) + (1 - share) * RESTS
        if completed:
            self.probability *= WORKED
