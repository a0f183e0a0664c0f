"""What is said to a language model: system prompts, belief block, flags, scene, questions, all from templates."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from bba.errors import BBAError
from bba.planner.planner_input import BeliefView, PlannerInput
from bba.planner.scene_text import ACTIONS, hazards, scene_words
from bba.planner.templates import Template, load_sections, load_template
from bba.resources import data_dir

PromptKind = Literal["base", "bayes", "aside"]
QuestionKind = Literal["judge", "evaluate", "generate", "predict"]
BAR_CELLS = 20

_RULES = frozenset({"chops", "rinses", "cooking", "ready", "warning", "plates"})
_SEATS = frozenset({"agent_id", "other_id"})
_BELIEF = frozenset({"role", "confidence", "commitment", "heading", "posterior", "advice"})
_RETRY = frozenset({"answer", "feasible"})
_RETRY_ASIDE = frozenset({"answer", "problem"})
_HYPOTHESES = frozenset({"other_id", "hypotheses", "events"})
_QUESTIONS: dict[QuestionKind, tuple[str, frozenset[str]]] = {
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
    """The templates of one folder; `Prompts.load` reads and checks them."""

    base: Template
    bayes: Template
    aside: Template
    scene: Template
    belief: Template
    hypotheses: Template
    questions: dict[QuestionKind, Template]
    again: Template
    again_aside: Template
    lines: dict[str, Template]

    @classmethod
    def load(cls, folder: Path | None = None) -> Self:
        """Read the templates of a folder, by default those that ship with the project.

        Raises:
            BBAError: a file is missing, or uses a placeholder that it must not or lacks one that it must use.
        """
        folder = data_dir("configs/prompts") if folder is None else folder
        if not folder.is_dir():
            raise BBAError(f"prompts: {folder} is not a folder")
        return cls(
            base=load_template(folder / "system_base.md", _RULES),
            bayes=load_template(folder / "system_bayes.md", _SEATS),
            aside=load_template(folder / "system_aside.md", _SEATS),
            scene=load_template(folder / "scene.md", _SCENE),
            belief=load_template(folder / "belief.md", _BELIEF),
            hypotheses=load_template(folder / "hypotheses.md", _HYPOTHESES),
            questions={kind: load_template(folder / name, takes) for kind, (name, takes) in _QUESTIONS.items()},
            again=load_template(folder / "retry.md", _RETRY),
            again_aside=load_template(folder / "retry_aside.md", _RETRY_ASIDE),
            lines=load_sections(folder / "lines.md", _LINES),
        )

    def system(self, kind: PromptKind, situation: PlannerInput) -> str:
        """The system prompt for the deciding cook: the base with its kitchen's figures, perhaps with an addendum."""
        timing, seat = situation.timing, situation.seat
        base = self.base.fill(
            chops=timing.chops,
            rinses=timing.rinses,
            cooking=timing.cooking,
            ready=timing.ready,
            warning=timing.warning,
            plates=situation.plates,
        )
        if kind == "base":
            return base
        addendum = self.bayes if kind == "bayes" else self.aside
        return f"{base}\n\n{addendum.fill(agent_id=seat, other_id=1 - seat)}"

    def user(self, situation: PlannerInput) -> str:
        """The user message: belief block if there is a belief, flags that apply, scene."""
        parts = [] if situation.belief is None else [self._belief(situation.belief)]
        parts += self._flags(situation)
        parts.append(self.scene.fill(**scene_words(situation)))
        return "\n".join(parts)

    def question(self, kind: QuestionKind, situation: PlannerInput, **words: object) -> str:
        """The user message of a question beside the skill; `words` fill what its template takes beyond the scene."""
        seat = situation.seat
        return self.questions[kind].fill(agent_id=seat, other_id=1 - seat, scene=self.user(situation), **words)

    def retry(self, answer: str, feasible: Iterable[int]) -> str:
        """The user message after an answer that names no feasible skill."""
        return self.again.fill(answer=answer.strip(), feasible="; ".join(ACTIONS[skill] for skill in feasible))

    def retry_aside(self, answer: str, problem: str) -> str:
        """The user message after an answer to a question beside the skill that cannot be used."""
        return self.again_aside.fill(answer=answer.strip(), problem=problem)

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

    def _flags(self, situation: PlannerInput) -> list[str]:
        names = []
        if situation.belief is not None and not situation.belief.confident:
            names.append("flag_moderate_confidence" if situation.belief.moderate else "flag_low_confidence")
        fires, warnings, charcoal = hazards(situation.scene.objects)
        if fires or warnings or charcoal:
            names.append("flag_priority")
        names += ["flag_fire"] if fires else []
        names += ["flag_about_to_burn"] if warnings else []
        names += ["flag_charcoal"] if charcoal else []
        return [self.lines[name].fill() for name in names]


def _bar(role: str, probability: float) -> str:
    return f"    {role}: {probability:.2f}  {'█' * round(probability * BAR_CELLS)}"
