"""What the two cooks of a game are called where something is said of them, to people among them and to others."""

from typing import NamedTuple

from bba.agents import HUMAN
from bba.analysis import names
from bba.language import say


class CookNames(NamedTuple):
    """What the two cooks are called in a sentence.

    Attributes:
        partner: player 1, whom the belief is about.
        partners: the same as the owner of its work.
        ego: player 0.
        itself: player 1 in a subordinate clause.
        was: the verb of player 1.
    """

    partner: str
    partners: str
    ego: str
    itself: str = "it"
    was: str = "was"

    @property
    def to_partner(self) -> bool:
        """Whether a sentence is said to the partner, which is "you" then."""
        return self.partner == say("you")

    def verb(self, of_you: str, of_it: str) -> str:
        """Returns the form of a verb that goes with the partner."""
        return of_you if self.to_partner else of_it

    def believer(self, *, own: bool) -> str:
        """Returns whose belief it is: the ego's own, or the observer's."""
        return self.ego if own else "the observer"


# How the cooks are named where one of them is a person, by the seat of that person.
ONE_PERSON = (
    CookNames("your partner", "your partner's", "you"),
    CookNames("you", "your", "your partner", itself="you", was="were"),
)
# How they are named elsewhere.
_BLUE, _ORANGE = names.COLOURS
BY_COLOUR = CookNames(_ORANGE, f"{_ORANGE}'s", _BLUE)
BY_NUMBER = CookNames("cook 2", "cook 2's", "cook 1")  # where there are no colours
BY_PART = CookNames("the partner", "the partner's", "the ego")  # in files, where there are no cooks to be seen


def cook_names(agents: tuple[str, str], others: CookNames = BY_NUMBER) -> CookNames:
    """Returns how the cooks of a game are named.

    Args:
        agents: the names of both agents.
        others: how they are named where not exactly one of them is a person.
    """
    if agents.count(HUMAN) != 1:
        return others
    return ONE_PERSON[agents.index(HUMAN)]
