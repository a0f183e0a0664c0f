"""Ranges of numbers that several options and files share. A range of one option only stands on its field."""

from typing import Annotated, Literal

from pydantic import Field

MOST_STEPS = 1_000_000

# Text that is shown on a terminal, which obeys control characters.
PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Share = Annotated[float, Field(ge=0, le=1)]
Steps = Annotated[int, Field(ge=1, le=MOST_STEPS)]
StepsOrNone = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
ThemeName = Literal["dark", "light", "contrast"]
Workers = Annotated[int, Field(ge=1, le=10_000)]
EngineName = Literal["local", "ray"]
PluginText = Annotated[str, Field(max_length=300, pattern=r"^[\w ./\\:@+~-]+$")]  # a name that may be one of a plug-in
BuiltInTrigger = Literal["gate", "commitment", "periodic", "completion-held", "judge", "value", "never"]
TriggerName = BuiltInTrigger | PluginText
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0.1, le=100_000)]  # more than the day that a batch may take
Dollars = Annotated[float, Field(gt=0, le=1e6)]
CacheMode = Literal["off", "read", "write", "only"]
Knowledge = Literal["role", "rule", "policy"]  # what an oracle tells of a partner; the policy is all of it
