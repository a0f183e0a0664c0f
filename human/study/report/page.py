"""The page of a study's report: one self-contained HTML file."""

from collections.abc import Sequence

from bba.palette import DARK, LIGHT
from bba.report.drawing import page_colours
from bba.report.formatting import measure_label, measure_meaning, timestamp
from bba.report.page import environment
from bba.tabular import Row
from human.study.belief_rows import EACH_ONCE
from human.study.counted import without_excluded
from human.study.folder import StudyFolder
from human.study.report.beliefs import belief_table
from human.study.report.conditions import condition_tables, difference_table, whole_games
from human.study.report.figures import figures
from human.study.report.flow import disturbances, flow, flow_table
from human.study.report.intervals import SHOWN, without_usual_n
from human.study.report.levels import with_levels
from human.study.report.replies import reply_tables, words_given
from human.study.tables import Tables


def page(folder: StudyFolder, tables: Tables) -> str:
    """Returns the whole page."""
    counted = with_levels(folder.study, without_excluded(tables))
    games = whole_games(counted["games"])
    points, differences = flow(folder.study, tables), difference_table(games)
    drawn = {figure.title: figure for figure in figures(points, games, counted)} if tables["participants"] else {}
    text: str = (
        environment()
        .get_template("study.html")
        .render(
            study=folder.study,
            facts=_facts(folder, tables, counted, games),
            flow=flow_table(points),
            disturbances=disturbances(tables),
            conditions=[without_usual_n(found) for found in condition_tables(games)],
            differences=without_usual_n(differences) if differences else None,
            replies=[without_usual_n(found) for found in reply_tables(folder.study, counted["answers"])],
            words=words_given(folder.study, counted["answers"]),
            beliefs=belief_table(counted),
            each_once=EACH_ONCE,
            drawn=drawn,
            left_out=len(tables["games"]) - len(games),
            glossary=[(measure_label(name), measure_meaning(name)) for name in SHOWN],
            light=page_colours(LIGHT),
            dark=page_colours(DARK),
        )
    )
    return text


def _facts(folder: StudyFolder, tables: Tables, counted: Tables, games: Sequence[Row]) -> list[tuple[str, str]]:
    """Returns what the study is, and how far it has come."""
    study, people = folder.study, tables["participants"]
    times = sorted(str(row["consented"])[:19] + "+00:00" for row in people)
    complete = sum(row["complete"] is True for row in people)
    excluded, switches = len(people) - len(counted["participants"]), len(counted["switches"])
    return [
        ("participants", f"{len(people)}, {complete} of them complete" + f", {excluded} excluded" * bool(excluded)),
        ("games", f"{len(games)} whole ones of {len(tables['games'])} begun, with {switches} switches of participants"),
        ("kitchens", ", ".join(study.layouts)),
        ("agents", ", ".join(study.agents)),
        ("a game", f"{study.horizon} steps" + (", turn by turn" if study.turns else f", {study.speed:g} a second")),
        ("seeds", f"from {study.seed}, one for each {study.seeds}"),
        ("consented", f"{timestamp(times[0])} to {timestamp(times[-1])}" if times else "nobody yet"),
    ]
