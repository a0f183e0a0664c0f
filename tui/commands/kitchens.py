"""The kitchens that commands name."""

from bba.errors import BBAError
from bba.kitchen import Layout
from tui.arguments.options import SomeKitchens

LAYOUTS = ("open", "ring", "forced_coordination")  # those that learned policies ship for


def wanted_layouts(options: SomeKitchens) -> list[Layout]:
    """Returns the layouts that `--layout` or `--layouts` name; by default those that learned policies ship for.

    Raises:
        BBAError: both are given, or there is no such layout.
    """
    set_options = options.model_fields_set
    if {"layout", "layouts"} <= set_options:
        raise BBAError("--layout: names one kitchen, --layouts several; take one of them")
    names = list(LAYOUTS)
    if options.layouts is not None:
        names = [name.strip() for name in options.layouts.split(",")]
    elif "layout" in set_options:
        names = [options.layout]
    return [Layout.load(name) for name in dict.fromkeys(names)]
