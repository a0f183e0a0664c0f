"""The recipe in words, in panels of every width."""

import pytest

from tests.helpers.app import texts
from tui.widgets.recipe_cards import RECIPE, HowToPanel


@pytest.mark.parametrize("width", [26, 34, 50, 70, 100])
def test_the_recipe_is_whole_and_has_no_narrow_column(width):
    rows = texts(HowToPanel().lines(None, width))
    assert max(map(len, rows)) <= width
    assert " ".join(" ".join(rows).split()).replace(":", "") == " ".join(RECIPE.split()).replace(":", "")
    assert all(len(row) - len(row.lstrip()) <= 4 for row in rows)
    assert ("  rice               take it, boil it in a pot" in rows) == (width >= 70)
    assert ("  rice: take it, boil it in a pot" in rows) == (34 <= width < 67)
