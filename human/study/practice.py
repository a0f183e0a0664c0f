"""The tutorial: a kitchen with time enough for one burrito, and stages that are read off what everybody can see."""

from pathlib import Path
from typing import NamedTuple

from bba.agents import Controls, HumanAgent
from bba.kitchen import Layout, constants
from bba.kitchen.layout import OrderRules, Timing
from bba.kitchen.state import HELD, POSITION
from bba.play import Game, Tick
from human.session import Session

PERSON = 1  # the seat
HORIZON = 18_000  # steps: half an hour at ten a second
TILES = 4  # to have stood on
BURRITOS = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)
WALKED, COMBINED = "walked", "combined"  # beside skills: what else a stage may ask for

Seen = int | str


class TutorialStage(NamedTuple):
    """One thing to learn: its title, what to do, and what shows that it is done."""

    title: str
    text: str
    shown_by: Seen


STAGES = (
    TutorialStage(
        "walk",
        "Walk with the arrow keys, or w a s d. You are cook 2, in orange. The box below says what you face.",
        WALKED,
    ),
    TutorialStage(
        "take",
        "Stand before the meat, face it, and take some: space, or enter. All work is done so.",
        constants.GRAB_MEAT,
    ),
    TutorialStage(
        "chop", "Put it on a board and use the board until the meat is chopped; then take it.", constants.CHOP
    ),
    TutorialStage("fry", "Put the chopped meat on a grill. It cooks by itself.", constants.FRY),
    TutorialStage("boil", "Take rice and put it into a pot. It cooks by itself, too.", constants.BOIL),
    TutorialStage(
        "wash", "Take a dirty plate, put it into the sink and use the sink until the plate is clean.", constants.WASH
    ),
    TutorialStage(
        "plate the meat", "Take the clean plate, and use the grill with it once the meat is done.", constants.GET_STEAK
    ),
    TutorialStage(
        "plate the rice", "With the same plate use the pot, once the rice is done.", constants.GET_BOILED_RICE
    ),
    TutorialStage("wrap", "With the same plate use the tortillas. Now it is a burrito.", COMBINED),
    TutorialStage("serve", "Bring the burrito to the serving window.", constants.SERVE),
)


class TutorialProgress:
    """Which stages have been seen. They may be done in any order; the first that is missing is the one to do."""

    def __init__(self) -> None:
        self._seen: set[Seen] = set()
        self._tiles: set[int] = set()

    def see(self, tick: Tick) -> None:
        """Take in one step."""
        self._seen |= {int(event.skill) for event in tick.events if event.player == PERSON and event.complete}
        self._tiles.add(int(tick.state[POSITION + PERSON]))
        if len(self._tiles) >= TILES:
            self._seen.add(WALKED)
        if int(tick.state[HELD + PERSON]) in BURRITOS:
            self._seen.add(COMBINED)

    @property
    def done(self) -> int:
        """How many stages there are before the one to do; all of them at the end."""
        missing = (i for i, stage in enumerate(STAGES) if stage.shown_by not in self._seen)
        return next(missing, len(STAGES))


def practice_kitchen() -> Layout:
    """The shipped `open`, where for the time of a tutorial nothing burns and the one guest has patience."""
    slow = {"timing": Timing(ready=10_000), "orders": OrderRules(life=100_000, active=((0, 1),))}
    return Layout.load("open").model_copy(update={"name": "tutorial", **slow})


def practice_session(path: Path) -> Session:
    """A new game for the tutorial: a person in seat 1, and in seat 0 a cook who only looks on."""
    controls = Controls()
    game = Game(practice_kitchen(), HumanAgent(), HumanAgent(controls), 0, horizon=HORIZON, mobility=(1.0, 1.0))
    return Session(game, {PERSON: controls}, path)
