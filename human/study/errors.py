"""The errors of a study that participants read."""

from bba.errors import BBAError


class ParticipantError(BBAError):
    """What goes wrong in words for participants: without a file's place, a machine's name, or the program's insides."""


class BegunInOtherBrowser(ParticipantError):
    """A participant has begun in another browser."""
