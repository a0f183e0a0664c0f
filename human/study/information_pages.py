"""The pages of a study's own, such as instructions or a debriefing."""

from collections.abc import Iterator
from operator import not_
from typing import Annotated, Literal

from pydantic import Field

from human.study.endings import LastEnding
from human.study.model import ConsistentModel, EachOnce, LongText, Problem, ShortText
from human.study.questionnaire import Name

PageWhen = Literal["start", "before-games", "between-games", "after-games", "end"]
Picture = Annotated[str, Field(pattern=r"^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+=*$")]


class InformationPage(ConsistentModel):
    """A page of the study's own, such as instructions or a debriefing.

    Attributes:
        name: its name in the tables.
        when: after consent; right before the first game; between two games, after a break; after the last game and its
            questions; after all questions, also for who was screened out.
        text: what participants read.
        heading: above it; None for the title of the study.
        picture: below the text, as an address that holds it whole.
        picture_text: what it shows, for who does not see it.
        endings: of a page after all questions, the endings to which it belongs; none for all of them.
    """

    name: Name
    when: PageWhen
    text: LongText
    heading: ShortText | None = None
    # Not written where they are empty: the digests of earlier studies stay.
    picture: Picture | None = Field(None, exclude_if=not_)
    picture_text: ShortText | None = Field(None, alias="picture-text", exclude_if=not_)
    endings: Annotated[tuple[LastEnding, ...], EachOnce] = Field((), exclude_if=not_)

    def _problems(self) -> Iterator[Problem]:
        if self.endings and self.when != "end":
            yield ["endings"], 'is for a page with when = "end"'
        if bool(self.picture) != bool(self.picture_text):
            yield ["picture-text"], "a picture has one, and nothing else has"
