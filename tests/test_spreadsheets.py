"""CSV for spreadsheet programs, on request: marked as UTF-8, and without formulas; else to the letter."""

import csv
import io

import pytest

from bba.tabular import to_csv
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tests.helpers.studies import begin_study

MARK = "\ufeff"
FORMULAS = ["=1+1", '=HYPERLINK("http://evil","x")', "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-"]
HARMLESS = ["שלום", "a=1", "'=1", "", "-5", "+5.5", "-25,5", "1e5", " =1"]


def read(text: str) -> list[str]:
    return [row["words"] for row in csv.DictReader(io.StringIO(text, newline=""))]


def table(words) -> str:
    return to_csv([{"words": one} for one in words], ["words"])


def test_usual_tables_hold_what_was_written_to_the_letter():
    assert read(table([*FORMULAS, *HARMLESS])) == [*FORMULAS, *HARMLESS]
    assert table(["=1"]) == "words\n=1\n"
    assert to_csv([], ["a", "b"]) == "a,b\n"


@pytest.mark.parametrize("words", FORMULAS)
def test_what_a_spreadsheet_would_compute_is_text_on_request(words):
    text = to_csv([{"words": words}], ["words"], spreadsheet=True)
    assert text.startswith(MARK)
    assert read(text.removeprefix(MARK)) == [f"'{words}"]


def test_numbers_and_other_words_stay_as_they_are():
    text = to_csv([{"words": words} for words in HARMLESS], ["words"], spreadsheet=True)
    assert read(text.removeprefix(MARK)) == HARMLESS
    numbers = [{"a": -1, "b": -2.5, "c": None, "d": True}]
    assert to_csv(numbers, ["a", "b", "c", "d"], spreadsheet=True) == f"{MARK}a,b,c,d\n-1,-2.5,,True\n"
    assert to_csv([], ["=a", "b"], spreadsheet=True) == f"{MARK}'=a,b\n"


# --- the commands ------------------------------------------------------------------------------------------------
def test_answers_of_a_study_are_no_formulas_on_request(tmp_path, capsys):
    question = {"name": "remarks", "text": "Anything?", "when": "start"}
    folder = begin_study(tmp_path, questions=[question])
    with folder.participation("P1") as part:
        part.answer(part.task, "=1+1 שלום")
    tables = folder.path / "tables" / "answers.csv"
    assert run(capsys, "study-tables", str(folder.path))[0] == 0
    plain = tables.read_text(encoding="utf-8")
    assert ",=1+1 שלום," in plain
    assert not plain.startswith(MARK)
    assert run(capsys, "study-tables", str(folder.path), "--spreadsheet")[0] == 0
    marked = tables.read_text(encoding="utf-8")
    assert marked.startswith(MARK)
    assert ",'=1+1 שלום," in marked
    assert run(capsys, "study-tables", str(folder.path))[0] == 0
    assert tables.read_text(encoding="utf-8") == plain


def test_the_variants_of_a_sweep_are_no_formulas_on_request(tmp_path, capsys):
    (tmp_path / "x.toml").write_text(
        'title = "t"\nagents = ["proagent"]\npartners = {p = ["switching"]}\nlayouts = ["open"]\nseeds = 1\n'
        'horizon = 10\nvariants = [{name = "=cmd|\'/C calc\'!A0"}, {name = "b"}]\n'
        '[table]\nrows = ["variant"]\n'
    )
    words = ("bench", "x.toml", "--out", "o", "--workers", "1", "--export")
    assert run(capsys, *words, "plain.csv")[0] == 0
    assert ",=cmd|" in (tmp_path / "plain.csv").read_text()
    assert run(capsys, *words, "marked.csv", "--spreadsheet")[0] == 0
    assert ",'=cmd|" in (tmp_path / "marked.csv").read_text(encoding="utf-8")
    assert run(capsys, "report", "o", "--spreadsheet")[0] == 0
    (file,) = (tmp_path / "o" / "tables").glob("*.csv")
    assert file.read_text(encoding="utf-8").startswith(MARK)
    assert ",'=cmd|" in file.read_text(encoding="utf-8")
    for wrong in (words[:-1], (*words, "a.parquet")):
        code, _, err = run(capsys, *wrong, "--spreadsheet")
        assert (code, err) == (2, "bba-tui: --spreadsheet: is for --export FILE.csv\n")
