"""How well belief and gates follow the people of a study, as a table with what can be concluded from it."""

from bba.report.content import TableText
from bba.report.formatting import CellText
from human.study.belief_rows import beliefs_beside_people
from human.study.tables import Tables


def belief_table(tables: Tables) -> tuple[TableText, str] | None:
    """Returns the table and a caution in words; None if no game of a person has been recorded."""
    if not tables["gates"]:
        return None
    figures, caution = beliefs_beside_people(tables["calibration"], tables["gates"])
    rows = [([one.name], [CellText(one.mean), CellText(one.interval), CellText(str(one.people))]) for one in figures]
    return TableText("", ["measure"], ["mean", "interval", "people"], rows), caution
