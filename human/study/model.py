"""The base of a study's models, the types that they share, and what is noted of a participant beside games and answers:
breaks, exclusion, and of who comes from a recruiting platform the ids in the link and what they are given at the end.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from bba.errors import BBAError
from bba.files import first_problem

LongText = Annotated[str, Field(min_length=1, max_length=20_000)]
ShortText = Annotated[str, Field(min_length=1, max_length=400)]
Place = tuple[str | int, ...]


class StudyModel(BaseModel):
    """Base of a study's models: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def mistake(place: Sequence[str | int], what: str) -> PydanticCustomError:
    """Returns the error of a validator that knows better where the mistake is: by keys and positions below it."""
    return PydanticCustomError("mistake", "{what}", {"what": what, "place": tuple(place)})


def first_mistake(error: ValidationError) -> tuple[Place, str]:
    """Returns the place of the first problem of a failed validation, as keys and list positions, and the problem."""
    problem = error.errors(include_url=False, include_input=False)[0]
    place = (*problem["loc"], *problem.get("ctx", {}).get("place", ()))
    return place, first_problem(error).removeprefix(".".join(map(str, problem["loc"]))).removeprefix(": ")


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
    """The exclusion of a participant: when, whether the rule of practice or the researcher excluded them, and why."""

    at: datetime
    why: Literal["practice", "researcher"]
    reason: ShortText | None = None


ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,39}$")]
PlatformId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
CompletionCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
Webpage = Annotated[str, Field(pattern=r"^https?://[!-~]{1,400}$")]
IDS = "BBA_TUI_IDS"  # the variable by which a visitor's process is told the ids of its link


class Online(StudyModel):
    """The table `[online]` of a study.

    Attributes:
        participant, study, session: the names of the link's parameters with the ids.
        completion_code: what participants give the platform at the end.
        return_link: the page of the platform to which they go back.
    """

    participant: ParameterName = "PROLIFIC_PID"
    study: ParameterName = "STUDY_ID"
    session: ParameterName = "SESSION_ID"
    completion_code: Annotated[CompletionCode | None, Field(alias="completion-code")] = None
    return_link: Annotated[Webpage | None, Field(alias="return-link")] = None

    @property
    def completion(self) -> dict[str, str]:
        """What the page in the browser shows at the end: `code` and `link`, as far as there are such."""
        found = {"code": self.completion_code, "link": self.return_link}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def words(self) -> str:
        """What a participant is told at the end; "" if there is nothing to tell."""
        code = f"Your completion code: {self.completion_code}" if self.completion_code else ""
        link = f"Go back to {self.return_link}" if self.return_link else ""
        return "\n\n".join(filter(None, (code, link)))


class PlatformIds(StudyModel):
    """The ids of a participant on a recruiting platform.

    Attributes:
        participant, study, session: the ids; only the first must be there.
        visitor: a digest of the browser's cookie, so that another browser cannot go on with somebody else's id.
    """

    participant: PlatformId
    study: PlatformId | None = None
    session: PlatformId | None = None
    visitor: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")] | None = None

    @property
    def code(self) -> str:
        """The participant's code: it cannot be guessed from the number of participants, and is no name."""
        return f"W1-{sha256(self.participant.encode()).hexdigest()[:12].upper()}"


def ids_of(online: Online, query: Mapping[str, str], visitor: str | None = None) -> PlatformIds | None:
    """Returns the ids in the parameters of a link; None if it has no participant's id.

    Args:
        online: how the parameters are called.
        query: the parameters.
        visitor: the browser's cookie.

    Raises:
        BBAError: an id has other characters than letters, digits, - and _, or more than 64.
    """
    names = {"participant": online.participant, "study": online.study, "session": online.session}
    given = {field: query[name] for field, name in names.items() if query.get(name)}
    if "participant" not in given:
        return None
    digest = None if visitor is None else sha256(visitor.encode()).hexdigest()[:16]
    try:
        return PlatformIds.model_validate({**given, "visitor": digest})
    except ValidationError as error:
        name = names.get(str(error.errors()[0]["loc"][0]), "the link")
        raise BBAError(f"{name}: 1 to 64 letters, digits, - and _") from None
