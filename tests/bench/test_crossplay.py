"""Cross-play from Python: classes, objects and kitchens, what is said of them, and the games that came of it."""

import threading
from functools import partial

import pytest
from scipy import stats

from bba import BBAError, Layout, SeatSpec, Skill, crossplay, load_results, run_sweep
from bba.bench import runner
from bba.bench.names import STORED
from bba.bench.plan import plan_sweep
from bba.bench.presets import Sweep, load_sweep
from bba.plugins import handing_over, loading
from tests.helpers.immediate_engine import ImmediateEngine


class Waiting:
    """Waits, and counts its steps."""

    def __init__(self, patience=1):
        self.patience = patience
        self.steps = 0

    def reset(self, context):
        pass

    def observe(self, observation):
        self.steps += 1
        if self.steps > 10:
            raise RuntimeError("an object of another game")

    def decide(self, observation):
        return int(Skill.STAY)

    def commit(self, observation, decision):
        pass


class Locked(Waiting):
    """Holds what cannot be pickled."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()
        self.steps = -1000


class Failing(Waiting):
    """Raises an error."""

    def decide(self, observation):
        raise RuntimeError("no luck")


@pytest.fixture
def sent(monkeypatch):
    """Plays what is for worker processes in this one; the tasks that were sent."""
    tasks = []

    class Engine(ImmediateEngine):
        def submit(self, task, *args, **kwargs):
            if task is not runner.warm_up:
                tasks.append(task)
            return super().submit(task, *args, **kwargs)

    monkeypatch.setattr(runner, "ProcessEngine", lambda *_: Engine())
    return tasks


def played(egos, partners=("switching",), kitchens="open", seeds=2, **options):
    return crossplay(egos, partners, kitchens, seeds, **{"horizon": 10} | options)


def test_names_classes_and_objects_play_each_other_in_kitchens_by_name_and_of_ones_own(sent):
    mine = Layout.load("ring").model_copy(update={"name": "mine"})
    result = played({"bayes": "bayes", "waits": Waiting, "waits long": Waiting(9)}, None, ["open", mine], seeds=2)
    assert [row["ego"] for row in result.means()] == ["bayes", "waits", "waits long"]
    assert len(result.rows) == 3 * 3 * 2 * 2 == len(sent)
    assert not any(row["failure"] for row in result.rows)
    assert {row["layout"] for row in result.rows} == {"open", "mine"}
    pairs = [(row["ego"], row["other"]) for row in result.differences()]
    assert pairs == [("bayes", "waits"), ("bayes", "waits long"), ("waits", "waits long")]
    assert result.caveats == ()


def test_worker_processes_play_a_class_and_an_object_of_a_test(tmp_path):
    result = played([Waiting, Waiting(3)], seeds=1, workers=1, folder=tmp_path)
    assert [(row["group"], row["failure"]) for row in result.rows] == [("switching", None)] * 2
    assert [row["ego"] for row in result.means()] == ["Waiting", "Waiting 2"]


def made_up(trace):
    """Made up of who plays where, with which seed."""
    config = trace.config
    letters = len(config.seats[0].agent) + len(config.layout.name)
    return float(letters * config.seed**2 % 11)


def test_means_and_differences_have_scipys_intervals_of_the_seeds(sent):
    result = played(["bayes", "proagent"], ["switching", Waiting], ["open", "ring"], range(4, 7), measures=[made_up])
    measure = f"{__name__}:made_up"
    values = {}
    for row in result.rows:
        values.setdefault((row["agent"], row["seed"]), []).append(row[measure])
    means = {ego: [sum(values[ego, seed]) / 4 for seed in (4, 5, 6)] for ego in ("bayes", "proagent")}
    for row in result.means(measure):
        expected = stats.ttest_1samp(means[row["ego"]], 0).confidence_interval()
        assert (row["low"], row["high"], row["seeds"]) == (*map(pytest.approx, expected), 3)
    (lead,) = result.differences(measure)
    paired = stats.ttest_rel(means["bayes"], means["proagent"]).confidence_interval()
    assert (lead["low"], lead["high"]) == pytest.approx(tuple(paired))
    assert lead["low"] < lead["mean"] < lead["high"]
    by_place = result.means(measure, by=["kitchen", "partner"])
    assert [(row["ego"], row["kitchen"]) for row in by_place[:4:2]] == [("bayes", "open"), ("bayes", "ring")]
    assert len(by_place) == 2 * 2 * 2
    lines = str(result).splitlines()
    assert "clustered by seed, stratified by kitchen; nothing is resampled" in lines[0]
    assert [line.split("  ")[0] for line in lines[1:]] == ["bayes", "proagent", "bayes − proagent"]


def test_one_that_cannot_be_pickled_is_played_here_and_that_is_said(sent, capsys):
    result = played([Waiting], [Locked(), "switching"], seeds=2)
    assert not any(row["failure"] for row in result.rows)
    assert len(sent) == 2  # the other two were played here
    (note,) = result.caveats
    assert note.startswith("Locked: played in this process, since it cannot be pickled (TypeError: cannot pickle")
    assert capsys.readouterr().err == f"{note}\n"


def test_its_games_are_there_step_by_step(sent):
    result = played(["bayes", Waiting], ["switching", Waiting], ["open", "ring"])
    traces = list(result.traces(ego="Waiting", kitchen="ring", seed=1))
    assert [(trace.config.layout.name, trace.config.seed, len(trace.ticks)) for trace in traces] == [
        ("ring", 1, 10)
    ] * 2
    (recording,) = result.recordings(ego="bayes", partner="Waiting", kitchen="open", seed=0)
    assert recording.steps == 10
    with pytest.raises(BBAError, match="crossplay: no game of ego nobody; `rows` names them"):
        next(result.traces(ego="nobody"))


def test_a_temporary_folder_goes_with_its_result(sent):
    result = played(["bayes"], seeds=1)
    folder = result.folder
    assert folder.is_dir()
    assert result.differences() == []
    del result
    assert not folder.exists()


def test_the_same_call_plays_nothing_anew_and_an_object_with_other_numbers_does(sent, tmp_path):
    for patience, games in ((1, 2), (1, 2), (2, 4)):
        played([Waiting(patience)], folder=tmp_path)
        assert len(sent) == games
    assert len(load_results(tmp_path).sweeps) >= 1


def test_a_drawing_shows_means_and_differences(sent):
    pytest.importorskip("matplotlib")
    figure = played(["bayes", Waiting]).plot()
    assert figure.title == "Means and differences"
    assert "bayes − Waiting" in figure.svg


def test_its_frame_has_a_row_a_game(sent):
    pytest.importorskip("pandas")
    frame = played(["bayes"], seeds=3).to_frame("pandas")
    assert list(frame["seed"]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(played, []), "egos: none are given"),
        (partial(played, ["bayse"]), "crossplay: agents: no agent named 'bayse'; the nearest is bayes"),
        (
            partial(played, ["bayes"], [{"agent": "bayes"}]),
            "partners: {'agent': 'bayes'} is not allowed; a name, a class",
        ),
        (partial(played, [SeatSpec()]), "a SeatSpec has no place here; give a name, a class, an agent or"),
        (partial(played, ["bayes"], seeds=[1, 3]), "seeds: [1, 3] is not allowed; a number of seeds, or consecutive"),
        (partial(played, ["bayes"], kitchens="moon"), "crossplay: layouts: layout: no layout named 'moon'"),
        (partial(played, ["bayes"], measures=["joy"]), "crossplay: table.measures.0: no measure named 'joy'"),
        (partial(played, ["bayes"], sedes=3), "crossplay: no option 'sedes'; the nearest is seeds"),
        (partial(played, [Failing]), "every game failed: "),
    ],
)
def test_a_mistake_is_one_line(sent, call, message):
    with pytest.raises(BBAError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_some_games_that_fail_are_counted(sent):
    result = played(["bayes", Failing], seeds=1)
    (caveat,) = result.caveats
    assert caveat.startswith("1 of 2 games failed: ")
    assert [row["missing"] for row in result.means()] == [0, 1]


# --- sweeps ------------------------------------------------------------------------------------------------------
def test_a_sweep_takes_classes_and_kitchens_and_its_recordings_are_there_later(sent, tmp_path):
    mine = Layout.load("open").model_copy(update={"name": "mine"})
    changes = {"agents": ["bayes", Waiting], "layouts": [mine], "seeds": 1, "horizon": 10}
    run_sweep(load_sweep("quick").changed(changes), tmp_path, recordings=True)
    (stored,) = load_results(tmp_path).sweeps
    assert stored.sweep.layouts == (mine,)
    (trace,) = stored.traces(ego=f"{__name__}:Waiting")
    assert (trace.config.layout, len(trace.ticks)) == (mine, 10)


def test_a_dictionary_is_a_sweep_and_games_without_a_recording_say_how_to_keep_one(sent, tmp_path):
    sweep = {"agents": [Waiting], "partners": {"idle": [Waiting()]}, "layouts": ["open"], "seeds": 1, "horizon": 10}
    rows = run_sweep(sweep, tmp_path)
    assert [(row["group"], row["failure"]) for row in rows] == [("idle", None)]
    (stored,) = load_results(tmp_path).sweeps
    with pytest.raises(BBAError, match=r"no recording of .*Waiting\d*, open, seed 0; run_sweep\(…, recordings=True\)"):
        next(stored.traces())
    with pytest.raises(BBAError, match="the sweep: agents: missing"):
        run_sweep({"layouts": ["open"]}, tmp_path)
    same_name = {"layouts": ["open", Layout.load("ring").model_copy(update={"name": "open"})]}
    with pytest.raises(BBAError, match="two kitchens are called open"):
        run_sweep(sweep | same_name, tmp_path)


def test_a_file_of_the_kind_crossplay_has_its_table(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'title = "M"\nkind = "crossplay"\nagents = ["bayes", "proagent"]\npartners = ["switching"]\nlayouts = ["open"]'
    )
    sweep = load_sweep(str(file))
    assert sweep.partners == {"switching": ("switching",)}
    assert (sweep.table.rows, sweep.table.paired, sweep.table.means) == (("agent",), "all", True)
    assert Sweep.model_validate_json(sweep.model_dump_json(), context=STORED).table == sweep.table
    file.write_text(file.read_text() + '\n[table]\nrows = ["layout"]\n')
    table = load_sweep(str(file)).table
    assert (table.rows, table.columns, table.paired) == (("layout",), ("agent",), "all")


def test_what_was_handed_over_is_made_again_where_it_was_not(monkeypatch):
    plan = plan_sweep(load_sweep("quick").changed({"agents": [Waiting(7)], "seeds": 1}), SeatSpec())
    used = next(iter(plan.episodes.values())).seats[0].plugins
    luggage = handing_over.packed(used)
    monkeypatch.setattr(loading, "_OBJECTS", {})
    handing_over._unpack.cache_clear()
    assert handing_over.with_luggage(luggage.content, lambda: loading.load_used(used[0]).target().patience) == 7


def test_each_class_and_each_content_of_an_object_is_a_plug_in_of_its_own():
    names = [handing_over.hand_over("agent", given) for given in (Waiting, Failing, Waiting(1), Failing(1), Waiting(2))]
    assert len(set(names)) == 5
    assert handing_over.hand_over("agent", Waiting(2)) == names[-1]
    assert handing_over.hand_over("agent", Locked()) != handing_over.hand_over("agent", Locked())
