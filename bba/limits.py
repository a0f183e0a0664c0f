"""What numbers may be, once: for options, for files, and for whoever builds the settings in Python."""

from typing import Annotated, Literal

from pydantic import Field

MOST_STEPS = 1_000_000

# Text that is shown on a terminal, which obeys control characters.
PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Share = Annotated[float, Field(ge=0, le=1)]
OpenShare = Annotated[float, Field(ge=0.001, le=0.999)]
Floor = Annotated[float, Field(ge=0, le=0.999)]
Weight = Annotated[float, Field(ge=0.001, le=1)]
Alpha = Annotated[float, Field(ge=1e-6, le=1e6)]
Scale = Annotated[float, Field(ge=0.01, le=10)]
Window = Annotated[int, Field(ge=1, le=10_000)]
Steps = Annotated[int, Field(ge=1, le=MOST_STEPS)]
StepsOrNone = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Psi = Literal["roles", "skills"]
ThemeName = Literal["dark", "light", "contrast"]
Workers = Annotated[int, Field(ge=1, le=10_000)]
EngineName = Literal["local", "ray"]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0.1, le=86_400)]
Dollars = Annotated[float, Field(gt=0, le=1e6)]
CacheMode = Literal["off", "read", "write", "only"]
