"""One episode: played twice it is the same; its recording holds what was measured."""

from bba.agents import SeatSpec
from bba.analysis.coordination import switch_responses
from bba.analysis.measures import measure
from bba.bench.episode import Episode, SpecText, play, prompts_digest
from bba.play import Replay
from bba.play.recording_io import unpack
from bba.play.ticks import step_arrays
from tests.helpers.tiny_sweeps import episodes

OPTIONS = SeatSpec()


def test_an_episode_survives_being_written_as_json():
    for episode in episodes():
        again = Episode.model_validate_json(episode.spec)
        assert (again, again.key) == (episode, episode.key)


def test_measures_are_the_same_when_they_are_computed_again_from_the_recording():
    for episode in episodes(horizon=400, seeds=1, agents=["bayes", "hypothetical-minds", "llm-judge"]):
        outcome = play(episode, OPTIONS, keep_recording=True)
        trace = Replay(unpack(outcome.recording, "test"), fast=True).run()
        assert measure(trace) == outcome.measures
        assert tuple(switch_responses(step_arrays(trace.ticks))) == outcome.switch_responses
        assert outcome.measures["deliveries"] >= 0


def test_an_episode_that_is_played_twice_gives_the_same():
    episode = episodes(horizon=100)[0]
    first, second = (play(episode, OPTIONS, keep_recording=True) for _ in range(2))
    assert (first.measures, first.switch_responses, first.recording) == (
        second.measures,
        second.switch_responses,
        second.recording,
    )
    assert play(episode, OPTIONS).recording is None


def test_what_goes_wrong_in_an_episode_is_its_outcome(monkeypatch):
    episode = episodes()[0]
    other = episode.model_copy(update={"code": "0" * 16})
    assert play(other, OPTIONS).failure.startswith("planned with other code than that which is to play it")

    def broken(self, most=None):
        raise ZeroDivisionError("a\nbug")

    monkeypatch.setattr("bba.play.Game.advance", broken)
    outcome = play(episode, OPTIONS)
    assert (outcome.failure, outcome.measures) == ("ZeroDivisionError: a bug", None)


def test_a_specification_is_cut_around_its_seed_and_put_together_again():
    text = '{"a": "seed", "seed": 7, "z": 1}'
    around_seed = SpecText.of(text, 7)
    assert around_seed.with_seed(7) == text
    assert around_seed.with_seed(8) == text.replace("7", "8")
    assert around_seed.key(7) != around_seed.key(8)


def test_a_specification_without_its_seed_stays_whole():
    whole = SpecText.of('{"z": 1}', 7)
    assert (whole.after_seed, whole.with_seed(8)) == (None, '{"z": 1}')


def test_results_tell_strict_texts_apart(tmp_path):
    text = tmp_path / "preprint" / "system_base.md"
    text.parent.mkdir()
    text.write_text("Cook.")
    before = {layout: prompts_digest(tmp_path, layout) for layout in ("strict", "preprint")}
    text.write_text("Cook well.")
    assert prompts_digest(tmp_path, "strict") != before["strict"]
    assert prompts_digest(tmp_path, "preprint") == before["preprint"], "which does not send it"
    assert prompts_digest(None, "strict") is None
