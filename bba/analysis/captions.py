"""A decision of the rollout planner in a sentence."""

from bba.analysis import names
from bba.analysis.call_log import LoggedComparison
from bba.analysis.snapshot import Snapshot
from bba.planner.rollout import Comparison, SkillValue
from bba.play.trace import EGO, Trace

LEAST_GAIN = 0.05  # points from which a difference is told


def last_comparison(trace: Trace, step: int, player: int = EGO) -> LoggedComparison | None:
    """Returns the last comparison of a player's planner up to a step; None if it has another planner, or none yet."""
    if trace.config_at(step).seats[player].rollout is None:
        return None
    comparisons = ((at, trace.ticks[at - 1].decisions[player].comparison) for at in range(step, 0, -1))
    return next((LoggedComparison(at, found) for at, found in comparisons if found is not None), None)


def ranked(comparison: Comparison) -> list[SkillValue]:
    """Returns the options: the chosen one, then the others by their gain, the highest first."""
    return sorted(comparison.options, key=lambda option: (option.skill != comparison.chosen, -option.gain))


def likeliest_partner_skills(comparison: Comparison, count: int) -> list[tuple[int, float]]:
    """Returns the partner's likeliest skills with the probabilities that the planner assumed; [] if it assumed none."""
    return sorted(enumerate(comparison.partner), key=lambda entry: -entry[1])[:count]


def captions(comparison: Comparison) -> tuple[str, str, str]:
    """Returns why the planner chose its skill and what it assumed of the partner: a sentence, and two shorter ones."""
    what = _reason(comparison)
    likeliest = likeliest_partner_skills(comparison, 1)
    if not likeliest:
        return f"{what}, with the network's guess of what the partner does", f"{what}, by the network's guess", what
    (skill, probability) = likeliest[0]
    assumed = f"{what}, if the partner is {names.skill_doing(skill)}"
    return f"{assumed}, which it believes at {probability:.2f}", f"{assumed} ({probability:.2f})", what


def caption_at(snapshot: Snapshot, width: int) -> str:
    """Returns the longest caption of the ego's last decision that fits; "" if there is no such decision."""
    logged = last_comparison(snapshot.trace, snapshot.step)
    if logged is None:
        return ""
    texts = captions(logged.comparison)
    return next((text for text in texts if len(text) <= width), texts[-1])


def _reason(comparison: Comparison) -> str:
    """Returns how the chosen skill compares with the default, or with the best other one if it is the default."""
    best, default = comparison.best, comparison.options[0]
    if best is not default:
        against = names.skill_doing(default.skill)
        if best.gain < LEAST_GAIN:
            return f"about as good as {against}, and likelier by the network"
        return f"{points(best.gain)} points better than {against}"
    others = ranked(comparison)[1:]
    if not others:
        return "no other skill comes into question"
    against, gain = names.skill_doing(others[0].skill), others[0].gain
    if gain >= LEAST_GAIN:
        return f"no skill is clearly better, {against} by {points(gain)} ± {points(others[0].error)}"
    return f"{points(-gain)} points better than {against}" if gain <= -LEAST_GAIN else f"as good as {against}"


def points(number: float) -> str:
    """Returns a number of points, with a decimal where it is small."""
    return f"{number:.0f}" if abs(number) >= 9.95 else f"{number:.1f}"
