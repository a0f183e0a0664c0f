"""Inputs as a user should never have them: files with damaged bytes and hostile values, wrong options and variables."""

import copy
import json
import random

HOSTILE = [
    None, True, "", "\x00", "x" * 5000, "\ud800", "../../away", -1, 0, 1, 27, 10**6, 10**30, -(10**30), 1e308, 0.5,
    float("nan"), float("inf"), [], {}, [[]], {"a": 1}, [None] * 50, "27", "1e999", "\u202e", "a\nb",
]  # fmt: skip
TEXTS = ["", "-1", "1e999", "nan", "10" * 20, "true", "[[", "{}", "'", '"', "\x1b[31m", "../..", "=", "x" * 3000, "ü€"]


def damaged_bytes(content, chance):
    """Content with a few bytes changed, left out, doubled or put in, or with its end lost."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        place, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 2, 8, 100))
        change = chance.randrange(5)
        if change == 0 and place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        elif change == 1:
            del data[place : place + length]
        elif change == 2:
            data[place:place] = data[place : place + length]
        elif change == 3:
            data[place:place] = chance.randbytes(length)
        elif chance.randrange(4) == 0:
            del data[place:]
    return bytes(data)


def damaged_value(value, chance):
    """A value as in JSON, with one place in it replaced, left out or put in."""
    value = copy.deepcopy(value)
    here = value
    while isinstance(here, dict | list) and here:
        key = chance.choice(list(here)) if isinstance(here, dict) else chance.randrange(len(here))
        if not (isinstance(here[key], dict | list) and here[key]) or chance.randrange(6) == 0:
            change = chance.randrange(8)
            if change == 0:
                del here[key]
            elif change == 1 and isinstance(here, dict):
                here["unknown"] = here[key]
            else:
                here[key] = chance.choice(HOSTILE)
            break
        here = here[key]
    return value


def damaged_text(text, chance):
    """Text with one of its words or numbers replaced, or as damaged bytes."""
    if chance.randrange(3) == 0:
        return damaged_bytes(text.encode(), chance)
    words = text.split(" ")
    place = chance.randrange(len(words))
    words[place] = chance.choice([*TEXTS, *words])
    return " ".join(words).encode("utf-8", "replace")


def as_toml(values):
    """A table as TOML, each of its values on one line; what TOML cannot say is left out."""
    lines = (f"{json.dumps(str(key))} = {_toml(value)}" for key, value in values.items() if value is not None)
    return "\n".join(lines).encode("utf-8", "replace")


def _toml(value):
    if isinstance(value, dict):
        inside = (f"{json.dumps(str(key))} = {_toml(one)}" for key, one in value.items() if one is not None)
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, list | tuple):
        return f"[ {', '.join(_toml(one) for one in value if one is not None)} ]"
    if isinstance(value, float):
        return repr(value)  # nan and inf are written so
    return (
        json.dumps(value, ensure_ascii=False) if isinstance(value, str) and value.isprintable() else json.dumps(value)
    )


def as_json(value):
    return json.dumps(value).encode()


def chance_of(*seed):
    """A source of random choices, the same for the same seed."""
    return random.Random(repr(seed))
