"""A game as it is asked for: the kitchen, both seats, the seed, and how long and how freely it is played.

What comes of it is the `GameConfig` of a trace, which suffices to replay the game.
"""

from dataclasses import dataclass
from pathlib import Path

from bba.agents.base import AgentLike
from bba.agents.seat import SeatSpec, seat_of
from bba.config import EPISODE_DEFAULTS, MOST_STEPS, SKILL_TIMEOUT
from bba.errors import seed_number, whole_number
from bba.keywords import known_options
from bba.kitchen import Layout


@known_options
@dataclass(frozen=True, slots=True)
class GameSpec:
    """All that is said of a game.

    Attributes:
        layout: the name of a shipped layout, the path of a layout file, or a `Layout`.
        seats: of players 0 and 1; an agent, its name or its class stands for a seat with default settings.
        seed: of everything random, 0 or more.
        horizon: steps of the episode, 1 or more.
        mobility: the probability that a direction action of an agent is carried out, 0 to 1; that of people is 1.
            Two numbers are those of players 0 and 1. None: 0.35 for all that the controller moves.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.
    """

    layout: str | Path | Layout = "open"
    seats: tuple[SeatSpec | AgentLike, SeatSpec | AgentLike] = ("bayes", "switching")
    seed: int = 0
    horizon: int = EPISODE_DEFAULTS.horizon
    mobility: float | tuple[float, float] | None = None
    skill_timeout: int = SKILL_TIMEOUT

    def __post_init__(self) -> None:
        """Checks the numbers.

        Raises:
            BBAError: one that is not allowed.
        """
        object.__setattr__(self, "horizon", whole_number("horizon", self.horizon, most=MOST_STEPS))
        object.__setattr__(self, "seed", seed_number(self.seed))
        object.__setattr__(self, "skill_timeout", whole_number("skill-timeout", self.skill_timeout, most=MOST_STEPS))

    @property
    def ego(self) -> SeatSpec:
        """The seat of player 0."""
        return seat_of(self.seats[0])

    @property
    def partner(self) -> SeatSpec:
        """The seat of player 1."""
        return seat_of(self.seats[1])
