"""The step of a game as a kernel: models of partners observe, the players choose, the kitchen plays on.

`play_steps` plays one step after the other until an agent has to be asked in Python, or a number of them. What every
step gives is written to rows (`bba.play.trajectory`).
"""

from bba.agents.skill_policy import (
    CHOSEN,
    COMMITS,
    WHAT,
    SkillPolicy,
    choose,
    draws_none,
    loses_track,
)
from bba.belief import MAP, ModelState, observe_action, remember_belief
from bba.kernels import kernel
from bba.kitchen import (
    AGE,
    ENDED,
    NO_SKILL,
    SKILL,
    STEP,
    Float64Array,
    Grid,
    SkillRuns,
    StateVector,
    game_step,
    start_skill,
)
from bba.play.trajectory import (
    AGE_BEFORE,
    AGENT_DECIDES,
    CHOOSES,
    ENDED_BEFORE,
    KEEPS_SKILL,
    NOBODY,
    OBSERVER_SEAT,
    REPLANS,
    RUNNING_BEFORE,
    Players,
    Rows,
)

PLAYED, AGENT_IS_NEXT, INFEASIBLE = range(3)  # why a run ends; a skill of player p is INFEASIBLE + p


@kernel
def play_steps(
    grid: Grid,
    rows: Rows,
    runs: SkillRuns,
    players: Players,
    expected: Float64Array,
    first: int,
    last: int,
    timeout: int,
    observed: bool,
) -> tuple[int, int]:
    """Plays the steps from row `first` up to but without row `last`. Returns the row after them, and why it ended.

    The states before are in `rows.states`; `expected` is empty (`bba.belief.filter`). If the models have `observed` the
    first step, then `players.moves` and `players.decided` say what happens in it.
    """
    for i in range(first, last):
        state = rows.states[i + 1]
        if not (observed and i == first) and observe_partners(
            grid, rows.states[i], state, runs, players, expected, rows, i
        ):
            return i, AGENT_IS_NEXT
        decide(grid, state, runs, 0, players, players.models[0], players.policies[0], rows, i)
        decide(grid, state, runs, 1, players, players.models[1], players.policies[1], rows, i)
        if rows.choices[i, 0, WHAT] & COMMITS:
            remember(players.models[OBSERVER_SEAT])
        for player in range(2):
            chosen = rows.choices[i, player, WHAT] & CHOSEN
            if chosen and not start_skill(grid, state, runs, player, rows.skills[i, player]):
                return i, INFEASIBLE + player
            rows.ages[i, player] = runs[player, AGE]
        next_state = rows.states[i + 2]
        for number in range(len(next_state)):
            next_state[number] = state[number]
        game_step(grid, next_state, runs, rows.actions[i], timeout)
    return last, PLAYED


@kernel
def observe_partners(
    grid: Grid,
    before: StateVector,
    now: StateVector,
    runs: SkillRuns,
    players: Players,
    expected: Float64Array,
    rows: Rows,
    i: int,
) -> bool:
    """Lets the models take in the last actions and notes the next moves; returns whether an agent decides one."""
    agent_is_next = False
    for watcher in range(3):
        mid_skill = True
        opened = 0
        watched = players.watched[watcher]
        if watcher != OBSERVER_SEAT:
            mid_skill = runs[watcher, SKILL] != NO_SKILL
        if watched != NOBODY:
            model = players.models[watcher]
            reading = rows.readings[i, watcher]
            opened = observe_action(grid, before, now, watched, expected, mid_skill, model, reading)
        if watcher != OBSERVER_SEAT:
            move = next_move(grid, now, watcher, mid_skill, opened, players)
            players.moves[watcher] = move
            agent_is_next = agent_is_next or move == AGENT_DECIDES
    return agent_is_next


@kernel
def next_move(grid: Grid, now: StateVector, player: int, mid_skill: bool, opened: int, players: Players) -> int:
    """Returns what a player does next, given the gates that have opened."""
    if now[STEP] >= players.until[player]:
        return AGENT_DECIDES
    if players.tracks[player] and loses_track(grid, now, players.policies[player]):
        return AGENT_DECIDES
    move = KEEPS_SKILL
    if not mid_skill:
        move = CHOOSES
    elif opened & players.interrupted_by[player]:
        move = REPLANS
    if move != KEEPS_SKILL and draws_none(grid, now, players.policies[player]):
        return AGENT_DECIDES
    return move


@kernel
def decide(
    grid: Grid,
    now: StateVector,
    runs: SkillRuns,
    player: int,
    players: Players,
    model: ModelState,
    policy: SkillPolicy,
    rows: Rows,
    i: int,
) -> None:
    """Writes what a player chooses, and the skill that it then runs; model and policy are its own."""
    move = players.moves[player]
    running = runs[player, SKILL]
    run_before = rows.before[i, player]
    run_before[RUNNING_BEFORE] = running
    run_before[AGE_BEFORE] = runs[player, AGE]
    run_before[ENDED_BEFORE] = runs[player, ENDED]
    choice = rows.choices[i, player]
    choice[:] = 0
    if move == KEEPS_SKILL:
        rows.skills[i, player] = running
    elif move == AGENT_DECIDES:
        choice[WHAT] = players.decided[player, 0]
        rows.skills[i, player] = players.decided[player, 1]
    else:
        rows.skills[i, player] = choose(grid, now, policy, model.filter.posterior, move == REPLANS, choice)
        if choice[WHAT] & COMMITS and players.watched[player] != NOBODY:
            remember(model)


@kernel
def remember(model: ModelState) -> None:
    """Lets a commitment gate remember what is believed at a choice."""
    best = model.filter.counters[MAP]
    remember_belief(model.commitment, best, model.filter.posterior[best])
