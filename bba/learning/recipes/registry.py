"""The recipes by kind of policy."""

from bba.agents.learned.preferences import PARTNERS
from bba.learning.recipes.bp import prepare_bp
from bba.learning.recipes.cooperators import prepare_cooperator
from bba.learning.recipes.population import MEMBERS, prepare_member
from bba.learning.recipes.recipe import Recipe

RECIPES = {
    "bp": Recipe(PARTNERS, prepare_bp),
    "member": Recipe([f"member-{number}" for number in range(MEMBERS)], prepare_member, playable=False),
    "gamma": Recipe(["gamma"], prepare_cooperator, needs="member"),
    "talents": Recipe(["talents"], prepare_cooperator, needs="member"),
}
