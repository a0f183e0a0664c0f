"""Plain mode: the games as lines of text, watched and played, by script and in a pseudo-terminal."""

import signal

import pytest

from bba.analysis import names
from bba.analysis.partner_reading import PlanNews
from bba.kitchen import constants
from bba.play import Replay, load
from human.recordings import recordings_folder, watched_folder
from human.study.tutorial import STAGES
from tests.helpers.command_line import requested, run
from tests.helpers.playing import SIZE, Playing
from tests.helpers.terminal import terminal, typed_lines
from tui.learn import lesson
from tui.plain.lesson import IN_PLAIN_MODE
from tui.plain.words import tell

GAME = ("play", "open", "--agent", "bayes", "--horizon", "60", "--seed", "3")
KEYS = ["w", "w", "d", "u", "k 8", "s", ".", "k 12", "a", "u", "d"]
COOKS = "." * 100  # steps in which food cooks
LESSON = ["wwaass", "k 8", "k chop", "k 16", "k 0", "k 11", "k 1", "k 12", "k 5", "k 13", COOKS, "k 22", COOKS, "k 23"]
LESSON += ["k 10", "k serve"]


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("data", "config"):
        monkeypatch.setattr(f"platformdirs.user_{name}_path", lambda app, name=name: tmp_path / name / app)


@pytest.fixture
def typed(monkeypatch):
    """Types lines into standard input, which ends after them."""
    return lambda *lines: monkeypatch.setattr("sys.stdin", typed_lines(*lines))


def played(path):
    return Replay(load(path)).run()


def steps_of(trace):
    return [(tick.state.tolist(), tick.actions, tick.skills) for tick in trace.ticks]


def only_recording():
    (path,) = recordings_folder().glob("*.bba")
    return path


# --- playing -----------------------------------------------------------------------------------------------------
async def test_the_same_keys_play_the_same_game_as_on_the_screen(capsys, typed, tmp_path):
    typed(*KEYS)
    file = tmp_path / "plain.bba"
    assert run(capsys, *GAME, "--record", str(file))[0] == 0
    on_screen = tmp_path / "screen.bba"
    request = requested([*GAME, "--turns", "--partner", "human", "--record", str(on_screen)])
    app = Playing(tmp_path, request=request)
    async with app.run_test(size=SIZE) as pilot:
        for key in KEYS:
            if key.startswith("k"):
                await pilot.press("k", *f"{int(key[2:]):02}")
                while app.screen._pad.walks:
                    app.screen._pad.walk_on()
                await pilot.press("k")
            else:
                await pilot.press("space" if key == "u" else key)
        app.session.save()
    plain, screen = played(file), played(on_screen)
    assert len(plain.ticks) > len(KEYS)
    assert steps_of(plain) == steps_of(screen)
    assert (plain.config, plain.score) == (screen.config, screen.score)


def test_a_game_is_played_to_its_end_and_debriefed(capsys, typed):
    typed("k 8", "k chop", "." * 60, "u")
    code, out, err = run(capsys, *GAME)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Kitchen open, 60 steps; your partner is bayes; ? lists the keys."
    trace = played(only_recording())
    assert len(trace.ticks) == 60
    assert f"recorded in {only_recording()}" in lines
    for tick in trace.ticks:
        for event in tick.events:
            if event.complete:
                does = f"{('finishes', 'finish')[event.player]} {names.skill_doing(event.skill)}"
                assert any(f"{('your partner', 'you')[event.player]} {does}" in line.lower() for line in lines)
    assert f"Score: {trace.score}." in lines
    assert not any("no belief" in line.lower() for line in lines), "no other game is like a person's"
    assert any(line.startswith("Own belief's accuracy: ") for line in lines)
    assert "\x1b" not in out


def test_questions_are_answered_and_cost_no_step(capsys, typed):
    typed("?", "l", "", "f", "f pot", "where is the grill?", "Where am I?", "what can I do?", "what does it believe?")
    out = run(capsys, *GAME)[1]
    assert "Pot: empty at (3,6)" in out
    assert out.count("Grill: empty at (6,6)") == 2
    assert out.count("You stand at (6,4), facing ") == 3
    assert "You can 8, get meat; 9, get a mushroom" in out
    assert "Nothing is believed before the first step." in out
    assert "Key q: end the game." in out
    assert "No step was played." in out
    assert not list(recordings_folder().glob("*.bba"))


def test_questions_about_belief_orders_and_the_next_thing(capsys, typed):
    typed("." * 20, "m", "o", "y", "h", "f nonsense")
    out = run(capsys, *GAME)[1]
    assert "The likeliest work: to " in out
    assert "Step 20 of 60, score 0, orders: steak burrito, " in out
    assert "Your partner has not replanned." in out
    assert ", key " in out
    assert "Nothing here is called nonsense" in out
    assert "believed to" not in out


def test_with_mind_the_belief_is_told_with_what_one_does(capsys, typed):
    typed("k 8")
    assert "You finish getting meat; believed to " in run(capsys, *GAME, "--mind")[1].replace("you", "You")


@pytest.mark.parametrize("mind", [True, False])
def test_a_person_is_told_when_the_partner_changed_its_plan(capsys, typed, monkeypatch, mind):
    monkeypatch.setattr("tui.plain.games.plan_news", lambda _, step: PlanNews("▲", "it changed") if step == 2 else None)
    typed(".", ".", ".")
    lines = run(capsys, *GAME, *(["--mind"] if mind else []))[1].splitlines()
    assert lines.count("It changed.") == (not mind), "with its mind shown the replan itself is told"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("wxw", "X: no such key, and nothing was done; ? lists the keys."),
        ("k 7", "7: not possible now; k says what you can do."),
        ("k get", "Get: more than one skill; k says what you can do."),
        ("k nonsense", "Nonsense: not possible now; k says what you can do."),
        ("\x1b[2J", "A control key: no such key, and nothing was done; ? lists the keys."),
    ],
)
def test_a_mistake_is_one_line_and_the_game_goes_on(capsys, typed, line, answer):
    typed(line, "w")
    code, out, err = run(capsys, *GAME)
    assert (code, err) == (0, "")
    assert answer in out.splitlines()
    assert len(played(only_recording()).ticks) == 1
    assert "\x1b" not in out


def test_a_game_is_ended_only_for_sure(capsys, typed):
    typed("q", "n", "w", "q", "y", "w")
    out = run(capsys, *GAME)[1]
    assert out.count("End the game here?\ny: End it; n: Play on\n") == 2
    assert len(played(only_recording()).ticks) == 1


@pytest.mark.parametrize("seats", [("--agent", "human", "--partner", "human"), ("--play", "window")])
def test_what_needs_the_screen_is_one_line(capsys, seats):
    code, out, err = run(capsys, "play", *seats, "--plain")
    assert (code, out) == (2, "")
    assert err == "bba-tui: --plain: is for one person, without a window; two people, or a window, need the screen\n"


def test_nothing_that_a_terminal_obeys_is_printed(capsys):
    tell("a model said \x1b[31mred\x07\r\nand \x9b2J more")
    assert capsys.readouterr().out == "A model said [31mredand 2J more.\n"


# --- learning ----------------------------------------------------------------------------------------------------
def test_the_whole_lesson_then_the_steps_beside_an_agent(capsys, typed):
    typed(*LESSON, "." * 10, "m")
    code, out, _ = run(capsys, "learn", "--plain")
    assert code == 0
    for number, stage in enumerate(STAGES, 1):
        assert number in (5, 6) or f"{number} of 10: {stage.title}. " in out
    assert "You serve: +" in out.replace("you", "You")
    assert "Your first burrito!" in out
    assert "Round 1: work beside an agent. Do one kind of work" in out
    assert "The likeliest work: to " in out
    assert len(played(only_recording()).ticks) == 10


def test_the_lesson_speaks_of_no_screen():
    told = {*(stage.text for stage in STAGES), lesson.WORK}
    assert set(IN_PLAIN_MODE) <= told
    said = " ".join((*(told - set(IN_PLAIN_MODE)), *IN_PLAIN_MODE.values()))
    assert [words for words in ("arrow", "orange", "box", "space", "enter", "bars", "see ") if words in said] == []


# --- watching ----------------------------------------------------------------------------------------------------
def test_a_game_is_watched_as_sentences_and_recorded(capsys, typed, tmp_path):
    typed()
    file = tmp_path / "watched.bba"
    code, out, _ = run(capsys, "watch", "open", "--agent", "bayes", "--horizon", "300", "--record", str(file))
    assert "\nNo belief: " in out
    assert code == 0
    trace = played(file)
    lines = out.splitlines()
    assert lines[0] == "Kitchen open, 300 steps; the ego is bayes, its partner is switching; ? lists the keys."
    completed = [(tick.step, event) for tick in trace.ticks for event in tick.events if event.complete]
    for step, event in completed:
        (line,) = [line for line in lines if line.startswith(f"Step {step}: ")]
        who = ("the ego", "its partner")[event.player]
        assert who in line
        if event.skill != constants.SERVE:
            assert f"{who} finishes {names.skill_doing(event.skill)}" in line
        assert event.player == 0 or "; believed to " in line
    assert f"Score: {trace.score}." in lines
    assert "\x1b" not in out


def test_a_watched_game_is_asked_about_paused_and_left(capsys, typed):
    typed("p", "f rice", "l", "y", "m", "", "q")
    code, out, _ = run(capsys, "watch", "ring", "--agent", "bayes", "--horizon", "900")
    assert code == 0
    assert "Paused; Enter goes on." in out
    assert "Going on." in out
    assert "The ego stands at " in out
    assert not list(watched_folder().glob("*.bba"))


def test_a_pause_at_an_event_ends_where_nobody_can_end_it(capsys, typed):
    typed()
    out = run(capsys, "watch", "open", "--agent", "bayes", "--horizon", "300", "--pause-on", "switch")[1]
    assert out.count("Paused at a switch; Enter goes on.") == out.count("turned to")
    assert "Score: " in out


@pytest.mark.thorough
def test_a_long_watched_game_is_kept_and_a_recording_replayed(capsys, typed):
    typed()
    out = run(capsys, "watch", "open", "--horizon", "601", "--agent", "proagent")[1]
    (path,) = watched_folder().glob("*.bba")
    assert f"recorded in {path}\n" in out
    typed()
    again = run(capsys, "replay", str(path), "--plain")[1]
    told = [line for line in out.splitlines() if line.startswith("Step ")]
    assert told == [line for line in again.splitlines() if line.startswith("Step ")]
    assert len(list(watched_folder().glob("*.bba"))) == 1


# --- in a pseudo-terminal ----------------------------------------------------------------------------------------
def test_in_a_terminal_keys_act_at_once_and_no_escape_sequence_is_sent(tmp_path):
    with terminal(*GAME, "--plain") as screen:
        screen.wait_for("? lists the keys")
        screen.send("w")
        screen.wait_for("Step 1: you stand")
        screen.send("\x1b[C")
        screen.wait_for("Step 2: you stand", "facing east")
        screen.send(" f rice\n")
        screen.wait_for("Step 3: ", "Rice at (3,3)")
        screen.send("k 8\n")
        screen.wait_for("you finish getting meat")
        screen.send("qy")
        assert screen.end() == 0
    assert b"Score: 0" in screen.sent
    assert b"\x1b" not in screen.sent
    assert len(played(*tmp_path.rglob("*.bba")).ticks) > 3


@pytest.mark.thorough
def test_in_a_terminal_the_whole_lesson_sends_no_escape_sequence():
    with terminal("learn", "--plain") as screen:
        screen.wait_for("? lists the keys")
        screen.send("".join(f"{line}\n" if line.startswith("k") else line for line in LESSON))
        screen.wait_for("Your first burrito!")
        screen.send("\x04")
        assert screen.end() == 0
    assert b"\x1b" not in screen.sent


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_game_that_is_interrupted_is_kept(tmp_path, number, code):
    with terminal(*GAME, term="dumb") as screen:
        screen.wait_for("? lists the keys")
        screen.send("wd\n")
        screen.wait_for("Step 2: you stand")
        screen.process.send_signal(number)
        assert screen.end() == code
    assert b"recorded in" in screen.sent
    assert b"Traceback" not in screen.sent
    assert len(played(*tmp_path.rglob("*.bba")).ticks) == 2
