"""How far a participant has come: the content of one JSON file, written anew after every step of the study."""

import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from bba.errors import BBAError
from bba.limits import StepsOrNone
from human.study.plan import POINTS, StudyModel

MOST_WORDS = 4000  # characters of an answer in words
CODE = re.compile(r"(?=.*[0-9])[A-Z0-9][A-Z0-9-]{0,31}")

GameNumber = Annotated[int, Field(ge=0)]  # its place in the participant's order, from 0
ParticipantCode = Annotated[str, Field(pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$")]


class Practice(StudyModel):
    """The tutorial, when it is over: when that was, and how many of its stages were done."""

    ended: datetime
    stages: Annotated[int, Field(ge=0)]


class PlayedGame(StudyModel):
    """A game that was begun.

    Attributes:
        game: which.
        started, ended: when; no end yet while it is played.
        resumed: after how many steps it went on, for every time that it was interrupted.
        given_up: whether it ended before its last step.
    """

    game: GameNumber
    started: datetime
    resumed: tuple[StepsOrNone, ...] = ()
    ended: datetime | None = None
    given_up: bool = False


class SurveyAnswer(StudyModel):
    """An answer to a question on a game: a `score` on a scale, or `words`."""

    game: GameNumber
    question: str
    score: Annotated[int, Field(ge=1, le=POINTS)] | None = None
    words: Annotated[str, Field(max_length=MOST_WORDS)] | None = None
    at: datetime


class Progress(StudyModel):
    """How far a participant has come.

    Attributes:
        participant: the code.
        number: which participant this is, from 0; it decides the order of the games.
        consented: when.
        practice: the tutorial, once it is over.
        games, answers: in the order of their time.
    """

    format: Literal["bba-study-progress"] = "bba-study-progress"
    version: Literal[1] = 1
    participant: ParticipantCode
    number: Annotated[int, Field(ge=0)]
    consented: datetime
    practice: Practice | None = None
    games: tuple[PlayedGame, ...] = ()
    answers: tuple[SurveyAnswer, ...] = ()


def code_of(text: str) -> str:
    """A participant's code as it is kept: in capitals.

    Raises:
        BBAError: this is no such code.
    """
    code = text.strip().upper()
    if not CODE.fullmatch(code):
        raise BBAError(
            f"participant: {text[:40]!r} is not a code: 1 to 32 letters, digits and hyphens with a digit among them, "
            "as P07; never a name"
        )
    return code
