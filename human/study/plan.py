"""The plan of a study (docs/studies.md); `human.study.plan_file` reads it from a TOML file."""

from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, field_validator, model_validator

from bba.agents import HUMAN, agent_names
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError, instead
from bba.kitchen import Layout
from bba.limits import Seed, Steps
from bba.plugins import is_plugin_name
from human.study.model import LongText, ShortText, StudyModel, mistake
from human.study.online import Online
from human.study.questions import SurveyQuestion

MAX_GAMES = 24  # games of one participant

Seeds = Literal["kitchen", "participant", "game"]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Condition(NamedTuple):
    """One game that every participant plays: the layout, the agent in seat 0, the seed."""

    layout: str
    agent: str
    seed: int


class Study(StudyModel):
    """A study: every participant plays with each agent in each layout once.

    Attributes:
        name: the name of the study and of its folder of results.
        title: the heading that participants read.
        consent: the text to which participants must agree.
        layouts, agents: the layouts, and the agents in seat 0.
        questions: the questions before, between and after the games.
        tutorial: whether participants begin with the tutorial.
        seed: the first seed.
        seeds: whether each kitchen has a seed, the same for all agents and participants; or each participant and
            kitchen; or each pair of kitchen and agent, as studies had it that began with an earlier version.
        horizon: steps of a game.
        speed: steps a second.
        turns: whether the game waits for a key in every step.
        hints: whether participants see one useful next thing, which they can hide.
        consent_version: the version of the consent text, noted with each consent.
        online: where participants come from a recruiting platform.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: ShortText
    consent: LongText
    layouts: Names
    agents: Names
    questions: tuple[SurveyQuestion, ...] = ()
    tutorial: bool = True
    seed: Seed = 0
    seeds: Seeds = "kitchen"
    horizon: Steps = EPISODE_DEFAULTS.horizon
    speed: Annotated[float, Field(ge=1, le=50)] = 10.0
    turns: bool = False
    hints: bool = False
    consent_version: Annotated[ShortText | None, Field(alias="consent-version")] = None
    online: Online | None = None

    @field_validator("layouts")
    @classmethod
    def _check_layouts(cls, layouts: tuple[str, ...]) -> tuple[str, ...]:
        for name in layouts:
            try:
                Layout.load(name)
            except BBAError as error:
                raise ValueError(str(error)) from None
        return layouts

    @field_validator("agents")
    @classmethod
    def _check_agents(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        known = [name for name in agent_names() if name != HUMAN]
        for name in agents:
            if name not in known and not is_plugin_name("agent", name):
                raise ValueError(f"no agent named {name!r}; {instead(name, known)}")
        return agents

    @model_validator(mode="after")
    def _check(self) -> Self:
        for key, names in (
            ("layouts", self.layouts),
            ("agents", self.agents),
            ("questions", tuple(question.name for question in self.questions)),
        ):
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                last = len(names) - 1 - names[::-1].index(twice[0])
                where: list[str | int] = [key, last, "name"] if key == "questions" else [key]
                raise mistake(where, f"{twice[0]} is there twice")
        games = len(self.layouts) * len(self.agents)
        if games > MAX_GAMES:
            raise ValueError(f"layouts times agents are {games} games; at most {MAX_GAMES}")
        for place, question in enumerate(self.questions):
            for name in question.show_if:
                self._check_asked_before(place, name)
        return self

    def _check_asked_before(self, place: int, name: str) -> None:
        """Checks that the answer that a question depends on is known when the question would be asked."""
        when, before = self.questions[place].when, self.questions[:place]
        known = [asked.name for asked in before if asked.when in (when, "start")]
        if name not in known:
            raise mistake(["questions", place, "show-if"], f"{name}: is not asked before this question")

    def conditions(self, number: int) -> tuple[Condition, ...]:
        """Returns the games of participant `number` (from 0) in the order of the file, as (layout, agent, seed)."""
        return tuple(
            Condition(layout, agent, self.seed + self._seed_offset(number, kitchen, cook))
            for kitchen, layout in enumerate(self.layouts)
            for cook, agent in enumerate(self.agents)
        )

    def _seed_offset(self, number: int, kitchen: int, cook: int) -> int:
        match self.seeds:
            case "kitchen":
                return kitchen
            case "participant":
                return number * len(self.layouts) + kitchen
            case "game":
                return kitchen * len(self.agents) + cook
