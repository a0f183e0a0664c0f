"""The page `docs/presets.md`: the preprint's tables, from the summaries of `benchmarks.presets`."""

from collections.abc import Mapping, Sequence

from bba.bench.presets import load_sweep

PRESETS = {
    "table1": ("reward",),
    "ablation": ("reward",),
    "triggers": ("reward", "replans"),
    "sensitivity": ("reward", "replans", "gap_rate"),
    "crossplay": ("reward",),
    "switch": ("reward", "replans", "reached_30", "recovery", "duplicate_rate"),
}
WORDS = {
    "reward": "reward",
    "replans": "replans a game",
    "gap_rate": "gap rate",
    "reached_30": "reached within 30 steps",
    "recovery": "recovery, steps",
    "duplicate_rate": "duplicate rate",
}
DIGITS = {"reward": 0, "replans": 1, "recovery": 1}
PLANNERS = ("rollout", "scripted")


def page(rows: Sequence[Mapping[str, str]], pairs: Sequence[Mapping[str, str]]) -> str:
    """Returns the page in Markdown."""
    played = [name for name in PRESETS if any(row["sweep"] == name for row in rows)]
    tables = [_preset(name, [row for row in rows if row["sweep"] == name]) for name in played]
    in_order = sorted(pairs, key=lambda row: list(PRESETS).index(row["sweep"]))
    return "\n\n".join([INTRODUCTION, _comparisons(in_order), *tables]) + "\n"


INTRODUCTION = """# The preprint's tables with two planners

The presets of the preprint's tables on seeds 100 to 104, 2400 steps, mobility 0.35; nothing was trained or tuned on
these seeds. Values are means ± standard deviation over seeds, the preprint's mean (gpt-4o) in brackets: there a
language model planned, so that only directions can be compared. `hypothetical-minds` needs a planner that reads prompts
and has the scripted one; `bp`, `gamma` and `talents` have no planner. Presets that were not played to their end are
left out. `python -m benchmarks.presets RESULTS` made this page from stored sweeps ([data](data/presets.csv),
[pairs](data/presets_pairs.csv)). What follows from it is in [reproduction.md](reproduction.md), and there are the same
tables with the scripted planner on seeds 0 to 4."""


def _comparisons(pairs: Sequence[Mapping[str, str]]) -> str:
    """Returns the table of who is ahead of whom."""
    planners = [planner for planner in PLANNERS if any(row["planner"] == planner for row in pairs)]
    lines = [
        "## Who is ahead of whom",
        "",
        "Differences over games with the same partner and seed, with 95 % bootstrap intervals. **Bold**: the interval "
        f"does not include zero; {len(pairs)} comparisons, not corrected for that number. Few games make a bootstrap "
        "interval too short: those over 5 or 15 pairs are no more than hints.",
        "",
        f"| preset | measure | first − second | kitchen | pairs | {' | '.join(planners)} |",
        "|---|---|---|---|---:|" + "---:|" * len(planners),
    ]
    places = dict.fromkeys(
        tuple(row[name] for name in ("sweep", "measure", "agent", "other", "layout")) for row in pairs
    )
    for sweep, measure, one, other, layout in places:
        of = {
            row["planner"]: row for row in pairs if _is(row, sweep=sweep, measure=measure, other=other, layout=layout)
        }
        count = next(iter(of.values()))["pairs"]
        cells = [_difference(of[planner], measure) if planner in of else "–" for planner in planners]
        lines.append(f"| {sweep} | {WORDS[measure]} | `{one}` − `{other}` | {layout} | {count} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _is(row: Mapping[str, str], **values: str) -> bool:
    return all(row[name] == value for name, value in values.items())


def _difference(row: Mapping[str, str], measure: str) -> str:
    mean, low, high = (float(row[name]) for name in ("difference", "low", "high"))
    text = f"{_number(mean, measure, sign=True)} [{_number(low, measure)}, {_number(high, measure)}]"
    return f"**{text}**" if low > 0 or high < 0 else text


def _number(value: float, measure: str, *, sign: bool = False) -> str:
    digits = DIGITS.get(measure, 2)
    rounded = round(value, digits) + 0.0  # never -0
    return f"{rounded:{'+' if sign else ''}.{digits}f}".replace("-", "−")


def _preset(name: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Returns the tables of a preset, one for each planner and measure."""
    parts = [f"## {load_sweep(name).title}"]
    for planner in PLANNERS:
        for measure in PRESETS[name] if any(_is(row, planner=planner, agent="bayes") for row in rows) else ():
            of = [row for row in rows if row["measure"] == measure]
            parts.append(f"{WORDS[measure].capitalize()}, {planner} planner:\n\n{_table(of, measure, planner)}")
    return "\n\n".join(parts)


def _table(rows: Sequence[Mapping[str, str]], measure: str, planner: str) -> str:
    """Returns a table with a column for each agent; one that has no such planner has its value all the same."""
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    lines = [
        f"| kitchen | partners | {' | '.join(f'`{agent}`' for agent in agents)} |",
        "|---|---|" + "---:|" * len(agents),
    ]
    for layout, group, variant in dict.fromkeys((row["layout"], row["group"], row["variant"]) for row in rows):
        cells = []
        for agent in agents:
            of = [row for row in rows if _is(row, layout=layout, group=group, agent=agent, variant=variant)]
            own = {row["planner"]: row for row in of}
            cells.append(_cell(own.get(planner) or next(iter(of), None), measure))
        told = group if variant == "default" else f"{group}, {variant}"
        lines.append(f"| {layout} | {told} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(row: Mapping[str, str] | None, measure: str) -> str:
    if row is None:
        return "–"
    paper = f" ({_number(float(row['preprint']), measure)})" if row["preprint"] else ""
    return f"{_number(float(row['mean']), measure)} ± {_number(float(row['sd']), measure)}{paper}"
