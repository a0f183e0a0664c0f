"""Reads a study from a TOML file: blocks of questions are included, and a mistake is named with its line and key."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bba.errors import BBAError, instead
from bba.files import data_dir, parse_toml, read_bytes, read_text
from bba.validation import Model, instead_of_key
from human.study.instrument_scores import InstrumentScore
from human.study.model import LongText, Place, ShortText, StudyModel, first_mistake
from human.study.plan import Study
from human.study.questionnaire import SurveyQuestion

TOML_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]")
KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*[=.]""")
QUOTES = ('"""', "'''")


def line_of(text: str, place: Place) -> int | None:
    """Returns the line (from 1) of a key, or of what is around it, which Python's parser does not tell; or None.

    Args:
        text: the file.
        place: the key with those above it, as ("questions", 2, "points") or ("breaks", "longest"); a list of tables is
            counted from 0.
    """
    lines: dict[Place, int] = {}
    for number, key in _places(text):
        lines.setdefault(key, number)  # the first of several lines
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None


def _places(text: str) -> Iterator[tuple[int, Place]]:
    """Yields the line of each header and key, and their place; a list of tables is at its first one, too."""
    table: Place = ()
    counts: dict[Place, int] = {}
    open_quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_quotes:
            if open_quotes in line:
                open_quotes = ""
            continue
        header = TOML_HEADER.match(line)
        key = KEY.match(line)
        if header is not None:
            table = tuple(header[2].split("."))
            yield number, table
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
                yield number, table
        elif key is not None:
            yield number, (*table, key[1])
        open_quotes = _quotes_left_open(line)


def _quotes_left_open(line: str) -> str:
    """Returns the quotes that begin a text of several lines in this one; "" if none do."""
    for quotes in QUOTES:
        if line.count(quotes) % 2 == 1:
            return quotes
    return ""


QUESTION_FOLDER = data_dir("configs/questions")
STUDIES = data_dir("configs/studies")
INCLUDE_KEYS = ("include", "when", "order", "required", "prefix")


class Block(StudyModel):
    """A block of questions in a file of its own: what it measures, where it is from, and what its answers score."""

    title: ShortText
    source: LongText
    questions: tuple[SurveyQuestion, ...]
    scores: tuple[InstrumentScore, ...] = ()


Origin = tuple[Path, int]  # where a question stands: the file, and its position among the questions there


def load_study(path: Path) -> Study:
    """Reads a study from a TOML file, or the shipped one of this name.

    Raises:
        BBAError: one line that names the file, the line, the key and the mistake.
    """
    shipped = {file.stem: file for file in STUDIES.glob("*.toml")}
    if not path.exists() and not path.suffix and str(path) not in shipped:
        raise BBAError(f"study: no study named {str(path)!r}; {instead(str(path), shipped)}, or give a .toml file")
    if not path.exists():
        path = shipped.get(str(path), path)
    data = parse_toml(path)
    origins = list[Origin]()
    block_scores = list[object]()
    entries = data.get("questions")
    if isinstance(entries, list):
        language = str(data.get("language"))
        questions = list[object]()
        for index, entry in enumerate(entries):
            questions += _entry(path, index, entry, block_scores, origins, language)
        data["questions"] = questions
    pages = data.get("pages")
    if isinstance(pages, list):
        data["pages"] = [_page(path, index, entry) for index, entry in enumerate(pages)]
    study_scores = data.setdefault("scores", [])
    if isinstance(study_scores, list):
        data["scores"] = study_scores + block_scores
    return _validated(Study, data, path, origins)


def block_names() -> list[str]:
    """Returns the names of the blocks of questions that are shipped."""
    return sorted(file.stem for file in QUESTION_FOLDER.glob("*.toml"))


def _validated(model: type[Model], data: object, path: Path, origins: list[Origin]) -> Model:
    """Returns the model of a file's content, or raises the one line for its first mistake."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        place, message = first_mistake(error)
        raise _problem(path, place, f"{message}{instead_of_key(model, error)}", origins) from None


def _entry(
    path: Path, index: int, entry: object, scores: list[object], origins: list[Origin], language: str
) -> list[object]:
    """Returns the questions of an entry of the file: itself, or those of the block that it includes.

    Of a shipped block these are the ones in the study's language, if there are such. Its scores, which are the same in
    all languages, are added to `scores`.
    """
    if not isinstance(entry, Mapping) or "include" not in entry:
        origins.append((path, index))
        return [entry]
    name = entry["include"]
    file = path.parent / str(name)
    if name in block_names():
        file = QUESTION_FOLDER / f"{name}.toml"
    if not isinstance(name, str) or file.suffix != ".toml" or not file.is_file():
        message = f"no block of questions {name!r}; {instead(str(name), block_names())}, or name a .toml file"
        raise _problem(path, ("questions", index, "include"), message, [])
    for key in entry:
        if key not in INCLUDE_KEYS:
            message = f"unknown key beside include; there are {', '.join(INCLUDE_KEYS[1:])}"
            raise _problem(path, ("questions", index, key), message, [])
    block = _validated(Block, parse_toml(file), file, [])
    questions = block.questions
    translated = QUESTION_FOLDER / language / file.name
    if file.parent == QUESTION_FOLDER and translated.is_file():
        file = translated
        questions = _validated(Block, parse_toml(translated), translated, []).questions
    origins += [(file, number) for number in range(len(questions))]
    prefix = f"{entry['prefix']}_" if "prefix" in entry else ""
    scores += [_included_score(score, prefix) for score in block.scores]
    return [_included(question, entry, file, prefix) for question in questions]


def _page(path: Path, index: int, entry: object) -> object:
    """Returns a page of the file, with the text and the picture of the files that it names."""
    if not isinstance(entry, Mapping):
        return entry
    page = dict(entry)
    key = "file"
    try:
        if "file" in page and "text" not in page:
            page["text"] = read_text(path.parent / str(page.pop("file"))).strip()
        if "picture" in page:
            key = "picture"
            page["picture"] = _picture(path.parent / str(page["picture"]))
    except BBAError as error:
        raise _problem(path, ("pages", index, key), str(error), []) from None
    return page


PICTURES = {b"\x89PNG\r\n": "png", b"\xff\xd8\xff": "jpeg"}  # by what such a file begins with
LARGEST_PICTURE = 500_000  # bytes


def _picture(file: Path) -> str:
    content = read_bytes(file)
    if len(content) <= LARGEST_PICTURE:
        for start, kind in PICTURES.items():
            if content.startswith(start):
                return f"data:image/{kind};base64,{b64encode(content).decode()}"
    raise BBAError(f"{file}: is no PNG or JPEG of at most {LARGEST_PICTURE // 1000} kB")


def _included(question: SurveyQuestion, entry: Mapping[str, Any], file: Path, prefix: str) -> dict[str, Any]:
    """Returns a question of a block, with what the entry that includes the block says of all its questions."""
    data = question.model_dump(by_alias=True, exclude_none=True)
    for key in ("when", "order", "required"):
        if key in entry:
            data[key] = entry[key]
    data["name"] = prefix + question.name
    data["block"] = prefix + file.stem
    data["show-if"] = {prefix + name: expected for name, expected in question.show_if.items()}
    return data


def _included_score(score: InstrumentScore, prefix: str) -> dict[str, Any]:
    data = score.model_dump()
    data["name"] = prefix + score.name
    data["items"] = [prefix + name for name in score.items]
    data["reversed"] = [prefix + name for name in score.reversed]
    return data


def _problem(path: Path, place: Place, message: str, origins: list[Origin]) -> BBAError:
    """Returns the one line for a mistake at a place of a file, or of the block that was included there."""
    match place:
        case ("questions", int(index), *rest) if index < len(origins):
            path, position = origins[index]
            place = ("questions", position, *rest)
    line = line_of(read_text(path), place)
    parts = [f"{path}, line {line}" if line is not None else str(path)]
    if place:
        parts.append(".".join(str(key) for key in place))
    parts.append(message)
    return BBAError(": ".join(parts))
