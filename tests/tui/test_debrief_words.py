"""The debrief says who turned to other work, and whose belief and action followed."""

import pytest

from bba.agents import Controls, HumanAgent
from bba.analysis.replans import Highlight
from bba.belief import NO_ROLE
from bba.play import Game
from tests.helpers.typist import game_of_a_typist
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens import debrief
from tui.screens.debrief import DebriefScreen, cook_names, highlight_line, switch_lines


@pytest.mark.parametrize(
    ("agents", "partner", "ego", "ego_possessive"),
    [
        (("bayes", "human"), "you", "your partner", "your partner's"),
        (("human", "switching"), "your partner", "you", "yours"),
        (("human", "human"), "cook 2", "cook 1", "cook 1's"),
    ],
)
def test_each_seat_is_told_of_the_right_cook(agents, partner, ego, ego_possessive):
    named = cook_names(agents)
    slow, replan = (highlight_line(Highlight(5, kind, 9, 1), named) for kind in ("slow", "replan"))
    assert f"the observer took 9 steps to follow {partner} to " in slow
    assert "took 1 step to follow" in highlight_line(Highlight(5, "slow", 1, 1), named)
    its = "your" if ego == "you" else "its"
    assert f"▲ {ego} changed {its} plan while {partner} did prep rice" in replan
    kept = highlight_line(Highlight(5, "kept plan", 0, 1), named)
    assert f"△ {ego} replanned, but kept {its} plan, while {partner} did prep rice" in kept
    assert f"while {partner} did no work" in highlight_line(Highlight(5, "replan", 0, NO_ROLE), named)
    assert named.ego_possessive == ego_possessive


def debrief_of(ego, tmp_path):
    game, typist = game_of_a_typist(ego, schedule=((0, 0), (60, 1)), horizon=160)
    for _ in range(160):
        typist.press()
        game.step()
    return debrief_on(game.trace, tmp_path)


def debrief_on(trace, tmp_path) -> DebriefScreen:
    source = PlaybackSource(lambda: TracePlayback(trace), file=tmp_path / "game.bba")
    return DebriefScreen(source, BestScores(tmp_path / "best.json"), again=False)


@pytest.mark.parametrize("ego", ["bayes", "switching"])
def test_the_belief_that_is_reported_is_the_observers(tmp_path, ego):
    lines = [said.plain for said in debrief_of(ego, tmp_path)._summary()]
    assert any(line.startswith("you turned to other work ") for line in lines)
    assert "belief: steps until an observer saw it" in lines
    assert "action: your partner's" in lines


def test_switches_and_steps_worth_a_look_count_the_same_steps(tmp_path):
    screen = debrief_of("switching", tmp_path)
    switches = [
        int(said.plain.split()[0])
        for said in switch_lines(screen.trace, screen._cooks)
        if said.plain[:6].strip().isdigit()
    ]
    looks = {
        found.step: highlight_line(found, screen._cooks)
        for found in screen._highlights
        if found.kind in ("slow", "unnoticed")
    }
    assert looks
    assert set(looks) <= set(switches)
    assert all(text.split()[0] == str(step) for step, text in looks.items())


@pytest.mark.parametrize(("ego", "who"), [("bayes", "your partner"), ("switching", "the observer")])
async def test_whether_it_believed_what_was_noted_stands_first_and_the_key_for_the_rest_below(tmp_path, ego, who):
    game, typist = game_of_a_typist(ego, schedule=((0, 0), (20, 1)), horizon=60)
    typist.controls.declare(1)
    for _ in range(60):
        typist.press()
        game.step()
    screen = debrief_on(game.trace, tmp_path)
    app = BBAApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(screen)
        await pilot.pause()
        went = screen.query_one("#went")
        strips = screen._compositor.render_strips()[went.content_region.y : went.content_region.bottom]
        rows = ["".join(part.text for part in strip)[2 : went.size.width].rstrip() for strip in strips]
        heading = rows.index(f"did {who} believe what you noted?")
        assert rows[heading + 2].startswith("     1   prep rice "), "in sight"
        assert went.border_subtitle == "TAB, then ↓: more"
        await pilot.press("tab", "pagedown")
        await until(pilot, lambda: went.scroll_y > 0)


def test_who_never_turned_to_other_work_is_told_no_more_than_that(tmp_path):
    game, typist = game_of_a_typist("bayes", schedule=((0, 0),), horizon=20)
    for _ in range(20):
        typist.press()
        game.step()
    lines = [said.plain for said in debrief_on(game.trace, tmp_path)._summary()]
    assert lines[:2] == ["you turned to other work 0 times", ""]


@pytest.mark.parametrize(("worth", "said"), [(84, True), (None, False)])
async def test_the_debrief_says_what_knowing_the_rule_would_have_been_worth(tmp_path, monkeypatch, worth, said):
    asked = []
    monkeypatch.setattr(debrief, "highlights", lambda _: [Highlight(5, "duplicate", 9, 1)])
    monkeypatch.setattr(debrief, "futures_are_compiled", lambda: True)
    monkeypatch.setattr(debrief, "worth_of_knowing", lambda *what: asked.append(what[1:3]) or worth)
    game = Game("open", HumanAgent(Controls()), "switching+locked", horizon=20)
    game.run()
    screen = debrief_on(game.trace, tmp_path)
    app = BBAApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(screen)
        await until(pilot, lambda: 5 in screen._worth)
        shown = screen.query_one("#worth")
        assert shown.display == said
        assert (
            str(shown.visual)
            == "knowing its rule would have been worth 84 points here to a planner in your place" * said
        )
        assert asked == [(5, "rule")]
