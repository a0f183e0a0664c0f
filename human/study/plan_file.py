"""Reads a study from a TOML file: blocks of questions are included, and a mistake is named with its line and key."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bba.errors import BBAError, instead
from bba.files import Model, data_dir, parse_toml, read_text
from human.study.model import LongText, Place, ShortText, StudyModel, SurveyQuestion, first_mistake
from human.study.plan import Study

TOML_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]")
KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*[=.]""")
QUOTES = ('"""', "'''")


def line_of(text: str, place: Place) -> int | None:
    """Returns the line (from 1) of a key, or of the table that lacks it, which Python's parser does not tell; or None.

    Args:
        text: the file.
        place: the key with those above it, as ("questions", 2, "points") or ("breaks", "longest"); a list of tables is
            counted from 0.
    """
    if not place:
        return None
    listed = len(place) > 1 and isinstance(place[1], int)
    table, keys = ((place[0], place[1]), place[2:]) if listed else ((place[0], 0), place[1:])
    found = None
    for number, here, key in _keys(text):
        if here is None and not listed and key == place[0]:
            return number
        if here == table:
            found = found or number
            if keys and key == keys[0]:
                return number
    return found if found or not listed else line_of(text, place[:1])


def _keys(text: str) -> Iterator[tuple[int, tuple[str, int] | None, str]]:
    """Yields the line of each header and key, the table around it (list and position), and the key ("": a header)."""
    here: tuple[str, int] | None = None
    counts: dict[str, int] = {}
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_quotes:
            open_quotes = "" if open_quotes in line else open_quotes
            continue
        if header := TOML_HEADER.match(line):
            name = header[2]
            counts[name] = counts.get(name, -1) + 1
            here = (name, counts[name])
            yield number, here, ""
        elif key := KEY.match(line):
            yield number, here, key[1]
        open_quotes = next((quotes for quotes in QUOTES if line.count(quotes) % 2), "")


QUESTION_FOLDER, STUDIES = data_dir("configs/questions"), data_dir("configs/studies")
INCLUDE_KEYS = ("include", "when", "order", "required", "prefix")


class Block(StudyModel):
    """A block of questions in a file of its own: what it measures, and where it is from."""

    title: ShortText
    source: LongText
    questions: tuple[SurveyQuestion, ...]


Origin = tuple[Path, int]  # where a question stands: the file, and its position among the questions there


def load_study(path: Path) -> Study:
    """Reads a study from a TOML file, or the shipped one of this name.

    Raises:
        BBAError: one line that names the file, the line, the key and the mistake.
    """
    shipped = STUDIES / f"{path}.toml"
    path = shipped if not path.exists() and shipped.is_file() else path
    data, origins = parse_toml(path), list[Origin]()
    listed = data.get("questions")
    if isinstance(listed, list):
        data["questions"] = [
            question for index, entry in enumerate(listed) for question in _entry(path, index, entry, origins)
        ]
    return _validated(Study, data, path, origins)


def block_names() -> list[str]:
    """Returns the names of the blocks of questions that are shipped."""
    return sorted(file.stem for file in QUESTION_FOLDER.glob("*.toml"))


def _validated(model: type[Model], data: object, path: Path, origins: list[Origin]) -> Model:
    """Returns the model of a file's content, or raises the one line for its first mistake."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        place, what = first_mistake(error)
        raise _problem(path, place, what, origins) from None


def _entry(path: Path, index: int, entry: object, origins: list[Origin]) -> list[object]:
    """Returns the questions of an entry of the file: itself, or those of the block that it includes."""
    if not isinstance(entry, Mapping) or "include" not in entry:
        origins.append((path, index))
        return [entry]
    name = entry["include"]
    file = QUESTION_FOLDER / f"{name}.toml" if name in block_names() else path.parent / str(name)
    if not isinstance(name, str) or file.suffix != ".toml" or not file.is_file():
        what = f"no block of questions {name!r}; {instead(str(name), block_names())}, or name a .toml file"
        raise _problem(path, ("questions", index, "include"), what, [])
    unknown = next((key for key in entry if key not in INCLUDE_KEYS), None)
    if unknown is not None:
        what = f"unknown key beside include; there are {', '.join(INCLUDE_KEYS[1:])}"
        raise _problem(path, ("questions", index, unknown), what, [])
    questions = _validated(Block, parse_toml(file), file, []).questions
    origins += [(file, number) for number in range(len(questions))]
    return [_included(question, entry, file) for question in questions]


def _included(question: SurveyQuestion, entry: Mapping[str, Any], file: Path) -> dict[str, Any]:
    prefix = f"{entry['prefix']}_" if "prefix" in entry else ""
    data = question.model_dump(by_alias=True, exclude_none=True)
    changed = {key: entry[key] for key in ("when", "order", "required") if key in entry}
    shown_if = {f"{prefix}{name}": wanted for name, wanted in question.show_if.items()}
    return data | changed | {"name": prefix + question.name, "block": prefix + file.stem, "show-if": shown_if}


def _problem(path: Path, place: Place, what: str, origins: list[Origin]) -> BBAError:
    """Returns the one line for a mistake at a place of a file, or of the block that was included there."""
    match place:
        case ("questions", int(index), *rest) if index < len(origins):
            path, position = origins[index]
            place = ("questions", position, *rest)
    line = line_of(read_text(path), place)
    where = f"{path}, line {line}" if line is not None else str(path)
    return BBAError(f"{where}: {'.'.join(map(str, place))}: {what}" if place else f"{where}: {what}")
