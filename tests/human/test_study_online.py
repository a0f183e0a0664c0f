"""Participants from a recruiting platform: their ids, their consent, their withdrawal, and where they are."""

import signal
import subprocess
import sys
import threading
from hashlib import sha256

import pytest
from filelock import FileLock

from bba.errors import BBAError
from human.study import StudyFolder, load_study
from human.study.activity_log import read_log
from human.study.errors import BegunInOtherBrowser
from human.study.online import Online, ids_of, said_at
from human.study.participant_status import participant_statuses
from human.study.progress import PairPlace
from human.study.table_columns import STUDY_TABLES
from human.study.table_files import PRIVATE_COLUMNS, anonymous_columns
from human.study.tables import tables_of
from tests.helpers.studies import begin_study, plan, play_through, resumed_session
from tui import cli

LINK = {"PROLIFIC_PID": "5f2a0c1b9d3e4f", "STUDY_ID": "s-1", "SESSION_ID": "x_9", "utm_source": "mail"}


def test_the_ids_of_a_link_are_taken_and_other_parameters_are_not():
    ids = ids_of(Online(), LINK, "a cookie")
    assert (ids.participant, ids.study, ids.session) == ("5f2a0c1b9d3e4f", "s-1", "x_9")
    assert ids.code == ids_of(Online(), LINK, "another cookie").code
    assert ids.code != ids_of(Online(), LINK | {"PROLIFIC_PID": "other"}).code
    assert "5F2A" not in ids.code


def test_the_names_of_the_parameters_are_the_studys():
    online = Online(participant="pid", study="sid")
    assert ids_of(online, {"pid": "7", "sid": "8"}).study == "8"
    assert ids_of(online, LINK) is None


@pytest.mark.parametrize("bad", ["../../etc/passwd", "a b", "x" * 65, "<script>", "é"])
def test_an_id_that_is_none_is_refused_in_one_line(bad):
    with pytest.raises(BBAError, match=r"^PROLIFIC_PID: 1 to 64 letters, digits, - and _$"):
        ids_of(Online(), LINK | {"PROLIFIC_PID": bad})


@pytest.mark.parametrize(
    ("table", "key"),
    [({"return-link": "javascript:alert(1)"}, "return-link"), ({"completion-code": "a b"}, "completion-code")],
)
def test_what_participants_get_at_the_end_is_checked(table, key):
    with pytest.raises(ValueError, match=key):
        plan(online=table)


PLAN_TEXT = 'name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\nagents = ["bayes"]\n'


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        (
            '[online.endings]\nidle = { code = "A" }\nfinishd = { code = "B" }',
            8,
            "online.endings.finishd: Input",
        ),
        ('[online.endings.idle]\nredirect = "javascript:x"', 7, "online.endings.idle.redirect: "),
        ('[online.endings]\nidle = { code = "a b" }', 7, "online.endings.idle.code: "),
        (
            '[online.endings]\nidle = { redirect = "https://x.org/{PID}" }',
            7,
            "online.endings.idle.redirect: {PID} is no parameter of the link; there are PROLIFIC_PID, STUDY_ID, SES",
        ),
        (
            '[online]\ncompletion-code = "A"\n[online.endings]\nfinished = { code = "B" }',
            9,
            "online.endings.finished: completion-code and return-link say that, too; leave them out",
        ),
        ('[online]\nendings = { idle = { colour = "red" } }', 7, "online.endings.idle.colour: unknown key"),
    ],
)
def test_a_mistake_in_an_ending_is_one_line_with_line_and_key(tmp_path, more, line, message):
    file = tmp_path / "study.toml"
    file.write_text(PLAN_TEXT + more)
    with pytest.raises(BBAError) as mistake:
        load_study(file)
    assert str(mistake.value).startswith(f"{file}, line {line}: {message}")
    assert "\n" not in str(mistake.value)


def test_each_ending_gives_its_code_and_an_address_with_the_parameters_of_the_link():
    platform = {"participant": "workerId", "session": "assignmentId"}
    address = "https://x.org/?a={assignmentId}&w={workerId}&s={STUDY_ID}"
    online = Online.model_validate(
        {**platform, "endings": {"screened_out": {"code": "OUT", "redirect": address}, "idle": {"code": "IDLE"}}}
    )
    ids = ids_of(online, {"workerId": "W7", "assignmentId": "A-1"})
    assert online.code_and_link("screened-out", ids) == {"code": "OUT", "link": "https://x.org/?a=A-1&w=W7&s="}
    assert online.code_and_link("idle", ids) == {"code": "IDLE"}
    assert online.code_and_link("finished", ids) == online.code_and_link("left-study", ids) == {}
    assert said_at(online, "screened-out", ids).split("\n\n") == [
        "Your completion code: OUT",
        "Go back to https://x.org/?a=A-1&w=W7&s=",
    ]
    assert said_at(online, "finished", ids) == said_at(None, "finished", None) == ""


def test_the_single_code_is_that_of_who_has_finished_and_of_nobody_else():
    online = Online.model_validate({"completion-code": "C0DE", "return-link": "https://x.org/{PROLIFIC_PID}"})
    assert online.code_and_link("finished", ids_of(online, LINK)) == {
        "code": "C0DE",
        "link": "https://x.org/5f2a0c1b9d3e4f",
    }
    assert online.code_and_link("screened-out", None) == {}


@pytest.mark.parametrize(
    ("endings", "given"),
    [
        ({"finished": {"code": "F1N"}}, "F1N"),
        ({"finished": {"code": "F1N"}, "idle": {"code": "1DLE"}}, "1DLE"),
        ({"finished": {"code": "F1N"}, "idle": {"code": "1DLE"}, "finished-after-idle": {"code": "F1N"}}, "F1N"),
        ({"finished": {"code": "F1N"}, "idle": {}}, None),
    ],
)
def test_who_was_idle_and_finishes_is_given_what_was_given_then_unless_the_study_says_so(endings, given):
    online = Online.model_validate({"endings": endings})
    assert online.code_and_link("finished-after-idle", None).get("code") == given


def test_who_was_idle_ends_as_such_also_in_another_session(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4)
    for code, seen in (("P1", ("idle", "idle", "fault", "idle")), ("P2", ("fault", "partner-lost"))):
        for ending in seen:
            with folder.participation(code) as part:
                part.come_to(ending)
    endings = {}
    for code in ("P1", "P2"):
        with folder.participation(code) as part:
            play_through(folder, part)
            endings[code] = part.ending
    assert endings == {"P1": "finished-after-idle", "P2": "finished"}
    assert [one.endings for one in folder.everybody()] == [("idle", "fault", "idle"), ("fault", "partner-lost")]


def test_ids_and_consent_are_kept_and_are_not_in_anonymous_tables(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4, online={}, **{"consent-version": "3"})
    ids = ids_of(folder.study.online, LINK, "a cookie")
    with folder.participation(ids.code, ids) as part:
        play_through(folder, part)
    (row,) = tables_of(folder)["participants"]
    assert (row["platform_participant"], row["platform_study"], row["platform_session"]) == (
        "5f2a0c1b9d3e4f",
        "s-1",
        "x_9",
    )
    assert row["consent_version"] == "3"
    (progress,) = folder.everybody()
    assert progress.consent.sha256 == sha256(folder.study.consent.encode()).hexdigest()
    assert cli.main(["study-tables", str(folder.path), "--anonymous"]) == 0
    for file in (folder.path / "tables-anonymous").iterdir():
        assert b"5f2a0c1b9d3e4f" not in file.read_bytes()
        assert ids.code.encode() not in file.read_bytes()
    assert not any(set(PRIVATE_COLUMNS) & columns.keys() for columns in anonymous_columns(STUDY_TABLES).values())


def test_somebody_elses_id_is_refused_in_another_browser(tmp_path):
    folder = begin_study(tmp_path, online={})
    ids = ids_of(folder.study.online, LINK, "a cookie")
    with folder.participation(ids.code, ids):
        pass
    with folder.participation(ids.code, ids):
        pass
    with (
        pytest.raises(BegunInOtherBrowser, match="another browser"),
        folder.participation(ids.code, ids_of(Online(), LINK, "mine")),
    ):
        pass


def test_who_lost_the_cookie_is_admitted_once_with_the_researchers_word_and_that_is_logged(tmp_path, capsys):
    folder = begin_study(tmp_path, online={})
    file, first = tmp_path / "study.toml", ids_of(Online(), LINK, "a cookie")
    file.write_text(PLAN_TEXT + "[online]\n")
    where = ["study", str(file), "--out", str(tmp_path / "other")]
    with folder.participation(first.code, first):
        pass
    second, third = (ids_of(Online(), LINK | {"SESSION_ID": "y"}, cookie) for cookie in ("a second", "a third"))
    with folder.part_of(first.code) as part:
        part.readmit()
    with folder.participation(first.code, second) as part:
        part.log.note("joined")
        assert part.progress.platform.session == "x_9"
    for other in (first, third):
        with pytest.raises(BegunInOtherBrowser), folder.participation(first.code, other):
            pass
    with folder.participation(first.code, second):
        pass
    lines, _ = read_log(folder.log_of(first.code))
    assert [line.what for line in lines] == ["readmitted", "joined"]
    assert "readmitted" in [row["event"] for row in tables_of(folder)["events"]]
    with folder.participation("P1"):
        pass
    with pytest.raises(BBAError, match=r"^P1: came without ids of a platform"), folder.part_of("P1") as part:
        part.readmit()
    assert cli.main([*where, "--readmit", "w1-abc"]) == 2
    assert "nobody with the code W1-ABC" in capsys.readouterr().err


def test_the_command_readmits_and_the_researchers_page_does_not_take_it_for_a_sign_of_life(tmp_path, capsys):
    file, ids = tmp_path / "study.toml", ids_of(Online(), LINK, "a cookie")
    file.write_text(PLAN_TEXT + "[online]\n")
    place = tmp_path / "here"
    assert cli.main(["study", str(file), "--out", str(place), "--readmit", ids.code]) == 2  # begins the study
    folder = StudyFolder.open(place)
    with folder.participation(ids.code, ids):
        pass
    capsys.readouterr()
    assert cli.main(["study", str(file), "--out", str(place), "--readmit", ids.code.lower()]) == 0
    assert capsys.readouterr().out == f"{ids.code}: goes on in the next browser that comes with their link, once\n"
    (found,) = participant_statuses(folder)
    assert found.state == "away"
    with folder.participation(ids.code, ids_of(Online(), LINK, "another cookie")):
        pass


def files_with(folder, text):
    return [
        file
        for file in folder.path.rglob("*")
        if file.is_file() and (text in file.name or text.encode() in file.read_bytes())
    ]


def test_who_withdraws_leaves_nothing_behind_and_the_others_stay(tmp_path, capsys):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4)
    for code in ("GONE-1", "GONE-11"):
        with folder.participation(code) as part:
            part.log.note("joined")
            play_through(folder, part)
        (folder.recordings / f"{code}-tutorial-2.bba").write_bytes(b"of a second try of the practice")
    assert cli.main(["study-tables", str(folder.path)]) == 0
    kept = files_with(folder, "GONE-11")
    assert cli.main(["study-tables", str(folder.path), "--withdraw", "gone-1"]) == 0
    assert set(files_with(folder, "GONE-1")) == set(kept)  # those of GONE-11, whose code begins like it
    assert [row["participant"] for row in tables_of(folder)["participants"]] == ["GONE-11"]
    assert folder.withdrawals().withdrawn == 1
    assert cli.main(["study-tables", str(folder.path), "--withdraw", "gone-1"]) == 2
    assert "nobody with the code GONE-1" in capsys.readouterr().err


def test_no_identifier_of_who_withdraws_is_in_any_file_of_the_folder(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4, online={})
    gone, stays = (ids_of(Online(), LINK | {"PROLIFIC_PID": name}, f"cookie of {name}") for name in ("one", "two"))
    gone = gone.model_copy(update={"participant": "5f2a0c1b9d3e4f", "session": "session-of-gone"})
    for ids in (gone, stays):
        with folder.participation(ids.code, ids) as part:
            part.log.note("joined")
            play_through(folder, part)
    with folder.participation(stays.code, stays) as part:
        part.pair_with(PairPlace(number=0, seat=1), 0, 0)
    half = folder.path / "participants" / f".{gone.code}.json.a8f3"  # of a process that was killed while it wrote
    half.write_text(gone.model_dump_json())
    assert cli.main(["study-tables", str(folder.path)]) == 0
    (folder.path / "report.html").write_text(gone.participant)
    identifying = [gone.participant, gone.session, gone.visitor, gone.code]
    assert all(files_with(folder, text) for text in identifying)
    kept = files_with(folder, stays.code)
    folder.withdraw(gone.code)
    assert [files_with(folder, text) for text in identifying] == [[]] * 4
    assert [file for file in kept if file.exists()] == files_with(folder, stays.code)
    assert len(files_with(folder, stays.code)) >= 3
    assert folder.withdrawals().hold(gone.code)
    assert not folder.withdrawals().hold(stays.code)
    folder.withdraw(stays.code)
    assert folder.withdrawals().withdrawn == 2
    assert folder.withdrawals().hold(gone.code)
    assert folder.withdrawals().hold(stays.code)


def test_a_count_of_an_earlier_version_is_read_and_a_damaged_one_is_one_line(tmp_path):
    folder = begin_study(tmp_path)
    (folder.path / "withdrawn.json").write_text('{"withdrawn": 3}')
    assert folder.withdrawals().withdrawn == 3
    assert not folder.withdrawals().hold("P1")
    (folder.path / "withdrawn.json").write_text('{"withdrawn": "many"}')
    with pytest.raises(BBAError, match=r"withdrawn\.json: withdrawn: .*integer"):
        folder.withdrawals()


def statuses(folder):
    return {one.progress.participant: one for one in participant_statuses(folder)}


def test_whereabouts_say_who_is_where_who_waits_who_is_done_and_who_is_excluded(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4)
    with folder.participation("D1") as part:
        part.log.note("joined")
        play_through(folder, part)
        part.log.note("left")
    with folder.participation("W2") as part:
        part.log.note("joined")
        session = resumed_session(folder, part, part.task)
        part.begin(part.task, 0)
        part.log.note("game", game=1, step=0)
        session.step()
        part.log.note("step", game=1, step=1)
        part.log.note("blur", game=1, step=1)
        waiting = statuses(folder)["W2"]
    with folder.participation("A3"):
        pass
    with folder.participation("P5") as part:
        for what, detail in (("joined", None), ("paused", "key"), ("resumed", None), ("blur", None), ("focus", None)):
            part.log.note(what, detail=detail)
        at_work = statuses(folder)["P5"]
        part.log.note("paused", detail="dialog")
        stands_still = statuses(folder)["P5"]
    with folder.participation("E4") as part:
        part.log.note("joined")
        part.exclude("practice")
        part.log.note("left")
    found = statuses(folder)
    assert (found["D1"].where, found["D1"].state) == ("done", "done")
    assert (waiting.where, waiting.state) == ("game 1 of 1, step 1", "waits")
    assert waiting.why == "another window has the keyboard"
    assert (at_work.state, stands_still.state, stands_still.why) == ("here", "waits", "paused: dialog")
    assert (found["E4"].state, found["E4"].why) == ("excluded", "practice")
    assert (found["A3"].where, found["A3"].state, found["A3"].last) == ("game 1 of 1", "away", None)
    assert (found["P5"].state, found["P5"].why) == ("away", ""), "their process ended without a word"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
def test_who_was_killed_is_away_at_the_next_look_and_a_look_keeps_nobody_out(tmp_path):
    folder = begin_study(tmp_path)
    killed = f"""
from pathlib import Path
from human.study import StudyFolder
with StudyFolder.open(Path({str(folder.path)!r})).participation("P1") as part:
    part.log.note("joined")
    print("here", flush=True)
    input()
"""
    command = [sys.executable, "-c", killed]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "here\n"
        assert statuses(folder)["P1"].state == "here"
        process.kill()
    assert statuses(folder)["P1"].state == "away"
    look = FileLock(folder._lock_of("P1"), thread_local=False).acquire()
    threading.Timer(0.02, look.lock.release).start()
    with folder.participation("P1") as part:
        part.log.note("joined")
        assert statuses(folder)["P1"].state == "here"
