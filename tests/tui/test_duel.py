"""A duel: two games that are the same but for the ego, side by side on one clock; recorded in one file, exported."""

import csv
import io
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from textual.widgets import Select

from bba.agents import SeatSpec, load_agent
from bba.analysis import comparison
from bba.analysis.comparison import (
    Differences,
    average_in_words,
    caption,
    decision_texts,
    duel_titles,
    lead_in_words,
    lead_pixels,
    leads,
    side_marks,
    side_names,
    steps_lost,
)
from bba.belief.roles import ROLE_NAMES
from bba.bundle import shared_recording
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.files import data_dir
from bba.film.duel import to_duel_gif, to_duel_png
from bba.kitchen.constants import SCORE, SKILL_STAY
from bba.planner.account import Redactor
from bba.play import Game, Replay, load, record, save
from bba.play.ticks import step_arrays
from bba.play.trace import EGO
from tests.helpers.forks import same, still
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.arguments.options import SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEEDS, ChosenGame, DuelGame
from tui.cli import main
from tui.export.dialog import ExportDialog
from tui.game_factory import DUEL, duel_source, duelists, live_source, recorded_source, with_rival
from tui.playback.shown_pair import with_shown_pair
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.comparison import ComparisonScreen
from tui.screens.duel import DuelScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.screens.what_if import ForkDialog

RECORDING = Path(__file__).parents[1] / "screens" / "recordings" / "duel-open.bba"
LEADS = Path(__file__).parents[2] / "docs" / "results" / "data" / "knowledge_leads.csv"
SIZE = (120, 40)
STEPS = 60
SAID = {"agents": "bayes,proagent", "partner": "switching", "planner": "scripted", "seed": 5, "horizon": STEPS}


def settings(**said) -> DuelGame:
    return DuelGame.model_validate(SAID | said)


@pytest.fixture(scope="module")
def recorded():
    """The default duel's first steps, as it was played with the rollout planner; compiled, which gives the same."""
    recording = load(RECORDING)
    return Replay(recording, fast=True).run(), Replay(recording.other, fast=True).run()


@pytest.fixture(scope="module")
def differences(recorded):
    found = Differences(*recorded, 0)
    found.extend()
    return found


# --- the two games ---------------------------------------------------------------------------------------------
async def test_the_two_games_are_those_of_headless_runs_also_after_a_question_what_if_and_both_are_kept(
    monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("tui.app.app.KEPT_STEPS", 10)
    app = BBAApp(duel_source(settings()), state=AppState(tmp_path / "start.json"), autostart=False, motion=False)
    async with app.run_test(size=SIZE) as pilot:
        screen = app.screen
        for _ in range(12):
            screen.action_step()
        # What if is asked of the marked game, and leads back.
        await pilot.press("tab", "w")
        await until(pilot, lambda: isinstance(app.screen, ForkDialog))
        assert app.screen.query_one("#agent", Select).value == "proagent"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        assert app.screen.sources[0] is screen.sources[1]
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        await pilot.press("b")
        await until(pilot, lambda: app.screen is screen)
        games = [source.trace for source in screen.sources]
        assert [len(trace.ticks) for trace in games] == [12, 12]
        screen._play(STEPS)
        await pilot.pause()
        lead = lead_in_words(games[0].score - games[1].score, over=True)
        assert str(screen._below_boards.visual).startswith(f" {lead} ")
        app.exit()
    for trace, ego in zip(games, ("bayes", "proagent"), strict=True):
        alone = Game("open", ego, "switching", 5, horizon=STEPS, fast=True).run()
        assert len(trace.ticks) == STEPS
        assert all(same(*pair) for pair in zip(trace.ticks, alone.ticks, strict=True)), ego
    assert [load(path).other.config.agents[0] for path in app.kept] == ["proagent"], "watched for long, so kept"


@pytest.mark.usefixtures("shown_pair")
@pytest.mark.parametrize("kitchen", SHOWN_SEEDS)
def test_the_usual_duel_is_the_game_that_opens_and_a_pair_that_was_measured(kitchen):
    first, second = duelists(DuelGame.model_validate({"layout": kitchen}))
    assert (first.agent, second.agent, first.partner, first.planner, first.seed) == (
        SHOWN_EGO,
        comparison.KNOWS_NOTHING,
        SHOWN_PARTNER,
        comparison.PLANNER,
        SHOWN_SEEDS[kitchen],
    )
    opened = with_shown_pair(parse(["watch", kitchen]).options)
    assert live_source(opened).config == live_source(first).config
    average = average_in_words(live_source(first).config, live_source(second).config)
    assert average.startswith(f"average of 40 games: {SHOWN_EGO} +") == (kitchen != "forced_coordination")
    assert first.horizon == comparison.MEASURED_STEPS == EPISODE_DEFAULTS.horizon
    mine, _ = duelists(DuelGame.model_validate({"seed": 7, "agents": "proagent, bayes", "partner": "switching"}))
    assert (mine.agent, mine.seed, mine.partner, mine.planner) == ("proagent", 7, "switching", comparison.PLANNER)


def test_a_duel_in_a_kitchen_without_networks_has_the_scripted_planner(tmp_path):
    text = (data_dir("configs/layouts") / "open.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(text.replace('name = "open"', 'name = "mine"'), encoding="utf-8")
    mine = {"layout": str(tmp_path / "mine.toml")}
    games = duelists(DuelGame.model_validate(mine))
    assert [game.agent for game in games] == ["bayes-commit", "proagent"]
    assert {game.planner for game in games} == {"scripted"}
    asked = ChosenGame.model_validate(mine | {"agent": "proagent", "partner": "switching"})
    assert with_rival(asked).agents == "proagent,bayes-commit"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"agents": "bayes"}, "takes two different egos"),
        ({"agents": "bayes,bayes"}, "takes two different egos"),
        ({"agents": "bayes,proagent,gamma"}, "takes two different egos"),
        ({"agents": "bayes,human"}, "agents alone"),
        ({"partner": "human"}, "agents alone"),
        ({"agents": "bayes,nobody"}, "nobody"),
    ],
)
def test_a_duel_that_cannot_be_is_refused_in_a_line(said, complaint):
    with pytest.raises(BBAError, match=complaint):
        duel_source(settings(**said))


# --- who leads, and why ----------------------------------------------------------------------------------------
def test_the_lead_is_the_difference_of_the_scores_after_every_step(recorded):
    first, second = recorded
    assert len(leads(replace(first, ticks=list(first.ticks[:100])), second)) == 100
    assert leads(*recorded) == [one.score - other.score for one, other in zip(first.ticks, second.ticks, strict=True)]
    assert (lead_in_words(40), lead_in_words(-5), lead_in_words(0)) == (
        "left leads by 40 points",
        "right leads by 5 points",
        "both have the same score",
    )
    assert lead_in_words(-1, ("bayes", "proagent"), over=True) == "proagent has won by 1 point"


def test_what_is_said_of_two_games_fits_one_board_too_so_they_are_called_by_their_egos(recorded):
    first, second = (trace.config for trace in recorded)
    assert side_names(first, second) == ("bayes-commit", "proagent")
    assert side_names(first, first) == ("left", "right")
    assert duel_titles(first, second) == ("with a belief: bayes-commit", "without: proagent")
    assert duel_titles(first, first) == ("left: bayes-commit", "right: bayes-commit")
    assert (side_marks(first, second), side_marks(first, first)) == (("with", "without"), ("first", "second"))


def test_the_area_of_the_lead_goes_up_for_the_first_game_and_down_for_the_other():
    drawn = lead_pixels([0, 10, -10, 5], 4, -10, 10)
    assert drawn.T.tolist() == [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, -1, -1], [0, 1, 0, 0]]


def test_where_they_first_decide_differently_it_is_said_what_one_knew_and_the_other_did_not(recorded, differences):
    first = differences.ego_steps[0]
    texts = caption(recorded, differences, first, truth=True, here=False)
    assert texts[0] == (
        f"Step {first}: bayes-commit expects its partner to fry on the grill (99.7 %): it will get a dirty plate. "
        "proagent has no belief about its partner: it will get a mushroom, though its partner sees to the meat and "
        "mushrooms already."
    )
    assert list(texts) == sorted(texts, key=len, reverse=True)
    assert "already" not in "".join(decision_texts(recorded, first, truth=False)), "the truth is hidden"
    assert caption(recorded, differences, first + 20, truth=True, here=False) == texts
    assert not caption(recorded, differences, first - 30, truth=True, here=False)


def test_later_the_last_replan_that_changed_a_skill_is_told_of_either_game(recorded, differences):
    ticks = list(recorded[0].ticks)
    changed = next(at for at in range(100, len(ticks)) if ticks[at].skills[EGO] != ticks[at - 1].skills[EGO])
    decision, other = ticks[changed].decisions
    ticks[changed] = ticks[changed]._replace(decisions=(decision._replace(replanned=True), other))
    pair = replace(recorded[0], ticks=ticks), recorded[1]
    for step in (changed + 1, changed + 5):
        said = caption(pair, differences, step, truth=True, here=False)[0]
        assert said.startswith(f"▲ bayes-commit, step {changed + 1}: ")
    swapped = caption(pair[::-1], differences, changed + 1, truth=True, here=False)
    assert swapped[0].startswith(f"▲ bayes-commit, step {changed + 1}: ")


def test_else_it_is_said_what_the_steps_of_both_egos_went_to_while_one_leads(recorded, differences):
    last = min(len(trace.ticks) for trace in recorded)
    scores = [[int(trace.state(step)[SCORE]) for step in range(last + 1)] for trace in recorded]
    leading = next(step for step in range(last) if scores[0][step] != scores[1][step])
    step = last
    same, waits = [], []
    for trace in recorded:
        arrays = step_arrays(trace.ticks)[:step]
        same.append(int(((arrays.ego == arrays.partner) & (arrays.ego >= 0)).sum()))
        waits.append(int((arrays.skills[:, EGO] == SKILL_STAY).sum()))
    assert same[0] != same[1]
    texts = steps_lost(recorded, step, truth=True)
    assert texts[0] == (
        f"So far bayes-commit did the same work as its partner in {same[0]} steps and waited in {waits[0]}; "
        f"proagent in {same[1]} and {waits[1]}."
    )
    assert steps_lost(recorded, step, truth=False) == (
        f"So far bayes-commit waited in {waits[0]} steps, proagent in {waits[1]}.",
    )
    assert steps_lost(recorded, leading - 1, truth=True) == ()
    assert caption(recorded, differences, step, truth=True, here=False) == texts
    decided = next(at for at in differences.ego_steps if at > leading)
    decision = decision_texts(recorded, decided, truth=True)
    lost = steps_lost(recorded, decided, truth=True)
    assert caption(recorded, differences, decided, truth=True, here=True) == (f"{decision[0]} {lost[0]}", *decision)


def test_a_cook_that_waits_on_is_no_new_difference(recorded, differences):
    for step in differences.ego_steps:
        before, now = ([trace.ticks[at].skills[EGO] for trace in recorded] for at in (step - 2, step - 1))
        assert now[0] != now[1]
        assert before != now


MEASURED_AS = {  # agents, and the priors of their beliefs, by the names under which they were measured
    "belief and gate": ("bayes-commit", "types"),
    "belief and value": ("bayes-value", "types"),
    "propensities and gate": ("bayes-commit", "propensities"),
    "propensities and value": ("bayes-value", "propensities"),
}


def test_the_average_on_the_screen_is_the_measured_one():
    rows = {
        (*MEASURED_AS[row["ego"]], row["layout"], row["partners"]): row
        for row in csv.DictReader(LEADS.open())
        if row["ego"] in MEASURED_AS and row["other"] == "nothing"
    }
    for place, numbers in comparison.MEASURED_LEADS.items():
        row = rows[place]
        assert numbers == tuple(round(float(row[column])) for column in ("lead", "low", "high"))
        assert int(row["pairs"]) == comparison.MEASURED_GAMES


def test_the_average_is_said_only_of_what_was_measured(recorded):
    first, second = (trace.config for trace in recorded)
    assert average_in_words(first, second) == "average of 40 games: bayes-commit +204 (95 %: 162 to 246)"
    assert average_in_words(second, first) == ""
    assert average_in_words(replace(first, horizon=600), second) == ""
    scripted = load_agent("bayes-commit", SeatSpec(planner="scripted")).profile
    assert average_in_words(replace(first, seats=(scripted, first.seats[1])), second) == ""
    one_role = replace(first.seats[1], schedule=((0, ROLE_NAMES.index("serve")),))
    assert average_in_words(replace(first, seats=(first.seats[0], one_role)), second) == ""


# --- the screen ------------------------------------------------------------------------------------------------
def shown(recorded) -> PlaybackSource:
    """The recorded duel, all of it read."""
    first, second = (PlaybackSource(partial(TracePlayback, trace)) for trace in recorded)
    first.rival = second
    return first


async def opened(pilot) -> DuelScreen:
    """Its screen, at the start."""
    await pilot.pause()
    return pilot.app.screen


async def test_both_boards_are_shown_where_they_can_be_read_else_the_marked_one(recorded):
    app = still(shown(recorded))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        for size, boards in (((80, 24), 1), ((120, 40), 2), ((200, 60), 2), ((100, 60), 2)):
            await pilot.resize_terminal(*size)
            first = [kitchen.id for kitchen in screen._kitchens if kitchen.region]
            assert len(first) == boards, size
            places = [widget.region for widget in (*screen._kitchens, *screen._duel_panels) if widget.region]
            assert all(not one.overlaps(other) for one in places for other in places if one is not other), size
            assert all(app.size.region.contains_region(place) for place in places), size
            assert screen._timeline.region.height >= 3, size
            await pilot.press("tab")
            right = screen._kitchens[1]
            assert boards == 2 or right.content_size.width == right.region.width, "a line would cut its edge"
            other = [kitchen.id for kitchen in screen._kitchens if kitchen.region]
            assert other == (["right"] if boards == 1 else first), size
            assert "▸without" in screen._duel_panels[1].render().plain, size
            hidden = [panel for panel in screen._duel_panels if "(TAB" in panel.render().plain]
            assert hidden == ([screen._duel_panels[0]] if boards == 1 else []), size
            screen.action_other_side()


async def test_v_leads_through_differing_decisions_k_to_one_game_and_back_and_e_exports_both(
    recorded, differences, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    app = still(shown(recorded))
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        for step in differences.ego_steps[:3]:
            await pilot.press("v")
            assert {snapshot.step for snapshot in screen.snapshots} == {step}
            assert str(screen._caption.visual).startswith(f"Step {step}: bayes-commit expects its partner to")
        await pilot.press("V")
        assert screen.snapshot.step == differences.ego_steps[1]
        # The marked game is watched alone; the way back leads to the step at which it was left.
        await pilot.press("tab", "k")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen))
        assert app.screen.source is screen.sources[1]
        assert app.screen.snapshot.step == screen.snapshot.step
        await pilot.press("left", "b")
        await until(pilot, lambda: app.screen is screen)
        assert screen.snapshot.step == differences.ego_steps[1] - 1
        both = Image.open(io.BytesIO(to_duel_png(*recorded, range(30, 34)))).size
        for name, frames in (("comparison.gif", 4), ("comparison.png", 1), ("comparison.svg", 0)):
            await pilot.press("e")
            await until(pilot, lambda: isinstance(app.screen, ExportDialog))
            app.screen.query_one("#file").value = name
            app.screen.query_one("#steps").value = "30:33"
            await pilot.press("enter")
            await until(pilot, (tmp_path / name).exists)
            if frames:
                made = Image.open(tmp_path / name)
                assert (getattr(made, "n_frames", 1), made.size) == (frames, both), name
            else:
                assert "proagent" in (tmp_path / name).read_text()
        await pilot.press("end")
        assert "bayes-commit leads by 88 points" in str(screen._below_boards.visual)
        assert "bayes-commit +204" in str(screen._below_boards.visual), "on average"


@pytest.mark.usefixtures("shown_pair")
async def test_the_start_screen_begins_a_duel_in_the_game_of_its_form_and_escape_leads_back(monkeypatch, tmp_path):
    scripted = {"agents": "bayes-commit,proagent", "planner": "scripted"}  # which need not be compiled
    monkeypatch.setattr("tui.game_factory.DUEL", DUEL | scripted)
    asked = {"layout": "ring", "agent": SHOWN_EGO, "partner": "switching+locked", "seed": 7, "horizon": 300}
    app = BBAApp(state=AppState(tmp_path / "start.json"), start_overrides=asked, autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, DuelScreen))
        first, second = (source.config for source in app.screen.sources)
        assert (first.layout.name, first.seed, first.horizon) == ("ring", 7, 300)
        assert (first.agents, second.agents[0]) == (("bayes-commit", "switching+locked"), "proagent")
        assert first.seats[0].planner == "scripted"
        assert second == replace(first, seats=(second.seats[0], first.seats[1]))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))


def test_an_ego_without_a_belief_duels_with_one_that_has_one_and_a_person_with_nobody():
    settings = ChosenGame.model_validate({"agent": "proagent", "partner": "switching"})
    assert with_rival(settings).agents == f"proagent,{SHOWN_EGO}"
    with pytest.raises(BBAError, match="agents alone"):
        duelists(with_rival(settings.model_copy(update={"agent": "human"})))


@pytest.mark.usefixtures("shown_pair")
def test_from_a_form_as_it_is_at_first_comes_the_usual_duel_whose_games_differ_and_what_was_chosen_counts():
    form = {name: ChosenGame.model_fields[name].default for name in ("layout", "agent", "partner", "planner", "seed")}
    first, second = duelists(with_rival(ChosenGame.model_validate(form)))
    assert f"{first.agent},{second.agent}" == DUEL["agents"]
    assert (first.partner, first.planner, first.seed) == (DUEL["partner"], DUEL["planner"], form["seed"])
    first, second = duelists(with_rival(ChosenGame.model_validate(form | {"agent": "bayes-commit", "seed": 7})))
    assert (first.agent, second.agent, first.seed, first.partner) == ("bayes-commit", "proagent", 7, DUEL["partner"])


# --- files -----------------------------------------------------------------------------------------------------
def test_one_file_holds_both_games_and_is_as_private_as_any(recorded, tmp_path):
    path = tmp_path / "comparison.bba"
    save(record(*recorded), path)
    again = load(path)
    assert again == record(*recorded)
    source = recorded_source(path)
    for one, trace in zip((source, source.rival), recorded, strict=True):
        assert one.play(20) is None
        assert all(same(*pair) for pair in zip(one.trace.ticks, trace.ticks[:20], strict=True))
    secret = again.model_copy(update={"other": again.other.with_bookmarks({3: "sk-0123456789abcdefghijklmnop"})})
    assert "sk-0123456789" not in str(shared_recording(secret, Redactor("sk-0123456789abcdefghijklmnop")).other.notes)


def test_a_file_that_pairs_different_kitchens_is_damaged(recorded):
    elsewhere = record(Game("ring", "switching", "switching", 1, horizon=5).run())
    with pytest.raises(ValueError, match="another kitchen"):
        record(recorded[0]).model_validate(record(recorded[0]).model_copy(update={"other": elsewhere}))


def test_the_film_shows_both_boards_and_the_lead_of_the_game_that_leads(recorded):
    steps = range(1, 121, 12)
    film = Image.open(io.BytesIO(to_duel_gif(*recorded, steps, 10)))
    assert film.n_frames == len(steps)
    left, right = (to_duel_png(*pair, steps) for pair in (recorded, recorded[::-1]))
    shapes = [Image.open(io.BytesIO(one)).size for one in (left, right)]
    assert shapes[0] == shapes[1] == film.size
    assert left != right


def test_without_a_screen_a_duel_or_its_recording_is_played_and_exported(tmp_path, capsys):
    words = ["bayes,proagent", "--partner", "switching", "--planner", "scripted", "--seed", "5", "--horizon", "12"]
    live = ["--export", str(tmp_path / "live.png"), "--record", str(tmp_path / "live.bba")]
    assert main(["headless", "--duel", "--agents", *words, *live]) == 0
    printed = capsys.readouterr().out
    assert printed.index("open: bayes (") < printed.index("open: proagent (")
    assert main(["export", str(tmp_path / "again.png"), "--replay", str(tmp_path / "live.bba")]) == 0
    assert (tmp_path / "live.png").read_bytes() == (tmp_path / "again.png").read_bytes()
