"""The step of every game as kernels: models of partners observe, the players choose, their choices are played.

What a step gives is written to a row (`bba.play.trajectory`). `play_step` plays the choices in a row, whoever has made
them: agents in Python, in a game that is played step by step, or a kernel. `play_steps` observes, chooses and plays
step after step, until an agent has to be asked.
"""

from bba.agents.skill_policy import (
    CHOSEN,
    DELIBERATE,
    PRIMITIVE,
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
    CONTROLLED,
    ENDED,
    INTERRUPTED,
    NO_SKILL,
    SKILL,
    STEP,
    Float64Array,
    Grid,
    SkillRuns,
    StateVector,
    game_step,
    start_skill,
    stop_skill,
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

PLAYED, AGENT_IS_NEXT, INFEASIBLE = range(3)  # why a run ends; player p has chosen an infeasible skill: + p


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
    first step, then `players.moves` says what happens in it, and what agents have chosen is in the row.
    """
    for i in range(first, last):
        state = rows.states[i + 1]
        if not (observed and i == first) and observe_partners(
            grid, rows.states[i], state, runs, players, expected, rows, i
        ):
            return i, AGENT_IS_NEXT
        decide(grid, state, 0, players, players.models[0], players.policies[0], rows, i)
        decide(grid, state, 1, players, players.models[1], players.policies[1], rows, i)
        if rows.choices[i, 0, WHAT] & DELIBERATE:
            remember(players.models[OBSERVER_SEAT])
        next_state = rows.states[i + 2]
        for number in range(len(next_state)):
            next_state[number] = state[number]
        end = play_step(grid, state, next_state, rows, i, runs, timeout)
        if end != PLAYED:
            return i, end
    return last, PLAYED


@kernel
def play_step(
    grid: Grid, state: StateVector, next_state: StateVector, rows: Rows, i: int, runs: SkillRuns, timeout: int
) -> int:
    """Plays the choices in row `i`; returns PLAYED, or that a skill is infeasible.

    `next_state` is a copy of `state`, and becomes the state after the step.
    """
    for player in range(2):
        rows.before[i, player, RUNNING_BEFORE] = runs[player, SKILL]
        rows.before[i, player, AGE_BEFORE] = runs[player, AGE]
        rows.before[i, player, ENDED_BEFORE] = runs[player, ENDED]
        choice_bits = rows.choices[i, player, WHAT]
        runs[player, CONTROLLED] = (choice_bits & PRIMITIVE) == 0
        if choice_bits & CHOSEN:
            skill = rows.skills[i, player]
            if skill == NO_SKILL:
                drop_skill(runs, player)
            elif not start_skill(grid, state, runs, player, skill):
                return INFEASIBLE + player
        rows.skills[i, player] = runs[player, SKILL]
        rows.ages[i, player] = runs[player, AGE]
    game_step(grid, next_state, runs, rows.actions[i], timeout)
    return PLAYED


@kernel
def drop_skill(runs: SkillRuns, player: int) -> None:
    """Ends the skill of a player that goes on by primitive actions."""
    ended = runs[player, ENDED]
    if runs[player, SKILL] != NO_SKILL:
        ended = INTERRUPTED
    stop_skill(runs, player, ended)
    runs[player, AGE] = 0


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
    player: int,
    players: Players,
    model: ModelState,
    policy: SkillPolicy,
    rows: Rows,
    i: int,
) -> None:
    """Writes what a player chooses, unless its agent has done so; model and policy are its own."""
    move = players.moves[player]
    if move == AGENT_DECIDES:
        return
    choice = rows.choices[i, player]
    choice[:] = 0
    if move != KEEPS_SKILL:
        rows.skills[i, player] = choose(grid, now, policy, model.filter.posterior, move == REPLANS, choice)
        if choice[WHAT] & DELIBERATE and players.watched[player] != NOBODY:
            remember(model)


@kernel
def remember(model: ModelState) -> None:
    """Lets a commitment gate remember what is believed at a choice."""
    best = model.filter.counters[MAP]
    remember_belief(model.commitment_gate, best, model.filter.posterior[best])
