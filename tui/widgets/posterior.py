"""The panels "posterior", on the partner's six roles, and "policy", on the skills and clusters of a learned agent."""

from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from bba import palette
from bba.agents import PolicyOutput, is_learned, unlocked
from bba.analysis import BeliefSnapshot, CookNames, Snapshot, names, recent_replan, roles_before
from bba.analysis.captions import SINCE_THE_CHOICE
from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, BeliefUpdate, likeliest
from bba.config import GateConfig
from bba.kitchen import constants
from bba.play.trace import EGO, PARTNER
from tui.widgets.panel import Panel, Part, bar, cook_style, cooks_on, counted, fitting, line

TRUE = "◆ "
NAME = 14
PERCENT = 7
TITLE_MARGIN = 6  # of the width: the colon, and what the border takes around a title
BOTH = 13  # cells of the belief of before and of now
NARROWEST = 31  # the least width of the panel in which there is room for both


class PosteriorPanel(Panel):
    """Six bars with the threshold Γ on the most likely role; below, confidence and u as judged and as they are now."""

    TITLE = "posterior"
    ABOUT = (
        "The posterior: how likely the partner plays each role, a guess from its actions. Standing still counts, too: "
        "who could work and does not is less likely to play that role. The most likely one (the MAP) is bold, │ on its "
        "bar is the threshold Γ, ◆ marks the true role. Below: how sure the belief was before the partner's last "
        "action, which the gate tests, → now, and for how many actions (u) the guess has been the same. Green: Γ and K "
        "are reached. For some steps after a replan each role's probability stands there twice: as it was before, or "
        "when the dropped skill was chosen, → now. Of a belief over who the partner is, the title says whether it "
        "adapts to what is needed, does not, or has habits of its own and knows no roles; the last line says how sure "
        "the belief is of that and of the work together, or what a partner with habits seldom and often does, beside "
        "others like it."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no belief."""
        state = snapshot.belief_state
        width = self.content_size.width
        room = width - TITLE_MARGIN
        cooks = cooks_on(self, snapshot.config)
        if state is not None and state.observer:
            return fitting(room, f"what an observer believes of {cooks.partner}", "posterior (observer)")
        full = f"what {cooks.ego} believes of {cooks.partner}"
        before = _before_and_now(snapshot) if _tested_belief(snapshot, width) else ""
        if state is None or state.belief.locked is None:
            forms = (f"{full}: {before}", f"{self.TITLE}: {before}") if before else (full, self.TITLE)
            return fitting(room, *forms)
        rule = _rule(state.belief, cooks)
        short = f"{cooks.partner} {rule}"
        long = f"{full}: {cooks.verb('you', 'it')} {rule}"
        if not before:
            return fitting(room, long, short)
        # The arrows in the lines say that the belief of before stands there, too.
        return fitting(room, f"{long}, {before}", f"{short}, {before}", short)

    def words_at(self, row: int) -> str:
        """Returns a line as it is shown; for the title, the term that it stands for, too."""
        words = super().words_at(row)
        return f"{self.TITLE}, {words}" if row < 0 else words

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields a line for each role, then one on what the gate judged and what is believed now."""
        state = snapshot.belief_state
        posterior = snapshot.posterior
        best = likeliest(posterior) if state else None
        tested = _tested_belief(snapshot, width)
        cells = max(1, width - len(TRUE) - NAME - (BOTH if tested else PERCENT))
        true_role = NO_ROLE
        if snapshot.tick and snapshot.truth:
            true_role = snapshot.tick.role(PARTNER)
        for role in range(len(ROLE_NAMES)):
            name = names.role_does(role).ljust(NAME)
            name_style = palette.DIM
            number_style = palette.TEXT
            threshold = None
            if state and role == best:
                name_style = f"bold {palette.TEXT}"
                number_style = f"bold {palette.TEXT}"
                threshold = state.settings.gamma_conf
            if tested:
                tested_number = f"{tested[role]:>5.0%} →"
                number = f"{posterior[role]:>6.0%}"
            else:
                tested_number = ""
                number = f"{posterior[role]:>{PERCENT}.1%}"
            mark = TRUE if role == true_role else "  "
            role_bar = bar(posterior[role], cells, palette.ROLE_COLOURS[role], threshold)
            yield line(
                (mark, palette.TEXT),
                (name, name_style),
                role_bar,
                (tested_number, palette.DIM),
                (number, number_style),
            )
        yield _habits(state, width) or _judged_and_now(state, width)


def _rule(belief: BeliefUpdate, cooks: CookNames) -> str:
    """Returns how the partner chooses, of a belief over that, and how likely it does."""
    locked = belief.locked or 0.0
    by_propensity = belief.by_propensity or 0.0
    rules = {
        cooks.verb("do not adapt", "does not adapt"): locked,
        cooks.verb("adapt", "adapts"): 1 - locked - by_propensity,
        cooks.verb("have habits", "has habits"): by_propensity,
    }
    likeliest_rule = max(rules, key=lambda rule: rules[rule])
    return f"{likeliest_rule} {rules[likeliest_rule]:.0%}"


def _tested_belief(snapshot: Snapshot, width: int) -> tuple[float, ...] | None:
    """Returns the belief that the last replan tested, over the six roles; None if it is long ago, or no room for it."""
    replan = recent_replan(snapshot) if width >= NARROWEST else None
    return roles_before(snapshot.trace, replan) if replan else None


def _before_and_now(snapshot: Snapshot) -> str:
    """Returns which two beliefs stand beside each other after a replan."""
    replan = recent_replan(snapshot)
    since_the_choice = replan is not None and replan.trigger in SINCE_THE_CHOICE
    return "at its choice → now" if since_the_choice else "before → now"


def _habits(state: BeliefSnapshot | None, width: int) -> Content | None:
    """Returns what a partner with habits of its own does seldom and often; None where none is known.

    Where both do not fit, it is what the partner leaves to the ego.
    """
    belief = None if state is None else state.belief
    if belief is None or not belief.seldom + belief.often:
        return None
    seldom = _listed("seldom", belief.seldom)
    often = _listed("often", belief.often)
    both = sorted((f"{one}; {other}" for one in seldom for other in often), key=len, reverse=True)
    return line((fitting(width, *both, *(seldom or often)), palette.DIM))


def _listed(how_often: str, skills: Sequence[int]) -> list[str]:
    """Returns how often skills are done, in words: all of them, then fewer."""
    words = [names.skill_doing(skill) for skill in skills]
    forms = [f"{how_often} {', '.join(words)}"] if words else []
    for shown in range(len(words) - 1, 0, -1):
        forms.append(f"{how_often} {', '.join(words[:shown])}, …")
    return forms


def _judged_and_now(state: BeliefSnapshot | None, width: int) -> Content:
    """Returns the confidence that the gate judged, the one of now, and u; in fewer words where it is narrow."""
    if state is None:
        return line(("nothing seen yet", palette.DIM))
    belief = state.belief
    settings = state.settings
    now = _confidence(settings, belief.confidence)
    updates = belief.stable_updates
    colour = palette.GOOD if updates >= settings.stability else palette.TEXT
    count: tuple[Part, ...] = ((", same guess for ", palette.DIM), (counted(updates, "action"), colour))
    limits: Part = (f" (sure from Γ {settings.gamma_conf:.0%}, {settings.stability}: K)", palette.DIM)
    if state.gate is None:
        return fitting(width, line(("now ", palette.DIM), now, *count), line(("now ", palette.DIM), now))
    before = _confidence(settings, belief.prior_confidence)
    if belief.locked is not None:  # a belief over roles and rules is less sure of both than of the role alone
        sure = line(now, (" sure of both together", palette.DIM))
        sure_before = line(sure, (" (", palette.DIM), before, (" before)", palette.DIM))
        return fitting(width, line(sure_before, *count), sure_before, sure)
    change: tuple[Part, ...] = (before, (" → ", palette.DIM), now)
    return fitting(width, line(*change, *count, limits), line(*change, *count), line(*change))


def _confidence(settings: GateConfig, share: float) -> Part:
    """Returns a confidence (a share, 0 to 1) in percent, green where it reaches Γ."""
    percent = names.number_against_limit(100 * share, 100 * settings.gamma_conf, 0)
    return f"{percent} %", palette.GOOD if share >= settings.gamma_conf else palette.TEXT


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
        (seat,) = seats
        name = snapshot.config.agents[seat]
        if seat == PARTNER:
            return f"{self.TITLE}: {name} (partner)"
        return f"{self.TITLE}: {name}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the lines of one learned agent, or of both in half the space each."""
        seats = learned(snapshot)
        rows = self.content_size.height or HEIGHT
        if not seats:
            yield line(("no learned agent here", palette.DIM))
            return
        if len(seats) == 1:
            yield from _cook(snapshot, seats[0], width, rows)
            return
        for seat in seats:
            number = line((f"{seat + 1} ", cook_style(seat)))
            cook_rows = max(1, (rows + PARTNER - seat) // 2)  # of an odd number the ego has one more
            for row in _cook(snapshot, seat, width - number.cell_length, cook_rows):
                yield number + row


def learned(snapshot: Snapshot) -> tuple[int, ...]:
    """Returns the seats of learned agents."""
    agents = snapshot.config.agents
    return tuple(seat for seat in (EGO, PARTNER) if is_learned(unlocked(agents[seat])))


def _cook(snapshot: Snapshot, seat: int, width: int, rows: int) -> Iterator[Content]:
    output = snapshot.tick.decisions[seat].policy if snapshot.tick else None
    if seat == PARTNER and not snapshot.truth:
        yield line(("its policy is hidden", palette.DIM))
    elif snapshot.tick is None or output is None:
        yield line(("has not chosen yet", palette.DIM))
    else:
        running = snapshot.tick.skills[seat]
        room = max(rows - LEAST_SKILLS, min(1, rows - 1))
        cluster_rows = min(len(output.clusters), room)
        yield from _choices(output, running, width, rows - cluster_rows)
        yield from _clusters(snapshot, seat, output.clusters, width, cluster_rows)


def _choices(output: PolicyOutput, running: int, width: int, rows: int) -> Iterator[Content]:
    """Yields the most likely skills, and the running one in any case."""
    if not output.probabilities:
        yield line((f"not its choice: {names.skill(running)}", palette.DIM))
        return
    probabilities = dict(enumerate(output.probabilities))
    possible = [skill for skill, probability in probabilities.items() if probability > 0]
    possible.sort(key=lambda skill: -probabilities[skill])
    skills = possible[:rows]
    if running not in skills:
        skills = [*skills[: rows - 1], running]
    longest_name = max(len(names.skill(skill)) for skill in skills)
    name_cells = min(longest_name, max(1, (width - PERCENT) * 3 // 5))
    bar_cells = max(1, width - len(CHOSEN_MARK) - name_cells - 1 - PERCENT)
    for skill in skills:
        is_running = skill == running
        style = f"bold {palette.TEXT}" if is_running else palette.DIM
        mark = CHOSEN_MARK if is_running else "  "
        name = line((names.skill(skill), style)).truncate(name_cells, ellipsis=True, pad=True)
        probability = probabilities[skill]
        skill_bar = bar(probability, bar_cells, _skill_colour(skill))
        yield line((mark, style), name + " ", skill_bar, (f"{probability:>{PERCENT}.1%}", style))


def _skill_colour(skill: int) -> str:
    role = NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]
    return palette.DIM if role == NO_ROLE else palette.ROLE_COLOURS[role]


def _clusters(snapshot: Snapshot, seat: int, weights: tuple[float, ...], width: int, rows: int) -> Iterator[Content]:
    likeliest_first = sorted(range(len(weights)), key=lambda cluster: -weights[cluster])
    cells = max(1, width - CLUSTER_LABEL - PERCENT)
    past_weights = _past_weights(snapshot, seat, cells)
    for place, cluster in enumerate(likeliest_first[:rows]):
        style = f"bold {palette.TEXT}" if place == 0 else palette.DIM
        label = f"  cluster {cluster + 1}".ljust(CLUSTER_LABEL)
        blocks = "".join(_block(past, cluster) for past in past_weights)
        weight = f"{weights[cluster]:>{PERCENT}.1%}"
        yield line((label, style), (blocks.rjust(cells), palette.COOK_COLOURS[seat]), (weight, style))


def _block(weights: tuple[float, ...], cluster: int) -> str:
    """Returns the block for the probability of a cluster; an empty one where it is not known."""
    weight = weights[cluster] if cluster < len(weights) else 0.0
    return BAR_BLOCKS[round(weight * (len(BAR_BLOCKS) - 1))]


def _past_weights(snapshot: Snapshot, seat: int, cells: int) -> list[tuple[float, ...]]:
    """Returns the probabilities of the clusters at every 20th step up to this one, oldest first, `cells` at most."""
    steps = list(range(STRIDE, snapshot.step, STRIDE))
    steps.append(snapshot.step)
    past_weights = []
    for step in steps[-cells:]:
        output = snapshot.trace.ticks[step - 1].decisions[seat].policy
        past_weights.append(output.clusters if output else ())
    return past_weights
