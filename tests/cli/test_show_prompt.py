"""`--show-prompt`: what the ego's model would be sent at a step, word for word."""

import json
import re
import shutil

import pytest

from bba.agents import load_agent
from bba.files import data_dir
from bba.play import Game
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself

AT = ["prompt", "--layout", "open", "--seed", "0", "--step", "40"]


def test_it_prints_the_messages_of_the_step_under_their_roles_and_the_same_bytes_twice(capsys):
    code, out, err = run(capsys, *AT)
    assert (code, err) == (0, "")
    assert run(capsys, *AT)[1] == out
    assert out.startswith("--- plan: system ---\nYou plan for one of two cooks")
    *_, last = out.split("--- plan: user ---\n")
    assert last.startswith("=== TEAMMATE BELIEF")
    assert " Scene 40." in last
    assert last.endswith("Return one action only (index or name).\n")


def test_as_json_it_is_one_object_with_the_same_messages(capsys):
    code, out, err = run(capsys, *AT, "--agent", "hypothetical-minds", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert {name: found[name] for name in ("layout", "agent", "seed", "player", "step")} == {
        "layout": "open",
        "agent": "hypothetical-minds",
        "seed": 0,
        "player": 0,
        "step": 40,
    }
    text = "".join(
        f"--- {prompt['question']}: {message['role']} ---\n{message['content']}\n"
        for prompt in found["prompts"]
        for message in prompt["messages"]
    )
    assert text == run(capsys, *AT, "--agent", "hypothetical-minds")[1]


def test_it_is_what_the_model_is_sent_where_the_agent_does_choose_at_that_step(capsys):
    trace = Game("open", "bayes", "switching", 0, horizon=200).run()
    step, plan = next((i, t.decisions[0].plan) for i, t in enumerate(trace.ticks) if i > 90 and t.decisions[0].chosen)
    _, out, _ = run(capsys, *AT[:-1], str(step))
    sent = "".join(f"--- plan: {message['role']} ---\n{message['content']}\n" for message in plan.messages)
    assert out == sent


def test_an_agent_that_asks_more_shows_every_question_in_order(capsys):
    _, out, _ = run(capsys, *AT, "--agent", "hypothetical-minds")
    heads = [line for line in out.splitlines() if line.startswith("--- ")]
    assert heads[:6] == [
        f"--- {kind}: {role} ---" for kind in ("evaluate", "generate", "predict") for role in ("system", "user")
    ]
    assert heads[6] == "--- plan: system ---"
    assert "HYPOTHESES ABOUT PLAYER 1" in out


def test_the_first_step_can_be_asked_about_and_own_prompts_are_shown(capsys, tmp_path):
    shutil.copytree(data_dir("configs/prompts"), tmp_path / "mine")
    base = tmp_path / "mine" / "system_base.md"
    base.write_text("Cook well.\n" + base.read_text())
    code, out, _ = run(capsys, "prompt", "--agent", "proagent", "--prompts", "mine")
    assert code == 0
    assert out.startswith("--- plan: system ---\nCook well.\n")
    assert " Scene 0." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "switching"], "prompt: switching asks no model"),
        (["--step", "50", "--horizon", "50"], "--step: 50 is not allowed; the game ends at step 50"),
        (["--step", "-1"], "--step: got '-1'; it should be greater than or equal to 0"),
        (["--prompts", "broken"], "broken/judge.md, line 3: unknown placeholder {skil}; this template takes age, "),
    ],
)
def test_a_mistake_is_one_line(capsys, tmp_path, arguments, message):
    shutil.copytree(data_dir("configs/prompts"), tmp_path / "broken")
    judge = tmp_path / "broken" / "judge.md"
    judge.write_text(judge.read_text().replace("{skill}", "{skil}"))
    code, out, err = run(capsys, "prompt", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


def test_a_game_that_was_cut_short_goes_on_as_if_time_had_been_up():
    game = Game("open", load_agent("bayes"), "switching", 0, horizon=60)
    for _ in range(30):
        game.step()
    game.time_out_skill(0)
    tick = game.step()
    assert tick.decisions[0].chosen
    assert not tick.decisions[0].replanned
    game.run()


def test_the_check_of_the_shipped_texts_has_nothing_to_say(capsys):
    code, out, err = run(capsys, "prompt", "--check")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"--prompt-layout strict: (\d+) of \1 points of the preprint, 0 besides\n", out)


def test_the_check_says_what_texts_lack_and_what_they_say_besides(capsys, tmp_path):
    texts = tmp_path / "mine" / "preprint"
    texts.mkdir(parents=True)
    shipped = (data_dir("configs/prompts") / "preprint" / "system_base.md").read_text()
    (texts / "system_base.md").write_text(shipped.replace("wastes least", "you like") + "A streak pays.")
    code, out, err = run(capsys, "prompt", "--prompts", "mine", "--check")
    assert (code, err) == (0, "")
    lacks, besides, summary = out.splitlines()
    assert lacks == "mine/preprint/system_base.md: lacks the least wasteful action where none is certain"
    assert re.fullmatch(r"mine/preprint/system_base\.md, line \d+: the preprint has not: streaks and .*", besides)
    assert summary.endswith(" points of the preprint, 1 besides")
    code, out, err = run(capsys, "prompt", "--prompts", "mine", "--check", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["prompt_layout"] == "strict"
    assert [one["says"] for one in found["lacking"]] == ["the least wasteful action where none is certain"]
    assert [one["line"] for one in found["besides"]] == [len(shipped.splitlines()) + 1]


def test_texts_without_a_folder_for_the_strict_layout_are_checked_as_they_are_sent(capsys, tmp_path):
    shutil.copytree(data_dir("configs/prompts"), tmp_path / "mine", ignore=shutil.ignore_patterns("preprint"))
    code, out, _ = run(capsys, "prompt", "--prompts", "mine", "--check")
    assert code == 0
    assert "mine/system_base.md, line 5: the preprint has not: streaks" in out
    assert "--prompt-layout preprint: " in out.splitlines()[-1]
    code, out, err = run(capsys, "prompt", "--prompts", "mine", "--check", "--prompt-layout", "strict")
    assert (code, out) == (2, "")
    assert err.startswith("bba-tui: prompts: mine has no folder preprint")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("You are Player {agent_id}.", "the text ends without the placeholder {other_id}; it takes agent_id, other_id"),
        ("{agent_id} {other_id} {role}", "unknown placeholder {role}; this template takes agent_id, other_id"),
    ],
)
def test_a_placeholder_that_is_missing_or_unknown_fails_the_check(capsys, tmp_path, text, message):
    shutil.copytree(data_dir("configs/prompts"), tmp_path / "mine")
    (tmp_path / "mine" / "preprint" / "system_bayes.md").write_text(text)
    code, out, err = run(capsys, "prompt", "--prompts", "mine", "--check")
    assert (code, out) == (2, "")
    assert err == f"bba-tui: mine/preprint/system_bayes.md, line 1: {message}\n"


def test_strict_prompts_are_those_of_the_folder(capsys, tmp_path):
    texts = tmp_path / "mine" / "preprint"
    texts.mkdir(parents=True)
    (texts / "system_base.md").write_text("Cook well.")
    strict = ("--prompts", "mine", "--prompt-layout", "strict")
    code, out, _ = run(capsys, "prompt", "--agent", "proagent", *strict)
    assert code == 0
    assert out.startswith("--- plan: system ---\nCook well.\n--- plan: user ---\nLayout=")
