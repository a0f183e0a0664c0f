"""The consent that a participant has given: to which text. The page that asks is `tui.study.pages.consent_page`."""

from hashlib import sha256
from typing import Annotated

from pydantic import Field

from human.study.model import StudyModel


class ConsentGiven(StudyModel):
    """To what a participant agreed: the version of the text, and the SHA-256 of the text itself."""

    version: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

    @classmethod
    def to(cls, text: str, version: str | None) -> "ConsentGiven":
        """Returns the consent to a text."""
        return cls(version=version, sha256=sha256(text.encode()).hexdigest())
