"""Takes out of results and recordings what is nobody else's business: keys, addresses, and the names of accounts."""

import json
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from bba.bench.results_dump import DumpedEpisode, ResultsDump
from bba.planner import LLMCall
from bba.planner.llm.account import Redactor
from bba.planner.llm.model_options import OPENAI
from bba.play.recording import RecordedPlayer, Recording

ENDPOINT = "[endpoint]"  # in the place of every address but OpenAI's


def shared_results(dumped: ResultsDump, redactor: Redactor) -> ResultsDump:
    """Returns results as they may be shared. Keys of episodes stay, so that tables find them."""
    clean = ResultsDump.parse(redactor.text(dumped.model_dump_json()).encode(), "results")
    return clean.model_copy(update={"episodes": tuple(map(partial(_episode, redactor=redactor), clean.episodes))})


def _episode(row: DumpedEpisode, redactor: Redactor) -> DumpedEpisode:
    spec = json.loads(row.spec)
    planning = spec.get("planning") or {}
    address, failure = planning.get("endpoint"), row.failure
    if address and address != OPENAI:
        planning["endpoint"] = ENDPOINT
        failure = _without_address(failure, address)
    told = json.dumps(spec, sort_keys=True, ensure_ascii=False)
    return row.model_copy(update={"spec": told, "failure": failure and redactor.complaint(failure)})


def _without_address(text: str | None, address: str) -> str | None:
    host = urlsplit(address).netloc
    return text and text.replace(address, ENDPOINT).replace(host or address, ENDPOINT)


def shared_recording(recording: Recording, redactor: Redactor) -> Recording:
    """Returns a recording as it may be shared; its game is the same."""
    first, second = (_player(player, redactor) for player in recording.players)
    notes = tuple((step, redactor.text(note)) for step, note in recording.notes)
    return recording.model_copy(update={"players": (first, second), "notes": notes})


def _player(player: RecordedPlayer, redactor: Redactor) -> RecordedPlayer:
    calls = tuple((step, _call(call, redactor)) for step, call in player.calls)
    return player.model_copy(update={"calls": calls})


def _call(call: LLMCall, redactor: Redactor) -> LLMCall:
    return replace(
        call,
        texts=tuple(map(redactor.text, call.texts)),
        response=redactor.text(call.response),
        problem=call.problem and redactor.complaint(call.problem),
        belief_text=call.belief_text and redactor.text(call.belief_text),
    )
