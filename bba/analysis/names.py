"""Names of skills, roles and items, and numbers in words, for screens and reports."""

from bba.belief import NO_ROLE, ROLE_NAMES
from bba.kitchen import constants
from bba.language import marked, say

SKILLS = marked(
    (
        "fry on the grill",
        "boil rice",
        "chop",
        "put out the fire",
        "wait",
        "wash a plate",
        "throw away",
        "serve a dish",
        "get meat",
        "get a mushroom",
        "get a tortilla",
        "get rice",
        "get a dirty plate",
        "get a clean plate",
        "get the extinguisher",
        "get chopped mushroom",
        "get chopped meat",
        "get a plate with one thing",
        "get a plate with two things",
        "get a mushroom burrito",
        "get a steak burrito",
        "plate fried mushroom",
        "plate steak",
        "plate boiled rice",
        "clear charcoal",
        "pass it on",
        "put it down",
    )
)

_PARTICIPLES = {"put": "putting", "chop": "chopping", "get": "getting"}  # of verbs whose last letter is doubled

_ITEMS = marked(
    {
        "meat": "meat",
        "mushroom": "mushroom",
        "rice": "rice",
        "tortilla": "tortilla",
        "chopped_meat": "chopped meat",
        "chopped_mushroom": "chopped mushroom",
        "dirty_plate": "dirty plate",
        "charcoal": "charcoal",
        "fire_ext": "extinguisher",
        "chopped_steak": "steak",
        "fried_mushroom": "mushroom",
        "boiled_rice": "rice",
        "clean_plate": "clean plate",
        "steak_burrito": "steak burrito",
        "mushroom_burrito": "mushroom burrito",
    }
)

# What a cook does in each role: said of somebody, and said to "you".
_ROLE_DOES = ("prepares meat", "prepares rice", "washes plates", "assembles", "serves", "hands over")
_ROLE_DO = ("prepare meat", "prepare rice", "wash plates", "assemble", "serve", "hand over")
COLOURS = ("blue", "orange")  # of the cooks in pictures, by which they are called
_ROLE_WORK = ("the meat and mushrooms", "the rice", "the plates", "putting dishes together", "serving", "passing")


def skill(number: int) -> str:
    """Returns a skill's name, such as "boil rice"; "nothing" for NO_SKILL."""
    if number == constants.NO_SKILL:
        return say("nothing")
    return say(SKILLS[number])


def skill_doing(number: int) -> str:
    """Returns a skill's participle, such as "boiling rice"; "doing nothing" for NO_SKILL."""
    if number == constants.NO_SKILL:
        return "doing nothing"
    return doing(skill(number))


def doing(work: str) -> str:
    """Returns the participle of a skill's name, or of what a cook in a role does: "washing plates" of "wash plates".

    Other languages have the name itself.
    """
    if work not in SKILLS and work not in _ROLE_DO:
        return work
    verb, _, rest = work.partition(" ")
    participle = _PARTICIPLES.get(verb, f"{verb.removesuffix('e')}ing")
    return f"{participle} {rest}".rstrip()


def role(number: int) -> str:
    """Returns a role's name, such as "prep rice"; "none" for NO_ROLE."""
    return "none" if number == NO_ROLE else ROLE_NAMES[number].replace("_", " ")


def role_does(number: int, *, to_you: bool = False) -> str:
    """Returns what a cook in a role, not NO_ROLE, does in everyday words: "washes plates", or "wash plates" of you."""
    return (_ROLE_DO if to_you else _ROLE_DOES)[number]


def role_doing(number: int) -> str:
    """Returns the participle of what a cook in a role, not NO_ROLE, does: "washing plates"."""
    return doing(_ROLE_DO[number])


def role_work(number: int) -> str:
    """Returns what the work of a role, not NO_ROLE, is about in plain words, such as "the rice"."""
    return _ROLE_WORK[number]


def item(name: str | None) -> str:
    """Returns an item's name from its name in a scene: "chopped meat", "plate: rice, tortilla"; "nothing" for None."""
    if name is None:
        return say("nothing")
    if not name.endswith("-plate"):
        return say(_ITEMS.get(name, name))
    ingredients = name.removesuffix("-plate").split("-")
    things = ", ".join(say(_ITEMS[ingredient]) for ingredient in ingredients)
    return say("plate: {things}", things=things)


def capital(text: str) -> str:
    """Returns a text as a sentence begins with it."""
    return text[:1].upper() + text[1:]


def percent(share: float) -> str:
    """Returns a share (0 to 1) in whole percent, as "76 %"."""
    return f"{share * 100:.0f} %"


def number_against_limit(value: float, limit: float, least: int = 2) -> str:
    """Returns a number with `least` decimals, or as many as it takes to see on which side of a limit it lies."""
    below = value < limit
    for digits in range(least, 9):
        if (round(value, digits) < limit) == below:
            return f"{value:.{digits}f}"
    return f"{value:.9f}"
