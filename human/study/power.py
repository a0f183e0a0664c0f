"""The power of a study: how many participants its planned analysis takes.

Power is that of a t test of one condition against another, two-sided, exact under normality (Cohen, 1988; Chow et al.,
2017). With test "paired" each participant counts once, with the difference of two means, and the effect is in standard
deviations of these differences. With "mixed" each game counts, in a linear model with a random intercept for each
participant in a balanced design, and the effect is in standard deviations within participants. With "independent" each
participant meets one condition, and the effect is in standard deviations between participants.
"""

import math
from bisect import bisect_left
from statistics import fmean, variance

from bba.errors import BBAError
from human.study import ANSWER_FIELDS, Analysis, Study, StudyFolder
from human.study.report_outcomes import distinct, each_participant, paired_differences
from human.study.tables import Tables, rows_where, tables_of, whole_games, without_excluded

MOST_PARTICIPANTS = 100_000
CURVE = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)  # of the participants that are needed


def power_of(analysis: Analysis, effect: float, participants: int, games: int = 1) -> float:
    """Returns the power of the planned test, 0 to 1.

    Args:
        analysis: the test and its level.
        effect: in standard deviations (see above), above 0.
        participants: all of them, of both conditions together.
        games: of one participant in each condition; they count with test "mixed" only.

    Raises:
        BBAError: SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError:
        raise BBAError("study power: needs SciPy: pip install 'bba-tui[report]'") from None
    match analysis.test:
        case "paired":
            shift = effect * math.sqrt(participants)
            freedom = participants - 1
        case "mixed":
            shift = effect * math.sqrt(participants * games / 2)
            freedom = 2 * participants * games - participants - 1
        case "independent":
            shift = effect * math.sqrt(participants) / 2
            freedom = participants - 2
    if freedom < 1:
        return 0.0
    limit = stats.t.ppf(1 - analysis.alpha / 2, freedom)
    above = stats.nct.sf(limit, freedom, shift)
    below = stats.nct.cdf(-limit, freedom, shift)
    return float(above + below)


def participants_for(analysis: Analysis, effect: float, games: int = 1) -> int:
    """Returns the fewest participants with whom the planned test has the wanted power.

    Raises:
        BBAError: more than 100,000 would be needed, or SciPy is not installed.
    """
    few = 1
    enough = 2
    while power_of(analysis, effect, enough, games) < analysis.power:
        few = enough
        enough *= 2
        if enough > MOST_PARTICIPANTS:
            raise BBAError(f"--effect: {effect:g} would take more than {MOST_PARTICIPANTS:,} participants")

    def power(size: int) -> float:
        return power_of(analysis, effect, size, games)

    return bisect_left(range(enough), analysis.power, few, key=power)


def power_in_words(study: Study, effect: float | None, pilot: StudyFolder | None = None) -> str:
    """Returns how many participants an effect takes, the curve around it, and what the effect is in the pilot's units.

    Args:
        study: the study.
        effect: in standard deviations; None for the smallest one of interest that the study declares.
        pilot: the folder of a pilot, or of simulated participants.

    Raises:
        BBAError: no effect is named, the pilot has too few data, or as `participants_for`.
    """
    analysis = study.analysis
    if effect is None:
        effect = analysis.smallest_effect
    if effect is None:
        raise BBAError("--effect: missing, and the study declares no smallest-effect in [analysis]")
    first, second = compared(study)
    group = study.groups[0]
    games = group.games // len(group.agents)
    needed = participants_for(analysis, effect, games)
    lines = [f"{study.name}: {analysis.outcome}, {second} against {first}, {analysis.test} t test"]
    lines.append(
        f"an effect of {effect:g} standard deviations at alpha {analysis.alpha:g} takes {needed} participants"
        f" for a power of {analysis.power:g}"
    )
    if study.complete is not None and study.complete != needed:
        power = power_of(analysis, effect, max(3, study.complete), games)
        lines.append(f"the study ends after {study.complete} complete participants: a power of {power:.3f}")
    if pilot is not None:
        in_units = _in_units(analysis, effect, pilot, first, second)
        lines.append(f"pilot: {in_units}")
    lines.append("participants  power")
    sizes = set()
    for share in CURVE:
        size = round(share * needed)
        sizes.add(max(3, size))
    for size in sorted(sizes):
        power = power_of(analysis, effect, size, games)
        lines.append(f"{size:12}  {power:.3f}")
    return "\n".join(lines)


def compared(study: Study) -> tuple[str, str]:
    """Returns the two agents that the analysis compares: those that it names, or the study's first two.

    Raises:
        BBAError: the study has one agent only.
    """
    agents = study.analysis.compare or study.agents[:2]
    if len(agents) < 2:
        raise BBAError(f"{study.name}: has one agent, so that there is nothing to compare")
    return agents[0], agents[1]


def values_of(study: Study, tables: Tables, agent: str) -> dict[str, float]:
    """Returns each participant's mean of the declared outcome beside an agent; of whole games, or of answers."""
    counted = without_excluded(tables)
    outcome = study.analysis.outcome
    for question in study.questions:
        if question.name == outcome:
            answers = rows_where(counted["answers"], question=outcome, agent=agent)
            return each_participant(answers, ANSWER_FIELDS[question.type])
    games = rows_where(whole_games(counted["games"]), agent=agent)
    return each_participant(games, outcome)


def _in_units(analysis: Analysis, effect: float, pilot: StudyFolder, first: str, second: str) -> str:
    tables = tables_of(pilot)
    first_values = values_of(pilot.study, tables, first)
    second_values = values_of(pilot.study, tables, second)
    if analysis.test == "independent":
        samples = [first_values, second_values]
    else:
        samples = [paired_differences(second_values, first_values)]
    sizes = [len(sample) for sample in samples]
    if min(sizes) < 2:
        agents = ", ".join(distinct(tables["games"], "agent")) or "none"
        raise BBAError(f"{pilot.path}: fewer than two participants to compare {second} with {first}; agents: {agents}")
    variances = [variance(sample.values()) for sample in samples]
    spread = math.sqrt(fmean(variances))
    if analysis.test == "mixed":  # of one game; each participant's difference has the variance of two
        games_beside_an_agent = pilot.study.groups[0].games / len(pilot.study.agents)
        spread *= math.sqrt(games_beside_an_agent / 2)
    difference = fmean(second_values.values()) - fmean(first_values.values())
    participants = sizes[0]
    effect_in_units = effect * spread
    return (
        f"{second} − {first} is {difference:+.4g}, standard deviation {spread:.4g} over {participants}"
        f" participants; an effect of {effect:g} is {effect_in_units:.4g}"
    )
