"""Random examples that depend on the test alone.

Hypothesis also draws from the constants in all modules of the project that happen to be loaded, which differ with the
tests that one runs; and to find them it parses those modules: seconds in every process. It has no setting for that. A
version without this private function keeps its ways, which only costs that time.
"""

from hypothesis.internal.conjecture import providers


def draw_no_constants_of_modules() -> None:
    """Lets no example of this process depend on what is loaded."""
    if hasattr(providers, "_get_local_constants"):
        nothing = providers.Constants()
        providers._get_local_constants = lambda: nothing
