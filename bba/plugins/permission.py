"""Which plug-ins may be imported because a file names them.

A recording or a folder of results names the agents that played. It may come from somebody else, and to import a
plug-in runs its code. So what only such a file names is imported only if the user has named its module too, on the
command line, in a sweep or in Python, or has installed it as a plug-in.
"""

from bba.errors import BBAError
from bba.plugins.installed_names import sources
from bba.plugins.names import Kind, place_of
from bba.plugins.used import UsedPlugin

_ALLOWED: set[str] = set()


def allow(source: str) -> None:
    """Allows the plug-ins of a module or file to be imported, whoever names them."""
    _ALLOWED.add(source)


def allow_used(used: UsedPlugin) -> None:
    """Allows a plug-in of the user's own game, whichever process plays it."""
    place = place_of(used.kind, used.name)
    if place is not None:
        allow(place.source)


def check_allowed(kind: Kind, name: str) -> None:
    """Checks that a plug-in which a recording or a stored result names may be imported.

    Raises:
        BBAError: the user has not named its module.
    """
    place = place_of(kind, name)
    if place is not None and place.source not in _ALLOWED and place.source not in sources():
        raise BBAError(f"{name}: a plug-in, whose code would be run; to allow that add --plugins {place.source}")
