"""Who has withdrawn from a study, of whom nothing else is kept."""

from hashlib import pbkdf2_hmac
from secrets import token_hex
from typing import Annotated

from pydantic import Field

from human.study.model import StudyModel

HASH_ROUNDS = 200_000


class Withdrawals(StudyModel):
    """Who has withdrawn from a study.

    Attributes:
        withdrawn: how many.
        salt: of the hashes, in hexadecimal digits.
        hashes: of the codes; they say of a code that is known whether it is one of these, and name nobody.
    """

    withdrawn: Annotated[int, Field(ge=0)] = 0
    salt: str = Field(default_factory=lambda: token_hex(16), pattern=r"^([0-9a-f]{2})+$")
    hashes: tuple[str, ...] = ()

    def hash_of(self, participant: str) -> str:
        """Returns the hash of a code; it takes long enough that not all codes can be tried."""
        salt = bytes.fromhex(self.salt)
        return pbkdf2_hmac("sha256", participant.encode(), salt, HASH_ROUNDS).hex()

    def hold(self, participant: str) -> bool:
        """Returns whether a participant is one of these."""
        return bool(self.hashes) and self.hash_of(participant) in self.hashes
