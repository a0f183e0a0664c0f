"""The forms in which a model gives its plan besides text: one of the feasible skills, or a score for each of them.

As a choice the answer is a JSON object whose values are enumerated, so that no other one can be written. Scores are
the probabilities of the feasible skills, read from the log-probabilities of one token; the answer is then written as a
JSON object with ``plan`` and ``scores``, which is what recordings, caches and logs keep.
"""

import hashlib
import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_letters
from typing import Any

from bba.belief.roles import ROLE_NAMES
from bba.planner.scene_text import NUMBERED_SKILLS

LETTERS = (*ascii_letters[26:], *ascii_letters[:26])  # of the skills that are offered, in their order
UNCLEAR = "unclear"  # what an answer may say of a role or an intention


def answer_format(skills: Sequence[int] | None) -> dict[str, Any]:
    """Returns the form of a plan for ``response_format``.

    Args:
        skills: the skills to choose from; None leaves all three values free.
    """
    free: dict[str, Any] = {"type": "string"}
    roles, intentions, plans = free, free, free
    if skills is not None:
        roles, intentions = free | {"enum": [*ROLE_NAMES, UNCLEAR]}, free | {"enum": [*NUMBERED_SKILLS, UNCLEAR]}
        plans = free | {"enum": [NUMBERED_SKILLS[skill] for skill in skills]}
    properties = {"teammate_role_belief": roles, "intention": intentions, "plan": plans}
    schema = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "plan", "strict": True, "schema": schema}}


def lettered(skills: Iterable[int]) -> str:
    """Returns the skills as options of a question, as ``A = 0:STAY; B = 4:PUT_DOWN``."""
    return "; ".join(f"{letter} = {NUMBERED_SKILLS[skill]}" for letter, skill in zip(LETTERS, skills, strict=False))


def scored_answer(tokens: Iterable[tuple[str, float]], skills: Sequence[int], temperature: float, seed: str) -> str:
    """Returns the answer that the log-probabilities of its first token stand for; "" if none is a skill's letter.

    Args:
        tokens: the likeliest tokens with their log-probabilities; a skill whose letter is not among them has none.
        skills: those that were offered, in their order.
        temperature: of the scores, from which one is then drawn; 0 scores at 1 and takes the likeliest skill.
        seed: what the draw follows from.
    """
    found: dict[int, float] = {}
    for token, logarithm in tokens:
        letter = token.strip()
        if letter in LETTERS[: len(skills)] and math.isfinite(logarithm):
            skill = skills[LETTERS.index(letter)]
            found[skill] = found.get(skill, 0.0) + math.exp(min(logarithm, 0.0))
    if not any(found.values()):
        return ""
    weights = {skill: found.get(skill, 0.0) ** (1 / (temperature or 1)) for skill in skills}
    total = sum(weights.values())
    scores = {skill: weight / total for skill, weight in weights.items()}
    plan = max(scores, key=scores.__getitem__)
    if temperature:
        drawing = random.Random(hashlib.sha256(seed.encode()).digest())
        plan = drawing.choices([*scores], [*scores.values()])[0]
    shown = {NUMBERED_SKILLS[skill]: score for skill, score in scores.items()}
    return json.dumps({"plan": NUMBERED_SKILLS[plan], "scores": shown})


def of_letter(text: str, skills: Sequence[int]) -> str:
    """Returns the name of the skill that a letter stands for; the text itself where it is no such letter."""
    letters = dict(zip(LETTERS, skills, strict=False))
    return NUMBERED_SKILLS[letters[text.strip()]] if text.strip() in letters else text


def scores_of(response: str) -> dict[int, float] | None:
    """Returns the probabilities of the feasible skills in a scored answer, which sum to one; None for another one."""
    if '"scores"' not in response:
        return None
    try:
        told = json.loads(response)["scores"]
        scores = {NUMBERED_SKILLS.index(name): float(score) for name, score in told.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    whole = scores and all(0 <= score <= 1 for score in scores.values()) and abs(sum(scores.values()) - 1) < 1e-6
    return scores if whole else None


def without_scores(response: str) -> str:
    """Returns a scored answer as the model is reminded of it: the letter alone."""
    scores = scores_of(response)
    if scores is None:
        return response
    offered = [NUMBERED_SKILLS[skill] for skill in scores]
    return str(LETTERS[offered.index(json.loads(response)["plan"])])


def entropy(scores: Mapping[int, float]) -> float:
    """Returns the entropy of a distribution in bits, 0 or more."""
    return -sum(score * math.log2(score) for score in scores.values() if score > 0)


def rank(scores: Mapping[int, float], skill: int) -> int | None:
    """Returns the place of a skill among the scores, 1 for the likeliest; None if it was not offered.

    Among equal ones it has the worst place, so that a distribution without an opinion earns none.
    """
    return None if skill not in scores else sum(score >= scores[skill] for score in scores.values())
