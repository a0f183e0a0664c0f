"""Prompts for a language model, filled from checked templates: system prompts, belief, flags, scene, side queries."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Self

from bba.config import PromptLayout
from bba.errors import BBAError
from bba.files import data_dir, read_text
from bba.planner.chat import Message, QueryKind
from bba.planner.scene_text import NUMBERED_SKILLS, BeliefView, PlannerInput, hazards, order_names, scene_values
from bba.planner.short_answers import lettered

_ALL_SKILLS = "; ".join(NUMBERED_SKILLS)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)


class Template:
    """A text with placeholders. Other braces are plain text.

    Args:
        text: the template.
        takes: the placeholders that the text must use, each at least once.
        may: the placeholders that the text may use besides.
        source: the file that messages name.
        first_line: the line of the file at which the text starts.

    Attributes:
        text, source, first_line: as given.

    Raises:
        BBAError: a placeholder is unknown or missing; the message names file, line and placeholder.
    """

    def __init__(self, text: str, takes: frozenset[str], may: frozenset[str], source: str, first_line: int = 1) -> None:
        self.text = text
        self.source = source
        self.first_line = first_line
        allowed = takes | may
        listing = ", ".join(sorted(allowed)) or "none"
        # `split` returns plain text and names of placeholders in turn.
        pieces = _PLACEHOLDER.split(text)
        plain_texts = pieces[::2]
        self._names = tuple(pieces[1::2])
        self._format = "%s".join([plain.replace("%", "%%") for plain in plain_texts])
        for match in _PLACEHOLDER.finditer(text):
            name = match[1]
            if name not in allowed:
                line = first_line + text.count("\n", 0, match.start())
                problem = f"unknown placeholder {{{name}}}; this template takes {listing}"
                raise BBAError(f"{source}, line {line}: {problem}")
        missing = sorted(takes.difference(self._names))
        if missing:
            line = first_line + text.count("\n")
            problem = f"the text ends without the placeholder {{{missing[0]}}}; it takes {listing}"
            raise BBAError(f"{source}, line {line}: {problem}")

    def fill(self, **values: object) -> str:
        """Returns the text with every placeholder replaced by its value."""
        in_order = tuple([values[name] for name in self._names])
        return self._format % in_order


class TemplateFile(NamedTuple):
    """A file that is a template.

    Attributes:
        name: the file's name in the folder.
        takes: the placeholders that the file must use.
        may: the placeholders that the file may use besides.
        newer: whether older folders lack the file; the shipped file then stands in.
    """

    name: str
    takes: frozenset[str]
    may: frozenset[str] = frozenset()
    newer: bool = False

    def load(self, folder: Path) -> Template:
        """Reads and checks the template in a folder.

        Raises:
            BBAError: the file cannot be read, or a placeholder is unknown or missing.
        """
        if self.newer and not (folder / self.name).exists():
            folder = data_dir("configs/prompts")
        file = folder / self.name
        text = read_text(file).rstrip()
        return Template(text, self.takes, self.may, str(file))


def _load_lines(file: Path, known: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> dict[str, Template]:
    """Reads the ``## name`` sections of a file, each a template.

    Args:
        file: the file.
        known: the sections that it must have, with the placeholders that each must use, and those that it may.

    Raises:
        BBAError: the file cannot be read, or a section or a placeholder is unknown or missing.
    """
    text = read_text(file).rstrip()
    bodies = _SECTION.split(text)[2::2]
    sections = {}
    for heading, body in zip(_SECTION.finditer(text), bodies, strict=True):
        name = heading[1]
        line = text.count("\n", 0, heading.start()) + 1
        if name not in known:
            allowed = ", ".join(known)
            raise BBAError(f"{file}, line {line}: unknown section {name!r}; it takes {allowed}")
        takes, may = known[name]
        first_line = line + len(body) - len(body.lstrip("\n"))
        sections[name] = Template(body.strip(), takes, may, str(file), first_line)
    for name in known.keys() - sections.keys():
        last_line = text.count("\n") + 1
        raise BBAError(f"{file}, line {last_line}: the file ends without the section {name!r}")
    return sections


PromptKind = Literal["base", "bayes", "hypothetical", "side_query"]
BAR_CELLS = 20

_NONE = frozenset[str]()
_SEATS = frozenset({"agent_id", "other_id"})
_HYPOTHESES = frozenset({"other_id", "hypotheses", "events"})
_KITCHEN = frozenset({"layout", "stations", "skills"})
_SKILLS = frozenset({"skills"})
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
# The templates by name: the system prompts by `PromptKind`, the side queries by `QueryKind`.
_FILES = {
    "base": TemplateFile("system_base.md", frozenset({"chops", "rinses", "cooking", "ready", "warning", "plates"})),
    "bayes": TemplateFile("system_bayes.md", _SEATS),
    "hypothetical": TemplateFile("system_hypothetical.md", _SEATS, newer=True),
    "side_query": TemplateFile("system_aside.md", _SEATS),
    "scene": TemplateFile("scene.md", _SCENE),
    "kitchen": TemplateFile("system_kitchen.md", _KITCHEN, newer=True),
    "belief": TemplateFile(
        "belief.md", frozenset({"role", "confidence", "commitment", "heading", "posterior", "advice"})
    ),
    "hypotheses": TemplateFile("hypotheses.md", _HYPOTHESES),
    "judge": TemplateFile("judge.md", frozenset({"other_id", "skill", "age", "before", "scene"}), _SKILLS),
    "evaluate": TemplateFile("hypotheses_evaluate.md", frozenset({"other_id", "predictions", "seen"}), _SKILLS),
    "generate": TemplateFile("hypotheses_generate.md", _HYPOTHESES | {"scene"}, _SKILLS),
    "predict": TemplateFile("hypotheses_predict.md", _HYPOTHESES | {"scene"}, _SKILLS),
    "letters": TemplateFile("letters.md", frozenset({"options"}), newer=True),
    "retry_plan": TemplateFile("retry.md", frozenset({"answer", "feasible"}), frozenset({"problem"})),
    "retry_query": TemplateFile("retry_aside.md", frozenset({"answer", "problem"})),
}
_STRICT = "preprint"  # the folder in a folder of prompts that holds the texts of the layout "strict"
# The templates that another layout replaces: "cached" has no stations in the scene, "strict" what the preprint says.
_OF_LAYOUT = {
    "cached": {"scene": TemplateFile("scene_short.md", _SCENE - _KITCHEN, newer=True)},
    "strict": {
        "base": TemplateFile(f"{_STRICT}/system_base.md", _NONE, _FILES["base"].takes),
        "bayes": TemplateFile(f"{_STRICT}/system_bayes.md", _SEATS),
        "hypothetical": TemplateFile(f"{_STRICT}/system_hypothetical.md", _SEATS),
        "hypotheses": TemplateFile(
            f"{_STRICT}/hypotheses.md", _SEATS | {"scene", "strategy", "prediction", "hypotheses"}
        ),
        "evaluate": TemplateFile(f"{_STRICT}/evaluate.md", frozenset({"other_id", "predictions", "seen"})),
        "generate": TemplateFile(f"{_STRICT}/generate.md", _HYPOTHESES | {"scene"}),
        "predict": TemplateFile(f"{_STRICT}/predict.md", frozenset({"other_id", "strategy", "events", "scene"})),
        "retry_plan": TemplateFile(f"{_STRICT}/retry.md", frozenset({"answer", "feasible"})),
    },
}
# Sections of lines.md: the placeholders that each must use, and those that it may.
_LINES = {
    "advice_confident": (frozenset({"role", "complements"}), _NONE),
    "advice_uncertain": (_NONE, _NONE),
    "flag_low_confidence": (_NONE, _NONE),
    "flag_moderate_confidence": (_NONE, _NONE),
    "flag_priority": (_NONE, frozenset({"order"})),
    "flag_fire": (_NONE, _NONE),
    "flag_about_to_burn": (_NONE, _NONE),
    "flag_charcoal": (_NONE, _NONE),
}
_STRICT_LINES = _LINES | {"no_hypotheses": (_NONE, _NONE)}


def _strict_files(folder: Path) -> dict[str, TemplateFile]:
    """Returns the templates of the layout "strict" by name: what a folder lacks, the shipped files stand in for.

    Raises:
        BBAError: the folder has no texts for this layout, or one that is none of them.
    """
    files = {name: file._replace(newer=True) for name, file in (_FILES | _OF_LAYOUT["strict"]).items()}
    texts = folder / _STRICT
    if not texts.is_dir():
        raise BBAError(f"prompts: {folder} has no folder {_STRICT}, which holds the texts of --prompt-layout strict")
    known = {Path(file.name).name for file in _OF_LAYOUT["strict"].values()} | {"lines.md", "README.md"}
    for text in sorted(texts.glob("*.md")):
        if text.name not in known:
            listing = ", ".join(sorted(known))
            raise BBAError(f"prompts: {text} is no text of --prompt-layout strict; these are: {listing}")
    return files


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompt templates of one folder, by name, and the lines of lines.md; `Prompts.load` reads and checks them."""

    templates: dict[str, Template]
    lines: dict[str, Template]
    layout: PromptLayout = "preprint"

    @classmethod
    def load(cls, folder: Path | None = None, layout: PromptLayout = "preprint") -> Self:
        """Reads the templates of a folder, by default those that ship with the project.

        Args:
            folder: the folder.
            layout: "cached" says what never changes in a game in the system prompt, where providers can cache it;
                "strict" has the content of the preprint's prompts, from the folder ``preprint`` in this folder; the
                shipped files stand in for what it lacks.

        Raises:
            BBAError: a file is missing or unknown, or a placeholder is.
        """
        folder = data_dir("configs/prompts") if folder is None else folder
        if not folder.is_dir():
            raise BBAError(f"prompts: {folder} is not a folder")
        lines_file = folder / "lines.md"
        known_lines = _LINES
        if layout == "strict":
            files = _strict_files(folder)
            known_lines = _STRICT_LINES
            lines_file = folder / _STRICT / "lines.md"
            if not lines_file.exists():
                lines_file = data_dir("configs/prompts") / _STRICT / "lines.md"
        else:
            files = _FILES | _OF_LAYOUT.get(layout, {})
        templates = {name: file.load(folder) for name, file in files.items()}
        return cls(templates, _load_lines(lines_file, known_lines), layout)

    def system(self, kind: PromptKind, planner_input: PlannerInput) -> str:
        """Returns the system prompt: the base prompt for this kitchen, and the addendum of its kind, if any."""
        timing = planner_input.timing.model_dump()
        parts = [self.templates["base"].fill(**timing, plates=planner_input.plates)]
        if self.layout == "cached":
            values = scene_values(planner_input)
            values["skills"] = _ALL_SKILLS
            parts.append(self.templates["kitchen"].fill(**values))
        if kind != "base":
            player = planner_input.player
            parts.append(self.templates[kind].fill(agent_id=player, other_id=1 - player))
        return "\n\n".join(parts)

    def system_aside(self, kind: PromptKind, planner_input: PlannerInput) -> str:
        """Returns the system prompt of an agent's side queries; in the preprint that of its plans, of this kind."""
        if self.layout == "strict":
            return self.system(kind, planner_input)
        return self.system("side_query", planner_input)

    def user(self, planner_input: PlannerInput, kind: PromptKind = "base") -> str:
        """Returns the user message: the belief block if there is a belief, flags for BayesBelief agents, the scene."""
        parts = []
        if planner_input.belief is not None:
            parts.append(self._belief(planner_input.belief))
        if kind == "bayes":
            parts += self._flags(planner_input)
        values = scene_values(planner_input, strict=self.layout == "strict")
        parts.append(self.templates["scene"].fill(**values))
        return "\n".join(parts)

    def messages(self, kind: PromptKind, planner_input: PlannerInput) -> tuple[Message, Message]:
        """Returns the system prompt and the user message."""
        system = Message(role="system", content=self.system(kind, planner_input))
        user = Message(role="user", content=self.user(planner_input, kind))
        return system, user

    def query(self, kind: QueryKind, planner_input: PlannerInput, **values: object) -> str:
        """Returns the user message of a side query; `values` fill its placeholders besides scene and players."""
        scene = self.user(planner_input, "bayes" if kind == "judge" else "base")
        return self._filled(kind, planner_input, scene, values)

    def with_hypotheses(self, planner_input: PlannerInput, **values: object) -> str:
        """Returns the user message of Hypothetical Minds: what it knows of its partner, above the scene.

        In the layout "strict" the scene comes first, and what to answer last.

        Args:
            planner_input: what the planner knows.
            values: what is known of the partner, by placeholder.
        """
        scene = self.user(planner_input, "hypothetical")
        text = self._filled("hypotheses", planner_input, scene, values)
        return text if self.layout == "strict" else f"{text}\n{scene}"

    def retry(self, answer: str, problem: str, feasible: Collection[int]) -> str:
        """Returns the user message after a response that cannot be used, which says what was wrong.

        Args:
            answer: the response.
            problem: what was wrong.
            feasible: the skills that a plan can choose; () for a side query.
        """
        skills = "; ".join(NUMBERED_SKILLS[skill] for skill in feasible)
        template = self.templates["retry_plan" if feasible else "retry_query"]
        return template.fill(answer=answer.strip(), problem=problem, feasible=skills)

    def letters(self, feasible: Iterable[int]) -> str:
        """Returns what follows a question whose answer is scored: a letter for each feasible skill."""
        return self.templates["letters"].fill(options=lettered(feasible))

    def _filled(self, name: str, planner_input: PlannerInput, scene: str, values: Mapping[str, object]) -> str:
        """Returns a text about the partner, with a line in the place of hypotheses where there are none."""
        player = planner_input.player
        told = {"agent_id": player, "other_id": 1 - player, "scene": scene, "skills": _ALL_SKILLS, **values}
        if told.get("hypotheses") == "":
            told["hypotheses"] = self.lines["no_hypotheses"].fill()
        return self.templates[name].fill(**told)

    def _belief(self, belief: BeliefView) -> str:
        role = belief.roles[belief.map_index]
        if belief.confident:
            complements = ", ".join(belief.complements)
            advice = self.lines["advice_confident"].fill(role=role, complements=complements)
        else:
            advice = self.lines["advice_uncertain"].fill()
        heading = "unknown (low confidence)"
        if belief.confident and belief.heading:
            heading = belief.heading
        rows = []
        for name, probability in zip(belief.roles, belief.posterior, strict=True):
            bar = "█" * round(probability * BAR_CELLS)
            rows.append(f"    {name}: {probability:.2f}  {bar}")
        return self.templates["belief"].fill(
            role=role,
            confidence=f"{belief.confidence:.2f}",
            commitment=belief.stable_updates,
            heading=heading,
            posterior="\n".join(rows),
            advice=advice,
        )

    def _flags(self, planner_input: PlannerInput) -> list[str]:
        names = []
        belief = planner_input.belief
        if belief is not None and not belief.confident:
            names.append("flag_moderate_confidence" if belief.moderate else "flag_low_confidence")
        orders = planner_input.scene.orders
        if orders:
            names.append("flag_priority")
        objects = planner_input.scene.objects
        if self.layout == "strict":  # the preprint has no flag for charcoal in a pot
            objects = tuple([view for view in objects if (view.name, view.tile) != ("charcoal", "pot")])
        fires, warnings, charcoals = hazards(objects)
        if fires:
            names.append("flag_fire")
        if warnings:
            names.append("flag_about_to_burn")
        if charcoals:
            names.append("flag_charcoal")
        (order, *_) = order_names(planner_input.scene, strict=self.layout == "strict") or [""]
        return [self.lines[name].fill(order=order) for name in names]
