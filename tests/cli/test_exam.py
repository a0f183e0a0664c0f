"""The exam as a command: the marks, what is kept, what it costs, and what is refused."""

import json

import pytest
from rich.text import Text

from bba.exam import answers as exam_answers
from bba.exam.report import figure
from tests.exam.conftest import few, no_figure  # noqa: F401 - fixtures
from tests.helpers.command_line import in_a_terminal
from tests.helpers.fake_endpoint import KEY, answers, completion, running
from tests.helpers.hostile_endpoints import scripted
from tests.helpers.model_backends import clear_environment
from tui.cli import main
from tui.commands import exam_taking as exam_command

USAGE = {"prompt_tokens": 2000, "completion_tokens": 40}
pytestmark = pytest.mark.usefixtures("few", "no_figure")


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def plays(handler):
    handler.send(200, completion(scripted(handler), usage=USAGE))


@pytest.fixture
def endpoint():
    with running() as endpoint:
        endpoint.behaviours = [plays]
        yield endpoint


def exam(endpoint, *more, model="gpt-4o"):
    return ["exam", "--planner", "openai", "--model", model, "--base-url", endpoint.url, "--out", "kept", *more]


def test_the_scripted_planner_takes_it_without_a_key(folder, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY")
    assert main(["exam", "--json", "--out", "kept"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["planner"] == "scripted"
    assert found["answers"] == found["questions"] == 32
    assert found["marks"]["usable"]["value"] == found["marks"]["agrees"]["value"] == 1
    assert found["marks"]["usable"]["low"] < 1
    assert found["prices"] is None
    assert (folder / "kept" / "scripted.exam.json").is_file()


@pytest.mark.thorough
def test_the_rollout_planner_takes_it(folder, capsys):
    assert main(["exam", "--planner", "rollout", "--futures", "4", "--json", "--out", "kept"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["planner"], found["answers"], found["prices"]) == ("rollout", 32, None)
    assert found["marks"]["usable"]["value"] == 1
    assert (folder / "kept" / "rollout.exam.json").is_file()


@pytest.mark.thorough
def test_models_are_compared_in_a_table_and_a_figure(folder, endpoint, monkeypatch, capsys):
    monkeypatch.setattr(exam_command, "figure", figure)
    in_a_terminal(monkeypatch, 120)
    assert main(["exam", "--out", "kept"]) == 0
    assert main(exam(endpoint)) == 0
    said = Text.from_ansi(capsys.readouterr().out).plain
    assert "openai:gpt-4o" in said
    assert "scripted" in said
    assert "…" not in said, "no name or number is cut"
    assert "a game costs about, in US dollars: bayes " in said
    assert "table1 " in said
    table = (folder / "kept" / "exam.md").read_text()
    assert table.count("100 [89, 100]") >= 2
    headings = [heading.strip() for heading in table.partition("| planner")[2].splitlines()[0].split("|")]
    assert [heading for heading in headings if heading not in said] == []
    assert "<svg" in (folder / "kept" / "exam.svg").read_text()
    assert KEY not in table + (folder / "kept" / "openai-gpt-4o.exam.json").read_text()


@pytest.mark.thorough
def test_marks_of_a_model_hold_tokens_time_and_prices(endpoint, capsys):
    assert main(exam(endpoint, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["used"]["sent"], found["used"]["received"]) == (2000, 40)
    assert found["used"]["dollars"] == pytest.approx(32 * (2000 * 2.5 + 40 * 10) / 1e6)
    assert found["prices"]["games"]["bayes"] > 0
    assert found["prices"]["sweeps"]["table1"] > 100 * found["prices"]["games"]["bayes"]
    assert len(endpoint.requests) == 32


@pytest.mark.thorough
def test_the_same_command_asks_nothing_again(endpoint, capsys):
    assert main(exam(endpoint)) == 0
    asked = len(endpoint.requests)
    assert main(exam(endpoint, "--json")) == 0
    assert len(endpoint.requests) == asked
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["used"]["dollars"] > 0


def test_what_a_limit_cut_off_is_kept_and_the_same_command_goes_on(folder, endpoint, capsys):
    assert main(exam(endpoint, "--max-calls", "5", "--concurrency", "1")) == 2
    assert "--max-calls: the limit of 5 calls is reached" in capsys.readouterr().err
    kept = json.loads((folder / "kept" / "openai-gpt-4o.exam.json").read_text())
    assert len(kept["answers"]) == 5
    clear = [answer["usage"]["cost"] for answer in kept["answers"]]
    assert all(cost > 0 for cost in clear)
    assert main(exam(endpoint)) == 0
    assert len(endpoint.requests) == 32


def test_a_cap_on_cost_holds_over_restarts(endpoint, capsys):
    one = (2000 * 2.5 + 40 * 10) / 1e6
    for _ in range(2):
        assert main(exam(endpoint, "--max-cost", f"{10 * one}", "--concurrency", "1", "--max-tokens", "40")) == 2
        assert "--max-cost: the limit" in capsys.readouterr().err
    assert 0 < len(endpoint.requests) <= 10


def test_an_estimate_comes_first_and_a_question_above_a_dollar(folder, endpoint, capsys):
    (folder / "dear.toml").write_text("[gpt-4o]\nprompt = 1000\ncompletion = 1000\n")
    assert main(exam(endpoint, "--prices", "dear.toml")) == 2
    assert "--yes begins, --dry-run only estimates" in capsys.readouterr().err
    assert main(exam(endpoint, "--prices", "dear.toml", "--dry-run")) == 0
    said = capsys.readouterr().out
    assert said.startswith("estimate: 32 questions, about 0.0")
    assert "US dollars" in said
    assert not endpoint.requests
    assert main(exam(endpoint, "--prices", "dear.toml", "--yes")) == 0


@pytest.mark.thorough
def test_a_model_that_says_nothing_ends_it_in_one_line_and_is_asked_again(endpoint, capsys):
    endpoint.behaviours = [answers("")]
    hasty = ("--retries", "0", "--attempts", "1")
    assert main(exam(endpoint, *hasty)) == 2
    assert "no usable answer for 3 decisions in a row" in capsys.readouterr().err.splitlines()[-1]
    endpoint.behaviours = [plays]
    assert main(exam(endpoint, *hasty, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["marks"]["usable"]["value"] == 1


def test_what_was_answered_before_an_interruption_is_kept(endpoint, capsys, monkeypatch):
    asked = exam_answers.ask

    def interrupted(planner, question):
        if len(endpoint.requests) == 9:
            raise KeyboardInterrupt
        return asked(planner, question)

    with monkeypatch.context() as once:
        once.setattr(exam_answers, "ask", interrupted)
        assert main(exam(endpoint, "--concurrency", "1")) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert main(exam(endpoint, "--concurrency", "1", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["answers"] == len(endpoint.requests) == 32


@pytest.mark.thorough
def test_a_model_that_never_gives_a_plan_gets_marks_that_say_so(endpoint, capsys):
    endpoint.behaviours = [answers("I would rather talk.")]
    assert main(exam(endpoint, "--retries", "0", "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], found["marks"]["usable"]["value"]) == (32, 0)


@pytest.mark.thorough
def test_answers_that_were_asked_for_in_another_way_are_not_put_together(endpoint, capsys):
    assert main(exam(endpoint)) == 0
    assert main(exam(endpoint, "--max-tokens", "77")) == 2
    assert "asked for with another sampling; take another folder with --out" in capsys.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--seed", "3"], "--seed: is no option of exam"),
        (["--layout", "ring"], "--layout: is no option of exam"),
        (["--planner", "oracle"], "no planner named 'oracle'"),
        (["--out", "file/there"], "--out: file/there: cannot be made"),
    ],
)
def test_what_does_not_go_with_it_is_one_line(folder, capsys, arguments, problem):
    (folder / "file").write_text("")
    assert main(["exam", *arguments]) == 2
    assert problem in capsys.readouterr().err


def test_a_file_that_holds_something_else_is_one_line(folder, capsys):
    (folder / "kept").mkdir()
    (folder / "kept" / "scripted.exam.json").write_text("[]")
    assert main(["exam", "--out", "kept"]) == 2
    assert "scripted.exam.json: not the answers to an exam" in capsys.readouterr().err
