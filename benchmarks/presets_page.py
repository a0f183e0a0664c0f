"""The page `docs/presets.md`: the preprint's tables with both planners, from the summaries of `benchmarks.presets`."""

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
    tables = [_preset(name, [row for row in rows if row["sweep"] == name]) for name in PRESETS]
    return "\n\n".join([INTRODUCTION, _comparisons(pairs), *tables]) + "\n"


INTRODUCTION = """# The preprint's tables with both planners

Every preset with the rollout planner and with the scripted one, on the same games: seeds 100 to 104, 2400 steps,
mobility 0.35; nothing was trained or tuned on these seeds. *Rollout* and *scripted* are means ± standard deviation over
seeds; the preprint's mean is in the last column, where it has one: there a language model planned, so that only
directions can be compared. `hypothetical-minds` needs a planner that reads prompts; `bp`, `gamma` and `talents` have no
planner. `python -m benchmarks.presets RESULTS` made this page from stored sweeps ([data](data/presets.csv),
[pairs](data/presets_pairs.csv)). [reproduction.md](reproduction.md) says what follows from it."""


def _comparisons(pairs: Sequence[Mapping[str, str]]) -> str:
    """Returns the table of who is ahead of whom."""
    lines = [
        "## Who is ahead of whom",
        "",
        "Differences over games with the same partner and seed, with 95 % bootstrap intervals. **Bold**: the interval "
        f"does not include zero; {len(pairs)} comparisons, not corrected for that number.",
        "",
        "| preset | measure | first − second | kitchen | pairs | rollout | scripted |",
        "|---|---|---|---|---:|---:|---:|",
    ]
    places = dict.fromkeys(
        tuple(row[name] for name in ("sweep", "measure", "agent", "other", "layout")) for row in pairs
    )
    for sweep, measure, one, other, layout in places:
        of = {
            row["planner"]: row for row in pairs if _is(row, sweep=sweep, measure=measure, other=other, layout=layout)
        }
        count = next(iter(of.values()))["pairs"]
        cells = [_difference(of[planner], measure) if planner in of else "–" for planner in PLANNERS]
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
    """Returns the tables of a preset, one a measure."""
    parts = [f"## {load_sweep(name).title}"]
    for measure in PRESETS[name]:
        of = [row for row in rows if row["measure"] == measure]
        parts.append(f"{WORDS[measure].capitalize()}:\n\n{_table(of, measure)}")
    return "\n\n".join(parts)


def _table(rows: Sequence[Mapping[str, str]], measure: str) -> str:
    """Returns a table with a line for each cell of the preset."""
    lines = ["| kitchen | partners | ego | rollout | scripted | preprint |", "|---|---|---|---:|---:|---:|"]
    order = dict.fromkeys((row["layout"], row["group"], row["agent"], row["variant"]) for row in rows)
    for layout, group, agent, variant in order:
        of = [row for row in rows if _is(row, layout=layout, group=group, agent=agent, variant=variant)]
        found = {
            row["planner"]: f"{_number(float(row['mean']), measure)} ± {_number(float(row['sd']), measure)}"
            for row in of
        }
        alone = found.get("")
        cells = [alone or found.get("rollout", "–"), "" if alone else found.get("scripted", "–")]
        paper = next((row["preprint"] for row in of if row["preprint"]), "")
        told = f"`{agent}`" + (f" {variant}" if variant != "default" else "")
        lines.append(f"| {layout} | {group} | {told} | {' | '.join(cells)} | {paper} |")
    return "\n".join(lines)
