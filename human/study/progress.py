"""A participant's progress: the content of one JSON file, which is rewritten after every change."""

import re
from datetime import datetime
from operator import not_
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from bba.config import StepsOrNone
from bba.errors import BBAError
from bba.language import say
from bba.play.trace import PARTNER
from human.study.consent_given import ConsentGiven
from human.study.endings import EndingName
from human.study.model import ShortText, StudyModel
from human.study.online import PlatformIds
from human.study.questionnaire import MAX_ANSWER_LENGTH, SLIDER_END, Answer

CODE = re.compile(r"(?=.*[0-9])[A-Z0-9][A-Z0-9-]{0,31}")

GameNumber = Annotated[int, Field(ge=0)]  # position in the participant's order, from 0
ParticipantCode = Annotated[str, Field(pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$")]


def _as_choices(value: Any) -> Any:
    """Returns the only choice as one of several."""
    return (value,) if isinstance(value, str) else value


Choices = Annotated[tuple[str, ...], BeforeValidator(_as_choices)]


class Practice(StudyModel):
    """The finished tutorial: when it ended, and how many of its stages were completed."""

    ended: datetime
    stages: Annotated[int, Field(ge=0)]


PauseReason = Literal["key", "dialog", "small", "partner"]


class Pause(StudyModel):
    """A time in which a game stood still.

    Attributes:
        step: the number of steps before it.
        started, ended: times.
        why: the key for pause, a dialog over the game, a terminal that was too small, or a partner who is missing
            or stands still.
    """

    step: Annotated[int, Field(ge=0)]
    started: datetime
    ended: datetime
    why: PauseReason


class PlayedGame(StudyModel):
    """A game that was begun.

    Attributes:
        game: its position in the participant's order, from 0.
        started, ended: times; `ended` is None while the game is played.
        resumed: for each interruption, the number of steps after which the game resumed.
        given_up: whether it ended before its last step.
        pauses: the times in which it stood still, in order.
        turns: whether it waited for a key in every step, also where the study has a clock: in plain mode.
    """

    game: GameNumber
    started: datetime
    resumed: tuple[StepsOrNone, ...] = ()
    ended: datetime | None = None
    given_up: bool = False
    pauses: tuple[Pause, ...] = ()
    turns: Annotated[bool, Field(exclude_if=not_)] = False  # not written where it is not so, as in earlier versions


class SurveyAnswer(StudyModel):
    """An answer; it has one of `score`, `words`, `chosen` and `number`, or none if the question was left out.

    Attributes:
        game: the game that it is about; None for questions before and after all games.
        question: the name of the question.
        score: a point of a scale or a value of a slider.
        words, number: an answer in words, a number.
        chosen: what was chosen from a list.
        position: the question's position among those asked at the same point, from 1.
        shown, at: when the question was shown, and when it was answered.
        changes: how often the answer was replaced.
    """

    game: GameNumber | None = None
    question: str
    score: Annotated[int, Field(ge=0, le=SLIDER_END)] | None = None
    words: Annotated[str, Field(max_length=MAX_ANSWER_LENGTH)] | None = None
    chosen: Choices | None = None
    number: float | None = None
    position: Annotated[int, Field(ge=1)] | None = None
    shown: datetime | None = None
    at: datetime
    changes: Annotated[int, Field(ge=0)] = 0

    @property
    def value(self) -> Answer:
        """The answer; what was chosen from a list is a tuple, also where it is one."""
        for value in (self.score, self.words, self.chosen, self.number):
            if value is not None:
                return value
        return None


class Break(StudyModel):
    """A break, or the time with a page of the study's own.

    Attributes:
        game: the game before it, from 0; None for a page before or after all games.
        page: the name of the page; None for a break.
        started, ended: times; `ended` is None while it lasts.
    """

    game: Annotated[int, Field(ge=0)] | None = None
    page: str | None = None
    started: datetime
    ended: datetime | None = None


class PairPlace(StudyModel):
    """A participant's place in a pair.

    Attributes:
        number: of the pair: that of the participant who came first; it stands for the number of both.
        seat: 0 or 1.
        other: the code of the other one, in folders of earlier versions; it would outlast a withdrawal.
    """

    number: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, le=1)]
    other: str | None = None


class Exclusion(StudyModel):
    """The exclusion of a participant: when, whether the rule of practice or the researcher excluded them, and why."""

    at: datetime
    why: Literal["practice", "researcher"]
    reason: ShortText | None = None


class PracticeTry(StudyModel):
    """A try of the practice that did not meet its rule.

    Attributes:
        ended: when it ended.
        stages: completed stages of the tutorial; None without a tutorial.
        answers: the answers to the questions of practice.
    """

    ended: datetime
    stages: Annotated[int, Field(ge=0)] | None = None
    answers: tuple[SurveyAnswer, ...] = ()


class Progress(StudyModel):
    """A participant's progress.

    Attributes:
        participant: the participant's code.
        number: the participant's number, from 0, in the order of consent.
        group, row: the group, and which of its orders of the games; None where the number decides.
        consented: the time of consent.
        seen: when something was last noted.
        consent: to what; None in studies of earlier versions.
        platform: the ids on the recruiting platform, if the participant came from one.
        practice: the tutorial, once it has ended.
        tries: failed tries of the practice before the one that `practice` and `answers` hold.
        games, answers, breaks: in chronological order; pages of the study's own are among the breaks.
        excluded: the exclusion, if there was one.
        pair: where two people play, with whom this one does, once that is known.
        endings: those to which the participant came, in chronological order; none in studies of earlier versions.
        simulated: whether this is no person.
    """

    format: Literal["bba-study-progress"] = "bba-study-progress"
    version: Literal[1] = 1
    participant: ParticipantCode
    number: Annotated[int, Field(ge=0)]
    group: Annotated[int, Field(ge=0)] | None = None
    row: Annotated[int, Field(ge=0)] | None = None
    consented: datetime
    seen: datetime | None = None
    consent: ConsentGiven | None = None
    platform: PlatformIds | None = None
    practice: Practice | None = None
    tries: tuple[PracticeTry, ...] = ()
    games: tuple[PlayedGame, ...] = ()
    answers: tuple[SurveyAnswer, ...] = ()
    breaks: tuple[Break, ...] = ()
    excluded: Exclusion | None = None
    pair: PairPlace | None = None
    endings: tuple[EndingName, ...] = ()
    simulated: bool = False

    @property
    def seat(self) -> int:
        """The participant's seat: that of the partner, but for one of two people."""
        return self.pair.seat if self.pair else PARTNER

    def values(self, *games: int | None) -> dict[str, Answer]:
        """Returns the answers about these games, by the names of their questions; None stands for no game."""
        return {answer.question: answer.value for answer in self.answers if answer.game in games}


def parse_code(text: str) -> str:
    """Returns a participant's code in capitals, as it is stored.

    Raises:
        BBAError: the text is not a code.
    """
    code = text.strip().upper()
    if not CODE.fullmatch(code):
        problem = say(
            "{given} is not a code: 1 to 32 letters, digits and hyphens with a digit among them, as P07; never a name",
            given=repr(text[:40]),
        )
        raise BBAError(f"participant: {problem}")
    return code
