"""Prompts for a language model, filled from checked templates: system prompts, belief, flags, scene, side queries."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Self

from bba.config import PromptLayout
from bba.errors import BBAError
from bba.files import data_dir
from bba.planner.chat import QueryKind
from bba.planner.scene_text import NUMBERED_SKILLS, BeliefView, PlannerInput, hazards, scene_values

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)


class Template:
    """A text with placeholders. Other braces are plain text.

    Args:
        text: the template.
        placeholders: the names that it must use, each at least once.
        source: the file that messages name.
        first_line: the line of the file at which the text starts.
        optional: the names that it may use besides.

    Raises:
        BBAError: a placeholder is unknown or missing; the message names file, line and placeholder.
    """

    def __init__(
        self,
        text: str,
        placeholders: frozenset[str] = frozenset(),
        source: str = "template",
        first_line: int = 1,
        optional: frozenset[str] = frozenset(),
    ) -> None:
        _check(text, placeholders, optional, source, first_line)
        pieces = _PLACEHOLDER.split(text)
        self._format = "%s".join(piece.replace("%", "%%") for piece in pieces[::2])
        self._names = tuple(pieces[1::2])

    def fill(self, **values: object) -> str:
        """Returns the text with every placeholder replaced by its value."""
        return self._format % tuple([values[name] for name in self._names])


def _check(text: str, placeholders: frozenset[str], optional: frozenset[str], source: str, first_line: int) -> None:
    takes = ", ".join(sorted(placeholders | optional)) or "none"
    found = set()
    for match in _PLACEHOLDER.finditer(text):
        found.add(match[1])
        if match[1] not in placeholders | optional:
            line = first_line + text.count("\n", 0, match.start())
            raise BBAError(f"{source}, line {line}: unknown placeholder {{{match[1]}}}; this template takes {takes}")
    for name in sorted(placeholders - found):
        line = first_line + text.count("\n")
        raise BBAError(f"{source}, line {line}: the text ends without the placeholder {{{name}}}; it takes {takes}")


def load_template(
    file: Path, placeholders: frozenset[str] = frozenset(), optional: frozenset[str] = frozenset()
) -> Template:
    """Reads a template from a file, without trailing white space; the arguments are those of `Template`.

    Raises:
        BBAError: the file cannot be read, or a placeholder is unknown or missing.
    """
    return Template(_read_file(file), placeholders, str(file), optional=optional)


def load_sections(
    file: Path, placeholders: dict[str, frozenset[str]], optional: Mapping[str, frozenset[str]] = MappingProxyType({})
) -> dict[str, Template]:
    """Reads the ``## name`` sections of a file, each a template; placeholders by section.

    Raises:
        BBAError: the file cannot be read, or a section or a placeholder is unknown or missing.
    """
    text = _read_file(file)
    sections = {}
    for match, body in zip(_SECTION.finditer(text), _SECTION.split(text)[2::2], strict=True):
        line = text.count("\n", 0, match.start()) + 1
        if match[1] not in placeholders:
            raise BBAError(f"{file}, line {line}: unknown section {match[1]!r}; it takes {', '.join(placeholders)}")
        first_line = line + len(body) - len(body.lstrip("\n"))
        may = optional.get(match[1], frozenset())
        sections[match[1]] = Template(body.strip(), placeholders[match[1]], str(file), first_line, may)
    for name in placeholders.keys() - sections.keys():
        last_line = text.count("\n") + 1
        raise BBAError(f"{file}, line {last_line}: the file ends without the section {name!r}")
    return sections


def _read_file(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").rstrip()
    except OSError as error:
        raise BBAError(f"{file}: cannot read this prompt: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BBAError(f"{file}: this prompt is not UTF-8 text (byte {error.start})") from error


PromptKind = Literal["base", "bayes", "hypothetical", "side_query"]
BAR_CELLS = 20

_RULES = frozenset({"chops", "rinses", "cooking", "ready", "warning", "plates"})
_SEATS = frozenset({"agent_id", "other_id"})
_BELIEF = frozenset({"role", "confidence", "commitment", "heading", "posterior", "advice"})
_RETRY = frozenset({"answer", "feasible"})
_RETRY_MAY = frozenset({"problem"})  # a placeholder that older folders lack
_RETRY_SIDE_QUERY = frozenset({"answer", "problem"})
_HYPOTHESES = frozenset({"other_id", "hypotheses", "events"})
_QUERIES: dict[QueryKind, tuple[str, frozenset[str]]] = {
    "judge": ("judge.md", frozenset({"other_id", "skill", "age", "before", "scene"})),
    "evaluate": ("hypotheses_evaluate.md", frozenset({"other_id", "predictions", "seen"})),
    "generate": ("hypotheses_generate.md", _HYPOTHESES | {"scene"}),
    "predict": ("hypotheses_predict.md", _HYPOTHESES | {"scene"}),
}
_SCENE = frozenset(
    [
        "layout",
        "stations",
        "step",
        "ego",
        "ego_position",
        "ego_facing",
        "ego_held",
        "mate",
        "mate_position",
        "mate_facing",
        "mate_held",
        "orders",
        "objects",
        "intent",
        "urgency",
        "actions",
    ]
)
_QUERIES_MAY = frozenset({"skills"})  # so is this one
_PRIORITY = frozenset({"order"})  # a placeholder that older folders lack
_KITCHEN = frozenset({"layout", "stations", "skills"})
_LINES = {
    "advice_confident": frozenset({"role", "complements"}),
    "advice_uncertain": frozenset[str](),
    "flag_low_confidence": frozenset[str](),
    "flag_moderate_confidence": frozenset[str](),
    "flag_priority": frozenset[str](),
    "flag_fire": frozenset[str](),
    "flag_about_to_burn": frozenset[str](),
    "flag_charcoal": frozenset[str](),
}


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompt templates of one folder; `Prompts.load` reads and checks them."""

    base: Template
    bayes: Template
    hypothetical: Template
    side_query: Template
    scene: Template
    kitchen: Template
    belief: Template
    hypotheses: Template
    queries: dict[QueryKind, Template]
    retry_plan: Template
    retry_query: Template
    lines: dict[str, Template]
    layout: PromptLayout = "preprint"

    @classmethod
    def load(cls, folder: Path | None = None, layout: PromptLayout = "preprint") -> Self:
        """Reads the templates of a folder, by default those that ship with the project.

        Args:
            folder: the folder.
            layout: "cached" says what never changes in a game in the system prompt, where providers can cache it.

        Raises:
            BBAError: a file is missing, or a placeholder is unknown or missing.
        """
        folder = data_dir("configs/prompts") if folder is None else folder
        if not folder.is_dir():
            raise BBAError(f"prompts: {folder} is not a folder")
        return cls(
            base=load_template(folder / "system_base.md", _RULES),
            bayes=load_template(folder / "system_bayes.md", _SEATS),
            hypothetical=load_template(_own_or_shipped(folder, "system_hypothetical.md"), _SEATS),
            side_query=load_template(folder / "system_aside.md", _SEATS),
            scene=_scene(folder, layout),
            kitchen=load_template(_own_or_shipped(folder, "system_kitchen.md"), _KITCHEN),
            belief=load_template(folder / "belief.md", _BELIEF),
            hypotheses=load_template(folder / "hypotheses.md", _HYPOTHESES),
            queries={
                kind: load_template(folder / name, takes, _QUERIES_MAY) for kind, (name, takes) in _QUERIES.items()
            },
            retry_plan=load_template(folder / "retry.md", _RETRY, _RETRY_MAY),
            retry_query=load_template(folder / "retry_aside.md", _RETRY_SIDE_QUERY),
            lines=load_sections(folder / "lines.md", _LINES, {"flag_priority": _PRIORITY}),
            layout=layout,
        )

    def system(self, kind: PromptKind, planner_input: PlannerInput) -> str:
        """Returns the system prompt: the base prompt for this kitchen, and the addendum of its kind, if any."""
        timing, player = planner_input.timing, planner_input.player
        base = self.base.fill(
            chops=timing.chops,
            rinses=timing.rinses,
            cooking=timing.cooking,
            ready=timing.ready,
            warning=timing.warning,
            plates=planner_input.plates,
        )
        if self.layout == "cached":
            base = f"{base}\n\n{self._kitchen(planner_input)}"
        addendum = {"bayes": self.bayes, "hypothetical": self.hypothetical, "side_query": self.side_query}.get(kind)
        return f"{base}\n\n{addendum.fill(agent_id=player, other_id=1 - player)}" if addendum else base

    def user(self, planner_input: PlannerInput, kind: PromptKind = "base") -> str:
        """Returns the user message: the belief block if there is a belief, flags for BayesBelief agents, the scene."""
        parts = [] if planner_input.belief is None else [self._belief(planner_input.belief)]
        parts += self._flags(planner_input) if kind == "bayes" else []
        parts.append(self.scene.fill(**scene_values(planner_input)))
        return "\n".join(parts)

    def query(self, kind: QueryKind, planner_input: PlannerInput, **values: object) -> str:
        """Returns the user message of a side query; `values` fill its placeholders besides scene and players."""
        player = planner_input.player
        scene = self.user(planner_input, "bayes" if kind == "judge" else "base")
        told = {"agent_id": player, "other_id": 1 - player, "scene": scene, "skills": "; ".join(NUMBERED_SKILLS)}
        return self.queries[kind].fill(**told, **values)

    def retry(self, answer: str, problem: str, feasible: Iterable[int]) -> str:
        """Returns the user message after a response that names no feasible skill: what was wrong with it."""
        skills = "; ".join(NUMBERED_SKILLS[skill] for skill in feasible)
        return self.retry_plan.fill(answer=answer.strip(), problem=problem, feasible=skills)

    def retry_side_query(self, answer: str, problem: str) -> str:
        """Returns the user message after a response to a side query that cannot be used."""
        return self.retry_query.fill(answer=answer.strip(), problem=problem)

    def _kitchen(self, planner_input: PlannerInput) -> str:
        values = scene_values(planner_input)
        return self.kitchen.fill(
            layout=values["layout"], stations=values["stations"], skills="; ".join(NUMBERED_SKILLS)
        )

    def _belief(self, belief: BeliefView) -> str:
        role = belief.roles[belief.map_index]
        if belief.confident:
            advice = self.lines["advice_confident"].fill(role=role, complements=", ".join(belief.complements))
        else:
            advice = self.lines["advice_uncertain"].fill()
        return self.belief.fill(
            role=role,
            confidence=f"{belief.confidence:.2f}",
            commitment=belief.commitment,
            heading=belief.heading if belief.confident and belief.heading else "unknown (low confidence)",
            posterior="\n".join([_bar(*pair) for pair in zip(belief.roles, belief.posterior, strict=True)]),
            advice=advice,
        )

    def _flags(self, planner_input: PlannerInput) -> list[str]:
        names = []
        if planner_input.belief is not None and not planner_input.belief.confident:
            names.append("flag_moderate_confidence" if planner_input.belief.moderate else "flag_low_confidence")
        fires, warnings, charcoal = hazards(planner_input.scene.objects)
        names += ["flag_priority"] if planner_input.scene.orders else []
        names += ["flag_fire"] if fires else []
        names += ["flag_about_to_burn"] if warnings else []
        names += ["flag_charcoal"] if charcoal else []
        order = planner_input.scene.orders[0].dish if planner_input.scene.orders else ""
        return [self.lines[name].fill(order=order) for name in names]


def _scene(folder: Path, layout: PromptLayout) -> Template:
    """Returns the template of the scene, in the cached layout the one without the kitchen's stations."""
    if layout == "cached":
        return load_template(_own_or_shipped(folder, "scene_short.md"), _SCENE - _KITCHEN)
    return load_template(folder / "scene.md", _SCENE)


def _own_or_shipped(folder: Path, name: str) -> Path:
    """Returns a file that older folders lack, from the shipped ones if need be."""
    return folder / name if (folder / name).exists() else data_dir("configs/prompts") / name


def _bar(role: str, probability: float) -> str:
    return f"    {role}: {probability:.2f}  {'█' * round(probability * BAR_CELLS)}"
