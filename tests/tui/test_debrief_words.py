"""The debrief says who turned to other work, and whose belief and action followed."""

import pytest

from bba.agents import Controls, HumanAgent
from bba.analysis import cook_names, partner_reading
from bba.analysis.coordination import SwitchResponse
from bba.analysis.replans import Highlight
from bba.belief import NO_ROLE
from bba.bench.formatting import measure_meaning
from bba.play import Game
from tests.helpers.app import texts
from tests.helpers.typist import game_of_a_typist
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens import debrief
from tui.screens.debrief import TEXT_CELLS, DebriefScreen, highlight_line, switch_lines
from tui.widgets import ExplainedLines


@pytest.mark.parametrize(
    ("agents", "partner", "ego", "idle"),
    [
        (("bayes", "human"), "you", "your partner", "you were idle"),
        (("human", "switching"), "your partner", "you", "your partner was idle"),
        (("human", "human"), "cook 2", "cook 1", "cook 2 was idle"),
    ],
)
def test_each_seat_is_told_of_the_right_cook(agents, partner, ego, idle):
    named = cook_names(agents)
    slow, replan = (highlight_line(Highlight(5, kind, 9, 1), named, own=True) for kind in ("slow", "replan"))
    assert slow == f"    5  {partner} turned to the rice, and {ego} noticed after 9 steps"
    assert "and the observer noticed after 1 step" in highlight_line(Highlight(5, "slow", 1, 1), named, own=False)
    its = "your" if ego == "you" else "its"
    assert f"▲ {ego} changed {its} plan while {partner} {named.was} preparing rice" in replan
    kept = highlight_line(Highlight(5, "kept plan", 0, 1), named, own=True)
    assert f"△ {ego} replanned, but kept {its} plan, while {partner} {named.was} preparing rice" in kept
    assert f"changed {its} plan while {idle}" in highlight_line(Highlight(5, "replan", 0, NO_ROLE), named, own=True)


def debrief_of(ego, tmp_path):
    game, typist = game_of_a_typist(ego, schedule=((0, 0), (60, 1)), horizon=160)
    for _ in range(160):
        typist.press()
        game.step()
    return debrief_on(game.trace, tmp_path)


def debrief_on(trace, tmp_path) -> DebriefScreen:
    source = PlaybackSource(lambda: TracePlayback(trace), file=tmp_path / "game.bba")
    return DebriefScreen(source, BestScores(tmp_path / "best.json"), again=False)


@pytest.mark.parametrize(("ego", "believer"), [("bayes", "your partner"), ("switching", "the observer")])
def test_the_belief_that_is_reported_is_the_partners_own_if_it_has_one(tmp_path, ego, believer):
    lines = texts(debrief_of(ego, tmp_path)._summary())
    assert any(line.startswith("you turned to other work ") for line in lines)
    words = " ".join(" ".join(lines).split())
    assert f"noticed: after so many steps {believer} had guessed your new work" in words
    assert "answered: after so many steps your partner did what goes with it" in words
    first_measure = "own belief's accuracy" if ego == "bayes" else "observer's accuracy"
    assert next(line for line in lines if "accuracy" in line).startswith(first_measure)


async def test_a_debrief_begins_with_sentences_and_shows_five_rows_and_all_after_enter(tmp_path, monkeypatch):
    switches = [SwitchResponse(10 * number, 10 * number + 10, number % 4, number, None) for number in range(8)]
    monkeypatch.setattr(debrief, "partner_reading", lambda trace: partner_reading(trace)._replace(responses=switches))
    screen = debrief_of("bayes", tmp_path)
    app = BBAApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(screen)
        await pilot.pause()
        went = screen.query_one("#went")
        strips = screen._compositor.render_strips()[went.content_region.y : went.content_region.bottom]
        assert "Your partner was right about your work in " in "".join(part.text for part in strips[0])
        rows = texts(screen.query_one(ExplainedLines)._lines)
        assert [row.split()[0] for row in rows if row[:6].strip().isdigit()] == ["31", "41", "51", "61", "71"]
        assert "3 more, which were followed sooner" in rows
        meaning = measure_meaning("duplicate_rate")
        assert meaning in " ".join(" ".join(rows).split())
        assert all(len(row) <= TEXT_CELLS for row in rows)
        assert went.max_scroll_x == 0
        assert not any(row.startswith("fires") for row in rows)
        await pilot.press("tab", "enter")
        rows = texts(screen.query_one(ExplainedLines)._lines)
        assert sum(row[:6].strip().isdigit() for row in rows) == 8
        assert any(row.startswith("fires ") for row in rows)
        assert any(row.startswith("observer's accuracy ") for row in rows)
        assert all(len(row) <= TEXT_CELLS for row in rows)
        assert app.screen is screen
        await pilot.press("enter")
        assert sum(row[:6].strip().isdigit() for row in texts(screen.query_one(ExplainedLines)._lines)) == 5


async def test_the_debrief_of_a_watched_game_says_what_the_belief_was_worth(tmp_path, monkeypatch):
    monkeypatch.setattr("tui.widgets.events.reference_score", lambda trace: 7)
    trace = Game("open", "bayes", "switching", 0, horizon=60).run()
    screen = debrief_on(trace, tmp_path)
    app = BBAApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(screen)
        told = screen.query_one("#sentences")
        await until(pilot, lambda: "Without its belief cook 1 would have reached 7 points" in str(told.visual))


def test_switches_and_steps_worth_a_look_count_the_same_steps(tmp_path):
    screen = debrief_of("switching", tmp_path)
    switches = [
        int(said.plain.split()[0])
        for said in switch_lines(screen._reading.responses, screen._cooks, "the observer")
        if said.plain[:6].strip().isdigit()
    ]
    looks = {
        found.step: highlight_line(found, screen._cooks, own=False)
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
        assert rows[heading + 2].startswith("     1   prepare rice "), "in sight"
        assert went.border_subtitle == "TAB, then ↓: more, enter: all"
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
