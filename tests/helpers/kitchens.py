"""Small kitchens made by hand."""

from bba.kitchen import Layout


def kitchen(*rows: str, **fields) -> Layout:
    """A kitchen from its map, on which E is the counter with the extinguisher, unless `fields` says where it is."""
    found = [(x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "E"]
    marks = {"extinguisher": found[0]} if found else {}
    return Layout.model_validate(
        {"name": "made", "map": [row.replace("E", "X") for row in rows], "pass_counters": [], **marks, **fields}
    )
