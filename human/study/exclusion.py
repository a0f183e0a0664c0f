"""Exclusion: who is excluded from a study, why, and what follows from it; and which games do not count.

There are three reasons, and no other:

    practice    the last try of the practice does not meet the study's rule, which says `otherwise = "exclude"`
                (`tasks.failed_try`)
    researcher  by hand, `bba-tui study FILE --exclude CODE --why TEXT`, until `--include CODE`
    rules       those of the table `[exclude]`, by name: they are applied whenever tables are made (`by_rule`)

What they did is kept. Who is excluded

    - has no further task, unless by a rule (`tasks.next_task`);
    - has no place any more, unless by a rule: their group and order are given again (`tasks.has_place`);
    - stays in the tables, whose column `excluded` of the participants says why;
    - does not count in what is computed from them: in the report and `people.md` (`without_excluded`), and for those
      who learn from people (`tables.recorded_games`).

Of the participants who count, the report's means leave out games that are not whole (`whole_games`). Who withdraws is
not excluded: everything about them is deleted (`StudyFolder.withdraw`).
"""

from collections.abc import Mapping, Sequence
from statistics import fmean, median

from bba.bench.statistics import grouped
from bba.tabular import Row
from human.study.plan import ExclusionRules


def limits_of(rules: ExclusionRules) -> dict[str, float]:
    """Returns the limit of each rule that is named, by its name in the study's file."""
    return {name: limit for name, limit in rules.model_dump(by_alias=True).items() if limit is not None}


def by_rule(rules: ExclusionRules, tables: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Returns the names of the rules that exclude each participant, for those whom any excludes."""
    limits = limits_of(rules)
    below = {"page-seconds"}  # what must be reached; the others must not be exceeded
    broken = {}
    for person in tables["participants"]:
        code = str(person["participant"])
        measured = _measured(code, tables) if limits else {}
        broken[code] = [
            name
            for name, limit in limits.items()
            if (value := measured[name]) is not None and (value < limit if name in below else value > limit)
        ]
    return {code: names for code, names in broken.items() if names}


def _measured(code: str, tables: Mapping[str, Sequence[Row]]) -> dict[str, float | None]:
    """Returns what the rules ask of a participant's rows, by the rules' names; None where there are no data."""
    mine = {
        name: [row for row in tables[name] if row["participant"] == code]
        for name in ("answers", "events", "games", "steps")
    }
    scales = grouped(((row["when"], row["game"]), row["score"]) for row in mine["answers"] if row["type"] == "scale")
    alike = [len(scores) for scores in scales.values() if len(set(scores)) == 1]
    seconds = [float(row["seconds"]) for row in mine["answers"] if row["seconds"] is not None]
    still = [row["participant_action"] == "stay" for row in mine["steps"]]
    return {
        "attention": sum(row["as_expected"] is False for row in mine["answers"]),
        "focus-lost": sum(row["event"] == "blur" and bool(row["game"]) for row in mine["events"]),
        "interruptions": sum(int(row["interruptions"] or 0) for row in mine["games"]),
        "idle": fmean(still) if still else None,
        "straight-lining": max(alike, default=0) + 0.5,  # so many are too many
        "page-seconds": median(seconds) if seconds else None,
    }


def without_excluded(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Returns the tables of a study without the rows of people who were excluded."""
    out = {row["participant"] for row in tables["participants"] if row["excluded"] is not None}
    return {name: [row for row in rows if row["participant"] not in out] for name, rows in tables.items()}


def whole_games(games: Sequence[Row]) -> list[Row]:
    """Returns the games that count: played to their end, with a recording that can be used."""
    return [row for row in games if row["ended"] is not None and not row["given_up"] and row["reward"] is not None]
