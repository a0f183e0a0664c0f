"""The idea of this project in one file: two cooks, a belief about the partner, and a gate on replanning.

Read it from top to bottom, then run it: python examples/the_idea.py. It needs NumPy only. The kitchen is a miniature;
the belief and the gate are those of the project, where `bba.belief` has them for the whole Burrito kitchen.

1. the kitchen      what the two cooks share: a map, stations, hands
2. the likelihood   how likely is the partner's last step, if it works in a role?
3. the belief       Bayes' rule over the roles, step by step
4. the gate         does the partner contradict the belief clearly enough to drop what I am doing?
5. the loop         Algorithm 1 of the preprint: observe, perhaps replan, plan, act
"""

from collections import deque
from typing import NamedTuple

import numpy as np

# --- 1. the kitchen --------------------------------------------------------------------------------------------
# R: rice, P: pot, M: meat, G: grill, S: where burritos are served. A burrito needs boiled rice and grilled meat.
MAP = (
    "##R##############M##",
    "#                  #",
    "#                  #",
    "#                  #",
    "##G#######S######P##",
)
STATION = {tile: (x, y) for y, row in enumerate(MAP) for x, tile in enumerate(row) if tile.isalpha()}
MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ACTIONS = ("stay", *MOVES, "use")

# What a cook in a role does next, given what it holds; a role with no entry for that can do nothing now.
ROLES = ("rice", "meat", "serve")
NEXT = {
    ("rice", ""): "R",
    ("rice", "rice"): "P",
    ("meat", ""): "M",
    ("meat", "meat"): "G",
    ("serve", ""): "P",
    ("serve", "bowl"): "G",
    ("serve", "burrito"): "S",
}
TAKES = {"R": "rice", "M": "meat"}


class Cook(NamedTuple):
    """Where a cook stands, and what it holds: "", "rice", "meat", "bowl" or "burrito"."""

    place: tuple[int, int]
    hand: str = ""


class Stock(NamedTuple):
    """What is ready: portions of rice in the pot, of meat on the grill, and burritos served."""

    rice: int = 0
    meat: int = 0
    served: int = 0


def target(role: str, cook: Cook, stock: Stock) -> str | None:
    """The station that a cook in this role goes to next; None if there is nothing for it to do."""
    if (role, cook.hand) == ("serve", "") and not (stock.rice and stock.meat):
        return None
    return NEXT.get((role, cook.hand))


def distances(station: str) -> dict[tuple[int, int], int]:
    """Steps from each free tile to the nearest tile beside a station."""
    x, y = STATION[station]
    found = {(x + dx, y + dy): 0 for dx, dy in MOVES.values() if is_free((x + dx, y + dy))}
    queue = deque(found)
    while queue:
        x, y = here = queue.popleft()
        for dx, dy in MOVES.values():
            there = (x + dx, y + dy)
            if is_free(there) and there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def is_free(place: tuple[int, int]) -> bool:
    """Whether a cook can stand there."""
    x, y = place
    return 0 <= y < len(MAP) and 0 <= x < len(MAP[0]) and MAP[y][x] == " "


DISTANCE = {station: distances(station) for station in STATION}


def good_actions(cook: Cook, station: str) -> list[str]:
    """The actions that bring a cook nearer to a station; beside it, using it."""
    away = DISTANCE[station]
    if away[cook.place] == 0:
        return ["use"]
    x, y = cook.place
    return [name for name, (dx, dy) in MOVES.items() if away.get((x + dx, y + dy), 99) < away[cook.place]]


def act(cook: Cook, action: str, stock: Stock) -> tuple[Cook, Stock, str]:
    """What an action makes of a cook and the stock, and the role in which it completed something; "" for none."""
    if action in MOVES:
        x, y = cook.place[0] + MOVES[action][0], cook.place[1] + MOVES[action][1]
        return (cook._replace(place=(x, y)) if is_free((x, y)) else cook), stock, ""
    beside = next((station for station, away in DISTANCE.items() if away[cook.place] == 0), "")
    match action, beside, cook.hand:
        case "use", "R" | "M", "":
            return cook._replace(hand=TAKES[beside]), stock, ""
        case "use", "P", "rice":
            return cook._replace(hand=""), stock._replace(rice=stock.rice + 1), "rice"
        case "use", "G", "meat":
            return cook._replace(hand=""), stock._replace(meat=stock.meat + 1), "meat"
        case "use", "P", "" if stock.rice and stock.meat:
            return cook._replace(hand="bowl"), stock._replace(rice=stock.rice - 1), ""
        case "use", "G", "bowl" if stock.meat:
            return cook._replace(hand="burrito"), stock._replace(meat=stock.meat - 1), ""
        case "use", "S", "burrito":
            return cook._replace(hand=""), stock._replace(served=stock.served + 1), "serve"
    return cook, stock, ""


# --- 2. the likelihood: L(ψ) = π(a | state, ψ) -----------------------------------------------------------------
EPSILON = 0.3  # how often a cook does just anything


def likelihoods(cook: Cook, stock: Stock, action: str) -> tuple[np.ndarray, np.ndarray]:
    """L(ψ) of the partner's action for each role ψ, and L relative to the role's likeliest action.

    A cook in a role does one of its good actions with probability 1 − ε, and any action with ε. A role with nothing to
    do cannot be what the partner works in: ε / 6.
    """
    table = np.full((len(ROLES), len(ACTIONS)), EPSILON / len(ACTIONS))
    feasible = np.zeros(len(ROLES), bool)
    for number, role in enumerate(ROLES):
        station = target(role, cook, stock)
        if station is not None:
            feasible[number] = True
            good = good_actions(cook, station)
            table[number, [ACTIONS.index(name) for name in good]] += (1 - EPSILON) / len(good)
    seen = table[:, ACTIONS.index(action)]
    return seen, np.where(feasible, seen / table.max(axis=1), seen)


# --- 3. the belief: b_t(ψ) ∝ L(ψ) · b_{t−1}(ψ) -----------------------------------------------------------------
ALPHA, WINDOW = 1.0, 10  # weight of the uniform prior; actions in the contradiction test (k)
FLOOR = 0.24  # no role is believed less than this share of 1 / |Ψ|, so that a belief can change again


class Belief:
    """What the ego believes about the partner's role.

    Attributes:
        b: the probability of each role, b_t.
        u: how many beliefs in a row have had this likeliest role.
    """

    def __init__(self, roles: int = len(ROLES), alpha: float = ALPHA, window: int = WINDOW) -> None:
        self.counts, self.window = np.full(roles, alpha), window
        self.begin_segment()

    @property
    def map(self) -> int:
        """ψ̂, the likeliest role."""
        return int(self.b.argmax())

    def begin_segment(self, weight: np.ndarray | float = 1.0) -> None:
        """The partner begins something new: believe the prior (C + α) / Σ (C + α), times what is feasible now."""
        prior = self.counts / self.counts.sum() * weight
        self.b, self.u, self.recent = prior / prior.sum(), 1, deque(maxlen=self.window)

    def contradiction(self, relative: np.ndarray) -> float:
        """ℓ = Π relative L(ψ̂) over the last k actions, this one included: small if they do not fit the belief."""
        self.recent.append(relative)
        return float(np.prod([one[self.map] for one in self.recent]))

    def correct(self, likelihood: np.ndarray) -> None:
        """Bayes' rule, with a floor."""
        before = self.map
        self.b = self.b * likelihood / (self.b * likelihood).sum()
        self.b = np.maximum(self.b, FLOOR / len(self.b))
        self.b /= self.b.sum()
        self.u = self.u + 1 if self.map == before else 1

    def complete(self, role: int, weight: np.ndarray | float = 1.0) -> None:
        """The partner visibly completed a skill of a role: remember it, and begin a new segment."""
        self.counts[role] += 1
        self.begin_segment(weight)


# --- 4. the gate -----------------------------------------------------------------------------------------------
THETA, STABILITY, CONFIDENCE, COOLDOWN = 0.04, 3, 0.65, 6


class Gate:
    """Opens when the partner contradicts a belief that was stable and confident, while the ego could still stop."""

    def __init__(self) -> None:
        self.left = 0  # steps until it may open again

    def opens(self, ell: float, u: int, confidence: float, *, mid_skill: bool) -> bool:
        """Whether all five conditions hold; u and the confidence are those before the action."""
        opens = ell < THETA and u >= STABILITY and confidence >= CONFIDENCE and mid_skill and self.left == 0
        self.left = COOLDOWN if opens else max(0, self.left - 1)
        return opens


# --- 5. the loop: Algorithm 1 ----------------------------------------------------------------------------------
def plan(ego: Cook, stock: Stock, partner_role: str) -> str:
    """A planner in miniature: work that complements the partner's, scarcest first. The project asks a model here."""
    scarce = ["serve", *sorted(("rice", "meat"), key=lambda role: getattr(stock, role))]
    able = [role for role in scarce if target(role, ego, stock) is not None]
    return next((role for role in able if role != partner_role), able[0])


def play(steps: int = 200, switch_at: int = 70) -> Stock:
    """Plays: the partner cooks rice until it changes its mind, in the middle of the way. Prints the belief."""
    ego, partner, stock = Cook((10, 2)), Cook((6, 2)), Stock()
    belief, gate, skill = Belief(), Gate(), ""
    before, action, completed = (partner, stock), "stay", ""
    for step in range(steps):
        # What the partner did in the last step, before it enters the belief: does it contradict?
        likelihood, relative = likelihoods(*before, action)
        ell, confidence = belief.contradiction(relative), belief.b[belief.map]
        replan = gate.opens(ell, belief.u, confidence, mid_skill=bool(skill))
        belief.correct(likelihood)
        if completed:
            belief.complete(ROLES.index(completed))
        if replan:
            skill = ""  # dropped in the middle
        # Without a skill, choose one, knowing what the partner probably does.
        if not skill or target(skill, ego, stock) is None:
            dropped, skill = skill, plan(ego, stock, ROLES[belief.map])
            why = f"replans: its last actions do not fit one role (ℓ = {ell:.4f})" if replan else "chooses"
            if replan or skill != dropped:
                print(f"step {step:3}  the partner: {believed(belief)}. The ego {why}: {skill}")
        # Both act. Nobody tells the ego what role the partner is in.
        role = "rice" if step < switch_at else "meat"
        station = target(role, partner, stock) or target("rice", partner, stock)
        before, action = (partner, stock), good_actions(partner, station)[0]
        partner, stock, completed = act(partner, action, stock)
        ego, stock, done = act(ego, good_actions(ego, target(skill, ego, stock))[0], stock)
        skill = "" if done else skill
    return stock


def believed(belief: Belief) -> str:
    """The belief in one line."""
    return ", ".join(f"{role} {share:.2f}" for role, share in zip(ROLES, belief.b, strict=True))


if __name__ == "__main__":
    print(f"{play().served} burritos were served")
