"""The leaderboard is made from cards that hold."""

from pathlib import Path

import pytest

from bba.bench.score_card.card import card_text, read_card
from benchmarks import leaderboard
from benchmarks.leaderboard import leaderboards

ROOT = Path(__file__).parents[2]
CARDS = sorted((ROOT / "docs" / "results" / "data" / "cards").glob("*.json"))
FULL = [card for card in CARDS if card.stem.endswith("-full")]


def made(capsys, monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["leaderboard", "--again", "0", *map(str, arguments)])
    return leaderboard.main(), capsys.readouterr().err


@pytest.mark.thorough
def test_the_page_holds_what_the_published_cards_say(tmp_path):
    page = (ROOT / "docs" / "results" / "leaderboard.md").read_text("utf-8")
    assert page == leaderboard.filled(page, [read_card(card) for card in FULL])
    assert all(f"| {read_card(card).agent.name} |" in page for card in FULL)


def test_the_command_writes_the_tables_between_the_marks(capsys, monkeypatch, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{leaderboard.BEGIN}old\n{leaderboard.END}after\n")
    assert made(capsys, monkeypatch, CARDS[0], "--page", page) == (0, "")
    text = page.read_text()
    assert text.startswith(f"before\n{leaderboard.BEGIN}")
    assert text.endswith(f"{leaderboard.END}after\n")
    assert "old" not in text
    card = read_card(CARDS[0])
    assert f"## v1 {card.protocol.size}: {len(card.episodes)} games an agent" in text
    assert f"| {card.agent.name} | {card.overall['reward'].mean:.0f} [" in text


def test_agents_are_compared_in_the_same_games_and_headings_say_what_is_better():
    cards = [read_card(card) for card in CARDS]
    text = leaderboards(cards)
    assert "| reward, points ↑ |" in text
    assert "| replans |" in text
    assert "| reached in 30, share ↑ | needless replans ↓ |" in text, "what it costs stands beside it"
    assert "| same role rate, share ↓ | gap rate, all points, share ↓ |" in text, "they are of rule 1"
    first, second = sorted((one for one in cards if one.protocol.size == "quick"), key=_minus_reward)[:2]
    by_place = {one.place: one.measures["reward"] for one in first.episodes}
    mean = sum(one.measures["reward"] - by_place[one.place] for one in second.episodes) / len(second.episodes)
    (row,) = text.split("## v1 quick")[1].split("| reward | open")[1].splitlines()[3:4]
    assert row.startswith(f"| {second.agent.name} |")
    assert row.endswith(f"| {mean:+.0f} |"), "a single seed has no interval"


def _minus_reward(card):
    return -card.overall["reward"].mean


def test_a_card_that_does_not_hold_leaves_the_page_as_it_is(capsys, monkeypatch, tmp_path):
    page, card = tmp_path / "page.md", tmp_path / "card.json"
    page.write_text("as it is")
    card.write_text(card_text(read_card(CARDS[0])).replace('"seed":100', '"seed":101', 1))
    code, err = made(capsys, monkeypatch, card, "--page", page)
    assert code == 2
    assert err.startswith(f"{card}: the card was changed after it was written")
    assert page.read_text() == "as it is"


def test_a_page_without_marks_is_refused():
    with pytest.raises(leaderboard.BBAError, match="lacks the marks"):
        leaderboard.filled("nothing", [])
