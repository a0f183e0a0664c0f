"""The options of an episode that games, sweeps and the command line share."""

from typing import Annotated

from pydantic import Field

from bba.config.base import Options
from bba.limits import Share, Steps


class EpisodeOptions(Options):
    """How long an episode lasts and how freely its agents move."""

    horizon: Annotated[Steps, Field(description="steps of an episode")] = 2400
    mobility: Annotated[Share, Field(description="chance that an agent's step is carried out")] = 0.35


EPISODE_DEFAULTS = EpisodeOptions()


class SkillOptions(Options):
    """How long a skill may last."""

    skill_timeout: Annotated[Steps, Field(description="steps after which a skill ends unfinished")] = 30
