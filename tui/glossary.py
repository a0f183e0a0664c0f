"""The symbols and terms on the screens, each explained once: for tooltips, footnotes and the help."""

import re
from typing import NamedTuple

from bba.analysis.measures import MEASURES


class Term(NamedTuple):
    """A symbol or term.

    Attributes:
        sign: how it is written.
        brief: what it is in a few words, for the footnote.
        meaning: what it is, in a phrase or two.
        without: what it is in a few words where the ego has no belief; "" for the same.
    """

    sign: str
    brief: str
    meaning: str
    without: str = ""


# The most important first: the footnote shows as many as it has room for.
TERMS = (
    Term(
        "ego",
        "cook 1, whose belief this is",
        "cook 1, the player that is studied: what it believes, if it has a belief, and what it does",
        "cook 1, who is studied",
    ),
    Term(
        "posterior",
        "how likely each role is",
        "the belief: the probability of each role of the partner, given its actions so far",
    ),
    Term(
        "MAP",
        "the most likely role",
        "the most likely hypothesis about the partner: the role with the highest probability",
    ),
    Term(
        "ℓ",
        "how well the last actions fit",
        "contradiction likelihood: how well the partner's last actions fit the MAP, 1 (as expected) to 0; a "
        "product of ratios",
    ),
    Term(
        "θ",
        "ℓ below it is a contradiction",
        "the threshold of ℓ: below it, the partner's actions contradict the belief",
    ),
    Term(
        "Γ",
        "confidence that counts",
        "the confidence (the probability of the MAP) from which the belief counts",
    ),
    Term(
        "u",
        "beliefs with the same MAP",
        "commitment: the number of beliefs in a row with the same MAP, this one included; 1 where a segment begins",
    ),
    Term(
        "K",
        "the u that counts",
        "the commitment u from which the belief counts",
    ),
    Term(
        "gap",
        "role known, not complemented",
        "belief–action gap: the observer's belief is right, but the ego's role does not complement the partner's",
    ),
    Term(
        "comp",
        "✓ complements, ✗ duplicates",
        "whether the ego's role complements (✓) or duplicates (✗) the partner's true role",
    ),
    Term(
        "Λ",
        "the new belief against the old",
        "log-likelihood ratio of the MAP against what the commitment gate remembers of the ego's last decision",
    ),
    Term(
        "λ",
        "the Λ that tells them apart",
        "the threshold of Λ: from it on the MAP and what is remembered are told apart",
    ),
    Term(
        "judged",
        "before the last action",
        "the belief as the gate tests it: before the partner's last action entered it",
    ),
    Term(
        "partner",
        "cook 2, whom it models",
        "cook 2, the player whom the belief is about",
        "cook 2, who is observed",
    ),
    Term(
        "true",
        "the partner's real role",
        "the role that the partner really plays; only the ego of a what-if may be told it",
    ),
    Term(
        "contradiction",
        "ℓ is below θ",
        "the partner's last actions do not fit the role that is believed: ℓ is below θ",
    ),
    Term(
        "replan",
        "its planner is asked anew",
        "the ego drops its running skill and asks its planner anew, because its gate or another trigger says so",
    ),
    Term(
        "switch",
        "the partner's turn to a role",
        "the partner turns to another role",
    ),
    Term(
        "observer",
        "believes, but does not act",
        "a belief beside the game that no cook acts on; it stands in where the ego has none",
    ),
)

BY_SIGN = {term.sign: term.meaning for term in TERMS}
BY_HEADING = {measure.label: measure.explanation for measure in MEASURES.values()}
_MEANINGS = BY_SIGN | BY_HEADING
# Longer ones first, so that "gap rate" is found before "gap". To a person "your partner" is the ego.
_LONGEST_FIRST = sorted(_MEANINGS, key=len, reverse=True)
_ANY_SIGN = "|".join(re.escape(sign) for sign in _LONGEST_FIRST)
_PATTERN = re.compile(rf"(?<!\w)(?<!your )({_ANY_SIGN})(?:e?s)?(?!\w)")


def explained(text: str) -> str:
    """Returns a line for each term and each measure that a text names, in the order of the text; "" for none."""
    signs = dict.fromkeys(_PATTERN.findall(text))  # each once
    return "\n".join(f"{sign}: {_MEANINGS[sign]}" for sign in signs)
