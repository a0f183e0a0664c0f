"""Hand-made scenes for the planner's tests."""

from bba.kitchen import Layout
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.kitchen import ObjectView, OrderView, PlayerView, Scene
from bba.planner import BeliefView, Message, PlannerInput, Prompts, ScriptedBackend
from bba.planner.scripted.prompt_reader import parse_prompt
from bba.planner.scripted.scene_facts import SceneFacts

PROMPTS = Prompts.load()
EVERYTHING = tuple(range(N_SKILLS))
ROLES = ("prep_protein", "prep_rice", "plate_hygiene", "assemble", "serve", "stage_pass")
STEAK_THEN_MUSHROOM = (OrderView("steak_burrito", 540, 600), OrderView("mushroom_burrito", 540, 600))


def stations(layout: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """A shipped layout's stations by letter."""
    loaded = Layout.load(layout)
    found = {letter: tuple(p for p, char in loaded.tiles() if char == letter) for letter in "MZRTUBGPWDS"}
    return found | {"pass": loaded.pass_counters}


def cook(x: int, y: int, held: str | None = None, facing: str = "north") -> PlayerView:
    """A cook."""
    return PlayerView((x, y), facing, held)


def on(tile: str, name: str, x: int, y: int, state: str = "", progress: int = 0, total: int = 0) -> ObjectView:
    """An object on a tile."""
    return ObjectView(name, (x, y), tile, state, progress, total)


def situation(
    me: PlayerView,
    teammate: PlayerView,
    *objects: ObjectView,
    layout: str = "open",
    feasible: tuple[int, ...] = EVERYTHING,
    dirty_plates: int = 4,
    orders: tuple[OrderView, ...] = STEAK_THEN_MUSHROOM,
    belief: BeliefView | None = None,
    seat: int = 0,
    step: int = 60,
) -> PlannerInput:
    """A situation of the cook `me` in `seat`; by default every skill is offered."""
    players = (me, teammate) if seat == 0 else (teammate, me)
    scene = Scene(layout, step, 0, 0, 0, dirty_plates, players, objects, orders)
    return PlannerInput(scene, seat, stations(layout), feasible, belief)


def side_queries(decision):
    """The calls of a decision besides the choice of its skill."""
    return [call for call in decision.calls if call.kind != "plan"]


def facts(planner_input: PlannerInput) -> SceneFacts:
    """What the scripted planner reads of a situation."""
    return parse_prompt(PROMPTS.user(planner_input))


def choice(planner_input: PlannerInput) -> int:
    """The scripted planner's skill for a situation."""
    return choice_after(planner_input)


def choice_after(*scenes: PlannerInput) -> int:
    """The scripted planner's skill for the last of several situations, the others sent along as history."""
    messages: list[Message] = [{"role": "system", "content": PROMPTS.system("base", scenes[-1])}]
    messages += [{"role": "user", "content": PROMPTS.user(planner_input)} for planner_input in scenes]
    return int(ScriptedBackend().complete(messages).text)


def belief(role: str, confidence: float, *, confident: bool, moderate: bool = False) -> BeliefView:
    """A belief with the rest of the probability spread evenly."""
    others = (1.0 - confidence) / (len(ROLES) - 1)
    posterior = tuple(confidence if name == role else others for name in ROLES)
    return BeliefView(
        roles=ROLES,
        posterior=posterior,
        map_index=ROLES.index(role),
        confidence=confidence,
        stable_updates=7,
        confident=confident,
        heading="pot (3,6)" if confident else None,
        complements=("prep_protein", "plate_hygiene", "assemble"),
        moderate=moderate,
    )
