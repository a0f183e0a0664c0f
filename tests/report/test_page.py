"""The report of a folder of results: what stands in it, that it stands alone, and that its links lead somewhere."""

import csv
import io
import re
import sqlite3
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from bba.agents import SeatSpec
from bba.analysis.coordination import SwitchResponse
from bba.analysis.measures import EPISODE_MEASURES
from bba.bench.episode import EpisodeResult, PlannerSettings
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.kitchen import Layout
from bba.planner import Usage
from bba.planner.ledger import Ledger
from bba.planner.model_options import ModelOptions
from bba.report.appendix import command_of
from bba.report.content import section
from bba.report.page import write_report
from tests.helpers import tiny_policies
from tests.helpers.command_line import parsed
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.tiny_sweeps import episodes, sweep
from tui.game_factory import make_game

REACTIONS = (SwitchResponse(3, 9, 2, 1, None), SwitchResponse(9, 20, 4, None, 5))
HOSTILE = "<script>alert(1)</script> $x_y$ |"


def outcome(number: int, **changes) -> EpisodeResult:
    """An outcome with every measure, a little different each time."""
    measures = dict.fromkeys(EPISODE_MEASURES, 0.25) | {"reward": 100 + number, "replans": number % 3}
    measures |= {"planner_prompt_tokens": None, "planner_completion_tokens": None, "planner_cost": None}
    return EpisodeResult(**{"measures": measures, "switch_responses": REACTIONS, "seconds": 0.5} | changes)


def keep(folder, found, changed=None):
    """Store made-up outcomes of a sweep without learned agents; `changed` are other ones, by the episode's number."""
    (none := folder.parent / f"{folder.name}-weights").mkdir(exist_ok=True)
    made = plan_sweep(found, SeatSpec(weights=none))
    with ResultsStore(folder) as store:
        store.register(found.name, found.model_dump_json(), made.entries)
        for number, episode in enumerate(made.episodes.values()):
            store.save(episode, (changed or {}).get(number) or outcome(number))
    return made


def preset(name, **changes):
    """A preset with two seeds and a partner that is there."""
    partners = {"bayes": ["bayes"], "proagent": ["proagent"]} if name == "crossplay" else {"G1": ["switching"]}
    return load_sweep(name).changed({"seeds": 2, "partners": partners} | changes)


@pytest.fixture
def no_drawings(monkeypatch):
    """Pages of words and tables only; their drawings take most of the time."""
    monkeypatch.setattr("bba.report.page.figures", lambda *_: ())


class Page(HTMLParser):
    """What a page holds: its elements, ids, links and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.text = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "src", "xlink:href") if name in found]

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report on four sweeps, with a failure, a recording, something left out and a hostile name."""
    folder = tmp_path_factory.mktemp("results")
    keep(folder, preset("crossplay", layouts=["open"]), {0: outcome(0, recording=b"a game")})
    keep(folder, preset("switch", layouts=["ring"]), {17: EpisodeResult(failure="it broke <b>twice</b>")})
    keep(folder, preset("sensitivity", variants=load_sweep("sensitivity").variants[:6]))  # of two parameters
    keep(folder, preset("paired"))
    keep(folder, sweep(name="a/b c", variants=[{"name": HOSTILE, "cooldown": 3}], title=HOSTILE))
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page((folder / "report.html").read_text())


def test_the_page_stands_alone(page):
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not [link for link in page.links if re.match(r"[a-z]+:|//", link)]


def test_every_link_leads_somewhere_and_no_id_is_there_twice(folder, page):
    assert len(set(page.ids)) == len(page.ids)
    assert any(link.startswith("#switch-e") for link in page.links)
    for link in page.links:
        assert link[1:] in page.ids if link.startswith("#") else (folder / link).is_file()


def test_it_says_what_planned_what_failed_and_what_was_left_out(page):
    for said in (
        "Scripted planner, not a language model.",
        "1 episode failed.",
        "it broke <b>twice</b>",
        "left out, not there when this was played: gamma, talents",
        "nothing: no language model was asked",
        "cores",
        "numpy",
    ):
        assert said in page.text


def test_it_says_what_a_language_model_cost_and_which_decisions_it_lost(tmp_path, no_drawings):
    model = ModelOptions(model="gpt-4o", base_url="http://localhost:1/v1")
    made = plan_sweep(sweep(), SeatSpec(planner="openai", model=model))
    spent = {"planner_calls": 40, "planner_prompt_tokens": None, "planner_cost": None, "planner_fallbacks": 2}
    with ResultsStore(tmp_path) as store:
        store.register("tiny", sweep().model_dump_json(), made.entries)
        for episode in made.episodes.values():
            store.save(episode, outcome(0, measures=dict(outcome(0).measures) | spent))
    ledger = Ledger(tmp_path / RESULTS_FILE)
    ledger.settle(ledger.reserve("gpt-4o", 2.0, None, 9), "gpt-4o", Usage(1, 1), 1.25)
    said = Page(write_report(tmp_path).read_text()).text
    assert "; with failed games and lost requests 1.25 US dollars, 1 request" in said
    assert "unknown, not all prices are known, 160 calls, unknown tokens, the endpoint reported none" in said
    assert "8 decisions in 4 of 4 games had no usable answer" in said


def test_it_says_what_the_rollout_planner_is(tmp_path, no_drawings):
    (tmp_path / "results-weights").mkdir()
    tiny_policies.write(tmp_path / "results-weights", "planner")
    keep(tmp_path / "results", sweep(agents=[{"agent": "bayes", "planner": "rollout"}]))
    said = Page(write_report(tmp_path / "results").read_text()).text
    assert "Rollout planner, not a language model." in said
    assert "rollout planner (no language model)" in said
    assert "Scripted planner" not in said


def test_the_preprints_number_stands_beside_ours_in_page_and_files(folder, page):
    assert "preprint 720 ± 257" in page.text
    assert "(preprint 720 ± 257)" in (folder / "tables" / "crossplay.md").read_text()
    rows = list(csv.DictReader(io.StringIO((folder / "tables" / "crossplay.csv").read_text())))
    first = next(row for row in rows if row["agent"].startswith("bayes") and row["group"] == "bayes")
    assert (first["mean"], first["n"], first["preprint_model"], first["preprint_mean"]) == (
        "100.5",
        "2",
        "gpt-4o",
        "720.3",
    )


def test_margins_stand_in_page_and_files_and_what_is_computed_is_said_to_be(folder, page):
    assert "Mean over P1" in page.text
    assert "preprint 787, computed" in page.text
    markdown = (folder / "tables" / "crossplay.md").read_text()
    assert "- computed: the mean of the preprint's values in this row or column" in markdown
    assert "| Mean over P0 |" in markdown
    rows = list(csv.DictReader(io.StringIO((folder / "tables" / "crossplay.csv").read_text())))
    margins = [row for row in rows if row["group"] == "Mean over P1"]
    assert [row["agent"] for row in margins][-1] == "Mean over P0"
    assert all(row["sd"] and not row["preprint_mean"] for row in margins)


def test_the_best_has_a_sign_in_files_and_a_style_on_the_page_and_both_are_explained(tmp_path, no_drawings):
    keep(tmp_path, sweep(), {0: outcome(500)})
    write_report(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "<b><u>" in text
    assert "underlined: best mean of all; perhaps by chance" in text
    assert "★" not in text
    markdown = (tmp_path / "tables" / "tiny.md").read_text()
    assert markdown.count("| ★ ") == 1
    assert "- ★ best mean of all; perhaps by chance" in markdown


def test_where_groups_stand_in_the_preprints_own_table_is_there(tmp_path):
    keep(tmp_path, preset("ablation", partners={"switching": ["switching"]}, layouts=["open"]))
    stored = load_results(tmp_path)
    (theirs,) = section(stored, stored.sweeps[0], "ablation").paper_tables
    assert (theirs.title, len(theirs.rows), theirs.rows[0][2].text) == ("reward", 9, "1533 ± 410")


@pytest.mark.parametrize(
    "title",
    [
        *("Reward by setting", "Reward against replans", "Belief–action gap and Comp@3", "After a switch"),
        *("Sensitivity", "Cross-play", "Paired differences"),
    ],
)
def test_there_is_a_figure_of(page, title):
    assert title in page.text
    assert page.tags.count("svg") >= 7


def test_figures_take_their_colours_and_letters_from_the_page(folder):
    text = (folder / "report.html").read_text()
    drawings = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert all("var(--" in drawing and "#0001" not in drawing and "#0002" not in drawing for drawing in drawings)
    assert "bayes-no-replan" in "".join(re.findall(r"<text.*?</text>", "".join(drawings), flags=re.DOTALL))


def test_names_are_text_and_nothing_else(folder, page):
    assert HOSTILE in page.text
    assert "script" not in page.tags
    assert (folder / "tables" / "a-b-c.md").read_text().startswith("# <script>alert(1)</script> $x_y$ \\|")


def test_a_recording_that_was_kept_lies_beside_the_report(folder, page):
    (recording,) = (folder / "recordings").iterdir()
    assert recording.read_bytes() == b"a game"
    assert f"bba-tui replay recordings/{recording.name}" in page.text


def content(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.suffix in {".html", ".md", ".csv"}}


def test_the_same_results_give_the_same_bytes(tmp_path):
    keep(tmp_path, sweep(table={"measures": ["reward"]}), {0: outcome(0, recording=b"a game")})
    write_report(tmp_path)
    before = content(tmp_path)
    assert before[tmp_path / "report.html"].count(b"<svg") == 1
    write_report(tmp_path)
    assert content(tmp_path) == before


@pytest.mark.thorough  # the test above shows it of one figure, and all are drawn by one function
def test_figures_of_every_kind_have_the_same_bytes_twice(folder):
    before = content(folder)
    write_report(folder)
    assert content(folder) == before


def test_episodes_that_another_version_described_otherwise_are_shown_without_a_command(tmp_path, no_drawings):
    begin_file_of_version_2(tmp_path)
    keep(tmp_path, sweep(table={"measures": ["reward"]}))
    with sqlite3.connect(tmp_path / RESULTS_FILE) as database:
        database.execute("UPDATE episodes SET spec = '{}', checksum = NULL")
    assert "bba-tui --layout" not in write_report(tmp_path).read_text()


# --- the command that plays an episode again -------------------------------------------------------------------
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"variants": [{"theta_obs": 0.02, "mobility": 0.5, "skill_timeout": 9}], "layouts": ["ring"], "first_seed": 7},
        {"partners": {"proagent": ["proagent"]}, "horizon": 2400},
        {"ask": "always"},
        {"agents": [{"agent": "bayes-commit", "planner": "rollout"}]},
        {"agents": [{"agent": "bayes", "planner": "rollout"}], "variants": [{"psi": "roles", "commitment_ratio": 2.3}]},
    ],
)
def test_the_command_plays_the_same_game(changes):
    for episode in episodes(**changes):
        words = command_of(episode).split()
        assert words[0] == "bba-tui"
        again = make_game(parsed(words[1:]), episode.seed, fast=False)
        assert again.trace.config == episode.game(SeatSpec(), fast=False).trace.config


def test_the_command_leaves_out_what_would_happen_anyway():
    (episode,) = episodes(agents=["bayes"], seeds=1, horizon=2400)
    assert command_of(episode) == "bba-tui --layout open --agent bayes --partner switching --seed 0"


def test_a_schedule_is_part_of_the_command():
    options = SeatSpec(schedule=((0, 1), (50, 4)))
    episode = next(iter(plan_sweep(sweep(), options).episodes.values()))
    assert "--schedule 0:prep_rice,50:serve" in command_of(episode)


def test_what_no_command_says_has_none():
    (episode,) = episodes(agents=["bayes"], seeds=1)
    own = episode.layout.model_copy(update={"name": "mine"})
    changed = Layout.load("ring").model_copy(update={"name": "open"})
    by_model = replace(episode.seats[0], planner="openai:gpt-4o")
    for changes in (
        {"layout": own},
        {"layout": changed},
        {"planning": PlannerSettings(prompts="ab")},
        {"seats": (by_model, episode.seats[1])},
        {"weights": ("0123456789abcdef", None)},
    ):
        assert command_of(episode.model_copy(update=changes)) is None
    (differing,) = episodes(
        agents=["bayes"], partners={"b": ["bayes"]}, seeds=1, variants=[{"cooldown": 3}], table={"rows": ["layout"]}
    )
    assert command_of(differing) is None
    (asked,) = episodes(agents=["bayes"], partners={"b": ["bayes"]}, seeds=1, variants=[{"ask": "always"}])
    assert command_of(asked) is None
