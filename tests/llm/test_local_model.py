"""The smallest model of the table plays a short game through llama.cpp's real server; it is downloaded once."""

import json

import pytest

from bba.errors import BBAError
from bba.llm.local_download import get_model
from bba.progress import SILENT
from tests.helpers.command_line import no_settings_from_outside, run

__all__ = ["no_settings_from_outside"]

pytestmark = pytest.mark.thorough
NAME = "qwen2.5-coder-0.5b"


def test_a_real_model_plays_a_short_game_in_answers_that_can_all_be_used(tmp_path, capsys):
    pytest.importorskip("xllamacpp", reason="needs llama.cpp's server: pip install 'bba-tui[local]'")
    try:
        get_model(NAME, SILENT)
    except BBAError as error:
        pytest.skip(str(error))
    log = tmp_path / "log.jsonl"
    game = ("headless", "open", "--planner", "local", "--model", NAME, "--horizon", "40", "--json")
    code, _, said = run(capsys, *game, "--model-log", str(log))
    assert code == 0, said
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert asked
    assert all(one["problem"] is None and one["base_url"].startswith("local:sha256-1d96") for one in asked)
    assert all(json.loads(one["answer"])["plan"] for one in asked)
    assert all(one["usage"]["cached_tokens"] > 0 for one in asked[1:])
