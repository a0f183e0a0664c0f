"""`python docs/pages.py`: writes what the documents take from the code; a test holds the committed files to it.

Three pages and a table of columns are made as a whole; of other pages, what stands between the two marks.
"""

import math
import re
import runpy
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from bba.analysis import names
from bba.analysis.measures import MEASURES
from bba.analysis.trace_table import TRACE_COLUMNS
from bba.belief.roles import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.config import markdown_table
from bba.errors import BBAError
from bba.files import write_whole
from bba.kitchen import Kitchen, Layout, constants, observation
from bba.kitchen.constants import (
    BOARD,
    COUNTER,
    GRILL,
    N_SKILLS,
    NOTHING,
    POT,
    SINK,
    SKILL_STAY,
    STAGE_NAMES,
    STATE_HEADER,
)
from bba.kitchen.layout import BURNING_AT, CHOPS, READY_AT, WARNING_AT, grid_of
from bba.kitchen.skills import skill_at
from bba.tables import table_of, to_markdown
from bba.tabular import to_csv
from tui.arguments.commands import COMMANDS
from tui.arguments.help import usage

FOLDER = Path(__file__).parent
BEGIN, END = "<!-- made by docs/pages.py -->\n\n", "\n<!-- end -->\n"


def made() -> dict[Path, str]:
    """Returns the content of every file that is made from the code, or partly so."""
    return {
        FOLDER / "reference" / "skills.md": skills(),
        FOLDER / "reference" / "observation.md": inputs(),
        FOLDER / "reference" / "columns.csv": columns(),
        FOLDER / "reference" / "names.md": runpy.run_path(str(FOLDER / "public_names.py"))["page"](),
        FOLDER / "reference" / "measures.md": filled(FOLDER / "reference" / "measures.md", measure_table()),
        FOLDER / "start" / "commands.md": filled(FOLDER / "start" / "commands.md", commands()),
        FOLDER / "understand" / "belief.md": filled(FOLDER / "understand" / "belief.md", markdown_table()),
    }


def measure_table() -> str:
    """Returns the table of measures in Markdown, as docs/reference/measures.md holds it."""
    better = {1: "more", -1: "less", 0: ""}
    rows = ((f"`{one.name}`", one.label, one.unit, better[one.better], one.meaning) for one in MEASURES.values())
    return in_markdown(("measure", "heading", "unit", "better", "what it is"), rows) + "\n"


def in_markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table whose cells are Markdown."""
    return to_markdown(table_of(headings, rows=rows), aligned=False, is_markdown=True)


def filled(page: Path, text: str) -> str:
    """Returns a page with this text between its marks.

    Raises:
        BBAError: it lacks a mark.
    """
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BBAError(f"{page}: lacks the marks {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}{text}{end}{after}"


def commands() -> str:
    """Returns the table of commands in Markdown."""
    rows = ((f"`{usage(name).removesuffix(' [OPTIONS]')}`", one.about) for name, one in COMMANDS.items())
    return in_markdown(("command", "what it does"), rows) + "\n"


def columns() -> str:
    """Returns the columns of an exported game as comma-separated text: name, type, meaning."""
    rows = ({"column": name, "type": one.type, "meaning": one.description} for name, one in TRACE_COLUMNS.items())
    return to_csv(rows, ("column", "type", "meaning"))


# --- the 27 skills ---------------------------------------------------------------------------------------------
SKILLS = """# The 27 skills

Planners choose among these skills, learned policies give each a probability, and `--psi skills` is a belief over them.
A skill is *feasible*, so that it can be chosen, if the cook can walk to such a tile as *at* says with such an item *in
hand*. The controller walks to the nearest one and uses it until the skill is done. Food with a *warning* is about to
burn. Roles are those of the belief (`bba/belief/roles.py`); fire handling and waiting have none. The page is made from
the rules (`bba/kitchen/skills.py`).

{table}

*A plate* is a clean one, with or without food; a plate on a counter is swapped for another item in hand. Recordings and
environments hold a skill's number, prompts and tables its name; `bba.Skill` has both.

Numbers and names are those of [Burrito-AI](preprint.md#sources), which spells three otherwise: 18
`GRAB_TWO_INTREDIENT_PLATE`, 19 `GRAB_MURHSOOM_BURRITO_PLATE`, 21 `GET_MURHSOOM_FROM_GRILLER`.
"""
FOODS = (constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM)
PLATES = {item for item in constants.ITEM_NAMES if item >= constants.PLATE}
HANDS = (NOTHING, *(item for item in constants.ITEM_NAMES if item <= constants.FIRE_EXT), *sorted(PLATES))
CONTENTS = {  # what lies on a tile of this kind
    COUNTER: HANDS,
    BOARD: (NOTHING, *FOODS),
    GRILL: (NOTHING, constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM, constants.CHARCOAL),
    POT: (NOTHING, constants.BOILED_RICE, constants.CHARCOAL),
    SINK: (NOTHING, constants.DIRTY_PLATE, constants.PLATE),
}


def skills() -> str:
    """Returns the page of the skills: what each is called, its role, where it is done and with what in the hand."""
    places, hands = uses_of_skills()
    rows = (
        (
            str(number),
            f"`{name}`",
            names.skill(number),
            "–" if ROLE_OF_SKILL[number] == NO_ROLE else ROLE_NAMES[ROLE_OF_SKILL[number]],
            "anywhere" if number == SKILL_STAY else ", ".join(sorted(places[number])),
            "anything" if number == SKILL_STAY else in_words(hands[number]),
        )
        for number, name in enumerate(constants.SKILL_NAMES)
    )
    return SKILLS.format(table=in_markdown(("number", "name", "in words", "role", "at", "in hand"), rows))


def uses_of_skills() -> tuple[list[set[str]], list[set[int]]]:
    """Asks the rules, of each tile with each content and each item in hand, which skill that would be.

    Returns:
        For each of the 27 skills its places in words, and the items in hand.
    """
    places: list[set[str]] = [set() for _ in range(N_SKILLS)]
    hands: list[set[int]] = [set() for _ in range(N_SKILLS)]
    for layout in map(Layout.load, Layout.names()):
        grid, start = grid_of(layout), Kitchen(layout, seed=0).state
        ages = (0, *(int(grid.params[stage]) for stage in (CHOPS, READY_AT, WARNING_AT, BURNING_AT)))
        for tile in grid.stations:
            kind = int(grid.kind[tile])
            for item, age, held in product(CONTENTS.get(kind, (NOTHING,)), ages, HANDS):
                state = start.copy()
                state[STATE_HEADER + tile], state[STATE_HEADER + len(grid.kind) + tile] = item, age
                if (skill := skill_at(grid, state, int(tile), held)) >= 0:
                    stage = ages.index(age) - 1 if kind in (GRILL, POT) else 0
                    places[skill].add(place(kind, item, stage, passing=bool(grid.is_pass_counter[tile])))
                    hands[skill].add(held)
    return places, hands


def place(kind: int, item: int, stage: int, *, passing: bool) -> str:
    """Returns a kind of tile in words, with what is on it where that matters."""
    name = constants.TILE_NAMES[kind].replace("_", " ")
    if kind == COUNTER:
        return "counter" if item else "empty pass counter" if passing else "empty counter"
    if kind not in CONTENTS:
        return name
    if item == NOTHING:
        return f"empty {name}"
    if kind in (GRILL, POT) and item != constants.CHARCOAL:
        return f"{name} with food: {STAGE_NAMES[max(stage, 0)]}"
    return f"{name} with {'food' if kind == BOARD else names.item(constants.ITEM_NAMES[item])}"


def in_words(items: set[int]) -> str:
    """Returns the items that can be in hand; plates with food together where there are several."""
    if len(items) > len(HANDS) // 2:
        return "anything" if NOTHING in items else "any item"
    plates = items & PLATES if len(items & PLATES) > 2 else set()
    words = [names.item(constants.ITEM_NAMES[item]) if item else "nothing" for item in sorted(items - plates)]
    return " or ".join([*words, *["a plate"] * bool(plates)])


# --- the observation -------------------------------------------------------------------------------------------
INPUTS = """# The inputs of a learned policy

A policy sees numbers from 0 to 1, one vector for each cook, in this order. S is the number of boards, grills, pots and
sinks, which come in reading order.

{table}

The shipped kitchens have so many inputs: {sizes}.

{item}
A skill is feasible if its own reach is above 0: `bba.feasible_mask` returns these. `bba.ObservationEncoder` makes an
observation of a state, and environments give it (`parallel_env`, `gym_env`). The page is made from the code
(`bba/kitchen/observation.py`).
"""


def inputs() -> str:
    """Returns the page of the observation: its parts in order, from the text of the module that encodes it."""
    _, parts, item = re.split(r"=+ +=+\n", observation.__doc__ or "")
    rows, first, stations = [], 0, 0
    for line in re.sub(r"\n {5,}", " ", parts).splitlines():
        name, count, meaning = re.fullmatch(r"(.+) \((.+)\) +(.+)", line).groups()  # type: ignore[union-attr]
        rows.append((f"{first} + {stations} S" if stations else str(first), name, count.replace("x", "×"), meaning))
        numbers = [int(number) for number in re.findall(r"\d+", count)]
        first, stations = (first, numbers[0]) if "S" in count else (first + math.prod(numbers), stations)
    sizes = (f"`{name}`: {observation.observation_size(grid_of(Layout.load(name)))}" for name in Layout.names())
    return INPUTS.format(
        sizes=", ".join(sizes),
        table=in_markdown(("from", "part", "inputs", "what they are"), rows),
        item=item.lstrip(),
    )


if __name__ == "__main__":
    for file, text in made().items():
        write_whole(file, text)
