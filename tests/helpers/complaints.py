"""What a library's own test of an environment says of it."""

import warnings
from collections.abc import Callable
from typing import Any


def complaints(test: Callable[..., None], *arguments: Any, **options: Any) -> list[str]:
    """Returns what a test warns of, in order; what it does not let pass at all it raises."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # of what other tests have left, found meanwhile
        test(*arguments, **options)
    return [str(warning.message) for warning in caught]
