"""What a study consists of, read from a TOML file (docs/studies.md)."""

from itertools import product
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bba.agents import HUMAN, agent_names
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.files import read_toml
from bba.kitchen import Layout
from bba.limits import Seed, Steps

POINTS = 5  # of a scale
MOST_GAMES = 24

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Short = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[tuple[str, ...], Field(min_length=1)]


class StudyModel(BaseModel):
    """What takes no key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SurveyQuestion(StudyModel):
    """Something that is asked after every game: on a five-point scale if it has `ends`, else for words.

    Attributes:
        name: what the tables call it.
        text: what people read.
        ends: what 1 and 5 stand for.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    text: Short
    ends: tuple[Short, Short] | None = None


class Condition(NamedTuple):
    """One of the games that everybody plays: the kitchen, the agent beside the person, the seed."""

    layout: str
    agent: str
    seed: int


class Study(StudyModel):
    """A study: everybody plays each agent in each kitchen once.

    Attributes:
        name: of the study, and of its folder of results.
        title: what people read at the top.
        consent: what they must agree to.
        layouts, agents: the kitchens and who plays the ego.
        questions: what is asked after every game.
        tutorial: whether people practise first.
        seed: of the first game in the list of layouts and agents; each next one has the next.
        horizon: steps of a game.
        speed: steps a second.
        turns: turn by turn instead, the world waits for a key.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Short
    consent: Text
    layouts: Names
    agents: Names
    questions: tuple[SurveyQuestion, ...] = ()
    tutorial: bool = True
    seed: Seed = 0
    horizon: Steps = EPISODE_DEFAULTS.horizon
    speed: Annotated[float, Field(ge=1, le=50)] = 10.0
    turns: bool = False

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
            if name not in known:
                raise ValueError(f"no agent named {name!r}; there are {', '.join(known)}")
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
        if len(self.conditions) > MOST_GAMES:
            raise ValueError(f"layouts times agents are {len(self.conditions)} games; at most {MOST_GAMES}")
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The games, in the order of the file."""
        pairs = product(self.layouts, self.agents)
        return tuple(Condition(layout, agent, self.seed + i) for i, (layout, agent) in enumerate(pairs))


def load_study(path: Path) -> Study:
    """Read a study from a TOML file.

    Raises:
        BBAError: one line that names the file, the key, and what is wrong.
    """
    return read_toml(path, Study)
