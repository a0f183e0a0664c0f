"""A reading: what a model of the partner says in one step, as one row of numbers that kernels write.

The row begins with the fields named here, whatever Ψ and k are. Then come the belief over the H hypotheses, the
relative likelihoods of the partner's last action under each, and the last factors of ℓ, oldest first.
"""

(
    PRIOR_MAP,
    PRIOR_CONFIDENCE,
    PRIOR_STABLE_UPDATES,
    CONTRADICTION,  # ℓ
    FACTORS,  # how many factors ℓ has
    MAP_NOW,
    CONFIDENCE_NOW,
    STABLE_UPDATES_NOW,
    NEW_SEGMENT,
) = range(9)
GATE = 9  # the gate's five conditions
COMMITMENT_GATE = GATE + 5  # the commitment gate's four conditions, Λ, what is remembered and its age
LISTS = COMMITMENT_GATE + 7  # belief, relative likelihoods and factors
CONTRADICTED = GATE  # the first of its conditions


def reading_size(hypotheses: int, window: int) -> int:
    """Returns the length of a reading over so many hypotheses, in which ℓ has at most `window` factors."""
    return LISTS + 2 * hypotheses + window
