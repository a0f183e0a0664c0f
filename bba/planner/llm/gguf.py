"""Reads the header of a GGUF file, the format of llama.cpp's models: a few facts, by bounded reads.

A header is a list of typed values before the weights. It is read up to `MOST_BYTES`; what it says of lengths is not
believed beyond that.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from bba.errors import BBAError

MOST_BYTES = 64 * 2**20  # of a header; a vocabulary of 260,000 tokens takes 10 MiB
_MOST_VALUES = 10_000
_LONGEST_NAME = 1024
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_TEXT, _LIST = 8, 9
# general.file_type: most tensors are stored so.
_QUANTISATION = {
    **{0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S"},
    **{12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 32: "BF16"},
    **{19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL"},
    **{26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 38: "MXFP4"},
}

Value = str | int | float | bool


class Header(NamedTuple):
    """What a GGUF file says of its model.

    Attributes:
        architecture: as "qwen2".
        quantisation: how most weights are stored, as "Q4_K_M"; "?" if it does not say.
        context: the tokens that the model can read, 0 if it does not say.
        token_bytes: bytes that one token of a context takes in memory, about; 0 where that is not known.
        chats: whether it has a chat template.
    """

    architecture: str
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
        with path.open("rb") as file:
            values = dict(_values(file))
    except OSError as error:
        raise BBAError(f"{path}: {error.strerror or error}") from None
    except (struct.error, ValueError, KeyError) as error:
        raise BBAError(f"{path}: no model, or a damaged one: {error}") from None
    architecture = str(values.get("general.architecture", "?"))

    def number(name: str, otherwise: int = 0) -> int:
        value = values.get(f"{architecture}.{name}", otherwise)
        return value if isinstance(value, int) else otherwise

    heads = number("attention.head_count") or 1
    width = number("attention.key_length") or number("embedding_length") // heads
    kept = number("block_count") * number("attention.head_count_kv", heads) * width
    return Header(
        architecture,
        _QUANTISATION.get(int(values.get("general.file_type", -1)), "?"),
        number("context_length"),
        2 * 2 * kept,  # keys and values, of two bytes each
        "tokenizer.chat_template" in values,
    )


def _values(file: BinaryIO) -> Iterator[tuple[str, Value]]:
    """Yields the header's names and values; lists are passed over."""
    if file.read(4) != b"GGUF":
        raise ValueError("it does not begin with GGUF")
    version, _, count = struct.unpack("<IQQ", _read(file, 20))
    if version not in (2, 3) or count > _MOST_VALUES:
        raise ValueError(f"version {version} with {count} values is not known")
    for _ in range(count):
        name = _text(file, _LONGEST_NAME)
        (kind,) = struct.unpack("<I", _read(file, 4))
        if kind == _LIST:
            _pass_list(file)
        else:
            yield name, _text(file, MOST_BYTES) if kind == _TEXT else _scalar(file, kind)


def _scalar(file: BinaryIO, kind: int) -> Value:
    value: Value = struct.unpack(_SCALARS[kind], _read(file, struct.calcsize(_SCALARS[kind])))[0]
    return value


def _pass_list(file: BinaryIO) -> None:
    kind, length = struct.unpack("<IQ", _read(file, 12))
    for _ in range(length if kind == _TEXT else 0):
        _read(file, struct.unpack("<Q", _read(file, 8))[0])
    if kind != _TEXT:
        _read(file, length * struct.calcsize(_SCALARS[kind]))


def _text(file: BinaryIO, longest: int) -> str:
    (length,) = struct.unpack("<Q", _read(file, 8))
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
