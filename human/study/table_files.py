"""Writes the tables of a study, and its package for reviewers.

Tables are CSV, and Parquet if pyarrow is installed, with two descriptions of every column: a README.md for people and a
`datapackage.json` for programs, a Frictionless Data Package (https://specs.frictionlessdata.io). The package is one ZIP
file with tables, plan, recordings, and the analysis as a script (assets/study).

What identifies, and what becomes of it in the package and in tables that can be published:

    code of a participant, in names of recordings, too   the number in the order of consent
    ids on a recruiting platform                         left out
    dates                                                seconds since consent
    answers in words, reasons of exclusions, bookmarks   left out, from the package unless they are asked for
    logs, digests of browsers and withdrawn codes        left out
    what is given at the endings of the study            left out
    addresses and folders of the researchers' machines   left out

What participants chose, their scores and their numbers stay: whether these tell who somebody is depends on the
questions. Before a package is written, its data and recordings are searched for codes, ids, dates, and addresses of
networks and of e-mail. Not searched for is what the plan itself holds, as it was there before any participant, and a
number of less than eight digits, which may be any number.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from bba.bench.episode import code_digest, versions
from bba.bundle import shared_recording, write_archive
from bba.errors import BBAError
from bba.files import data_dir, make_folder, read_bytes, read_text, write_together
from bba.kitchen import Layout
from bba.planner.account import Redactor
from bba.play import load, pack
from bba.tabular import Column, Row, Value, data_dictionary, has_parquet, to_csv, to_parquet
from bba.validation import checked
from human.study import PLAN_FILE, BegunStudy, Study, StudyFolder
from human.study.preregistration import PREREGISTRATION_FILE, preregistration
from human.study.report import study_facts, tables_in_words
from human.study.report_outcomes import beliefs_in_words, ranked_beliefs
from human.study.table_columns import ONE_ROW, PRIMARY_KEYS, table_columns
from human.study.tables import NO_BELIEFS, Beliefs, Tables, tables_of, unreadable_lines, without_excluded

Columns = Mapping[str, Mapping[str, Column]]
TIMES = frozenset({"consented", "practised", "started", "ended", "shown", "at"})
FREE_TEXT = frozenset({"words", "reason"})
# Free text, messages with names of files, and the ids of a platform that knows who its participants are.
PRIVATE_COLUMNS = FREE_TEXT | {"problem", "platform_participant", "platform_study", "platform_session"}
# The folder of a kitchen or an agent that was named by an absolute path: it may have the name of a researcher.
FOLDERS = re.compile(r"(?<![\w:/.-])/(?:[^/\s\"|,]+/)+(?=[^/\s\"|,]+\.(?:toml|py)\b)")
# A date, an address of a network, an address of e-mail.
TELLING = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w.+-])[\w.+-]++@[\w-]+\.\w+")


def anonymous_columns(tables: Columns, *, free_text: bool = False) -> dict[str, dict[str, Column]]:
    """Returns of the columns of all tables those of the anonymous ones, if asked for with those that hold free text."""
    private = PRIVATE_COLUMNS
    if free_text:
        private = PRIVATE_COLUMNS - FREE_TEXT
    anonymous: dict[str, dict[str, Column]] = {}
    for table, columns in tables.items():
        anonymous[table] = {}
        for name, column in columns.items():
            if name not in private:
                anonymous[table][name] = _anonymous_column(name, column)
    return anonymous


def anonymous_tables(tables: Mapping[str, list[Row]], columns: Columns) -> Tables:
    """Returns the tables with these columns only, without codes and dates."""
    people = {row["participant"]: row for row in tables["participants"]}
    anonymous: Tables = {}
    for table, rows in tables.items():
        anonymous[table] = []
        for row in rows:
            person = people[row["participant"]]
            cells = {name: _anonymous_value(name, row[name], person) for name in columns[table]}
            anonymous[table].append(cells)
    return anonymous


def _anonymous_column(name: str, column: Column) -> Column:
    if name in TIMES:
        description = column.description.replace("(UTC, ISO 8601)", "(seconds since the participant's consent)")
        return Column("float", description)
    if name == "participant":
        return Column("str", "the participant, by the number in the order of consent, from 1")
    return column


def _anonymous_value(name: str, value: Value, person: Row) -> Value:
    if value is None:
        return None
    if name in ("participant", "recording"):  # a recording's name begins with the code
        code = str(person["participant"])
        number = int(person["number"] or 0) + 1
        return str(value).replace(code, str(number), 1)
    if name in TIMES:
        since_consent = _time(value) - _time(person["consented"])
        return since_consent.total_seconds()
    if isinstance(value, str) and "/" in value:
        return FOLDERS.sub("", value)
    return value


def _time(value: Value) -> datetime:
    return datetime.fromisoformat(str(value))


FIELD_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string"}


def data_package(study: Study, columns: Columns, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Returns the description of the CSV files as a data package.

    Args:
        study: the study.
        columns: the columns of each table.
        files: the CSV files by name.
    """
    resources = []
    for table in columns:
        path = f"{table}.csv"
        content = files[path]
        digest = sha256(content).hexdigest()
        resource = {
            "name": table,
            "path": path,
            "profile": "tabular-data-resource",
            "description": f"One row is {ONE_ROW[table]}.",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "bytes": len(content),
            "hash": f"sha256:{digest}",
            "schema": _schema(table, columns[table]),
        }
        resources.append(resource)
    return {"name": study.name, "title": study.title, "profile": "tabular-data-package", "resources": resources}


def _schema(table: str, columns: Mapping[str, Column]) -> dict[str, Any]:
    primary_key = PRIMARY_KEYS.get(table)
    required = primary_key or ("participant",)
    fields = []
    for name, column in columns.items():
        field = {"name": name, **_field_type(name, column), "description": column.description}
        if name in required:
            field["constraints"] = {"required": True}
        fields.append(field)
    schema: dict[str, Any] = {"fields": fields, "missingValues": [""]}
    if primary_key is not None:
        schema["primaryKey"] = list(primary_key)
    if table != "participants":
        reference = {"resource": "participants", "fields": ["participant"]}
        schema["foreignKeys"] = [{"fields": ["participant"], "reference": reference}]
    return schema


def _field_type(name: str, column: Column) -> dict[str, Any]:
    if name in TIMES and column.type == "str":
        return {"type": "datetime", "format": "any"}  # ISO 8601 with a time zone
    field_type = FIELD_TYPES[column.type]
    if column.type == "bool":
        return {"type": field_type, "trueValues": ["True"], "falseValues": ["False"]}
    return {"type": field_type}


def write_tables(
    folder: StudyFolder, *, anonymous: bool = False, spreadsheet: bool = False, beliefs: Beliefs = NO_BELIEFS
) -> tuple[Path, list[str]]:
    """Writes all tables of a study into its folder `tables`; returns it, and a line for each damaged recording and log.

    Args:
        folder: the study.
        anonymous: whether to leave out codes, free text and dates; the folder is then `tables-anonymous`.
        spreadsheet: whether spreadsheet programs open the .csv files, as in `bba.tabular.to_csv`.
        beliefs: as in `human.study.tables.tables_of`.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    tables_folder = folder.path / "tables"
    if anonymous:
        tables_folder = folder.path / "tables-anonymous"
    make_folder(tables_folder)
    files, _, problems = table_parts(folder, anonymous=anonymous, spreadsheet=spreadsheet, beliefs=beliefs)
    write_together({tables_folder / name: content for name, content in files.items()})
    return tables_folder, problems


def table_parts(
    folder: StudyFolder,
    *,
    anonymous: bool,
    free_text: bool = False,
    spreadsheet: bool = False,
    beliefs: Beliefs = NO_BELIEFS,
) -> tuple[dict[str, bytes], Tables, list[str]]:
    """Returns the files of all tables by name; the tables with codes; and a line for each damaged recording and log.

    Args:
        folder: the study.
        anonymous: whether the files are without codes, free text and dates.
        free_text: whether anonymous ones are with free text.
        spreadsheet, beliefs: as in `write_tables`.

    Raises:
        BBAError: a file that cannot be read.
    """
    tables = tables_of(folder, beliefs)
    columns = table_columns(folder.study)
    file_tables = tables
    if anonymous:
        columns = anonymous_columns(columns, free_text=free_text)
        file_tables = anonymous_tables(tables, columns)
    problems = []
    for game in tables["games"]:
        if game["problem"] is not None:
            problems.append(f"{game['recording']}: {game['problem']}; the game is in the tables without measures")
    problems += unreadable_lines(folder)
    files = {}
    for name, rows in file_tables.items():
        csv_text = to_csv(rows, columns[name], spreadsheet=spreadsheet)
        files[f"{name}.csv"] = csv_text.encode()
    package = json.dumps(data_package(folder.study, columns, files), indent=2) + "\n"
    if has_parquet():
        for name, rows in file_tables.items():
            files[f"{name}.parquet"] = to_parquet(rows, columns[name])
    counted = without_excluded(tables)
    section = beliefs_in_words(counted["calibration"], counted["gates"])
    ranking = ranked_beliefs(counted["beliefs"])
    page = f"# {folder.study.title}: belief and gates beside people\n\n{section}{ranking}"
    files["people.md"] = _without_folders(page) if anonymous else page.encode()
    files["README.md"] = dictionary(folder.study, columns).encode()
    files["datapackage.json"] = package.encode()
    return files, tables, problems


def dictionary(study: Study, columns: Columns) -> str:
    """Returns what every column of every table holds, in Markdown."""
    introduction = (
        f"The tables of the study `{study.name}`. Missing values are empty. The observer is a belief about the "
        "participant that is the same beside every agent. In the measures the ego is the agent and the partner the "
        "participant."
    )
    sections = [f"# {study.title}", introduction]
    for table in columns:
        column_table = data_dictionary(columns[table])
        sections.append(f"## {table}\n\nOne row is {ONE_ROW[table]}.\n\n{column_table}")
    return "\n\n".join(sections) + "\n"


def write_package(
    folder: StudyFolder, path: Path, *, free_text: bool = False, replace: bool = True
) -> tuple[Path, list[str]]:
    """Writes the package of a study, whole or not at all; the same data give the same bytes.

    Args:
        folder: the study.
        path: the ZIP file.
        free_text: whether answers in words, reasons of exclusions and bookmarks are in it.
        replace: whether it replaces a file; if not, it goes to a free name beside one.

    Returns:
        Where it is; and a line for each damaged recording and log; what cannot be read of them is left out.

    Raises:
        BBAError: something in it would identify somebody, or a file cannot be read or written.
    """
    files, tables, problems = table_parts(folder, anonymous=True, free_text=free_text)
    used_versions = versions() | {"code": code_digest()}
    facts = study_facts(folder, tables)[:-1]  # without the dates of consent
    facts_text = ""
    for name, value in facts:
        facts_text += f"{name}: {value}\n"
    versions_text = ""
    for name, version in used_versions.items():
        versions_text += f"{name} {version}\n"
    parts: dict[str, bytes] = {}
    for file in data_dir("assets/study").iterdir():
        if file.is_file():
            parts[file.name] = read_bytes(file)
    for name, content in files.items():
        if not name.endswith(".parquet"):
            parts[f"data/{name}"] = content
    for name, text in _plan(folder):
        parts[f"study/{name}"] = _without_folders(text)
    for name, content in _recordings(folder, free_text):
        parts[f"recordings/{name}"] = content
    parts["requirements.txt"] = f"numpy=={used_versions['numpy']}\n".encode()
    parts["study/facts.txt"] = _without_folders(facts_text)
    parts["tables.md"] = _without_folders(tables_in_words(folder.study, tables))
    parts["versions.txt"] = versions_text.encode()
    _check(parts, folder, path)
    # Its owner alone can read it: whoever publishes it says so.
    return write_archive(path, "study", parts, replace=replace, mode=0o600), problems


def _without_folders(text: str) -> bytes:
    return FOLDERS.sub("", text).encode()


def _plan(folder: StudyFolder) -> Iterator[tuple[str, str]]:
    """Yields the study's own files: its plan, kitchens, and what the researchers have put beside its data."""
    begun = checked(BegunStudy, read_text(folder.path / PLAN_FILE), folder.path / PLAN_FILE)
    data = begun.model_dump_json(
        indent=2,
        by_alias=True,
        exclude={
            "terms": {"settings": {"base_url", "prompts", "weights"}},
            "online": {"completion_code", "return_link", "endings"},
        },
    )
    yield PLAN_FILE, data + "\n"
    yield "plan.md", preregistration(folder.study)
    for name in folder.study.layouts:
        kitchen = Layout.load(name).model_dump_json(indent=2, by_alias=True)
        yield f"kitchens/{Path(name).stem}.json", kitchen + "\n"
    for name in (PREREGISTRATION_FILE, "LICENSE"):
        if (folder.path / name).exists():
            yield name, read_text(folder.path / name)


def _recordings(folder: StudyFolder, free_text: bool) -> Iterator[tuple[str, bytes]]:
    """Yields the recordings that can be read, under names that begin with the participant's number."""
    for person in folder.everybody():
        files = folder.recordings.glob(f"{person.participant}-[gt]*.bba")
        for file in sorted(files):
            with suppress(BBAError):
                recording = shared_recording(load(file), Redactor())
                if not free_text:
                    recording = recording.model_copy(update={"notes": ()})
                text = gzip.decompress(pack(recording)).decode()
                name = f"{person.number + 1}{file.name.removeprefix(person.participant)}"
                yield name, gzip.compress(_without_folders(text), mtime=0)


def _check(parts: Mapping[str, bytes], folder: StudyFolder, path: Path) -> None:
    """Raises BBAError if data, recordings or their names hold what identifies somebody."""
    plan = parts[f"study/{PLAN_FILE}"].decode()
    identifiers = _identifiers(folder)
    for name, part in parts.items():
        if not name.startswith(("data/", "recordings/")):
            continue
        content = gzip.decompress(part) if name.endswith(".bba") else part
        text = f"{name}\n{content.decode()}"
        matches = [identifier for identifier in identifiers if _holds(text, identifier)]
        matches += TELLING.findall(text)
        for match in matches:
            if match not in plan:
                raise BBAError(f"{path}: not written: {name} would hold {match}, which may identify somebody")


def _identifiers(folder: StudyFolder) -> set[str]:
    """Returns the codes of all participants and their ids on a platform, but for short numbers."""
    identifiers: set[str] = set()
    for progress in folder.everybody():
        identifiers.add(progress.participant)
        if progress.platform is not None:
            identifiers |= {value for _, value in progress.platform if value}
    return {identifier for identifier in identifiers if not _is_short_number(identifier)}


def _is_short_number(identifier: str) -> bool:
    return identifier.isdigit() and len(identifier) < 8


def _holds(text: str, identifier: str) -> bool:
    """Returns whether a text has an identifier as a word of its own."""
    return identifier in text and re.search(rf"(?<![^\W_]){identifier}(?![^\W_])", text) is not None
