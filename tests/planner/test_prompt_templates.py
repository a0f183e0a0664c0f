"""What is sent: the scene's format to the letter, the belief block, the flags, and checks of edited templates."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen.kitchen import ObjectView
from bba.kitchen.layout import Timing
from bba.planner import Prompts
from tests.helpers.planner_scenes import PROMPTS, belief, cook, on, situation

KITCHEN = situation(
    cook(3, 4, "rice", "south"),
    cook(8, 2, facing="east"),
    on("board", "chopped_meat", 2, 0, "unready", 1, 2),
    on("sink", "dirty_plate", 9, 2, "unrinsed", 2, 3),
    on("counter", "fire_ext", 9, 5),
    on("grill", "chopped_steak", 6, 6, "cooking", 34, 80),
    on("pot", "boiled_rice", 2, 6, "ready", 90, 160),
    dirty_plates=3,
    feasible=(1, 4, 26),
)

SCENE = """\
Layout=open. M:(5,3) Z:(4,3) R:(3,3) T:(6,3) U:(0,4) B:(2,0),(3,0) G:(6,6),(7,6) P:(2,6),(3,6) W:(9,2) D:(5,0) \
S:(6,0),(7,0) Scene 60.
P0 pos=(3,4) or=south hold=rice.
P1 pos=(8,2) or=east hold=nothing.
orders: steak_burrito left=540/600; mushroom_burrito left=540/600
objects: (chopped_meat@(2,0) [unready 1/2]) (dirty_plate@(9,2) [unrinsed 2/3]) (fire_ext@(9,5)) \
(chopped_steak@(6,6) [cooking left=46]) (boiled_rice@(2,6) [ready/waiting left=70]) (dirty_plate@(5,0) [stack x3])
Teammate intent: P1 at (8,2) facing east holds nothing — may be washing or taking a plate.
VALID ACTIONS -> 1:GO_TO_POT_AND_BOIL_RICE; 4:STAY; 26:PUT_DOWN_OBJECT
Return one action only (index or name)."""

BELIEF = """\
=== TEAMMATE BELIEF (Bayesian Filter) ===
  MAP role   : prep_rice  (confidence=0.75, commitment=7)
  Heading to : pot (3,6)
  Posterior  :
    prep_protein: 0.05  █
    prep_rice: 0.75  ███████████████
    plate_hygiene: 0.05  █
    assemble: 0.05  █
    serve: 0.05  █
    stage_pass: 0.05  █
  → Teammate in 'prep_rice' — consider: prep_protein, plate_hygiene, assemble
=========================================
"""


def test_the_scene_is_written_to_the_letter() -> None:
    assert PROMPTS.user(KITCHEN) == SCENE


def test_a_confident_belief_comes_first_and_names_complements() -> None:
    told = situation(cook(1, 1), cook(2, 1), belief=belief("prep_rice", 0.75, confident=True))
    assert PROMPTS.user(told).startswith(BELIEF + "Layout=open.")


def test_an_uncertain_belief_gives_no_heading_and_says_do_not_wait() -> None:
    text = PROMPTS.user(situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.3, confident=False)), "bayes")
    assert "Heading to : unknown (low confidence)" in text
    assert "→ Posterior uncertain — act on game-state needs, do NOT wait." in text
    assert "LOW CONFIDENCE" in text
    assert "consider:" not in text


def test_a_moderate_belief_prefers_complementary_actions() -> None:
    told = situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.5, confident=False, moderate=True))
    text = PROMPTS.user(told, "bayes")
    assert "MODERATE CONFIDENCE: your teammate's role is likely but not certain. Prefer actions that complement" in text
    assert "LOW CONFIDENCE" not in text


@pytest.mark.parametrize(
    ("thing", "flag"),
    [
        (on("grill", "chopped_steak", 6, 6, "burning", 220, 220), "FIRE ACTIVE"),
        (on("pot", "boiled_rice", 2, 6, "warning", 170, 220), "COOKING TIMER LOW"),
        (on("pot", "charcoal", 2, 6), "CHARCOAL"),
    ],
)
def test_each_hazard_raises_its_own_flag_for_agents_with_a_belief_only(thing: ObjectView, flag: str) -> None:
    flags = {"FIRE ACTIVE", "COOKING TIMER LOW", "CHARCOAL"}
    told = situation(cook(1, 1), cook(2, 1), thing)
    lines = PROMPTS.user(told, "bayes").splitlines()
    assert {name for name in flags if any(line.startswith(f"{name}:") for line in lines)} == {flag}
    for kind in ("base", "hypothetical"):
        assert PROMPTS.user(told, kind).startswith("Layout=")


def test_the_priority_order_names_the_first_order_if_there_is_one() -> None:
    calm = situation(cook(1, 1), cook(2, 1))
    assert PROMPTS.user(calm, "bayes").startswith("CURRENT PRIORITY ORDER: steak_burrito\nLayout=")
    assert PROMPTS.user(situation(cook(1, 1), cook(2, 1), orders=()), "bayes").startswith("Layout=")


def test_urgency_names_fires_and_the_steps_left_to_save_food() -> None:
    fire = on("grill", "chopped_steak", 6, 6, "burning", 220, 220)
    late = on("pot", "boiled_rice", 2, 6, "warning", 170, 220)
    text = PROMPTS.user(situation(cook(1, 1), cook(2, 1), fire, late))
    assert "\nURGENCY: FIRE at grill (6,6); WARNING boiled_rice at (2,6) burns in 50 steps\nVALID ACTIONS" in text
    assert "(chopped_steak@(6,6) [BURNT])" in text


@pytest.mark.parametrize(("held", "words"), [("meat", "will chop it"), ("steak_burrito", "will serve it")])
def test_intent_follows_what_the_teammate_holds(held: str, words: str) -> None:
    assert f"holds {held} — {words}." in PROMPTS.user(situation(cook(1, 1), cook(2, 1, held)))


def test_pass_counters_are_listed_only_where_there_are_any() -> None:
    assert "pass:(4,3),(4,6) Scene" in PROMPTS.user(situation(cook(1, 1), cook(5, 1), layout="forced_coordination"))
    assert "pass" not in PROMPTS.user(situation(cook(1, 1), cook(2, 1))).partition("\n")[0]


def test_the_system_prompt_asks_for_three_lines_only_of_the_bayes_kind() -> None:
    second = replace(situation(cook(1, 1), cook(2, 1)), player=1)
    base, bayes = PROMPTS.system("base", second), PROMPTS.system("bayes", second)
    assert bayes.startswith(base)
    assert "Plan for Player" not in base
    assert 'Intention for Player 0: "<' in bayes
    assert 'Plan for Player 1: "<' in bayes


def test_the_system_prompt_gives_the_numbers_of_this_kitchen() -> None:
    usual = situation(cook(1, 1), cook(2, 1))
    slow = replace(usual, timing=Timing(chops=7, rinses=5, cooking=300, ready=90, warning=33), plates=2)
    assert "(2 chops)" in PROMPTS.system("base", usual)
    told = PROMPTS.system("base", slow)
    for words in (
        "(7 chops)",
        "rinse it 5 times",
        "cook for 300 steps",
        "ready for 90",
        "warn for 33",
        "Plates: 2 exist",
    ):
        assert words in told


def test_a_retry_quotes_the_answer_and_lists_what_can_run() -> None:
    assert PROMPTS.retry(" 99 ", "there is no skill 99", (4, 12)) == (
        'Your answer "99" cannot be used: there is no skill 99. Choose one of these and keep the answer format: '
        "4:STAY; 12:GRAB_DIRTY_PLATE"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(data_dir("configs/prompts"), tmp_path / "prompts"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("scene.md", "hold={ego_held}", "hold={held}", r"scene.md, line 2: unknown placeholder \{held\}"),
        ("scene.md", "{orders}", "", r"scene.md, line 8: .* without the placeholder \{orders\}"),
        ("system_base.md", "You plan", "{agent_id} plans", r"system_base.md, line 1: unknown .* takes chops, cooking"),
        ("system_bayes.md", "{other_id}", "1", r"system_bayes.md, line 6: .* without the placeholder \{other_id\}"),
        ("lines.md", "## flag_fire", "## flag_smoke", r"lines.md, line 16: unknown section 'flag_smoke'"),
        ("lines.md", "{complements}", "", r"lines.md, line 2: .* without the placeholder \{complements\}"),
    ],
)
def test_an_edited_template_is_checked_when_it_is_loaded(
    folder: Path, name: str, old: str, new: str, message: str
) -> None:
    edit(folder / name, old, new)
    with pytest.raises(BBAError, match=message):
        Prompts.load(folder)


def test_a_missing_template_section_or_folder_is_named(folder: Path) -> None:
    with pytest.raises(BBAError, match="nowhere is not a folder"):
        Prompts.load(folder / "nowhere")
    edit(folder / "lines.md", "## flag_charcoal\n", "")
    with pytest.raises(BBAError, match="the file ends without the section 'flag_charcoal'"):
        Prompts.load(folder)
    (folder / "retry.md").unlink()
    with pytest.raises(BBAError, match=r"retry.md: cannot be read: No such file"):
        Prompts.load(folder)


def test_other_braces_and_percent_signs_are_plain_text(folder: Path) -> None:
    edit(folder / "system_base.md", "You plan", '{"json": {}} 100% {} %s You plan')
    asked = situation(cook(1, 1), cook(2, 1))
    assert Prompts.load(folder).system("base", asked).startswith('{"json": {}} 100% {} %s You plan')


def test_an_older_folder_whose_retry_message_names_no_problem_still_works(folder: Path) -> None:
    edit(folder / "retry.md", "{problem}", "no")
    assert "cannot be used: no." in Prompts.load(folder).retry("99", "there is no skill 99", (4,))


def test_an_older_folder_lacks_what_came_later_and_still_works(folder: Path) -> None:
    for name in ("system_hypothetical.md", "system_kitchen.md", "scene_short.md"):
        (folder / name).unlink()
    edit(folder / "lines.md", "CURRENT PRIORITY ORDER: {order}", "PRIORITY: fire first.")
    edit(folder / "hypotheses_predict.md", "{skills}", "any")
    calm = situation(cook(1, 1), cook(2, 1))
    older = Prompts.load(folder)
    assert older.user(calm, "bayes").startswith("PRIORITY: fire first.\nLayout=")
    assert older.system("hypothetical", calm) == PROMPTS.system("hypothetical", calm)
    assert Prompts.load(folder, "cached").system("bayes", calm) == Prompts.load(layout="cached").system("bayes", calm)
