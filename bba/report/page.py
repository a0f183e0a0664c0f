"""The page of a report: one HTML file with everything in it."""

from collections.abc import Iterable, Sequence

from bba.bench.results_reader import Results, StoredEpisode, StoredSweep
from bba.palette import DARK, LIGHT, Palette
from bba.report.content import ReportSection, duration, snapshot
from bba.report.figures import ReportFigure, figures
from bba.report.formatting import SCRIPTED, SHOWN, word
from bba.resources import data_dir

MACHINE = "machine"  # where the versions of an episode name what it was played on


def page(stored: Results, sections: Sequence[ReportSection]) -> str:
    """The whole page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_dir("assets/report")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn = [_drawn(stored, run, said.name) for run, said in zip(stored.sweeps, sections, strict=True)]
    return environment.get_template("report.html").render(
        sections=list(zip(sections, drawn, strict=True)),
        facts=_facts(stored),
        scripted=any(case.planner == SCRIPTED for run in stored.sweeps for case in run.cases),
        failed=sum(count for said in sections for _, count in said.failures),
        shown=[word("measure", name) for name in SHOWN],
        light=_colours(LIGHT),
        dark=_colours(DARK),
    )


def _drawn(stored: Results, run: StoredSweep, name: str) -> list[ReportFigure]:
    return list(figures(run, stored.results(run), name))


def _colours(palette: Palette) -> dict[str, str]:
    """The colours of the style sheet, by name."""
    plain = {
        "text": palette.text,
        "dim": palette.dim,
        "line": palette.ground,
        "panel": palette.panel,
        "background": palette.background,
        "accent": palette.title,
        "warn": palette.warn,
        "bad": palette.bad,
    }
    return plain | {f"series-{number}": colour for number, colour in enumerate(palette.roles)}


def _facts(stored: Results) -> list[tuple[str, str]]:
    """What was run, when, where, with what, for how long and at what cost."""
    keys = dict.fromkeys(case.key for run in stored.sweeps for case in run.cases)
    found = [stored.episodes[key] for key in keys if key in stored.episodes]
    moments = sorted(snapshot(episode.finished) for episode in found) or ["–"]
    sweeps = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
    return [
        ("sweeps", sweeps),
        ("episodes", f"{len(found)} of {len(keys)}; those that sweeps share are played once"),
        ("when", moments[0] if moments[0] == moments[-1] else f"{moments[0]} to {moments[-1]}"),
        ("machine", _each(episode.versions.get(MACHINE, "not noted") for episode in found)),
        ("versions", _each(_versions(episode) for episode in found)),
        ("computing", f"{duration(sum(e.result.seconds for e in found))}, added up over all processes"),
        ("cost", _cost(found)),
    ]


def _each(values: Iterable[str]) -> str:
    return "; ".join(sorted(set(values)))


def _versions(episode: StoredEpisode) -> str:
    return ", ".join(f"{name} {number}" for name, number in episode.versions.items() if name != MACHINE)


def _cost(found: Sequence[StoredEpisode]) -> str:
    """What language models took."""
    measures = [episode.result.measures or {} for episode in found]
    tokens = sum(m.get(f"planner_{kind}_tokens") or 0 for m in measures for kind in ("prompt", "completion"))
    if not tokens:
        return "nothing: no language model was asked"
    dollars = sum(m.get("planner_cost") or 0 for m in measures)
    calls = sum(m.get("planner_calls") or 0 for m in measures)
    return f"{dollars:.2f} US dollars as far as prices are known, {calls:,} calls, {tokens:,} tokens"
