"""Each prompt, in ten situations, holds every part that the preprint's has; by content, not by wording."""

import re
from dataclasses import replace

import pytest

from bba.kitchen import Layout
from bba.kitchen.constants import SKILL_NAMES
from bba.planner import Planner, PlannerInput, PromptKind, Prompts, ScriptedBackend, stations_of
from tests.helpers.planner_scenes import PROMPTS, belief, cook, on, situation

FIRE = on("grill", "chopped_steak", 6, 6, "burning", 220, 220)
LATE = on("pot", "boiled_rice", 2, 6, "warning", 170, 220)
CHARCOAL = on("grill", "charcoal", 6, 6)
CALM = situation(cook(1, 1), cook(2, 1))
SITUATIONS: dict[str, PlannerInput] = {
    "calm": CALM,
    "a hand full": situation(cook(3, 4, "rice", "south"), cook(8, 2, "meat"), feasible=(1, 4, 26)),
    "no orders": situation(cook(1, 1), cook(2, 1), orders=()),
    "a fire": situation(cook(1, 1), cook(2, 1), FIRE),
    "about to burn": situation(cook(1, 1), cook(2, 1), LATE),
    "charcoal": situation(cook(1, 1), cook(2, 1), CHARCOAL),
    "a confident belief": situation(cook(1, 1), cook(2, 1), belief=belief("prep_rice", 0.8, confident=True)),
    "a moderate belief": situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.5, confident=False, moderate=True)),
    "a low belief and everything on fire": situation(
        cook(1, 1), cook(2, 1), FIRE, LATE, CHARCOAL, belief=belief("serve", 0.3, confident=False)
    ),
    "the other seat": situation(cook(1, 1), cook(5, 1), layout="forced_coordination", seat=1),
}
KINDS: tuple[PromptKind, ...] = ("base", "bayes", "hypothetical")
RULES = (
    r"M meat.*Z mushroom.*R rice.*T tortilla.*U trash.*B chopping board",
    r"G grill.*P pot.*W sink.*D dirty-plate stack.*S serving window.*X counters",
    "chops",
    "steps, hold the food ready for",
    "rinse it",
    "14:GRAB_FIRE_EXT.*3:GO_TO_PUT_OUT_FIRE.*24:GRAB_CHARCOAL.*6:GO_TO_TRASH_AND_THROW",
    "cooking, ready/waiting, warning.*BURNT",
    "VALID ACTIONS",
    "Think silently",
)
ENDS: dict[PromptKind, tuple[str, ...]] = {
    "base": ("exactly one integer from 0 to 26 or exactly one action name",),
    "bayes": ("Teammate role belief: <", 'Intention for Player {other}: "<', 'Plan for Player {me}: "<'),
    "hypothetical": (
        "Teammate strategy hypothesis: <",
        "Predicted next behavior for Player {other}: <",
        'Plan for Player {me}: "<',
    ),
}


def told(name: str) -> PlannerInput:
    """A situation, with the stations as an agent sees them."""
    found = SITUATIONS[name]
    return replace(found, stations=stations_of(Layout.load(found.scene.layout)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_system_prompt_holds_the_rules_and_its_answer_format(name: str, kind: PromptKind) -> None:
    system = PROMPTS.system(kind, told(name))
    for part in RULES:
        assert re.search(part, system, re.DOTALL), part
    me = SITUATIONS[name].player
    lines = [line.format(me=me, other=1 - me) for line in ENDS[kind]]
    positions = [system.index(line) for line in lines]
    assert positions == sorted(positions)
    if kind != "base":
        assert f"You are Player {me} and cooperate with Player {1 - me}" in system
        assert system.splitlines()[-1].startswith(lines[-1]), "nothing after the plan line"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_scene_holds_its_lines_in_order(name: str, kind: PromptKind) -> None:
    here = told(name)
    scene, me = here.scene, here.player
    parts = [
        rf"^Layout={scene.layout}\. " + " ".join(rf"{letter}:\S+" for letter in "MZRTUBGPWDSX"),
        rf" Scene {scene.step}\.$",
        rf"^P{me} pos=\(\d+,\d+\) or=\w+ hold=\w+\.$",
        rf"^P{1 - me} pos=\(\d+,\d+\) or=\w+ hold=\w+\.$",
        r"^orders: .+$",
        r"^objects: .+$",
        rf"^Teammate intent: P{1 - me} at \(\d+,\d+\) facing \w+ holds \w+ — .+\.$",
        r"^VALID ACTIONS -> " + "; ".join(f"{skill}:{SKILL_NAMES[skill]}" for skill in here.feasible) + "$",
        r"^Return one action only \(index or name\)\.$",
    ]
    text, at = PROMPTS.user(here, kind), 0
    for part in parts:
        found = re.compile(part, re.MULTILINE).search(text, at)
        assert found, part
        at = found.end()
    assert at == len(text)


def flags(name: str, kind: PromptKind) -> list[str]:
    """The flags of a user message: what stands between belief block and scene."""
    above = PROMPTS.user(told(name), kind).partition("Layout=")[0].splitlines()
    return [line.partition(":")[0] for line in above if re.match(r"[A-Z ]+:", line)]


ORDER = "CURRENT PRIORITY ORDER"


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("calm", [ORDER]),
        ("no orders", []),
        ("a fire", [ORDER, "FIRE ACTIVE"]),
        ("about to burn", [ORDER, "COOKING TIMER LOW"]),
        ("charcoal", [ORDER, "CHARCOAL"]),
        ("a confident belief", [ORDER]),
        ("a moderate belief", ["MODERATE CONFIDENCE", ORDER]),
        (
            "a low belief and everything on fire",
            ["LOW CONFIDENCE", ORDER, "FIRE ACTIVE", "COOKING TIMER LOW", "CHARCOAL"],
        ),
    ],
)
def test_flags_are_raised_for_bayesbelief_when_they_apply_and_for_nobody_else(name: str, raised: list[str]) -> None:
    assert flags(name, "bayes") == raised
    assert flags(name, "base") == flags(name, "hypothetical") == []


@pytest.mark.parametrize("kind", KINDS)
def test_hazards_are_urgent_for_everybody(kind: PromptKind) -> None:
    assert "\nURGENCY: FIRE at grill (6,6)\n" in PROMPTS.user(told("a fire"), kind)
    assert "\nURGENCY: WARNING boiled_rice" in PROMPTS.user(told("about to burn"), kind)
    assert "URGENCY" not in PROMPTS.user(told("calm"), kind)


def test_counters_stand_with_the_stations_each_once() -> None:
    stations = stations_of(Layout.load("forced_coordination"))
    assert stations["X"]
    assert not set(stations["X"]) & set(stations["pass"])
    assert (0, 0) not in stations["X"], "nobody reaches a corner"


VALUES = {
    "evaluate": {"predictions": "  1. (+0.00) it cooks -> expects 1:X", "seen": "  step 9: did"},
    "generate": {"hypotheses": "  none yet", "events": "  step 9: did"},
    "predict": {"hypotheses": "  1. (+0.00) it cooks", "events": "  step 9: did"},
    "judge": {"skill": "8:GRAB_MEAT", "age": 3, "before": "P1 stood"},
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_side_query_holds_what_it_is_about(name: str, kind: str) -> None:
    question = PROMPTS.query(kind, told(name), **VALUES[kind])
    for value in VALUES[kind].values():
        assert str(value) in question
    assert ("Layout=" in question) == (kind != "evaluate")
    assert "prep_protein" not in question or told(name).belief is not None, "a strategy is free, not one of our roles"
    if kind == "predict":
        assert all(f"{number}:{skill}" in question for number, skill in enumerate(SKILL_NAMES))


CACHED = Prompts.load(layout="cached")
CHARACTERS = 4.6  # of English in a token, at the most: a careful bound, since names and positions take more tokens


def words(text: str) -> set[str]:
    """The lines of a text, those of a scene in parts."""
    return {part for line in text.splitlines() for part in re.split(r"(?<=\.) | (?=[A-Z]:\()| Scene", line) if part}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_cached_layout_says_the_same_in_other_places(name: str, kind: PromptKind) -> None:
    here = told(name)
    preprint = words(f"{PROMPTS.system(kind, here)}\n{PROMPTS.user(here, kind)}")
    cached = words(f"{CACHED.system(kind, here)}\n{CACHED.user(here, kind)}")
    assert {part for part in preprint - cached if not re.fullmatch(r" ?\d+\.", part)} == set()
    if kind != "base":
        assert CACHED.system(kind, here).splitlines()[-3:] == PROMPTS.system(kind, here).splitlines()[-3:]


@pytest.mark.parametrize("kind", ["bayes", "hypothetical"])
def test_what_never_changes_is_the_cached_system_prompt_and_long_enough_to_be_cached(kind: PromptKind) -> None:
    same = [name for name, here in SITUATIONS.items() if (here.player, here.scene.layout) == (0, "open")]
    systems = {CACHED.system(kind, told(name)) for name in same}
    assert len(systems) == 1
    assert len(systems.pop()) / CHARACTERS > 1024
    assert all("Layout=" not in CACHED.user(told(name), kind) for name in SITUATIONS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_scripted_planner_chooses_the_same_in_both_layouts(name: str, kind: PromptKind) -> None:
    answers = {
        Planner(ScriptedBackend(), prompts, kind=kind).decide(told(name)).response for prompts in (PROMPTS, CACHED)
    }
    assert len(answers) == 1


@pytest.mark.parametrize("kind", ["judge", "predict"])
def test_the_scripted_planner_answers_side_queries_the_same_in_both_layouts(kind: str) -> None:
    answers = {
        Planner(ScriptedBackend(), prompts, kind="bayes")
        .ask(kind, told("a confident belief"), lambda _: None, **VALUES[kind])
        .response
        for prompts in (PROMPTS, CACHED)
    }
    assert len(answers) == 1
