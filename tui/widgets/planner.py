"""The panel "planner": how often the ego's model was asked, what that cost, its last answer, and what it is doing now.

Of the rollout planner the panel shows the last comparison of skills.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from textual.content import Content

from bba import palette
from bba.agents.learned.weights import planning_networks
from bba.analysis import (
    CallLog,
    CallTotals,
    Snapshot,
    StepsWhere,
    last_comparison,
    likeliest_partner_skills,
    names,
    points,
    ranked,
)
from bba.kitchen import Position, constants
from bba.planner import (
    Comparison,
    LLMCall,
    QuestionProgress,
    SkillValue,
    Usage,
    entropy,
    likeliest_path,
    scores_of,
    total_usage,
)
from bba.play import EGO, PARTNER, Trace
from tui.widgets.panel import Panel, counted, fitting, line, spread

UNSPENT = "—"  # where nothing is known because nothing is spent
WAITS = {True: ", the world waits", False: ", real time", None: ""}  # by `Game.world_waits`


def longest(progress: Iterable[QuestionProgress | None]) -> QuestionProgress | None:
    """Returns the decision that has been under way for longest; None if there is none."""
    questions = [question for question in progress if question is not None]
    return max(questions, key=lambda question: question.seconds, default=None)


def waiting(progress: QuestionProgress) -> str:
    """Returns what the game waits for, since when, and which attempt it is if others have failed."""
    retry = progress.retry
    silence = int(progress.silence)
    if retry is not None:
        problem = "no answer" if retry.reached else "no connection"
        return f"{problem} for {silence} s, attempt {retry.number} of {retry.most}"
    seconds = int(progress.seconds)
    if progress.doing is not None:
        return f"the model is {progress.doing}, {seconds} s"
    return f"no answer for {silence} s" if silence > seconds else f"waiting for the model {seconds} s"


def thinking(progress: QuestionProgress) -> str:
    """Returns that a cook thinks while the game goes on, or what keeps it from that."""
    if progress.retry is not None:
        return waiting(progress)
    return f"thinking {int(progress.seconds)} s"


def money(usage: Usage | None) -> str:
    """Returns what answers have cost in US dollars: ~ where tokens are estimated, and unknown without a price."""
    if usage is None:
        return UNSPENT
    if usage.cost is None:
        return "unknown" if usage.prompt_tokens else "$0"  # stored answers have no tokens and cost nothing
    dollars = f"{usage.cost:.2f}" if usage.cost >= 1 else f"{usage.cost:.3g}"
    return f"~${dollars}" if usage.estimated else f"${dollars}"


class GameCost:
    """What the language models of both cooks have cost in a game, step by step."""

    def __init__(self) -> None:
        self._logs: tuple[CallLog, CallLog] | None = None

    def words(self, snapshot: Snapshot) -> str:
        """Returns the cost until this step for a title line; "" where no language model has been asked."""
        trace = snapshot.trace
        if self._logs is None or self._logs[0].trace is not trace:
            self._logs = CallLog(trace, EGO), CallLog(trace, PARTNER)
        for log in self._logs:
            log.extend()
        usage = total_usage(log.totals(snapshot.step).usage for log in self._logs)
        return "" if usage is None else f", cost {money(usage)}"


CHOSEN = "▸ "
SHOWN_VALUES = 3  # of the partner's skills
WIDE_CELLS = 34  # cells from which there is room for the step and for a skill's gain


def weighed(step: int, comparison: Comparison, width: int) -> Iterator[Content]:
    """Yields how many futures were played for a step, what was assumed of the partner, and a line for each skill."""
    step_text = f" step {step}" if width >= WIDE_CELLS else ""
    yield spread(_effort(comparison), line((step_text, palette.DIM)), width)
    yield _assumed(comparison, width)
    for option in ranked(comparison):
        yield _option(option, comparison, width)


def _effort(comparison: Comparison) -> Content:
    """Returns the number of futures, and the time if it is known: a recording does not hold it."""
    number = comparison.futures * len(comparison.options)
    futures = line((f"{number} futures", palette.TEXT))
    if not comparison.seconds:
        return futures
    milliseconds = 1000 * comparison.seconds
    return futures + line((f" in {milliseconds:.1f} ms", palette.DIM))


def _assumed(comparison: Comparison, width: int) -> Content:
    """Returns as many of the partner's likeliest skills as there is room for, one at least."""
    label = line(("partner: ", palette.DIM))
    if not comparison.partner:
        return label + line(("the network's guess", palette.TEXT))
    skills = likeliest_partner_skills(comparison, SHOWN_VALUES)
    texts = [f"{names.skill(skill)} {probability:.2f}" for skill, probability in skills]
    return label + _first_texts(texts, width - label.cell_length)


def _first_texts(texts: Sequence[str], room: int) -> str:
    """Returns as many of the texts as fit into `room` cells, with commas between them; the first one at least."""
    forms = [", ".join(texts[:count]) for count in range(len(texts), 0, -1)]
    return fitting(room, *forms)


def _option(option: SkillValue, comparison: Comparison, width: int) -> Content:
    """Returns a skill's name, its value and standard error, and between them its gain where there is room."""
    chosen = option.skill == comparison.chosen
    colour = palette.GOOD if chosen else palette.TEXT
    mark = CHOSEN if chosen else " " * len(CHOSEN)
    name = line((mark, colour), (names.skill(option.skill), colour))
    if option is comparison.options[0]:  # the default, with which the others are compared
        gain = ""
        error = ""
    else:
        sign = "+" if option.gain >= 0 else "−"
        gain = f"{sign}{points(abs(option.gain))}"
        error = f"±{points(option.error)}"
    numbers = f" {option.value:.0f}"
    if width >= WIDE_CELLS:
        numbers += f" {gain:>5}"
    numbers += f" {error:>5}"
    numbers_colour = palette.TEXT if chosen else palette.DIM
    return spread(name, line((numbers, numbers_colour)), width)


def ghost_path(snapshot: Snapshot, weights: Path | None = None) -> tuple[Position, ...]:
    """Returns the tiles that the ego passes in the likeliest future, in order, each once, without its own tile.

    The partner begins with the skill that the planner found likeliest when it decided at last. The future is as long as
    the planner's. An ego without a rollout planner has none.

    Args:
        snapshot: the game and the step.
        weights: a folder with the planner's networks; None for the shipped ones.

    Raises:
        BBAError: there are no networks for this kitchen.
    """
    config = snapshot.config
    options = config.seats[EGO].rollout
    if options is None:
        return ()
    running = constants.NO_SKILL, 0
    if snapshot.tick is not None and snapshot.routes[EGO] is not None:  # else the ego has to choose a skill
        running = snapshot.tick.skills[EGO], snapshot.tick.ages[EGO] + 1
    tiles = likeliest_path(
        planning_networks(config.layout, weights),
        snapshot.trace.state(snapshot.step),
        EGO,
        running,
        _likeliest_partner_skill(snapshot),
        steps=options.future_steps,
        timeout=config.skill_timeout,
    )
    _, *passed_tiles = dict.fromkeys(tiles)
    width = config.layout.width
    return tuple((tile % width, tile // width) for tile in passed_tiles)


def _likeliest_partner_skill(snapshot: Snapshot) -> int:
    """Returns the partner's likeliest skill at the planner's last decision; NO_SKILL where there is none."""
    last_decision = last_comparison(snapshot.trace, snapshot.step)
    if last_decision is None:
        return constants.NO_SKILL
    skills = likeliest_partner_skills(last_decision.call, 1)
    if not skills:
        return constants.NO_SKILL
    likeliest, _ = skills[0]
    return likeliest


class PlannerPanel(Panel):
    """Calls, re-asks and fallbacks, the last answer's belief, intention and plan, tokens, cost and latency."""

    TITLE = "planner"
    ABOUT = (
        "The ego's planner: how often it was asked, how many answers were sent back or could not be used, what it "
        "last said about the partner, expects and plans, of --answer scores how undecided it was (bits of entropy) and "
        "the likeliest skills, tokens, cost (~: estimated; unknown: the model has no "
        "price), and how long an answer took. Of the rollout planner: how many futures it played, what it assumed "
        "that the partner is doing, and the points that it expects of each skill, ± the standard error of the "
        "difference to the skill that all are compared with; ▸ is the one it chose. "
        "The panel stands in the place of another where not all have room; the key that shows the whole prompt shows "
        "the answer too."
    )

    _call_log: CallLog | None = None

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title, with the planner's name if there is one."""
        name = snapshot.config.seats[EGO].planner
        return f"{self.TITLE}: {name}" if name else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields five lines, with scores six; two for an ego without a planner.

        For the rollout planner they are two and one for each skill.
        """
        compared = last_comparison(snapshot.trace, snapshot.step)
        if compared is not None:
            yield from weighed(*compared, width)
            return
        if self._call_log is None or self._call_log.trace is not snapshot.trace:
            self._call_log = CallLog(snapshot.trace, EGO)
        call_log = self._call_log
        call_log.extend()
        totals = call_log.totals(snapshot.step)
        last = call_log.last_plan(snapshot.step)
        if last is None:
            planner = snapshot.config.seats[EGO].planner
            note = snapshot.tick.decisions[EGO].note if snapshot.tick else ""
            yield line(("not asked yet" if planner else "no planner", palette.DIM))
            yield line((note, palette.DIM))
            return
        yield _counts(totals, width)
        yield _belief(last)
        yield _plans(last, width)
        yield from _scores(last, width)
        yield _cost(totals.usage, width)
        yield _latency(totals, last.usage)


def _fell_back(trace: Trace, step: int) -> bool:
    plan = trace.ticks[step - 1].decisions[EGO].plan
    return plan is not None and plan.fallback


_LOST = StepsWhere(_fell_back)


def lost_decisions(snapshot: Snapshot) -> str:
    """Returns how many decisions of the ego had no usable answer so far, for a title line; "" for none."""
    lost = _LOST.count(snapshot.trace, snapshot.step)
    return f", {lost} unusable" if lost else ""


def _counts(totals: CallTotals, width: int) -> Content:
    retries = totals.retries
    lost = totals.lost
    calls = (counted(totals.calls, "call"), palette.TEXT)
    retry_colour = palette.WARN if retries else palette.DIM
    lost_colour = palette.BAD if lost else palette.DIM
    full = line(calls, (f", {retries} re-asked", retry_colour), (f", {lost} unusable", lost_colour))
    short = line(calls, (f", {retries} again", retry_colour), (f", {lost} lost", lost_colour))
    return fitting(width, full, short)


def _belief(plan: LLMCall) -> Content:
    """Returns what the answer says about the partner, or that no answer could be used."""
    if plan.fallback:
        return line(("fell back: ", palette.BAD), plan.problem or "no usable answer")
    if not plan.belief_text:
        return line(("says nothing about the partner", palette.DIM))
    return line(("says: ", palette.DIM), (plan.belief_text, f"italic {palette.TEXT}"))


def _plans(plan: LLMCall, width: int) -> Content:
    """Returns the skill that the answer expects of the partner and, if there is space, the one that it chose."""
    plans = line(("plans: ", palette.DIM), names.skill(plan.skill))
    if plan.intention is None:
        return plans
    expects = line(("expects: ", palette.DIM), names.skill(plan.intention))
    return fitting(width, expects + "  " + plans, expects)


def _scores(plan: LLMCall, width: int) -> Iterator[Content]:
    """Yields the likeliest skills with their probabilities, as many as there is room for, if the answer has scores."""
    scores = scores_of(plan.response)
    if scores is None:
        return
    likeliest_first = sorted(scores, key=scores.__getitem__, reverse=True)
    best = likeliest_first[:SHOWN_VALUES]
    texts = [f"{names.skill(skill)} {scores[skill]:.2f}" for skill in best]
    label = line((f"{entropy(scores):.1f} bits: ", palette.DIM))
    yield label + _first_texts(texts, width - label.cell_length)


def _cost(usage: Usage | None, width: int) -> Content:
    if usage is None:
        return line(("tokens ", palette.DIM), UNSPENT, ("  cost ", palette.DIM), UNSPENT)
    sign = "~" if usage.estimated else ""  # where the endpoint does not report its tokens
    tokens = f"{thousands(usage.prompt_tokens)} in, {thousands(usage.completion_tokens)} out"
    cost = money(usage)
    full = line(("tokens ", palette.DIM), f"{sign}{tokens}", ("  cost ", palette.DIM), cost)
    short = line(f"{tokens} ", cost)
    return fitting(width, full, short)


def _latency(totals: CallTotals, last: Usage | None) -> Content:
    if totals.usage is None or last is None:
        return line(("latency ", palette.DIM), UNSPENT)
    mean_seconds = totals.usage.seconds / totals.calls
    latency = f"{last.seconds:.1f} s"
    mean = f"{mean_seconds:.1f} s"
    return line(("latency ", palette.DIM), latency, (", mean ", palette.DIM), mean)


def thousands(number: int) -> str:
    """Returns a count in five cells at most: 812, 12.3k, 4.1M."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f}M"
    if number >= 1_000:
        return f"{number / 1_000:.1f}k"
    return str(number)
