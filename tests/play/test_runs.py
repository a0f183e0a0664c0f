"""Runs of the step kernel: a game that is played on between choices is the game that is played step by step."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from bba.agents import Decision, SeatSpec, SwitchingPartner, load_agent
from bba.agents.kernel_policy import HasKernelPolicy
from bba.agents.learned.policy import CLUSTER, UNCLEAR, draw_skill, lead_is_unclear
from bba.analysis.human_choices import role_changes
from bba.analysis.measures import measure
from bba.config import BeliefConfig, FilterConfig
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.constants import COMPLETED, INTERRUPTED, NO_SKILL, NORTH, STEP
from bba.play import Game, Replay, record
from bba.play.replay import fork
from bba.play.ticks import Ticks, agent_decisions, step_arrays
from bba.play.trace import Trace
from bba.play.trajectory import Trajectory

HORIZON = 150
SKILLS = SeatSpec(belief_config=BeliefConfig(filter=FilterConfig(psi="skills", window=7, hazard=0.02)))


def step_by_step(game: Game) -> Trace:
    while not game.done:
        game.step()
    return game.trace


def rows(trace: Trace) -> list[tuple[object, ...]]:
    return [(tick.state.tolist(), *tick[1:]) for tick in trace.ticks]


def made(ego: str, partner: str, layout: str = "open", options: SeatSpec | None = None) -> Game:
    return Game(layout, load_agent(ego, options), load_agent(partner, options), 3, horizon=HORIZON, fast=True)


@pytest.mark.parametrize(
    ("ego", "partner", "layout", "options"),
    [
        ("bayes", "switching", "open", None),
        ("bayes", "bayes-no-prompt", "forced_coordination", SeatSpec(ask="always", history_turns=0)),
        ("bayes-commit", "bayes", "ring", None),
        ("proagent", "bayes", "ring", SKILLS),
        ("switching", "switching+locked", "forced_coordination", None),
        ("bayes", "bp:G1-1", "open", SKILLS),
        ("periodic-10", "switching+locked", "burrito", None),
        ("talents", "bp:G2-1+locked", "forced_coordination", None),
        ("gamma", "bp:G2-2", "ring", None),
        ("talents", "bp:G3-3", "open", None),
        ("completion-held", "switching", "open", None),
        ("hypothetical-minds", "bayes", "ring", None),
        ("hypothetical-minds", "switching", "forced_coordination", SeatSpec(ask="always")),
        ("switching", "hypothetical-minds", "open", SeatSpec(history_turns=0)),
    ],
)
def test_it_is_the_same_game_to_the_last_bit(ego, partner, layout, options):
    whole, single = made(ego, partner, layout, options).run(), step_by_step(made(ego, partner, layout, options))
    assert rows(whole) == rows(single)
    assert record(whole) == record(single)
    assert measure(whole) == measure(single)


@pytest.mark.parametrize(
    ("ego", "several"), [("bayes", True), ("proagent", True), ("gamma", True), ("llm-judge", False)]
)
def test_only_agents_that_need_not_be_asked_are_played_on(ego, several):
    game, played = made(ego, "switching"), []
    while not game.done:
        played.append(game.advance())
        assert len(game.trace.ticks) == sum(played)
    assert (max(played) > 1) == several


@pytest.mark.parametrize(
    ("ego", "partner"), [("bayes", "switching"), ("hypothetical-minds", "bp:G1-1"), ("talents", "bayes")]
)
def test_a_plain_game_is_played_on_too(ego, partner):
    whole, single = (Game("open", ego, partner, 3, horizon=HORIZON) for _ in range(2))
    played = []
    while not whole.done:
        played.append(whole.advance())
    assert max(played) > 1
    assert rows(whole.trace) == rows(step_by_step(single))
    assert record(whole.trace) == record(single.trace)


def test_turns_of_runs_stay_readable_when_a_plain_game_goes_on_step_by_step():
    game, single = (Game("open", "bayes", "switching", 3, horizon=HORIZON) for _ in range(2))
    for _ in range(4):
        game.advance()
        for _ in range(20):
            game.step()
    assert rows(game.run()) == rows(step_by_step(single))


def test_a_kernel_draws_what_numpy_draws_and_leaves_to_it_what_last_digits_decide(monkeypatch):
    game = made("bayes", "bp:G1-1")
    trace, partner = game.run(), game.agents[1]
    asked = dict(agent_decisions(trace.ticks, 1))
    chosen = [step for step, tick in enumerate(trace.ticks) if tick.decisions[1].chosen]
    assert len(asked) == 1 < len(chosen)  # in the first step alone
    policy, step = partner.kernel_policy(1).chooser.policy, chosen[-1]
    state, player, width = trace.ticks[step - 1].state, 1, game.kitchen.layout.width
    drawn = trace.ticks[step].decisions[1].skill
    assert draw_skill(game.kitchen.grid, state, player, width, policy.sampler) == drawn
    monkeypatch.setattr("bba.agents.learned.policy.UNCLEAR", 0.5)
    assert draw_skill(game.kitchen.grid, state, player, width, policy.sampler) == NO_SKILL


def test_a_kernel_tells_clusters_apart_as_numpy_does_and_leaves_to_it_what_last_digits_decide(monkeypatch):
    agent = load_agent("talents")
    game = Game("forced_coordination", agent, "bp:G2-1+locked", 3, horizon=300, fast=True)
    trace, posterior, sampler = game.run(), agent._clusters, agent.kernel_policy(0).chooser.policy.sampler
    assert rows(trace) == rows(step_by_step(Game("forced_coordination", "talents", "bp:G2-1+locked", 3, horizon=300)))
    assert sampler.numbers[CLUSTER] == posterior.weights_at(300).argmax()
    assert sampler.regrets == pytest.approx(posterior._regrets, abs=UNCLEAR / 10)
    completed = [tick.state for tick in trace.ticks if tick.state[COMPLETED + 1]]
    assert 3 * len(dict(agent_decisions(trace.ticks, 0))) < len(completed)
    with_it = game.kitchen.grid, completed[-1], 1, game.kitchen.layout.width, sampler
    monkeypatch.setattr("bba.agents.learned.policy.UNCLEAR", 9)  # more than regrets can differ
    assert lead_is_unclear(*with_it)
    posterior.tell(sampler)
    assert sampler.regrets == pytest.approx(posterior._regrets, abs=1e-12)


def test_of_what_a_kernel_draws_in_a_run_only_the_last_choice_is_made(monkeypatch):
    runs, asked_for = [], []
    add, choice = Trajectory.add, Trajectory._choice
    monkeypatch.setattr(Trajectory, "add", lambda trajectory, *run: (runs.append(run), add(trajectory, *run))[1])
    monkeypatch.setattr(
        Trajectory, "_choice", lambda trajectory, *place: (asked_for.append(place), choice(trajectory, *place))[1]
    )
    trace = made("switching", "bp:G1-1+locked").run()
    assert 0 < len(asked_for) <= len(runs)
    assert sum(tick.decisions[1].chosen for tick in trace.ticks) > 2 * len(runs)


def test_what_a_trace_shows_of_a_policy_stays_when_its_agent_plays_again():
    ego, partner = load_agent("talents"), load_agent("bp:G1-1")
    first, alone = (
        Game("open", *players, 0, horizon=240, fast=True).run() for players in ((ego, partner), ("talents", "bp:G1-1"))
    )
    Game("ring", ego, partner, 1, horizon=20, fast=True).run()
    assert rows(first) == rows(alone)


def test_an_agent_that_is_asked_in_every_step_still_is():
    class Asked:
        """Passes everything on to another agent, and counts."""

        def __init__(self) -> None:
            self._agent, self.count = load_agent("proagent"), 0
            self.profile, self.reset, self.observe = self._agent.profile, self._agent.reset, self._agent.observe
            self.commit = self._agent.commit

        def decide(self, observation):
            self.count += 1
            return self._agent.decide(observation)

    asked = Asked()
    assert not isinstance(asked, HasKernelPolicy)
    trace = Game("open", asked, "switching", 3, horizon=60, fast=True).run()
    assert asked.count == len(trace.ticks) == 60
    assert rows(trace) == rows(made("proagent", "switching").run())[:60]


def test_a_class_that_decides_otherwise_than_the_one_it_extends_is_asked_in_every_step():
    class Restless(SwitchingPartner):
        """Counts the steps in which it is asked."""

        asked = 0

        def decide(self, observation):
            self.asked += 1
            return super().decide(observation)

    restless = Restless()
    trace = Game("open", "proagent", restless, 3, horizon=60, fast=True).run()
    assert restless.asked == 60
    assert rows(trace) == rows(made("proagent", "switching").run())[:60]


class Nudging(SwitchingPartner):
    """Drops its skill at times, and goes north."""

    AFTER = tuple(range(10, HORIZON, 20))  # steps

    def kernel_policy(self, played):
        policy = super().kernel_policy(played)
        coming = [steps for steps in self.AFTER if steps > played]
        return policy._replace(until=min([policy.until, *coming]))

    def decide(self, observation):
        if int(observation.state[STEP]) not in self.AFTER:
            return super().decide(observation)
        return Decision(NO_SKILL, action=NORTH, chosen=True)


def test_an_agent_that_acts_by_primitive_actions_now_and_then_is_played_on_between_them():
    games = [Game("open", "bayes", Nudging(), 3, horizon=HORIZON, fast=fast) for fast in (True, True, False)]
    played = []
    while not games[0].done:
        played.append(games[0].advance())
    assert max(played) > 10
    assert rows(games[0].trace) == rows(step_by_step(games[1])) == rows(games[2].run())
    nudges = [games[0].trace.ticks[steps] for steps in Nudging.AFTER]
    assert all(tick.actions[1] == NORTH and tick.skills[1] == NO_SKILL for tick in nudges)
    assert INTERRUPTED in {tick.ended[1] for tick in nudges}
    assert sum(tick.skills[1] == NO_SKILL for tick in games[0].trace.ticks) == len(nudges)


class Stubborn(SwitchingPartner):
    """Chooses a skill that it cannot start, in the tenth step."""

    def kernel_policy(self, played):
        return super().kernel_policy(played)._replace(until=9 if played < 9 else 10)

    def decide(self, observation):
        if int(observation.state[STEP]) < 9:
            return super().decide(observation)
        return Decision(constants.SERVE, chosen=True)


@pytest.mark.parametrize("advance", [Game.advance, Game.step])
def test_a_skill_that_cannot_be_started_is_an_error_of_its_agent(advance):
    game = Game("open", "bayes", Stubborn(), 3, horizon=HORIZON, fast=True)
    while len(game.trace.ticks) < 9:
        advance(game)
    with pytest.raises(ValueError, match="switching chose skill"):
        advance(game)
    assert len(game.trace.ticks) == 9


class Silent(SwitchingPartner):
    """Cannot decide in one step, the first time that it is asked."""

    AT = 16  # steps played: where a plain run has ended

    silent = True

    def decide(self, observation):
        if self.silent and int(observation.state[STEP]) == self.AT:
            self.silent = False
            raise BBAError("no answer")
        return super().decide(observation)

    def kernel_policy(self, played):
        return super().kernel_policy(played)


def test_after_a_step_that_failed_a_run_goes_on_with_what_the_agents_have_observed():
    game, single = (Game("open", "bayes", partner, 3, horizon=HORIZON) for partner in (Silent(), "switching"))
    game.advance()
    assert len(game.trace.ticks) == Silent.AT
    with pytest.raises(BBAError, match="no answer"):
        game.step()
    assert rows(game.run()) == rows(step_by_step(single))


def test_it_can_be_changed_between_runs_and_forked_and_replayed():
    config = BeliefConfig.model_validate({"filter": {"window": 9}, "gate": {"theta_obs": 0.3}})
    traces = []
    for advance in (Game.advance, lambda game, most=1: len(game.step()[:most])):
        game = made("bayes", "switching")
        while len(game.trace.ticks) < 70:
            advance(game, 70 - len(game.trace.ticks))
        while len(game.trace.ticks) < 80:
            game.step()
        game.reconfigure(0, config)
        game.time_out_skill(0)
        while not game.done:
            advance(game)
        traces.append(game.trace)
    assert [tick.decisions[0].skill for tick in traces[0].ticks] == [
        tick.decisions[0].skill for tick in traces[1].ticks
    ]
    assert rows(traces[0]) == rows(traces[1])
    assert rows(fork(traces[0], 90, fast=True).run()) == rows(traces[0])
    assert rows(Replay(record(traces[0]), fast=True).run()) == rows(traces[0])


def test_hypothetical_minds_is_not_asked_until_a_step_is_played_singly_and_goes_on_with_what_a_kernel_knew():
    agent = load_agent("hypothetical-minds")
    games = [Game("open", one, "switching", 3, horizon=240, fast=True) for one in (agent, "hypothetical-minds")]
    while len(games[0].trace.ticks) < 120:
        games[0].advance(120 - len(games[0].trace.ticks))
    assert not list(agent_decisions(games[0].trace.ticks, 0))
    while len(games[1].trace.ticks) < 120:
        games[1].step()
    for game in games:
        game.time_out_skill(0)
        game.step()
        game.advance()
    one, other = games[0].run(), step_by_step(games[1])
    Game("ring", agent, "switching", 3, horizon=20, fast=True).run()
    assert rows(one) == rows(other)
    assert rows(fork(one, 90, fast=True).run())[:120] == rows(one)[:120]


def test_a_skill_that_is_timed_out_where_the_partner_is_asked_is_chosen_anew():
    games = made("bayes", "bp:G1-1"), made("bayes", "bp:G1-1")
    while len(games[0].trace.ticks) < 60:
        games[0].advance()
    while len(games[1].trace.ticks) < len(games[0].trace.ticks):
        games[1].step()
    for game in games:
        game.time_out_skill(0)
    one, other = games[0].run(), step_by_step(games[1])
    assert [(tick.actions, tick.skills) for tick in one.ticks] == [(tick.actions, tick.skills) for tick in other.ticks]


def test_ticks_are_made_when_they_are_asked_for_and_stay_the_same():
    ticks = made("bayes", "switching").run().ticks
    assert isinstance(ticks, Ticks)
    assert ticks[40] is ticks[40]
    assert ticks[-1].step == len(ticks) == HORIZON
    assert [tick.step for tick in ticks[10:14]] == [11, 12, 13, 14]
    assert [tick.step for tick in pickle.loads(pickle.dumps(ticks))] == list(range(1, HORIZON + 1))
    with pytest.raises(IndexError):
        ticks[HORIZON]


@pytest.mark.parametrize(("ego", "partner"), [("bayes-commit", "switching"), ("talents", "bp:G2-1+locked")])
def test_steps_are_read_as_arrays_without_decoding_them_and_are_the_same(ego, partner, monkeypatch):
    trace = made(ego, partner, "ring").run()
    with monkeypatch.context() as patch:
        patch.setattr(Trajectory, "__getitem__", lambda *_: pytest.fail("a tick was decoded"))
        arrays, measures = step_arrays(trace.ticks), measure(trace)
        decisions = dict(agent_decisions(trace.ticks, 0))
    decoded = list(trace.ticks)
    for name, values in vars(step_arrays(decoded)).items():
        assert np.array_equal(values, getattr(arrays, name)), name
    assert measure(replace(trace, ticks=decoded)) == measures
    for index, decision in decisions.items():
        assert decision.chosen == decoded[index].decisions[0].chosen
        assert decision.policy == decoded[index].decisions[0].policy
    assert len(decisions) < len(decoded) / 2
    assert [len(part.skills) for part in (arrays[10:30], step_arrays(trace.ticks[10:30]))] == [20, 20]
    assert np.array_equal(arrays[10:30].states, step_arrays(trace.ticks[10:30]).states)


def test_no_steps_are_arrays_without_rows():
    assert len(step_arrays([])) == len(step_arrays(Ticks())) == 0
    assert role_changes(step_arrays([])) == []


def test_ticks_are_equal_to_a_list_and_grow_as_one_does():
    ticks = made("bayes", "switching").run().ticks
    single = Ticks(ticks[:3])
    single.append(ticks[3])
    assert single == ticks[:4] == list(single)
    assert Ticks() == []
