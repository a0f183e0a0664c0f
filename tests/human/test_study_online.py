"""Participants from a recruiting platform: their ids, their consent, their withdrawal, and where they are."""

from hashlib import sha256

import pytest

from bba.errors import BBAError
from human.study.model import Online, ids_of
from human.study.table_files import PRIVATE_COLUMNS, anonymous_columns
from human.study.tables import tables_of
from human.study.whereabouts import whereabouts
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
    assert not any(set(PRIVATE_COLUMNS) & columns.keys() for columns in anonymous_columns().values())


def test_somebody_elses_id_is_refused_in_another_browser(tmp_path):
    folder = begin_study(tmp_path, online={})
    ids = ids_of(folder.study.online, LINK, "a cookie")
    with folder.participation(ids.code, ids):
        pass
    with folder.participation(ids.code, ids):
        pass
    with (
        pytest.raises(BBAError, match="another browser"),
        folder.participation(ids.code, ids_of(Online(), LINK, "mine")),
    ):
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
    assert folder.withdrawn() == 1
    assert cli.main(["study-tables", str(folder.path), "--withdraw", "gone-1"]) == 2
    assert "nobody with the code GONE-1" in capsys.readouterr().err


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
    with folder.participation("A3"):
        pass
    with folder.participation("P5") as part:
        for what, detail in (("joined", None), ("paused", "key"), ("resumed", None), ("blur", None), ("focus", None)):
            part.log.note(what, detail=detail)
        at_work = {one.progress.participant: one for one in whereabouts(folder)}["P5"]
        part.log.note("paused", detail="dialog")
    with folder.participation("E4") as part:
        part.log.note("joined")
        part.exclude("practice")
        part.log.note("left")
    found = {one.progress.participant: one for one in whereabouts(folder)}
    assert (found["D1"].where, found["D1"].state) == ("done", "done")
    assert (found["W2"].where, found["W2"].state) == ("game 1 of 1, step 1", "waits")
    assert found["W2"].why == "another window has the keyboard"
    assert (at_work.state, found["P5"].state, found["P5"].why) == ("here", "waits", "paused: dialog")
    assert (found["E4"].state, found["E4"].why) == ("excluded", "practice")
    assert (found["A3"].where, found["A3"].state, found["A3"].last) == ("game 1 of 1", "away", None)
