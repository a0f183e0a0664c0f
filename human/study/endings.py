"""The names of the endings that a participant can come to in a study."""

from typing import Literal

EndingName = Literal[
    "finished",
    "declined",
    "screened-out",
    "failed-attention",
    "finished-after-idle",
    "idle",
    "partner-lost",
    "study-full",
    "other-browser",
    "withdrawn",
    "fault",
]
# The endings of who has no further task.
LastEnding = Literal["finished", "finished-after-idle", "failed-attention", "screened-out"]
