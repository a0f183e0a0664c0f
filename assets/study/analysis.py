"""Makes the tables of a study's report from the data beside this file. It is part of bba-tui (LICENSE-analysis.txt).

    python analysis.py            prints the tables
    python analysis.py --check    says whether they are those of tables.md, to the last digit; exit code 1 if not

It reads data/*.csv, data/datapackage.json (the types of their columns) and study/study.json (the plan). It needs Python
3.11 or newer and NumPy (requirements.txt), and nothing of the program that ran the study.

Each person counts once in a mean, with the mean over their rows. Intervals are Student's, 95 %, over people. Who was
excluded, and games that are not whole, count in no mean.
"""

import csv
import json
import sys
from collections import Counter
from functools import cache
from math import cos, fsum, pi, sin, sqrt, tan
from pathlib import Path
from statistics import fmean, mean

import numpy as np

HERE = Path(__file__).parent
NONE = "–"
ENOUGH = 6  # people; with fewer, no interval of belief and gates is shown
BINS = 10  # of the belief in the likeliest role
OUTCOMES = {  # column of games: heading, decimals
    "reward": ("reward", 1),
    "deliveries": ("deliveries", 1),
    "orders_expired": ("expired orders", 1),
    "switches": ("partner's switches", 1),
    "detection_delay": ("detection delay", 1),
    "recovery": ("recovery steps", 1),
    "gap_rate": ("gap rate", 2),
    "duplicate_rate": ("duplicate rate", 2),
    "replans": ("replans", 1),
}
ANSWER_COLUMNS = {"scale": "score", "slider": "score", "number": "number"}  # of answers that have a mean, by type
TYPES = {"integer": int, "number": float, "boolean": lambda text: text == "True"}


# --- reading ---------------------------------------------------------------------------------------------------
def read_tables():
    """Returns the rows of each table as dictionaries; an empty cell is None."""
    package = json.loads((HERE / "data" / "datapackage.json").read_text(encoding="utf-8"))
    return {resource["name"]: read_rows(resource) for resource in package["resources"] if resource["name"] != "steps"}


def read_rows(resource):
    """Returns the rows of a table."""
    types = {field["name"]: TYPES.get(field["type"], str) for field in resource["schema"]["fields"]}
    with (HERE / "data" / resource["path"]).open(newline="", encoding="utf-8") as file:
        return [
            {name: None if text == "" else types[name](text) for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def without_excluded(tables):
    """Returns the tables without the rows of people who were excluded."""
    out = {row["participant"] for row in tables["participants"] if row["excluded"] is not None}
    return {name: [row for row in rows if row["participant"] not in out] for name, rows in tables.items()}


def with_levels(study, tables):
    """Adds the levels of hints and speed to the names of agents, where a study has several of them."""
    names = {(row["participant"], row["game"]): name_of(study, row) for row in tables["games"]}
    return tables | {
        table: [{**row, "agent": names.get((row["participant"], row["game"]), row["agent"])} for row in tables[table]]
        for table in ("games", "switches", "answers")
    }


def name_of(study, game):
    """Returns the name of a game's agent, with the levels of other factors."""
    levels = [game["agent"]]
    if len(study["factors"]["hints"]) > 1:
        levels.append("hints" if game["hints"] else "no hints")
    if len(study["factors"]["speed"]) > 1:
        levels.append(f"{game['speed']:g} a second")
    return ", ".join(levels)


def whole_games(games):
    """Returns the games that were played to their end, with a recording that can be used."""
    return [row for row in games if row["ended"] is not None and not row["given_up"] and row["reward"] is not None]


def distinct(rows, column):
    """Returns the values of a column, each once, in order."""
    return list(dict.fromkeys(row[column] for row in rows if row[column] is not None))


def of(rows, **wanted):
    """Returns the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


# --- statistics ------------------------------------------------------------------------------------------------
def interval(values):
    """Returns mean, number, and the limits of the interval; None without values, no limits for a single one."""
    people = len(values)
    if people < 2:
        return (float(values[0]), 1, None, None) if values else None
    middle = fmean(values)
    error = sqrt(fsum((value - middle) ** 2 for value in values) / (people - 1) / people)
    half = student_quantile(people - 1) * error
    return middle, people, middle - half, middle + half


@cache
def student_quantile(freedom):
    """Returns what 95 % of Student's distribution with so many degrees of freedom lie below, in absolute value."""
    low, high = 0.0, pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if student_share(angle, freedom) < 0.95 else (low, angle)
    return tan((low + high) / 2) * sqrt(freedom)


def student_share(angle, freedom):
    """Returns the share of the distribution within ± tan(angle) √freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    term = cos(angle) if freedom % 2 else 1.0
    terms = [term] if freedom > 1 else []
    for number in range(2 + freedom % 2, freedom, 2):
        term *= (number - 1) / number * cos(angle) ** 2
        terms.append(term)
    total = sin(angle) * fsum(terms)
    return 2 / pi * (angle + total) if freedom % 2 else total


def means_of_people(rows, column):
    """Returns the mean of a column for each person who has values."""
    found = {}
    for row in rows:
        if row[column] is not None:
            found.setdefault(row["participant"], []).append(float(row[column]))
    return {person: mean(values) for person, values in found.items()}


def over_people(rows, column):
    """Returns the mean of a column over people, with its interval."""
    return interval(list(means_of_people(rows, column).values()))


def difference(rows, column, agent, other):
    """Returns the mean difference within people between an agent and another one."""
    one, two = (means_of_people(of(rows, agent=name), column) for name in (agent, other))
    return interval([one[person] - two[person] for person in one if person in two])


# --- tables ----------------------------------------------------------------------------------------------------
# A table is its title, the heading of its rows, those of its columns, and the rows; a cell is its text and the number
# of people behind it, 0 if none is said.
def cell(summary, decimals, sign=""):
    """Returns a mean with its interval as a cell."""
    if summary is None:
        return NONE, 0
    middle, people, low, high = summary
    limits = "" if low is None else f" [{low:z.{decimals}f}, {high:z.{decimals}f}]"
    return f"{middle:{sign}z.{decimals}f}{limits}", people


def with_usual_n(table):
    """Says the usual number of people once, in the title, and in a cell only where it is another one."""
    title, head, columns, rows = table
    counts = Counter(people for _, cells in rows for _, people in cells if people)
    if not counts:
        return table
    usual = counts.most_common(1)[0][0]
    rows = [(name, [(text, 0 if people == usual else people) for text, people in cells]) for name, cells in rows]
    return ", ".join(filter(None, [title, f"n = {usual}"])), head, columns, rows


def flow(study, tables):
    """Yields how many participants have passed each point of the study."""
    people = tables["participants"]
    passed = {"consented": len(people)}
    if study["tutorial"]:
        passed["tutorial"] = sum(row["practised"] is not None for row in people)
    for number in range(1, len(people[0]["order"].split()) + 1 if people else 1):
        rest = [of(tables["games"], participant=row["participant"])[number - 1 :] for row in people]
        passed[f"game {number}"] = sum(any(game["ended"] for game in games) for games in rest)
    complete = of(people, complete=True)
    passed |= {"complete": len(complete), "analysed, not excluded": len(of(complete, excluded=None))}
    rows, before = [], len(people)
    for name, count in passed.items():
        rows.append((name, [(str(count), 0), (str(before - count) if before > count else NONE, 0)]))
        before = count
    yield "", "point", ["participants", "stopped before it"], rows


def disturbances(tables):
    """Yields what may be a reason to leave somebody out."""
    columns = ["games", "given up", "interruptions", "pauses", "focus lost", "damaged"]
    rows = []
    for person in tables["participants"]:
        mine = {name: of(found, participant=person["participant"]) for name, found in tables.items()}
        games, pauses = mine["games"], mine["pauses"]
        checked = [row["as_expected"] for row in mine["answers"] if row["as_expected"] is not None]
        cells = [
            str(sum(row["ended"] is not None for row in games)),
            str(sum(row["given_up"] for row in games)),
            str(sum(row["interruptions"] or 0 for row in games)),
            f"{len(pauses)} ({sum(row['seconds'] or 0 for row in pauses):.0f} s)" if pauses else "0",
            str(sum(row["event"] == "blur" and bool(row["game"]) for row in mine["events"])),
            str(sum(row["recording"] is not None and row["reward"] is None for row in games)),
            f"{checked.count(False)} of {len(checked)}" if checked else NONE,
            person["excluded"] or NONE,
        ]
        rows.append((person["participant"], [(text, 0) for text in cells]))
    yield "", "participant", [*columns, "attention checks failed", "excluded"], rows


def conditions(games):
    """Yields a table for each kitchen: a row a measure, a column an agent."""
    agents = distinct(games, "agent")
    for layout in distinct(games, "layout"):
        rows = [
            (
                heading,
                [cell(over_people(of(games, layout=layout, agent=agent), measure), decimals) for agent in agents],
            )
            for measure, (heading, decimals) in OUTCOMES.items()
        ]
        yield with_usual_n((layout, "measure", agents, rows))


def differences(games):
    """Yields how agents differ from the first one within people, if anybody met another one beside it."""
    first, *others = distinct(games, "agent") or [""]
    met = {agent: set(distinct(of(games, agent=agent), "participant")) for agent in (first, *others)}
    others = [agent for agent in others if met[agent] & met[first]]
    rows = [
        (heading, [cell(difference(games, measure, other, first), decimals, "+") for other in others])
        for measure, (heading, decimals) in OUTCOMES.items()
    ]
    if others:
        yield with_usual_n(("", "measure", [f"{other} − {first}" for other in others], rows))


def beliefs(calibration, gates):
    """Yields how well the observer's belief and gates follow people."""
    people = sorted(set(distinct(gates, "participant")))
    bins = [bins_of(of(calibration, participant=person)) for person in people]
    summed = [mine.sum(axis=0) for mine in bins if mine.any()]
    figures = {
        "share of steps in which the likeliest role is the pursued one": [right / steps for steps, _, right in summed],
        "expected calibration error": [
            np.abs(mine[:, 1] - mine[:, 2]).sum() / mine[:, 0].sum() for mine in bins if mine.any()
        ],
    }
    for gate in ("contradiction", "commitment"):
        mine = [of(gates, participant=person, gate=gate) for person in people]
        for steps in (10, 30):
            figures[f"{gate} gate: share of switches caught within {steps} steps"] = shares(
                mine, f"caught_{steps}", "switches"
            )
        figures[f"{gate} gate: needless openings in 1000 steps"] = shares(mine, "needless", "steps", 1000)
    rows = [(name, [(text, 0) for text in in_words(values)]) for name, values in figures.items()]
    if gates:
        yield "", "measure", ["mean", "interval", "people"], rows


def bins_of(rows):
    """Returns steps, summed belief and right steps in each range of beliefs."""
    bins = np.zeros((BINS, 3))
    for row in rows:
        steps = row["steps"]
        bins[round(row["low"] * BINS)] += steps, steps * row["belief"], steps * row["right"]
    return bins


def shares(people, above, below, factor=1):
    """Returns a ratio of sums for each person below whom there is something."""
    sums = [(sum(row[above] for row in rows), sum(row[below] for row in rows)) for rows in people]
    return [factor * one / other for one, other in sums if other]


def in_words(values):
    """Returns mean, interval and number of values as text."""
    summary = interval(values)
    if summary is None:
        return NONE, NONE, "0"
    limits = f"{summary[2]:.3f} to {summary[3]:.3f}" if len(values) >= ENOUGH else "too few people"
    return f"{summary[0]:.3f}", limits, str(len(values))


def replies(study, tables):
    """Yields the means of answers and scores: after games by agent, then the others; and how often each was chosen."""
    answers, when = tables["answers"], {asked["name"]: asked["when"] for asked in study["questions"]}
    questions = [asked for asked in study["questions"] if asked["expect"] is None]  # no attention checks
    agents = {agent: agent for agent in distinct(answers, "agent")}
    for title, after, columns in (
        ("after each game, by agent", True, agents),
        ("before and after all games", False, {"mean": None}),
    ):
        measured = [
            asked for asked in questions if asked["type"] in ANSWER_COLUMNS and (asked["when"] == "after-game") == after
        ]
        rows = [
            (
                text_of(asked),
                [
                    cell(
                        over_people(of(answers, question=asked["name"], agent=agent), ANSWER_COLUMNS[asked["type"]]), 2
                    )
                    for agent in columns.values()
                ],
            )
            for asked in measured
        ]
        rows += [
            (score["text"], [score_cell(score["name"], tables, agent) for agent in columns.values()])
            for score in study["scores"]
            if (when[score["items"][0]] == "after-game") == after
        ]
        if measured and columns:
            yield with_usual_n((title, "question", [*columns], rows))
    for asked in questions:
        if asked["type"] in ("choice", "choices"):
            yield choices(asked, answers)


def score_cell(score, tables, agent):
    """Returns the mean of a score: of the games with an agent, or of what was asked once."""
    return cell(over_people(of(tables["games"], agent=agent) if agent else tables["participants"], score), 2)


def text_of(asked):
    """Returns a question with the ends of its scale."""
    labels = asked["labels"]
    ends = asked["ends"] or ((labels[0], labels[-1]) if labels else None)
    return f"{asked['text']} ({ends[0]} – {ends[1]})" if ends else asked["text"]


def choices(asked, answers):
    """Returns how often each choice was made, by agent for questions after games."""
    agents = distinct(answers, "agent") if asked["when"] == "after-game" else []
    rows = []
    for choice in asked["choices"]:
        given = of(answers, question=asked["name"])
        chosen = [row for row in given if choice in (row["chosen"] or "").split(" | ")]
        counts = [len(of(chosen, agent=agent)) for agent in agents] or [len(chosen)]
        rows.append((choice, [(str(count or NONE), 0) for count in counts]))
    return asked["text"], "answer", agents or ["participants"], rows


def all_tables(study, tables):
    """Returns the tables of each part of the report."""
    counted = with_levels(study, without_excluded(tables))
    games = whole_games(counted["games"])
    return {
        "flow": flow(study, tables),
        "disturbances": disturbances(tables),
        "conditions": conditions(games),
        "differences": differences(games),
        "beliefs": beliefs(counted["calibration"], counted["gates"]),
        "replies": replies(study, counted),
    }


# --- writing ---------------------------------------------------------------------------------------------------
def markdown(part, table):
    """Returns a table in Markdown, headed by its part of the report."""
    title, head, columns, rows = table
    lines = [[head, *columns], ["---", *["---:"] * len(columns)]]
    for name, cells in rows:
        lines.append([name, *(f"{text} [n = {people}]" if people else text for text, people in cells)])
    shown = "\n".join(f"| {' | '.join(map(escaped, line))} |" for line in lines)
    return f"## {escaped(': '.join(filter(None, (part, title))))}\n\n{shown}"


def escaped(text):
    """Returns a text as it stands in a cell of Markdown."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def main():
    """Prints the tables, or compares them; returns the exit code."""
    study = json.loads((HERE / "study" / "study.json").read_text(encoding="utf-8"))
    found = all_tables(study, read_tables())
    text = "\n\n".join(markdown(part, table) for part, tables in found.items() for table in tables) + "\n"
    if "--check" not in sys.argv:
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
        return 0
    equal = (HERE / "tables.md").read_text(encoding="utf-8") == text
    sys.stdout.write("the tables are those of tables.md\n" if equal else "the tables differ from tables.md\n")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
