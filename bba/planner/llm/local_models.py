"""Language models on this machine: GGUF files in the usual places, by file, by name or by one of configs/models.toml.

The places are the caches of this project, of the Hugging Face hub, of llama.cpp, LM Studio and Ollama. What a model is
called in results is the name of its file, and which file it was, its SHA-256.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

from platformdirs import user_cache_path
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bba.config import changed
from bba.errors import BBAError, instead
from bba.files import checked, data_dir, os_errors, parse_toml, recalled, remember
from bba.planner.llm.gguf import Header, read_header
from bba.planner.llm.model_options import ModelOptions

BLOCK = 2**20  # bytes that are read at a time
DEADLINE = 600.0  # seconds for an answer, unless another deadline is given: a processor reads slowly
LARGE = 2**30  # bytes; of a larger file the digest takes seconds
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_LONGEST_MANIFEST = 2**20


class KnownModel(BaseModel):
    """A model of the table: its file, where that is from, and packages whose parts make it up, numbered from 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    file: Annotated[str, Field(pattern=r"^[\w.-]+\.gguf$")]
    source: Annotated[str, Field(pattern=r"^https://")]
    license: str
    size: Annotated[int, Field(gt=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    package: str | None = None
    parts: Annotated[int, Field(ge=0)] = 0


@cache
def known_models() -> Mapping[str, KnownModel]:
    """Returns the models of configs/models.toml by name."""
    path = data_dir("configs/models.toml")
    return checked(TypeAdapter(dict[str, KnownModel]), parse_toml(path), path)


def models_folder() -> Path:
    """Returns the folder of the models that were downloaded by this project."""
    return user_cache_path("bba-tui") / "models"


class Found(NamedTuple):
    """A model file that was found: the name by which it can be asked for, the place it is from, and the file."""

    name: str
    place: str
    path: Path


def _places() -> dict[str, list[Path]]:
    """Returns the folders in which GGUF files lie, by whose they are."""
    home, told = Path.home(), os.environ.get
    cached = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    hub = told("HF_HUB_CACHE") or Path(told("HF_HOME") or home / ".cache/huggingface") / "hub"
    return {
        "bba-tui": [models_folder()],
        "Hugging Face": [Path(hub)],
        "llama.cpp": [Path(told("LLAMA_CACHE") or cached / "llama.cpp")],
        "LM Studio": [home / ".lmstudio/models", home / ".cache/lm-studio/models"],
    }


def found_models() -> list[Found]:
    """Returns the models in the usual places; of a model in several files, the first file."""
    short = {known.file: name for name, known in known_models().items()}
    found = [
        Found(short.get(path.name, path.stem), place, path)
        for place, folders in _places().items()
        for folder in folders
        for path in sorted(folder.rglob("*.gguf"))
        if path.is_file() and "mmproj" not in path.name and ("-of-" not in path.name or "-00001-of-" in path.name)
    ]
    return [*found, *_of_ollama()]


def _of_ollama() -> Iterator[Found]:
    """Yields Ollama's models, whose files are named by their digests; manifests name them."""
    folder = Path(os.environ.get("OLLAMA_MODELS") or Path.home() / ".ollama/models")
    for manifest in sorted((folder / "manifests").rglob("*")):
        try:
            if not manifest.is_file() or manifest.stat().st_size > _LONGEST_MANIFEST:
                continue
            layers = json.loads(manifest.read_bytes())["layers"]
            digest = next(layer["digest"] for layer in layers if layer["mediaType"] == _OLLAMA_MODEL)
            path = folder / "blobs" / str(digest).replace(":", "-")
        except (OSError, ValueError, KeyError, TypeError, StopIteration):
            continue  # not a manifest, or one that another version wrote
        if path.parent == folder / "blobs" and path.is_file():
            yield Found(f"{manifest.parent.name}:{manifest.name}", "Ollama", path)


def find(name: str) -> Found:
    """Returns the model that is meant by a file, a short name of the table or a name that `found_models` lists.

    Raises:
        BBAError: there is none here.
    """
    path, known = Path(name).expanduser(), known_models().get(name)
    if path.is_file():
        return Found(path.stem, "", path)
    if known is not None and (models_folder() / known.file).is_file():
        return Found(name, "bba-tui", models_folder() / known.file)
    models = found_models()
    wanted = {name.lower(), known.file.lower().removesuffix(".gguf") if known else name.lower()}
    for model in models:
        if model.name.lower() in wanted:
            return model
    if known is not None:
        raise BBAError(f"--model: {name} is not here yet: bba-tui models get {name}")
    if name.endswith(".gguf"):
        raise BBAError(f"--model: {name}: no such file")
    listed = list(dict.fromkeys(model.name for model in models))
    there = instead(name, listed) if listed else "there is none yet"
    raise BBAError(f"--model: no model named {name!r} on this machine; {there}; see bba-tui models")


def located(options: ModelOptions) -> ModelOptions:
    """Returns the options with file and digest of a local model; as they are where they have them.

    Raises:
        BBAError: there is no such model, its file is damaged, or it cannot chat.
    """
    if options.file is not None:
        return options
    found = find(options.model)
    chats(found)
    known = next((name for name in known_models() if name == options.model), found.path.stem)
    name = known if found.place != "Ollama" else found.name
    return changed(options, {"provider": "local", "model": name, "file": found.path, "digest": digest_of(found.path)})


def chats(found: Found) -> Header:
    """Returns the header of a model that has a chat template.

    Raises:
        BBAError: it has none, or the file is damaged.
    """
    header = read_header(found.path)
    if not header.chats:
        raise BBAError(
            f"--model: {found.path.name} has no chat template: a base model cannot be asked; take an instruct one"
        )
    return header


def digest_of(path: Path) -> str:
    """Returns the SHA-256 of a file as 64 hex digits; it is computed once for as long as the file does not change.

    Raises:
        BBAError: the file cannot be read.
    """
    store = models_folder() / "digests.json"
    with os_errors(str(path)):
        state = path.stat()
        key = f"{path.resolve()} {state.st_size} {state.st_mtime_ns}"
        digests = recalled(store)
        if isinstance(digests.get(key), str):
            return str(digests[key])
        if state.st_size > LARGE:
            sys.stderr.write(f"{path.name}: computing its SHA-256, once\n")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    remember(store, {**digests, key: digest})
    return digest
