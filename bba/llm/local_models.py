"""Language models on this machine: GGUF files in the usual places, by file, by name or by one of configs/models.toml,
and what their headers say.

The places are the caches of this project, of the Hugging Face hub, of llama.cpp, LM Studio and Ollama. What a model is
called in results is the name of its file, and which file it was, its SHA-256.

A header is a list of typed values before the weights. It is read up to `MOST_BYTES`; what it says of lengths is not
believed beyond that.
"""

import hashlib
import json
import os
import struct
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple

from platformdirs import user_cache_path
from pydantic import BaseModel, Field

from bba.config import changed
from bba.errors import BBAError, instead, say_aside
from bba.files import data_dir, os_errors, read_toml, recalled, remember
from bba.planner.model_options import ModelOptions

MOST_BYTES = 64 * 2**20  # of a header; a vocabulary of 260,000 tokens takes 10 MiB
_MOST_VALUES = 10_000
_LONGEST_NAME = 1024
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_TEXT = 8
_LIST = 9
# general.file_type: most tensors are stored so.
_QUANTISATION = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    21: "Q2_K_S",
    22: "IQ3_XS",
    23: "IQ3_XXS",
    24: "IQ1_S",
    25: "IQ4_NL",
    26: "IQ3_S",
    27: "IQ3_M",
    28: "IQ2_S",
    29: "IQ2_M",
    30: "IQ4_XS",
    31: "IQ1_M",
    32: "BF16",
    38: "MXFP4",
}

Value = str | int | float | bool


class Header(NamedTuple):
    """What a GGUF file says of its model.

    Attributes:
        quantisation: how most weights are stored, as "Q4_K_M"; "?" if it does not say.
        context: the tokens that the model can read, 0 if it does not say.
        token_bytes: bytes that one token of a context takes in memory, about; 0 where that is not known.
        chats: whether it has a chat template.
    """

    quantisation: str
    context: int
    token_bytes: int
    chats: bool


def read_header(path: Path) -> Header:
    """Returns the header of a GGUF file.

    Raises:
        BBAError: the file cannot be read, is no GGUF file, or is damaged.
    """
    try:
        with os_errors(str(path)), path.open("rb") as file:
            values = dict(_values(file))
    except (struct.error, ValueError, KeyError) as error:
        raise BBAError(f"{path}: no model, or a damaged one: {error}") from None
    architecture = str(values.get("general.architecture", "?"))

    def number(name: str, otherwise: int = 0) -> int:
        value = values.get(f"{architecture}.{name}", otherwise)
        return value if isinstance(value, int) else otherwise

    heads = number("attention.head_count") or 1
    width = number("attention.key_length") or number("embedding_length") // heads
    cached_values = number("block_count") * number("attention.head_count_kv", heads) * width
    file_type = int(values.get("general.file_type", -1))
    return Header(
        quantisation=_QUANTISATION.get(file_type, "?"),
        context=number("context_length"),
        token_bytes=2 * 2 * cached_values,  # keys and values, of two bytes each
        chats="tokenizer.chat_template" in values,
    )


def _values(file: BinaryIO) -> Iterator[tuple[str, Value]]:
    """Yields the header's names and values; lists are passed over."""
    if file.read(4) != b"GGUF":
        raise ValueError("it does not begin with GGUF")
    version, _, count = _unpacked(file, "<IQQ")
    if version not in (2, 3) or count > _MOST_VALUES:
        raise ValueError(f"version {version} with {count} values is not known")
    for _ in range(count):
        name = _text(file, _LONGEST_NAME)
        (kind,) = _unpacked(file, "<I")
        if kind == _LIST:
            _pass_list(file)
        elif kind == _TEXT:
            yield name, _text(file, MOST_BYTES)
        else:
            (value,) = _unpacked(file, _SCALARS[kind])
            yield name, value


def _unpacked(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(form, _read(file, struct.calcsize(form)))


def _pass_list(file: BinaryIO) -> None:
    kind, length = _unpacked(file, "<IQ")
    if kind != _TEXT:
        _read(file, length * struct.calcsize(_SCALARS[kind]))
        return
    for _ in range(length):
        (text_length,) = _unpacked(file, "<Q")
        _read(file, text_length)


def _text(file: BinaryIO, longest: int) -> str:
    (length,) = _unpacked(file, "<Q")
    if length > longest:
        raise ValueError(f"a text of {length} bytes")
    return _read(file, length).decode("utf-8", "replace")


def _read(file: BinaryIO, length: int) -> bytes:
    if file.tell() + length > MOST_BYTES:
        raise ValueError("its header is too long")
    data = file.read(length)
    if len(data) < length:
        raise ValueError("it ends within its header")
    return data


BLOCK = 2**20  # bytes that are read at a time
LARGE = 2**30  # bytes; of a larger file the digest takes seconds
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_LONGEST_MANIFEST = 2**20


class KnownModel(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A model of the table: its file, where that is from, and packages whose parts make it up, numbered from 1."""

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
    return read_toml(data_dir("configs/models.toml"), dict[str, KnownModel])


def models_folder() -> Path:
    """Returns the folder of the models that were downloaded by this project."""
    return user_cache_path("bba-tui") / "models"


class FoundModel(NamedTuple):
    """A model file that was found: the name by which it can be asked for, the place it is from, and the file."""

    name: str
    place: str
    path: Path


def _places() -> dict[str, list[Path]]:
    """Returns the folders in which GGUF files lie, by whose they are."""
    home = Path.home()
    caches = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    hugging_face = Path(os.environ.get("HF_HOME") or home / ".cache/huggingface")
    return {
        "bba-tui": [models_folder()],
        "Hugging Face": [Path(os.environ.get("HF_HUB_CACHE") or hugging_face / "hub")],
        "llama.cpp": [Path(os.environ.get("LLAMA_CACHE") or caches / "llama.cpp")],
        "LM Studio": [home / ".lmstudio/models", home / ".cache/lm-studio/models"],
    }


def found_models() -> list[FoundModel]:
    """Returns the models in the usual places; of a model in several files, the first file."""
    short_names = {model.file: name for name, model in known_models().items()}
    models = []
    for place, folders in _places().items():
        for folder in folders:
            for path in sorted(folder.rglob("*.gguf")):
                if path.is_file() and _is_first_file(path.name):
                    models.append(FoundModel(short_names.get(path.name, path.stem), place, path))
    models += _of_ollama()
    return models


def _is_first_file(name: str) -> bool:
    """Returns whether a file is a model, or the first of one's files: neither a later one nor what reads pictures."""
    return "mmproj" not in name and ("-of-" not in name or "-00001-of-" in name)


def _of_ollama() -> Iterator[FoundModel]:
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
            yield FoundModel(f"{manifest.parent.name}:{manifest.name}", "Ollama", path)


def find(name: str) -> FoundModel:
    """Returns the model that is meant by a file, a short name of the table or a name that `found_models` lists.

    Raises:
        BBAError: there is none here.
    """
    path = Path(name).expanduser()
    if path.is_file():
        return FoundModel(path.stem, "", path)
    names = {name.lower()}
    known_model = known_models().get(name)
    if known_model is not None:
        downloaded = models_folder() / known_model.file
        if downloaded.is_file():
            return FoundModel(name, "bba-tui", downloaded)
        names.add(known_model.file.lower().removesuffix(".gguf"))
    models = found_models()
    for model in models:
        if model.name.lower() in names:
            return model
    if known_model is not None:
        raise BBAError(f"--model: {name} is not here yet: bba-tui models get {name}")
    if name.endswith(".gguf"):
        raise BBAError(f"--model: {name}: no such file")
    choices = list(dict.fromkeys(model.name for model in models))
    advice = instead(name, choices) if choices else "there is none yet"
    raise BBAError(f"--model: no model named {name!r} on this machine; {advice}; see bba-tui models")


def located(options: ModelOptions) -> ModelOptions:
    """Returns the options with file and digest of a local model; as they are where they have them.

    Raises:
        BBAError: there is no such model, its file is damaged, or it cannot chat.
    """
    if options.file is not None:
        return options
    model = find(options.model)
    chats(model)
    if model.place == "Ollama":
        name = model.name
    elif options.model in known_models():
        name = options.model
    else:
        name = model.path.stem
    return changed(options, {"provider": "local", "model": name, "file": model.path, "digest": digest_of(model.path)})


def chats(model: FoundModel) -> Header:
    """Returns the header of a model that has a chat template.

    Raises:
        BBAError: it has none, or the file is damaged.
    """
    header = read_header(model.path)
    if not header.chats:
        raise BBAError(
            f"--model: {model.path.name} has no chat template: a base model cannot be asked; take an instruct one"
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
            say_aside(f"{path.name}: computing its SHA-256, once\n")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    remember(store, {**digests, key: digest})
    return digest
