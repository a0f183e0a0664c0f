"""Clones of people: behaviour cloning of their choices, and how well a clone predicts people it has not seen.

For each person a clone learns from all others; the likelihood of this person's choices under it is beside those of a
uniform choice and of the others' counts of skills, all among the feasible skills. The clone that is played learns from
everybody. How long a training lasts is decided by choices that it does not learn from: those of one of its people.
`clone_record` says what follows from that, and what does not, in numbers and in words.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents import LAST_ROLES, Layers, PolicyWeights, forward, masked_softmax
from bba.analysis.human_choices import LONGEST_PAUSE, NO_CHANGE, HumanChoices, joined
from bba.belief.roles import ROLE_OF_SKILL
from bba.bench.statistics import Summary, mean_over_people
from bba.kitchen import N_SKILLS, Float32Array, Layout, layout_digest
from bba.learning.recipes.recipe import BATCH, clone_behaviour, untrained_policy
from bba.learning.rl.vec_env import policy_layers
from bba.tables import table_of, to_markdown

HIDDEN_UNITS = 64
UPDATES = (25, 100, 400)  # lengths of a training among which held-out choices decide
FIFTH = 5  # of a single person's choices so many-th part is held out
ENOUGH_PEOPLE = 6  # people; with fewer, a sign test cannot reach 5 %, even if everybody is predicted better

Probabilities = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class HeldOutPerson:
    """How well one person's choices were predicted by what learned from the others, in nats a choice (mean).

    Attributes:
        person: who.
        choices: how many.
        clone, counts, uniform: the mean log-likelihood, 0 at best.
        switches: the share of choices that changed the role.
        predicted_switches: the share that the clone expected.
    """

    person: str
    choices: int
    clone: float
    counts: float
    uniform: float
    switches: float
    predicted_switches: float


def train_clone(layout: Layout, name: str, people: Sequence[HumanChoices], seed: int) -> PolicyWeights:
    """Returns the clone of these people on a layout, with their pauses; each has at least one choice."""
    policy = _fitted(layout, people, seed)
    return PolicyWeights(name, layout.name, layout_digest(layout), policy, pauses=pause_table(joined(list(people))))


def held_out(layout: Layout, people: Sequence[HumanChoices], seed: int) -> list[HeldOutPerson]:
    """Returns for each person how well what learned from all others predicts them; nothing for a single person."""
    if len(people) < 2:
        return []
    scores = []
    for index, person in enumerate(people):
        rest = [*people[:index], *people[index + 1 :]]
        scores.append(_scored(person, rest, _fitted(layout, rest, seed)))
    return scores


def pause_table(choices: HumanChoices) -> Float32Array:
    """Returns how likely each pause is before work in the last role and in another one, (2, LONGEST_PAUSE + 1).

    A row without any choice is that of all choices.
    """
    rows = []
    for in_row in (~choices.switches, choices.switches):
        pauses = choices.pauses[in_row] if in_row.any() else choices.pauses
        rows.append(np.bincount(pauses, minlength=LONGEST_PAUSE + 1) / len(pauses))
    return np.stack(rows).astype(np.float32)


def probabilities_of(policy: Layers, choices: HumanChoices) -> Probabilities:
    """Returns a policy's probabilities at each choice, (M, 27)."""
    return masked_softmax(forward(policy, choices.inputs), choices.masks)


def counted_probabilities(others: HumanChoices, choices: HumanChoices) -> Probabilities:
    """Returns the others' shares of skills among the feasible ones at each choice, (M, 27); each counts once more."""
    counts = np.bincount(others.skills, minlength=N_SKILLS) + 1.0
    shares = np.where(choices.masks, counts, 0)
    return shares / shares.sum(axis=1, keepdims=True)


def mean_log_likelihood(probabilities: Probabilities, skills: NDArray[np.int64]) -> float:
    """Returns the mean log-probability of what was chosen, in nats."""
    chosen = probabilities[np.arange(len(skills)), skills].astype(np.float64)
    return float(np.log(np.maximum(chosen, np.finfo(np.float32).tiny)).mean())


def _scored(person: HumanChoices, others: Sequence[HumanChoices], policy: Layers) -> HeldOutPerson:
    learned = probabilities_of(policy, person)
    uniform = person.masks / person.masks.sum(axis=1, keepdims=True)
    counted = counted_probabilities(joined(list(others)), person)
    return HeldOutPerson(
        person.person,
        len(person.skills),
        mean_log_likelihood(learned, person.skills),
        mean_log_likelihood(counted, person.skills),
        mean_log_likelihood(uniform, person.skills),
        float(person.switches.mean()),
        float(_switching(person, learned).mean()),
    )


def _switching(person: HumanChoices, probabilities: Probabilities) -> Probabilities:
    """Returns the probability at each choice that it changes the role, (M,)."""
    last = person.inputs[:, -LAST_ROLES:].argmax(axis=1)
    roles = np.array(ROLE_OF_SKILL)
    same_role = roles[None] == last[:, None]
    of_no_role = np.isin(roles, NO_CHANGE)[None]
    no_last_role = (last == LAST_ROLES - 1)[:, None]
    keeps = same_role | of_no_role | no_last_role
    return np.where(keeps, 0, probabilities).sum(axis=1)


def _fitted(layout: Layout, people: Sequence[HumanChoices], seed: int) -> Layers:
    """Returns a policy that learned from all of these choices, for as long as was best on held-out ones."""
    learned, kept = _split(people)
    scores: dict[int, float] = {}
    for updates in UPDATES:
        policy = _trained(layout, learned, updates, seed)
        scores[updates] = mean_log_likelihood(probabilities_of(policy, kept), kept.skills)
    best = max(scores, key=scores.__getitem__)
    return _trained(layout, joined(list(people)), best, seed)


def _split(people: Sequence[HumanChoices]) -> tuple[HumanChoices, HumanChoices]:
    """Returns choices to learn from and choices to judge by: those of the last person, or a single one's last fifth."""
    if len(people) > 1:
        return joined(list(people[:-1])), people[-1]
    [person] = people
    count = len(person.skills)
    end = max(1, count - count // FIFTH - 1)
    start = min(end, count - 1)
    return person.part(slice(None, end)), person.part(slice(start, None))


def _trained(layout: Layout, choices: HumanChoices, updates: int, seed: int) -> Layers:
    """Returns a policy that learned from these choices in about so many updates."""
    policy = untrained_policy(layout, hidden=HIDDEN_UNITS, seed=seed, context_size=LAST_ROLES)
    batches = -(-len(choices.skills) // BATCH)  # rounded up
    epochs = max(1, round(updates / batches))
    clone_behaviour(policy, choices.inputs, choices.skills, epochs, seed)
    return policy_layers(policy)


def clone_record(
    layout: str, people: Sequence[HumanChoices], scores: Sequence[HeldOutPerson], seed: int
) -> dict[str, Any]:
    """Returns everything measured on one layout, JSON-serialisable."""
    gain = mean_over_people([score.clone - score.counts for score in scores])
    pauses = np.concatenate([person.pauses for person in people])
    durations = np.concatenate([person.durations for person in people])
    return {
        "layout": layout,
        "seed": seed,
        "people": len(people),
        "choices": sum(len(person.skills) for person in people),
        "left_out": sum(person.left_out for person in people),
        "pause": float(pauses.mean()),
        "duration": float(durations.mean()),
        "held_out": [asdict(score) for score in scores],
        "clone_minus_counts": None if gain is None else gain._asdict(),
        "conclusion": conclusion(len(people), gain),
    }


def conclusion(people: int, gain: Summary | None) -> str:
    """Returns in one sentence what follows for people who have not taken part.

    Args:
        people: how many were recorded.
        gain: the clone's log-likelihood minus that of pooled counts, over the held-out people.
    """
    if gain is None:
        return "One person: nobody can be held out, so nothing is known about how well it predicts other people."
    by = f"{gain.mean:+.3f} nats a choice beside pooled counts"
    if people < ENOUGH_PEOPLE:
        return (
            f"{people} people ({by}): too few to conclude anything about others; even if it were better for each of "
            f"them, that could be chance (a sign test needs {ENOUGH_PEOPLE})."
        )
    assert gain.low is not None
    assert gain.high is not None
    interval = f"{by}, 95 % interval over people {gain.low:+.3f} to {gain.high:+.3f}"
    if gain.low <= 0 <= gain.high:
        return f"{people} people ({interval}): not shown to predict people better than how often each skill is chosen."
    comparison = "better" if gain.low > 0 else "worse"
    return f"{people} people ({interval}): it predicts people it has not seen {comparison}."


def clone_table(records: Sequence[dict[str, Any]]) -> str:
    """Returns the held-out likelihoods of all layouts as a Markdown table, then the conclusions."""
    headings = ("choices", "clone", "counts", "uniform", "switches", "expected by the clone")
    numbers = ("clone", "counts", "uniform", "switches", "predicted_switches")
    rows = []
    for record in records:
        for score in record["held_out"]:
            likelihoods = [f"{score[name]:.3f}" for name in numbers]
            rows.append([record["layout"], score["person"], str(score["choices"]), *likelihoods])
    table = to_markdown(table_of(("layout", "person held out"), headings, rows=rows))
    conclusions = [f"- {record['layout']}: {record['conclusion']}" for record in records]
    return "\n".join([table, "", *conclusions]) + "\n"
