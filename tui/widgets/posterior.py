"""The panels "posterior", on the partner's six roles, and "policy", on the skills and clusters of a learned agent."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.agents import PolicyOutput, is_learned, unlocked
from bba.analysis import BeliefSnapshot, Snapshot, names, recent_replan, roles_before
from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, RULES, likeliest
from bba.config import GateConfig
from bba.kitchen import constants
from bba.play.trace import EGO, PARTNER
from tui.widgets.panel import Panel, Part, bar, fitting, line

TRUE = "◆ "
NAME = 14
PERCENT = 7
TITLE_MARGIN = 6  # of the width: the colon, and what the border takes around a title
# width of "before → now", and the least width of the panel in which there is room for it
BOTH = 13
NARROWEST = 31


class PosteriorPanel(Panel):
    """Six bars with the threshold Γ on the most likely role; below, confidence and u as judged and as they are now."""

    TITLE = "posterior"
    ABOUT = (
        "How likely the partner plays each role: a guess from its actions. Standing still counts, too: who could work "
        "and does not is less likely to play that role. The most likely one is bold, │ on its bar is the threshold Γ, "
        "◆ marks the true role. Below: judged is the belief before the partner's last action, which the gate tests; "
        "now is the belief after it, as the bars show it. Green: confidence has reached Γ, u has reached K. For some "
        "steps after a replan each role's probability stands there twice: as it was when that was tested → now. "
        "Of a belief over who the partner is, the title says by which rule it keeps to its role: adapts, or locked."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no belief."""
        if snapshot.belief_state and snapshot.belief_state.observer:
            return "posterior (observer)"
        width = self.content_size.width
        locked = snapshot.belief_state.belief.locked if snapshot.belief_state else None
        rule = "" if locked is None else f"{RULES[locked >= 0.5]} {max(locked, 1 - locked):.0%}"
        two = "before → now" if _before(snapshot, width) else ""
        title = ", ".join(part for part in (two, rule) if part)
        if len(title) > width - len(self.TITLE) - TITLE_MARGIN:
            title = rule or two  # that the belief of before stands there, too, its arrows say
        return f"{self.TITLE}: {title}" if title else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields a line for each role, then one on what the gate judged and what is believed now."""
        posterior = snapshot.posterior
        best = likeliest(posterior) if snapshot.belief_state else None
        gamma = snapshot.belief_state.settings.gamma_conf if snapshot.belief_state else None
        before = _before(snapshot, width)
        room = max(1, width - len(TRUE) - NAME - (BOTH if before else PERCENT))
        true_role = snapshot.tick.role(PARTNER) if snapshot.tick and snapshot.truth else NO_ROLE
        for role in range(len(ROLE_NAMES)):
            bold = "bold " if role == best else ""
            yield line(
                (TRUE if role == true_role else "  ", palette.TEXT),
                (names.role(role).ljust(NAME), bold + (palette.TEXT if role == best else palette.DIM)),
                bar(posterior[role], room, palette.ROLE_COLOURS[role], gamma if role == best else None),
                (f"{before[role]:>5.0%} →" if before else "", palette.DIM),
                (f"{posterior[role]:>{6 if before else PERCENT}.{0 if before else 1}%}", bold + palette.TEXT),
            )
        yield _judged_and_now(snapshot.belief_state, width)


def _before(snapshot: Snapshot, width: int) -> tuple[float, ...] | None:
    """Returns the belief that the last replan tested, over the six roles; None if it is long ago, or no room for it."""
    replan = recent_replan(snapshot) if width >= NARROWEST else None
    return roles_before(snapshot.trace, replan) if replan else None


def _judged_and_now(state: BeliefSnapshot | None, width: int) -> Content:
    """Returns confidence and u as the gate judged them, then as they are now; in fewer words where it is narrow."""
    if state is None:
        return line(("nothing seen yet", palette.DIM))
    belief = state.belief
    settings = state.settings
    full, named, numbers, short = _readings(settings, belief.confidence, belief.commitment)
    if state.gate is None:
        return line(("now ", palette.DIM), *full)
    judged, _, in_numbers, in_short = _readings(settings, belief.prior_confidence, belief.prior_commitment)
    forms = ((judged, named), (judged, numbers), (in_numbers, numbers), (in_short, short))
    lines = [line(("judged ", palette.DIM), *before, (" → now ", palette.DIM), *after) for before, after in forms]
    return fitting(width, *lines)


def _readings(settings: GateConfig, share: float, commitment: int) -> tuple[tuple[Part, ...], ...]:
    """Returns confidence and u, green where they reach the thresholds, in four forms, each shorter than the one before.

    They stand beside their thresholds, beside these by name, without them, and the confidence without u.
    """
    gamma = settings.gamma_conf
    stability = settings.stability
    confidence = (names.beside(share, gamma), palette.GOOD if share >= gamma else palette.TEXT)
    updates = (str(commitment), palette.GOOD if commitment >= stability else palette.TEXT)
    sure = "≥" if share >= gamma else "<"
    steady = "≥" if commitment >= stability else "<"
    thresholds = ((f" {gamma:g}", f" {stability}"), ("", ""))
    compared = [
        (confidence, (f" {sure} Γ{at}, u ", palette.DIM), updates, (f" {steady} K{least}", palette.DIM))
        for at, least in thresholds
    ]
    return *compared, (confidence, (", u ", palette.DIM), updates), (confidence,)


CHOSEN_MARK = "▸ "
HEIGHT = 5  # lines of the panel before it is laid out
LEAST_SKILLS = 2  # lines of skills that the clusters leave at least
CLUSTER_LABEL = 12  # cells of a cluster's name
BAR_BLOCKS = " ▁▂▃▄▅▆▇█"
STRIDE = 20  # steps between two blocks


class PolicyPanel(Panel):
    """For each learned agent its most likely skills and its choice; for talents also its clusters over time."""

    TITLE = "policy"
    ABOUT = (
        "A learned agent: the probability of each skill when it chose the running one, marked ▸. Talents also has a "
        "probability for each cluster of partners, the highest first, with a block for every 20 steps of the past. The "
        "panel takes the place of the planner's."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the agent where only one has learned."""
        seats = learned(snapshot)
        if len(seats) != 1:
            return self.TITLE
        name = snapshot.config.agents[seats[0]]
        return f"{self.TITLE}: {name} (partner)" if seats[0] == PARTNER else f"{self.TITLE}: {name}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the lines of one learned agent, or of both in half the space each."""
        seats = learned(snapshot)
        rows = self.content_size.height or HEIGHT
        if not seats:
            yield line(("no learned agent here", palette.DIM))
        elif len(seats) == 1:
            yield from _cook(snapshot, seats[0], width, rows)
        else:
            for seat in seats:
                number = line((f"{seat + 1} ", f"bold {palette.COOK_COLOURS[seat]}"))
                for row in _cook(snapshot, seat, width - number.cell_length, max(1, (rows + PARTNER - seat) // 2)):
                    yield number + row


def learned(snapshot: Snapshot) -> tuple[int, ...]:
    """Returns the seats of learned agents."""
    return tuple(seat for seat in (EGO, PARTNER) if is_learned(unlocked(snapshot.config.agents[seat])))


def _cook(snapshot: Snapshot, seat: int, width: int, rows: int) -> Iterator[Content]:
    output = snapshot.tick.decisions[seat].policy if snapshot.tick else None
    if seat == PARTNER and not snapshot.truth:
        yield line(("its policy is hidden", palette.DIM))
    elif snapshot.tick is None or output is None:
        yield line(("has not chosen yet", palette.DIM))
    else:
        clusters = min(len(output.clusters), max(rows - LEAST_SKILLS, min(1, rows - 1)))
        yield from _choices(output, snapshot.tick.skills[seat], width, rows - clusters)
        yield from _clusters(snapshot, seat, output.clusters, width, clusters)


def _choices(output: PolicyOutput, running: int, width: int, rows: int) -> Iterator[Content]:
    """Yields the most likely skills, and the running one in any case."""
    if not output.probabilities:
        yield line((f"not its choice: {names.skill(running)}", palette.DIM))
        return
    probabilities = dict(enumerate(output.probabilities))
    ranked = sorted(
        (skill for skill in probabilities if probabilities[skill] > 0), key=lambda skill: -probabilities[skill]
    )
    shown = ranked[:rows]
    if running not in shown:
        shown = [*shown[: rows - 1], running]
    name = min(max(len(names.skill(skill)) for skill in shown), max(1, (width - PERCENT) * 3 // 5))
    for skill in shown:
        style = f"bold {palette.TEXT}" if skill == running else palette.DIM
        yield line(
            (CHOSEN_MARK if skill == running else "  ", style),
            line((names.skill(skill), style)).truncate(name, ellipsis=True, pad=True) + " ",
            bar(probabilities[skill], max(1, width - len(CHOSEN_MARK) - name - 1 - PERCENT), _colour(skill)),
            (f"{probabilities[skill]:>{PERCENT}.1%}", style),
        )


def _colour(skill: int) -> str:
    role = NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]
    return palette.DIM if role == NO_ROLE else palette.ROLE_COLOURS[role]


def _clusters(snapshot: Snapshot, seat: int, weights: tuple[float, ...], width: int, rows: int) -> Iterator[Content]:
    ranked = sorted(range(len(weights)), key=lambda cluster: -weights[cluster])
    past = _past(snapshot, seat, max(1, width - CLUSTER_LABEL - PERCENT))
    for place, cluster in enumerate(ranked[:rows]):
        style = f"bold {palette.TEXT}" if place == 0 else palette.DIM
        known = (shares[cluster] if cluster < len(shares) else 0.0 for shares in past)
        blocks = "".join(BAR_BLOCKS[round(share * (len(BAR_BLOCKS) - 1))] for share in known)
        yield line(
            (f"  cluster {cluster + 1}".ljust(CLUSTER_LABEL), style),
            (blocks.rjust(max(1, width - CLUSTER_LABEL - PERCENT)), palette.COOK_COLOURS[seat]),
            (f"{weights[cluster]:>{PERCENT}.1%}", style),
        )


def _past(snapshot: Snapshot, seat: int, cells: int) -> list[tuple[float, ...]]:
    """Returns the probabilities of the clusters at every 20th step up to this one, oldest first, `cells` at most."""
    steps = [*range(STRIDE, snapshot.step, STRIDE), snapshot.step][-cells:]
    outputs = (snapshot.trace.ticks[step - 1].decisions[seat].policy for step in steps)
    return [output.clusters if output else () for output in outputs]
