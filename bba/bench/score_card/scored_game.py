"""What a card says of one game, from its trace alone: so a game that is played again says the same."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from bba.analysis.belief_comparison import BeliefTally, belief_tally
from bba.analysis.measures import measure
from bba.analysis.snapshot import hypotheses_of
from bba.analysis.switch_responses import switch_responses
from bba.bench.score_card.card import DECIMALS, CardBelief
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Trace

FOLLOWED = (0, 5, 10, 20, 40, 60)  # steps after a switch
PLANNING = ("planner_calls", "planner_prompt_tokens", "planner_completion_tokens", "planner_cost")
NEVER = 1e-9  # a smaller share of a belief counts as this one, or one sure mistake would weigh infinitely


def scored_game(trace: Trace, measures: Sequence[str]) -> dict[str, Any]:
    """Returns the fields of a `CardEpisode` that follow from a trace; `measures` are those of the protocol."""
    found = measure(trace)
    values = ((name, found[name]) for name in (*measures, *PLANNING))
    steps = step_arrays(trace.ticks)
    delays = [response.complemented for response in switch_responses(steps)]
    return {
        "game": trace_digest(trace),
        "decisions": int(steps.commits.sum()),
        "followed": [sum(delay is not None and delay <= steps for delay in delays) for steps in FOLLOWED],
        "measures": {name: round(value, DECIMALS) for name, value in values if value is not None},
        "belief": own_belief(trace),
    }


def trace_digest(trace: Trace) -> str:
    """Returns 16 hex digits: the digest of the states, the actions and the skills of a game, step by step."""
    digest = hashlib.blake2b(trace.start.astype("<i4").tobytes(), digest_size=8)
    for tick in trace.ticks:
        digest.update(np.array((*tick.actions, *tick.skills), "<i4").tobytes())
        digest.update(tick.state.astype("<i4").tobytes())
    return digest.hexdigest()


def own_belief(trace: Trace) -> CardBelief | None:
    """Returns how good the belief was by which the ego played; None if it had none."""
    updates = [tick.decisions[EGO].belief for tick in trace.ticks]
    beliefs = [hypotheses_of(one).by_role(one.posterior) for one in updates if one is not None]
    if not beliefs or len(beliefs) < len(updates):
        return None
    return _rounded(belief_tally(trace, np.maximum(np.array(beliefs), NEVER)))


def _rounded(tally: BeliefTally) -> CardBelief:
    bins = tuple((int(steps), round(float(sure), DECIMALS), int(right)) for steps, sure, right in tally.bins)
    return CardBelief(steps=tally.steps, right=tally.right, log_loss=round(tally.log_loss, DECIMALS), bins=bins)
