"""What is noted of a participant beside games and answers: breaks and exclusion."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from human.study.model import StudyModel


class Break(StudyModel):
    """A break.

    Attributes:
        game: the game before it, from 0.
        started, ended: times; `ended` is None while it lasts.
    """

    game: Annotated[int, Field(ge=0)]
    started: datetime
    ended: datetime | None = None


class Exclusion(StudyModel):
    """The exclusion of a participant: when, and whether the rule of practice or the researcher excluded them."""

    at: datetime
    why: Literal["practice", "researcher"]
