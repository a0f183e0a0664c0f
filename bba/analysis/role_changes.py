"""Changes of a player's role: a change counts when the new role is pursued."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bba.belief import NO_ROLE
from bba.belief.roles import STAGE_PASS

EXCURSION = 5  # steps: work in another role that is over sooner is none of its own


class RoleChange(NamedTuple):
    """A change of role: the index of the first step in which the new role is pursued, and that role."""

    start: int
    role: int


def role_changes(roles: Sequence[int], excursion: int = EXCURSION) -> list[RoleChange]:
    """Returns the changes of role in a game, in order.

    Steps of passing and putting down, and those without a role, belong to the work before them. Work in another role
    that gives way to the next within `excursion` steps does not count.

    Args:
        roles: the role in each step, NO_ROLE or one of the six.
        excursion: the least number of steps from the beginning of the work in a role to that of the next.
    """
    changes: list[RoleChange] = []
    pursued = NO_ROLE
    begins = list(_beginnings(roles))
    for number, (start, role) in enumerate(begins):
        end = begins[number + 1].start if number + 1 < len(begins) else len(roles)
        if role == pursued or (end - start < excursion and pursued != NO_ROLE):
            continue
        if pursued != NO_ROLE:
            changes.append(RoleChange(start, role))
        pursued = role
    return changes


def _beginnings(roles: Iterable[int]) -> Iterable[RoleChange]:
    """Yields where the work in a role begins, however short it is."""
    before = NO_ROLE
    for index, role in enumerate(roles):
        if role not in (NO_ROLE, STAGE_PASS, before):
            before = role
            yield RoleChange(index, role)
