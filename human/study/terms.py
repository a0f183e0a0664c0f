"""Under which terms a study's games are played: program and settings, which must not change once it has begun."""

from typing import Any

from pydantic import JsonValue, model_validator

from bba import __version__
from bba.config import BELIEF_OPTIONS, EpisodeOptions, PlannerOptions, RolloutOptions, SkillOptions
from bba.settings import Settings
from human.study.model import StudyModel
from human.study.plan import Study

# Options that every game has, apart from those that the study itself decides.
GAME_OPTIONS = frozenset(
    {"trigger", "planner", "prompts", "weights", "model", "base_url", "max_tokens"}
    | (set(EpisodeOptions.model_fields) - {"horizon"})
    | set(SkillOptions.model_fields)
    | set(PlannerOptions.model_fields)
    | set(RolloutOptions.model_fields)
)


class Terms(StudyModel):
    """The version of the program, and the settings of the games beside those that the study decides."""

    program: str
    settings: dict[str, JsonValue]

    def difference(self, other: "Terms") -> str | None:
        """Returns the first difference in words; None if there is none."""
        if self.program != other.program:
            return f"bba-tui {self.program}, and this is {other.program}"
        for name in sorted({*self.settings, *other.settings}):
            mine, theirs = self.settings.get(name), other.settings.get(name)
            if mine != theirs:
                before = "at its default" if mine is None else mine
                now = "without it now" if theirs is None else f"not {theirs}"
                return f"--{name.replace('_', '-')} {before}, {now}"
        return None


class BegunStudy(Study):
    """A study that has begun, as its folder holds it.

    Attributes:
        terms: under which terms it is played; None in folders of earlier versions.
    """

    terms: Terms | None = None

    @model_validator(mode="before")
    @classmethod
    def _fill_in_seeds(cls, data: Any) -> Any:
        """Gives each game a seed of its own where nothing is said: so it was in earlier versions."""
        return {"seeds": "game", **data} if isinstance(data, dict) else data

    @property
    def plan(self) -> Study:
        """The study without its terms."""
        return Study.model_validate(self.model_dump(exclude={"terms"}))


def terms_of(settings: Settings) -> Terms:
    """Returns the terms under which these settings let games be played."""
    included = set(GAME_OPTIONS | (BELIEF_OPTIONS & settings.model_fields_set))
    return Terms(program=__version__, settings=settings.model_dump(mode="json", include=included))
