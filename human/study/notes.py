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


class PairPlace(StudyModel):
    """A participant's place in a pair.

    Attributes:
        number: of the pair: that of the participant who came first; it stands for the number of both.
        seat: 0 or 1.
        other: the code of the other one.
    """

    number: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, le=1)]
    other: str


class Exclusion(StudyModel):
    """The exclusion of a participant: when, and whether the rule of practice or the researcher excluded them."""

    at: datetime
    why: Literal["practice", "researcher"]
