"""A belief as a picture: one bar for each hypothesis, and the MAP in words."""

from collections.abc import Iterator, Sequence

from bba.analysis import names
from bba.analysis.snapshot import hypothesis_in_words, role_posterior
from bba.belief import ROLE_OF_SKILL, BeliefUpdate
from bba.belief.roles import SCORED_SKILLS
from bba.notebook.drawing import svg, text_element
from bba.palette import DARK

LINE, BAR, MARGIN = 20, 12, 8  # heights of a line and of the bar in it, and the room around everything
NAME, ROOM, PERCENT = 180, 220, 44  # widths of a name, of a full bar, and of its percentage
WIDTH = NAME + ROOM + PERCENT + 2 * MARGIN


def belief_svg(belief: BeliefUpdate) -> str:
    """Returns the posterior over Ψ as bars in the colours of the roles, with MAP, confidence and u above them."""
    shares = belief.posterior
    named = [hypothesis_in_words(belief, number) for number in range(len(shares))]
    over_roles = len(role_posterior(belief)) == len(shares)
    roles = list(range(len(shares))) if over_roles else [ROLE_OF_SKILL[skill] for skill in SCORED_SKILLS]
    head = f"MAP {named[belief.map_index]} with {belief.confidence:.0%}, u = {belief.commitment}"
    parts = [text_element(head, (MARGIN, MARGIN + 12)), *bars(shares, named, roles, MARGIN + LINE)]
    return svg(parts, WIDTH, LINE * (len(shares) + 1) + 2 * MARGIN)


def role_bars(shares: Sequence[float], top: int) -> Iterator[str]:
    """Yields the elements of a posterior over the six roles, the first bar at `top`."""
    return bars(shares, [names.role(role) for role in range(len(shares))], range(len(shares)), top)


def bars(shares: Sequence[float], named: Sequence[str], roles: Sequence[int], top: int) -> Iterator[str]:
    """Yields for each hypothesis its name, its bar, and its probability in percent."""
    left = MARGIN + NAME
    for number, (share, name, role) in enumerate(zip(shares, named, roles, strict=True)):
        y = top + number * LINE
        yield text_element(name, (MARGIN, y + BAR))
        yield f'<rect x="{left}" y="{y + 2}" width="{ROOM}" height="{BAR}" fill="{DARK.ground}"/>'
        yield (
            f'<rect class="bar" x="{left}" y="{y + 2}" width="{width(share)}" height="{BAR}" '
            f'fill="{DARK.roles[role]}"/>'
        )
        percent = 'text-anchor="end" class="share"'
        yield text_element(f"{share:.0%}", (left + ROOM + PERCENT, y + BAR), more=percent)


def width(share: float) -> int:
    """Returns the width of a bar in pixels."""
    return round(share * ROOM)
