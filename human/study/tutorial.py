"""The tutorial: a kitchen without time pressure, and stages that are recognised from public events."""

from pathlib import Path
from typing import NamedTuple

from bba.agents import HumanAgent
from bba.kitchen import Layout, OrderRules, StateVector, Timing, constants
from bba.language import marked
from bba.play import Game, Tick
from human.session import Session
from human.study.activity_log import LoggedControls

PERSON_SEAT = 1  # the participant's seat
PRACTICE_STEPS = 18_000  # steps: half an hour at ten a second
TUTORIAL = "tutorial"  # the name of its kitchen
TILES = 4  # different tiles that complete the stage "walk", the one at the start among them
BURRITOS = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)
# achievements that are no skill
WALKED = "walked"
COMBINED = "combined"

Achievement = int | str  # a completed skill, WALKED or COMBINED


class TutorialStage(NamedTuple):
    """One stage: its title, the instruction, and the achievement that completes it."""

    title: str
    text: str
    completed_by: Achievement


STAGES = marked(
    (
        TutorialStage(
            "walk",
            'Walk with the arrow keys, or w a s d. You are cook 2, in orange. The box "you" says what you face.',
            WALKED,
        ),
        TutorialStage(
            "take",
            "Go up to the meat, face it, and take some: press space, or enter. The same key does all other work.",
            constants.GRAB_MEAT,
        ),
        TutorialStage(
            "chop", "Put it on a board and use the board until the meat is chopped; then take it.", constants.CHOP
        ),
        TutorialStage("fry", "Put the chopped meat on a grill. It cooks by itself.", constants.FRY),
        TutorialStage("boil", "Take rice and put it into a pot. It cooks by itself, too.", constants.BOIL),
        TutorialStage(
            "wash",
            "Take a dirty plate, put it into the sink and use the sink until the plate is clean.",
            constants.WASH,
        ),
        TutorialStage(
            "plate the meat",
            "Take the clean plate, and use the grill with it once the meat is done.",
            constants.GET_STEAK,
        ),
        TutorialStage(
            "plate the rice", "With the same plate use the pot, once the rice is done.", constants.GET_BOILED_RICE
        ),
        TutorialStage("wrap", "With the same plate use the tortillas. Now it is a burrito.", COMBINED),
        TutorialStage("serve", "Bring the burrito to the serving window.", constants.SERVE),
    )
)


class TutorialProgress:
    """The achievements so far. Their order is free; the current stage is the first one that is not completed.

    Args:
        start: the state before the first step.
    """

    def __init__(self, start: StateVector) -> None:
        self._achieved: set[Achievement] = set()
        self._tiles = {int(start[constants.POSITION + PERSON_SEAT])}

    def see(self, tick: Tick) -> None:
        """Adds the achievements of one step."""
        for event in tick.events:
            if event.player == PERSON_SEAT and event.complete:
                self._achieved.add(int(event.skill))
        self._tiles.add(int(tick.state[constants.POSITION + PERSON_SEAT]))
        if len(self._tiles) >= TILES:
            self._achieved.add(WALKED)
        if int(tick.state[constants.HELD + PERSON_SEAT]) in BURRITOS:
            self._achieved.add(COMBINED)

    @property
    def tiles_left(self) -> int:
        """The number of different tiles still to be walked on in the stage "walk"."""
        return max(0, TILES - len(self._tiles))

    @property
    def done(self) -> int:
        """The number of stages before the current one; at the end, the number of all stages."""
        for number, stage in enumerate(STAGES):
            if stage.completed_by not in self._achieved:
                return number
        return len(STAGES)


def practice_session(path: Path, kind: type[Session] = Session) -> Session:
    """Returns a new tutorial game: the participant in seat 1, and in seat 0 a player that never acts.

    In its kitchen nothing burns, and the single order does not run out. `kind` is the class of the session.
    """
    timing = Timing(ready=10_000)
    orders = OrderRules(life=100_000, active=((0, 1),))
    kitchen = Layout.load("open").model_copy(update={"name": TUTORIAL, "timing": timing, "orders": orders})
    controls = LoggedControls()
    game = Game(kitchen, HumanAgent(), HumanAgent(controls), 0, horizon=PRACTICE_STEPS, mobility=(1.0, 1.0))
    return kind(game, {PERSON_SEAT: controls}, path)
