"""A study in plain mode: the whole way of a participant as lines of text, and data as those from the screen."""

import json
import os
import signal
from datetime import timedelta

import pytest

from bba.language import LANGUAGE
from bba.play import Replay, load
from bba.settings import GameOptions
from human.keymap import DEFAULT
from human.study import BreakTask, NoPlaceInStudy, ParticipantSession, StudyFolder, read_log
from human.study.questionnaire import SurveyQuestion
from human.study.report_outcomes import with_levels
from human.study.tables import tables_of
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture
from tests.helpers.languages import LANGUAGES, english_in, spoken
from tests.helpers.studies import begin_study, plan
from tests.helpers.study_screens import agree, app_on, pass_the_end_of_the_game, progress_of
from tests.helpers.terminal import terminal, typed_lines
from tests.helpers.wait_for_idle import until
from tui.plain.study import PlainStudy, answer_in
from tui.plain.words import Typing
from tui.study.game import StudyGame
from tui.study.pages import break_page

QUESTIONS = [
    {"name": "point", "text": "§ point", "points": 7, "ends": ["§ no", "§ yes"]},
    {"name": "slide", "text": "§ slide", "type": "slider", "ends": ["§ little", "§ much"]},
    {"name": "age", "text": "§ age", "type": "number", "least": 18, "most": 99},
    {"name": "many", "text": "§ many", "type": "choices", "choices": ["§ red", "§ blue", "§ green"]},
    {"name": "one", "text": "§ one", "type": "choice", "choices": ["§ red", "§ blue"]},
    {"name": "words", "text": "§ words", "required": True},
    {"name": "more", "text": "§ rest"},
]
# For each question a wrong line, why it is wrong, then a right one.
ANSWERS = [
    ("8", "Choose a point, 1 to 7.", "6"),
    ("101", "Choose a value, 0 to 100.", "70"),
    ("17", "Please give a number from 18 up to 99.", "34,5"),
    ("1 4", "Choose among those that are listed.", "3, 1"),
    ("3", "Choose one of those that are listed.", "2"),
    ("", "Please answer this question.", "I changed my mind, größer"),
]
VALUES = [6, 70, 34.5, ("§ red", "§ green"), ("§ blue",), "I changed my mind, größer", ""]
WHOLE = {
    "title": "§§", "consent": "§ one\n§ two", "agents": ["switching", "proagent"], "turns": False, "horizon": 4,
    "hints": True, "skills": True, "tutorial": True, "breaks": {"every": 1, "longest": 9},
    "practice": {"tries": 2, "otherwise": "go-on", "instructions": "§ read"},
    "pages": [
        {"name": "hello", "when": "start", "text": "§ hello", "picture": "data:image/png;base64,AAAA",
         "picture-text": "§ picture"},
        {"name": "bye", "when": "end", "heading": "§ about", "text": "§ debriefing"},
    ],
    "questions": [{"name": "check", "text": "§ check", "when": "practice", "points": 7, "expect": 5}, *QUESTIONS],
}  # fmt: skip
SHORT = {"agents": ["switching"], "horizon": 3, "questions": []}
ANSWERED = [line for wrong, _, right in ANSWERS for line in (wrong, right)]
TUTORIAL = ["", "wwaass", "l", "f", "?", "r", "n", "q", "n", "q", "y", "1"]
GAME = ["", "nonsense", "k", "k 8", "o", "w.d", "....", ""]
WAY = ["1", "", *TUTORIAL, "", "3", "", "", "5", *GAME, *ANSWERED, "", "", *GAME, *ANSWERED, "", "", ""]


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.fixture
def take_part(monkeypatch, capsys):
    """Takes part with these lines; returns the study and what was said."""

    def type_and_walk(folder, *lines, code="P1", **options):
        monkeypatch.setattr("sys.stdin", typed_lines(*lines))
        study = PlainStudy(folder, GameOptions.model_validate({}), code, keymap=DEFAULT, **options)
        with spoken(folder.study.language):
            study.run()
        return study, capsys.readouterr().out

    return type_and_walk


def steps_of(path):
    return [(tick.state.tolist(), tick.actions, tick.skills) for tick in Replay(load(path)).run().ticks]


def file_of(tmp_path, **changes):
    """Writes a study as a file; of its questions only what JSON says as TOML does."""
    study = plan(**changes).model_dump(mode="json", by_alias=True, exclude_unset=True)
    questions = study.pop("questions")
    lines = [f"{name} = {json.dumps(value)}" for name, value in study.items()]
    for question in questions:
        lines += ["[[questions]]", *(f"{name} = {json.dumps(value)}" for name, value in question.items() if value)]
    (tmp_path / "study.toml").write_text("\n".join(lines))
    return str(tmp_path / "study.toml")


# --- the whole way -----------------------------------------------------------------------------------------------
def test_a_whole_study_is_gone_through_with_every_kind_of_question_and_nothing_that_a_terminal_obeys(
    tmp_path, take_part
):
    folder = begin_study(tmp_path, **WHOLE)
    study, out = take_part(folder, *WAY)
    progress = progress_of(folder)
    assert (study.problem, study.study_end, progress.endings) == (None, "finished", ("finished",))
    assert "\x1b" not in out
    said = iter(out.splitlines())
    for text in (
        "§ two", "1: I agree; 2: I do not agree; x: leave", "§ hello", "[§ picture]", "How to play",
        "1 of 10: walk. Walk", "2 of 10: take. ", "Begin the tutorial anew?", "§ read", "§ check", "Once more",
        "Game 1 of 2", "N: no such key", "You can 8, get meat", "Step 4 of 4, score 0", "Game over", "§ point",
        "A break", "It goes on by itself in 9 s.", "Game 2 of 2", "It may be another one than", "§ about",
        "§ debriefing", "Thank you", "That was all.",
    ):  # fmt: skip
        assert any(text in line for line in said), text
    for _, problem, _ in ANSWERS:
        assert out.count(problem) >= 2, problem
    for game in (0, 1):
        assert [one.value for one in progress.answers if one.game == game] == VALUES
    assert [len(one.answers) for one in progress.tries] == [1]
    assert progress.practice.stages == 1
    assert [(one.ended is not None, one.given_up, one.turns) for one in progress.games] == [(True, False, True)] * 2
    assert len(progress.breaks) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_way_is_said_in_the_language_of_the_study(tmp_path, take_part, language):
    out = take_part(begin_study(tmp_path, **WHOLE, language=language), *WAY)[1]
    assert out.count("§ debriefing") == 1
    assert english_in(out, language) == set()
    assert LANGUAGE.get() == "en"


async def test_the_same_keys_leave_the_same_game_and_the_same_rows_as_on_the_screen(tmp_path, take_part):
    keys, study = ["w", "d", "x", ".", "w"], SHORT | {"horizon": 4, "questions": QUESTIONS[:1]}
    folders = [begin_study(tmp_path / name, **study) for name in ("plain", "screen")]
    take_part(folders[0], "1", "", "w", "d", "z", ".", "w", "", "6", "")
    app = app_on(folders[1])
    async with app.run_test(size=(100, 30)) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StudyGame))
        for key in keys:
            await pilot.press("z" if key == "x" else key)
        await pass_the_end_of_the_game(pilot)
        await pilot.press("6", "enter")
        await until(pilot, lambda: app.study_end == "finished")
        await pilot.press("enter")
    plain, screen = (steps_of(folder.recordings / "P1-game-1.bba") for folder in folders)
    assert plain == screen
    tables = [tables_of(folder) for folder in folders]
    for table in ("participants", "games", "steps", "keys", "answers"):
        one, other = (each[table] for each in tables)
        assert [list(row) for row in one] == [list(row) for row in other], table
    shown = [
        [(row["key"].replace("full_stop", "."), row["step"], row["decided"]) for row in each["keys"]] for each in tables
    ]
    assert shown[0] == shown[1] == [("w", 0, 1), ("d", 1, 2), ("z", 2, None), (".", 2, None), ("w", 3, 4)]
    logs = [[(line.what, line.game, line.step) for line in read_log(folder.log_of("P1"))[0]] for folder in folders]
    assert logs[0] == [line for line in logs[1] if line[0] not in ("size", "focus", "blur")]


def test_the_data_say_that_a_game_waited_for_keys_where_the_study_has_a_clock(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT | {"turns": False, "factors": {"speed": [5, 10]}})
    take_part(folder, "1", "", "...", "", "", "...", "", "")
    tables = tables_of(folder)
    assert [row["speed"] for row in tables["games"]] == [None, None]
    assert {row["agent"] for row in with_levels(folder.study, tables)["games"]} == {"switching, turn by turn"}
    assert read_log(folder.log_of("P1"))[0][0].detail == "plain"


def test_an_ending_says_its_code_and_its_address(tmp_path, take_part):
    online = {"completion-code": "C1", "endings": {"declined": {"redirect": "https://x.org/no"}}}
    folder = begin_study(tmp_path, **SHORT, online=online)
    assert "Your completion code: C1\n" in take_part(folder, "1", "", "...", "", "")[1]
    assert "Go back to https://x.org/no\n" in take_part(folder, "2", code="P2")[1]


def test_who_finds_no_place_reads_why(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT, complete=1)
    take_part(folder, "1", "", "...", "", "")
    study, out = take_part(folder, "", code="P2")
    assert "this study has all the participants that it needs" in out
    assert (study.study_end, isinstance(study.problem, NoPlaceInStudy)) == ("study-full", True)


# --- ways out and back -------------------------------------------------------------------------------------------
def test_of_who_does_not_agree_nothing_is_stored_and_enter_alone_does_not_agree(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT)
    study, out = take_part(folder, "anna", "p7", "", "2", "", code=None)
    assert "'anna' is not a code" in out
    assert "You do not take part, and nothing about you was stored." in out
    assert (study.study_end, folder.everybody()) == ("declined", [])


def test_who_leaves_in_a_game_goes_on_there_and_it_is_noted(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT)
    study, out = take_part(folder, "1", "", "w", "x", "3", "d", "x", "1")
    assert out.count("1: Leave; 2: Withdraw; 3: Stay") == 2
    assert (study.study_end, progress_of(folder).games[0].ended) == ("left-study", None)
    assert [(one.step, one.why) for one in progress_of(folder).games[0].pauses] == [(1, "dialog"), (2, "dialog")]
    _, out = take_part(folder, "", "", "w", "", "")
    assert "You go on from where you stopped." in out
    assert "Step 2 of 3" in out
    assert progress_of(folder).games[0].resumed == (2,)
    assert len(steps_of(folder.recordings / "P1-game-1.bba")) == 3


def test_who_asks_twice_leaves_at_once(tmp_path, take_part):
    study, out = take_part(begin_study(tmp_path, **SHORT), "1", "", "w", "x", "x", "w")
    assert (study.study_end, out.count("3: Stay")) == ("left-study", 1)
    assert len(steps_of(tmp_path / "results/recordings/P1-game-1.bba")) == 1


def test_the_end_of_what_is_typed_leaves_and_gives_no_game_up(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT)
    take_part(folder, "1", "", "w", "q")
    assert progress_of(folder).games[0].ended is None
    assert read_log(folder.log_of("P1"))[0][-1].what == "left"


@pytest.mark.parametrize("lines", [["1", "x", "2", "1"], ["1", "", "w", "x", "2", "1"], ["1", "", "...", "", "2", "1"]])
def test_who_withdraws_leaves_nothing_behind(tmp_path, take_part, lines):
    folder = begin_study(tmp_path, **SHORT)
    assert take_part(folder, *lines)[0].study_end == "withdrawn"
    assert folder.everybody() == []
    assert not list(folder.recordings.iterdir())
    assert "You have withdrawn" in take_part(folder, "")[1]


def test_a_withdrawal_is_made_only_for_sure_and_the_page_is_said_again(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT)
    study, out = take_part(folder, "1", "", "...", "", "2", "2", "1")
    assert (study.study_end, out.count("That was all.")) == ("finished", 2)
    assert folder.knows("P1")


def test_a_question_is_said_again_to_who_stays_and_one_step_back_keeps_the_answer(tmp_path, take_part):
    start = [question | {"when": "start"} for question in QUESTIONS[3:5]]
    folder = begin_study(tmp_path, **SHORT | {"questions": start})
    out = take_part(folder, "1", "x", "3", "1 2", "b", "", "1", "x", "1")[1]
    assert out.count("§ many") == 3
    assert "So far: § red, § blue; Enter keeps it." in out
    assert [one.value for one in progress_of(folder).answers] == [("§ red", "§ blue"), ("§ red",)]


def test_a_choice_that_was_made_before_is_kept_with_enter(tmp_path, take_part):
    start = [question | {"when": "start"} for question in (QUESTIONS[4], QUESTIONS[0])]
    folder = begin_study(tmp_path, **SHORT | {"questions": start})
    take_part(folder, "1", "2", "b", "", "4", "x", "1")
    assert [one.value for one in progress_of(folder).answers] == [("§ blue",), 4]


def test_a_break_holds_its_shortest_time_and_ends_after_its_longest(tmp_path, capsys):
    end, start = os.pipe()
    with os.fdopen(start, "w") as pipe, os.fdopen(end) as stream:
        study = PlainStudy(begin_study(tmp_path), GameOptions.model_validate({}), "P1", keymap=DEFAULT)
        study._typed = Typing(stream)
        pipe.write("\n")
        pipe.flush()
        with pytest.raises(StopIteration):  # it has ended, by itself
            study._show_page(break_page(BreakTask(0, 0.02, 0.05), 2, 0.0)).send(None)
    out = capsys.readouterr().out
    assert out.count("You can go on in 1 s.") >= 2
    assert "It goes on by itself in 1 s.\nEnter: Go on" in out


def test_a_clock_that_is_set_back_makes_no_break_longer(tmp_path, take_part, monkeypatch):
    begin_break = ParticipantSession.begin_break

    def set_back(part, task):
        begun = begin_break(part, task)
        return begun.model_copy(update={"started": begun.started + timedelta(hours=1)})

    monkeypatch.setattr(ParticipantSession, "begin_break", set_back)
    folder = begin_study(tmp_path, **SHORT | {"agents": ["switching", "proagent"], "breaks": {"every": 1}})
    study, out = take_part(folder, "1", "", "...", "", "", "", "...", "", "")
    assert (study.study_end, "You can go on in" in out) == ("finished", False)


def test_the_tutorial_begins_anew(tmp_path, take_part):
    folder = begin_study(tmp_path, **SHORT, tutorial=True)
    _, out = take_part(folder, "1", "", "wwaass", "r", "y", "", "w", "q", "y", "2", "", "w", "q", "y", "1")
    assert out.count("First you learn the keys") == 3
    assert "box" not in out
    assert progress_of(folder).practice.stages == 0
    assert len(steps_of(folder.recordings / "P1-tutorial.bba")) == 1


def test_a_game_says_nothing_of_the_agent_and_has_neither_hints_nor_skills_unless_the_study_says_so(
    tmp_path, take_part
):
    folder = begin_study(tmp_path, **SHORT | {"agents": ["bayes"]})
    out = take_part(folder, "1", "", "?", "k", "h", "m", "y", "what does it believe?", "...", "", "")[1]
    assert "bayes" not in out
    assert "elieve" not in out
    assert out.count("no such key") == 5
    assert "Key l: where the cooks stand" in out


def test_a_check_skips_games(tmp_path, take_part):
    study, out = take_part(begin_study(tmp_path, **SHORT, tutorial=True), "1", "2", "2", "", check=True)
    assert out.count("2: Skip it") == 2
    assert study.study_end == "finished"


@pytest.mark.parametrize("kind", ["scale", "slider", "number", "choice", "choices"])
@pytest.mark.parametrize("line", ["", "x1", "-1", "1.5.2", "٣", "9" * 5000, "0", "1 1 9"])
def test_no_line_is_too_odd_for_a_question(kind, line):
    choices = ("a", "b") if kind in ("choice", "choices") else None
    question = SurveyQuestion.model_validate({"name": "q", "text": "?", "type": kind, "choices": choices})
    problem = question.problem_with(answer_in(line, question))
    fine = {"slider": ["0", "٣"], "number": ["0", "-1", "٣"], "scale": ["٣"]}
    assert (problem is None) == (line in fine.get(kind, []))


# --- the command -------------------------------------------------------------------------------------------------
def test_the_command_takes_part_in_plain_mode_where_no_screen_can_be_drawn(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", typed_lines("1", "", "...", "", ""))
    out = tmp_path / "here"
    code, said, err = run(capsys, "study", file_of(tmp_path, **SHORT), "--participant", "P1", "--out", str(out))
    assert (code, err) == (0, "")
    assert f"kept in {out}" in said
    assert progress_of(StudyFolder.open(out)).endings == ("finished",)


def test_two_people_need_the_screen(tmp_path, capsys):
    file = tmp_path / "two.toml"
    file.write_text('name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\npeople = 2\n')
    code, out, err = run(capsys, "study", str(file), "--plain", "--out", str(tmp_path / "two"))
    assert (code, out) == (2, "")
    assert err == "bba-tui: --plain: is for one person; s is for two people, who need the screen\n"


def test_in_a_terminal_lines_are_read_whole_and_keys_of_games_at_once(tmp_path):
    file = file_of(tmp_path, **SHORT | {"questions": QUESTIONS[5:6]})
    with terminal("study", file, "--plain", "--out", str(tmp_path / "here")) as screen:
        screen.wait_for("Your code")
        screen.send("P8\x7f9\n")  # the line is edited as the terminal does it
        screen.wait_for("1: I agree")
        screen.send("1\n")
        screen.wait_for("Game 1 of 1", "Enter: Begin")
        screen.send("\n")
        screen.wait_for("? lists the keys")
        screen.send("x")
        screen.wait_for("3: Stay")
        screen.send("3w")
        screen.wait_for("Step 1: you stand")
        screen.send("\x1b[C..\n\n\n")  # what comes after the end of the game counts for nothing
        screen.wait_for("Game over", "Enter: Go on")
        screen.send("\n")
        screen.wait_for("§ words")
        screen.send("größer\n")
        screen.wait_for("That was all.")
        screen.send("\n")
        assert screen.end() == 0
    assert b"\x1b[" not in screen.sent
    progress = progress_of(StudyFolder.open(tmp_path / "here"))
    assert (progress.participant, [one.value for one in progress.answers]) == ("P9", ["größer"])
    assert [one.why for one in progress.games[0].pauses] == ["dialog"]


def test_ctrl_c_asks_whether_to_leave(tmp_path, take_part, monkeypatch):
    folder, take, pressed = begin_study(tmp_path, **SHORT), Typing._take, list[bool]()

    def interrupted_once(typing):
        if not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        take(typing)

    monkeypatch.setattr(Typing, "_take", interrupted_once)
    study, out = take_part(folder, "3", "1", "", "x", "1")
    assert out.count("1: Leave; 2: Withdraw; 3: Stay") == 2
    assert out.count("Do you agree?") == 2
    assert study.study_end == "left-study"
    assert folder.knows("P1")


@pytest.mark.thorough
def test_a_game_that_is_ended_from_outside_is_kept(tmp_path):
    with terminal("study", file_of(tmp_path, **SHORT), "--participant", "P1", "--out", "here", term="dumb") as screen:
        screen.wait_for("1: I agree")
        screen.send("1\n\nw\n")
        screen.wait_for("Step 1: you stand")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.end() == 143
    assert b"Traceback" not in screen.sent
    assert len(steps_of(tmp_path / "here/recordings/P1-game-1.bba")) == 1
