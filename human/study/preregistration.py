"""The preregistration of a study: what is planned before there are data, as a text for a registry."""

from hashlib import sha256

from bba import __version__
from bba.analysis.measures import EPISODE_MEASURES
from human.study import Study
from human.study.tables import limits_of

PREREGISTRATION_FILE = "preregistration.txt"
NOT_SAID = "not said in the study's file"


def preregistered(study: Study) -> dict[str, str]:
    """Returns the sections of a study's preregistration, each title with its text."""
    earlier_form = {name for name in ("pages", "scores") if not getattr(study, name)}  # earlier studies had none
    stopping_rule = "none"
    if study.complete is not None:
        stopping_rule = f"after {study.complete} complete participants"
    study_digest = _digest(study.model_dump_json(exclude=earlier_form))
    return {
        "hypotheses": "\n".join(study.analysis.hypotheses) or NOT_SAID,
        "conditions": _conditions(study),
        "orders": f"{study.order}; seeds from {study.seed}, one for each {study.seeds}",
        "procedure": _procedure(study),
        "measures": _measures(study),
        "exclusions": _exclusions(study),
        "stopping rule": stopping_rule,
        "analysis": _analysis(study),
        "digests": f"study {study_digest}\nprogram bba-tui {__version__}",
    }


def unsaid(study: Study) -> list[str]:
    """Returns the keys of `[analysis]` for what a preregistration of the study does not say."""
    keys = []
    if not study.analysis.hypotheses:
        keys.append("hypotheses")
    if study.analysis.smallest_effect is None:
        keys.append("smallest-effect")
    return keys


def _conditions(study: Study) -> str:
    lines = []
    for factor, levels in study.levels._asdict().items():
        level_names = ", ".join(str(level) for level in levels)
        lines.append(f"{factor}: {level_names}")
    between = ", ".join(study.between) or "nothing"
    lines.append(f"between participants: {between}")
    groups = []
    for number in range(len(study.groups)):
        name = study.group_name(number)
        groups.append(name or "all participants")
    group_names = "; ".join(groups)
    lines.append(f"groups: {group_names}")
    return "\n".join(lines)


def _procedure(study: Study) -> str:
    pace = "turn by turn"
    if not study.turns:
        pace = f"{study.speed:g} a second"
    tutorial = "yes" if study.tutorial else "no"
    consent_version = study.consent_version or "none"
    consent_digest = _digest(study.consent)
    lines = [f"games of {study.horizon} steps, {pace}"]
    lines.append(f"people: {study.people}; tutorial: {tutorial}")
    lines.append(f"consent: version {consent_version}, SHA-256 {consent_digest}")
    for page in study.pages:
        digest = _digest(page.text)
        lines.append(f"page {page.name} ({page.when}): SHA-256 {digest}")
    return "\n".join(lines)


def _measures(study: Study) -> str:
    meanings = {name: measure.meaning for name, measure in EPISODE_MEASURES.items()}
    lines = []
    for question in study.questions:
        meanings[question.name] = question.text
        lines.append(f"{question.name} ({question.when}, {question.type}): {question.text}")
    for score in study.scores:
        meanings[score.name] = score.text
        lines.append(f"{score.name}: {score.meaning}")
    outcome = study.analysis.outcome
    primary = f"primary: {outcome}, {meanings[outcome]}"
    return "\n".join([primary, *lines])


def _exclusions(study: Study) -> str:
    rule = study.practice
    lines = ["by hand, with a reason; games that are not whole do not count"]
    for name, limit in limits_of(study.exclude).items():
        lines.append(f"{name}: {limit:g}")
    if rule is None or rule.otherwise == "go-on":
        lines.append("none by practice")
    else:
        lines.append(f"practice: {rule.stages} stages and all questions, in {rule.tries} tries")
    return "\n".join(lines)


def _analysis(study: Study) -> str:
    analysis = study.analysis
    smallest_effect = NOT_SAID
    if analysis.smallest_effect is not None:
        smallest_effect = f"{analysis.smallest_effect:g} standard deviations"
    agents = analysis.compare or study.agents[:2]
    compared_agents = " and ".join(agents)
    lines = [f"{analysis.test} t test, two-sided, alpha {analysis.alpha:g}, power {analysis.power:g}"]
    lines.append(f"compared: {compared_agents}")
    lines.append(f"smallest effect of interest: {smallest_effect}")
    return "\n".join(lines)


def preregistration(study: Study) -> str:
    """Returns the text for a registry; put into the study's folder as `preregistration.txt`, the report checks it."""
    sections = [f"# {study.title}\n"]
    for title, text in preregistered(study).items():
        sections.append(f"## {title}\n\n{text}\n")
    return "\n".join(sections)


def moved(text: str, study: Study) -> list[str]:
    """Returns the titles of the sections of a preregistration that are no longer those of the study."""
    registered = {}
    for section in text.replace("\r\n", "\n").split("\n## ")[1:]:
        title, _, content = section.partition("\n")
        registered[title.strip()] = content.strip()
    titles = []
    for title, content in preregistered(study).items():
        if registered.get(title) != content.strip():
            titles.append(title)
    return titles


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
