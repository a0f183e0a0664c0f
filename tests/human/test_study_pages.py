"""Pages of a study's own: where they come, what its file says of them, and how long they were read."""

from base64 import b64decode

import pytest

from bba.errors import BBAError
from human.study import PageTask, PlayTask, QuestionTask, StudyFolder, load_study
from human.study.participant_status import participant_statuses
from human.study.preregistration import preregistered
from human.study.simulation import simulate
from human.study.tables import tables_of
from human.study.tasks import plan_in_words
from tests.helpers.studies import begin_study, plan
from tests.human.test_study_questions import HEAD

HELLO = {"name": "hello", "when": "start", "text": "Welcome."}
PAGES = [
    {"name": "bye", "when": "end", "text": "What this was about."},
    {"name": "half", "when": "between-games", "text": "Half is done."},
    {"name": "another", "when": "between-games", "text": "Another partner."},
    {"name": "cooked", "when": "after-games", "text": "No more cooking."},
    {"name": "rules", "when": "before-games", "text": "Guests are hungry.", "heading": "Before you begin"},
    HELLO,
]
ASKED = [{"name": f"q_{when[:5]}", "text": "?", "when": when} for when in ("start", "after-game", "end")]


def course(folder, part):
    """Goes through a study without playing; returns the names of pages and questions, and the numbers of games."""
    seen = []
    while (task := part.task) is not None:
        if isinstance(task, PageTask):
            seen.append(task.page.name)
            part.begin_break(task)
            part.end_break()
        elif isinstance(task, PlayTask):
            seen.append(task.game + 1)
            part.begin(task, 0)
            part.end(task, given_up=True)
        elif isinstance(task, QuestionTask):
            seen.append(task.question.name)
            part.answer(task, "well")
        else:
            seen.append("break")
            part.begin_break(task)
            part.end_break()
    return seen


def test_pages_come_where_the_study_says_and_are_not_shown_again_to_who_comes_back(tmp_path):
    folder = begin_study(tmp_path, layouts=["open", "ring"], pages=PAGES, questions=ASKED, breaks={"every": 2})
    with folder.participation("P1") as part:
        assert part.task.page.name == "hello"
        part.begin_break(part.task)
    assert participant_statuses(folder)[0].where == "page hello"
    with folder.participation("P1") as part:
        first = part.progress.breaks[0]
        assert part.begin_break(part.task) == first, "its time goes on for who was killed there"
        part.end_break()
    assert participant_statuses(folder)[0].where == "question q_start, 1 of 1"
    with folder.participation("P1") as part:
        assert course(folder, part) == [
            *("q_start", "rules"),
            *(1, "q_after", "half", "another"),
            *(2, "q_after", "break", "half", "another"),
            *(3, "q_after", "half", "another"),
            *(4, "q_after", "cooked", "q_end", "bye"),
        ]
    assert tables_of(folder)["participants"][0]["complete"]


def test_who_is_at_a_page_is_seen_there_and_the_time_of_each_is_in_the_tables(tmp_path):
    folder = begin_study(tmp_path, pages=PAGES[2:], questions=[])
    with folder.participation("P1") as part:
        part.log.note("joined")
        part.log.note("page", detail="hello")
        assert participant_statuses(folder)[0].where == "page hello"
        course(folder, part)
    rows = tables_of(folder)["breaks"]
    assert [(row["page"], row["game"]) for row in rows] == [
        *(("hello", None), ("rules", None), ("another", 1), ("cooked", None)),
    ]
    assert all(row["seconds"] < 60 and row["participant"] == "P1" for row in rows)
    shown = [row["detail"] for row in tables_of(folder)["events"] if row["event"] == "page"]
    assert shown == ["hello"]


LAST = [
    {"name": "all", "when": "end", "text": "What this was about."},
    {"name": "out", "when": "end", "text": "Why practice is needed.", "endings": ["screened-out"]},
    {"name": "done", "when": "end", "text": "How it goes on.", "endings": ["finished", "failed-attention"]},
]


def test_the_last_pages_are_those_of_the_ending_also_for_who_is_screened_out(tmp_path):
    folder = begin_study(tmp_path, pages=[*PAGES[2:], *LAST], questions=[])
    with folder.participation("P1") as part:
        part.exclude("practice")
        assert course(folder, part) == ["all", "out"]
        assert part.ending == "screened-out"
    with folder.participation("P2") as part:
        assert course(folder, part)[-2:] == ["all", "done"]
        part.exclude("researcher", "asleep")
        assert part.task.page.name == "out", "who returns reads it"
    rows = tables_of(folder)["participants"]
    assert [row["complete"] for row in rows] == [False, True], "an exclusion leaves who had finished finished"


def test_a_study_whose_pages_belong_to_all_endings_keeps_its_digest():
    assert "endings" not in plan(pages=[HELLO]).model_dump_json()
    assert '"endings":["screened-out"]' in plan(pages=LAST).model_dump_json()


def test_simulated_participants_read_pages_in_no_time(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], pages=PAGES[3:], questions=[], horizon=2, turns=False)
    simulate(folder, "S1", lambda condition, controls: resumed_game(folder, condition, controls))
    rows = tables_of(folder)["breaks"]
    assert [row["page"] for row in rows] == ["hello", "rules", "cooked"]
    assert all(row["seconds"] < 1 for row in rows)


def resumed_game(folder, condition, controls):
    from bba.agents import HumanAgent, load_agent
    from bba.play import Game

    agents = load_agent(condition.agent), HumanAgent(controls[1])
    return Game(condition.layout, *agents, condition.seed, horizon=folder.study.horizon)


def load(tmp_path, text):
    file = tmp_path / "study.toml"
    file.write_text(HEAD + text)
    return load_study(file)


def test_the_text_of_a_page_is_in_the_file_or_in_one_beside_it_and_the_folder_keeps_it(tmp_path):
    (tmp_path / "debriefing.txt").write_text("\nThank you.\n\nIt was about beliefs.\n", encoding="utf-8")
    file = '[[pages]]\nname = "bye"\nwhen = "end"\nfile = "debriefing.txt"\n'
    study = load(tmp_path, file + '[[pages]]\nname = "hello"\nwhen = "start"\ntext = "Welcome."\n')
    assert [page.text for page in study.pages] == ["Thank you.\n\nIt was about beliefs.", "Welcome."]
    StudyFolder.begin(tmp_path / "results", study)
    assert StudyFolder.open(tmp_path / "results").study.pages == study.pages
    (tmp_path / "debriefing.txt").write_text("Something else.")
    with pytest.raises(BBAError, match="begun with other pages than"):
        StudyFolder.begin(tmp_path / "results", load(tmp_path, file))


PNG = b"\x89PNG\r\n\x1a\n and so on"


def test_a_picture_is_in_the_plan_as_it_was_when_the_study_began(tmp_path):
    (tmp_path / "kitchen.png").write_bytes(PNG)
    file = '[[pages]]\nname = "p"\nwhen = "start"\ntext = "t"\npicture = "kitchen.png"\npicture-text = "a kitchen"\n'
    study = load(tmp_path, file)
    (page,) = study.pages
    kind, _, content = page.picture.partition(",")
    assert (kind, b64decode(content), page.picture_text) == ("data:image/png;base64", PNG, "a kitchen")
    StudyFolder.begin(tmp_path / "results", study)
    assert StudyFolder.open(tmp_path / "results").study.pages == study.pages
    (tmp_path / "kitchen.png").write_bytes(PNG + b" more")
    with pytest.raises(BBAError, match="begun with other pages than"):
        StudyFolder.begin(tmp_path / "results", load(tmp_path, file))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            'when = "end"\ntext = "t"\npicture = "no.png"\npicture-text = "t"',
            r"line 12: pages\.0\.picture: .*no\.png: ca",
        ),
        (
            'when = "end"\ntext = "t"\npicture = "empty.txt"\npicture-text = "t"',
            r"line 12: .*: is no PNG or JPEG of at",
        ),
        ('when = "end"\ntext = "t"\npicture = "a.png"', r"line 8: pages\.0\.picture-text: a picture has one"),
        ('when = "end"\ntext = "t"\npicture-text = "a"', r"line 12: pages\.0\.picture-text: a picture has one"),
        ('when = "end"\ntext = "t"\nfile = "a.txt"', r"line 12: pages\.0\.file: unknown key"),
        ('when = "end"\nfile = "missing.txt"', r"line 11: pages\.0\.file: .*missing\.txt: cannot be read"),
        ('when = "end"\nfile = 3', r"line 11: pages\.0\.file: .*3: cannot be read"),
        ('when = "end"\nfile = "empty.txt"', r"line 8: pages\.0\.text: "),
        ('when = "end"\ntext = "t"\nendings = ["idle"]', r"line 12: pages\.0\.endings\.0: "),
        ('when = "start"\ntext = "t"\nendings = ["finished"]', r"line 12: pages\.0\.endings: is for a page with when"),
        ('when = "now"\ntext = "t"', r"line 10: pages\.0\.when: "),
        ('when = "end"', r"line 8: pages\.0\.text: missing"),
        ('when = "end"\ntext = "t"\n[[pages]]\nname = "p"\nwhen = "end"\ntext = "t"', r"line 13: pages\.1\.name: p is"),
    ],
)
def test_a_mistake_of_a_page_is_one_line_with_its_place(tmp_path, keys, message):
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "a.png").write_bytes(PNG)
    with pytest.raises(BBAError, match=message) as mistake:
        load(tmp_path, f'[[pages]]\nname = "p"\n{keys}\n')
    assert "\n" not in str(mistake.value)


def test_a_check_names_the_pages_and_the_preregistration_their_texts():
    study = plan(pages=[HELLO])
    assert "page hello: start, 8 characters" in plan_in_words(study)
    assert "page hello (start): SHA-256 " in preregistered(study)["procedure"]
    assert preregistered(study)["procedure"] != preregistered(plan(pages=[HELLO | {"text": "Hello."}]))["procedure"]


def test_a_study_without_pages_is_to_its_preregistration_what_it_was_before_there_were_pages():
    from human.study.preregistration import _digest

    study = plan()
    before = _digest(study.model_dump_json(exclude={"pages", "scores"}))
    assert preregistered(study)["digests"].startswith(f"study {before}\n")
    assert not preregistered(plan(pages=[HELLO]))["digests"].startswith(f"study {before}\n")
