"""The plan of a study, read from a TOML file (docs/studies.md)."""

from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bba.agents import HUMAN, agent_names
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError, instead
from bba.files import read_toml
from bba.kitchen import Layout
from bba.limits import Seed, Steps
from bba.plugins import is_plugin_name

POINTS = 5  # points of a scale
MAX_GAMES = 24  # games of one participant

LongText = Annotated[str, Field(min_length=1, max_length=20_000)]
ShortText = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class StudyModel(BaseModel):
    """Base of a study's models: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SurveyQuestion(StudyModel):
    """A question that is asked after every game: on a five-point scale if it has `ends`, else for words.

    Attributes:
        name: its name in the tables.
        text: the question as participants read it.
        ends: the labels of 1 and 5.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    text: ShortText
    ends: tuple[ShortText, ShortText] | None = None


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
        questions: the questions after every game.
        tutorial: whether participants begin with the tutorial.
        seed: the seed of the first pair of layout and agent; each next pair has the next seed.
        horizon: steps of a game.
        speed: steps a second.
        turns: whether the game waits for a key in every step.
        hints: whether participants see one useful next thing, which they can hide.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: ShortText
    consent: LongText
    layouts: Names
    agents: Names
    questions: tuple[SurveyQuestion, ...] = ()
    tutorial: bool = True
    seed: Seed = 0
    horizon: Steps = EPISODE_DEFAULTS.horizon
    speed: Annotated[float, Field(ge=1, le=50)] = 10.0
    turns: bool = False
    hints: bool = False

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
                raise ValueError(f"{key}: {twice[0]} is there twice")
        if len(self.conditions) > MAX_GAMES:
            raise ValueError(f"layouts times agents are {len(self.conditions)} games; at most {MAX_GAMES}")
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The games of every participant, in the order of the file."""
        pairs = product(self.layouts, self.agents)
        return tuple(Condition(layout, agent, self.seed + i) for i, (layout, agent) in enumerate(pairs))


def load_study(path: Path) -> Study:
    """Reads a study from a TOML file.

    Raises:
        BBAError: one line that names the file, the key and the mistake.
    """
    return read_toml(path, Study)
