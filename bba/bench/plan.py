"""Plans a sweep: all combinations of agents, partners, kitchens, settings and seeds, and their places in the tables.

Where older results are kept on purpose, episodes that other code has played stand for those of this code.
"""

import json
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

from bba.agents import (
    AGENT_VARIANTS,
    DESCRIPTIONS,
    HYPOTHETICAL_MINDS,
    MODEL_PLANNERS,
    MODEL_SIGN,
    OWN_POLICY,
    ROLLOUT,
    TRIGGERS,
    AgentOptions,
    NoWeights,
    is_plugin_planner,
    load_agent,
    model_of,
    unlocked,
)
from bba.analysis.plugin_measures import plugin_measure
from bba.bench.episode import (
    Episode,
    PlannerSettings,
    TableEntry,
    code_digest,
    folder_digest,
    key_of,
    label,
    weights_digest,
)
from bba.bench.presets import (
    EVERY_MODEL,
    NO_SETTINGS,
    OWN_PLANNERS,
    EgoSpec,
    SettingVariant,
    Sweep,
)
from bba.bench.statistics import grouped
from bba.config import BELIEF_OPTIONS, changed
from bba.errors import BBAError, seeds_from
from bba.kitchen import Layout
from bba.planner.llm.model_options import more_sampling
from bba.play.oracle import Truth
from bba.plugins.used import OptionValues

FEW = 4  # names that are listed one by one


class PlannedEpisodes(Mapping[str, Episode]):
    """Episodes by key, each once. Of those that differ only in their seed, one is kept, and each is made when asked."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[Episode, int]] = {}

    def add(self, episode: Episode, seed: int) -> str:
        """Adds an episode as it is with this seed; returns its key."""
        key = key_of(episode.around_seed, seed)
        self._places[key] = episode, seed
        return key

    def places(self) -> Iterable[tuple[str, tuple[Episode, int]]]:
        """Yields each key with the episode that is kept and the seed."""
        return self._places.items()

    def kinds(self) -> list[Episode]:
        """Returns the episodes that are kept: one of all that differ only in their seed."""
        return list({id(episode): episode for episode, _ in self._places.values()}.values())

    def __getitem__(self, key: str) -> Episode:
        episode, seed = self._places[key]
        return episode.of_seed(seed, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(slots=True)
class SweepPlan:
    """The episodes of a sweep.

    Attributes:
        sweep: the sweep.
        entries: every combination, in the order of the sweep.
        episodes: the episodes by key, each once.
        left_out: what of the sweep cannot be played, one line each.
    """

    sweep: Sweep
    entries: list[TableEntry] = field(default_factory=list)
    episodes: PlannedEpisodes = field(default_factory=PlannedEpisodes)
    left_out: list[str] = field(default_factory=list)


def plan_sweep(sweep: Sweep, options: AgentOptions, *, one_model: bool = False, repeats: int = 1) -> SweepPlan:
    """Returns every episode of a sweep.

    Args:
        sweep: the sweep.
        options: options of all agents; a variant changes the parameters of the egos.
        one_model: whether `options` name the language model, whatever the sweep names.
        repeats: how often each game with a language model is played.

    Raises:
        BBAError: none of it can be played, or the rollout planner has a budget in milliseconds.
    """
    if options.rollout.budget_ms is not None:
        raise BBAError("budget-ms: not in benchmarks, whose results could not be repeated; take futures")
    options = replace(options, ask=sweep.ask or options.ask)
    plan = SweepPlan(sweep)
    layouts = [Layout.load(layout) for layout in sweep.layouts]
    digests = _WeightDigests()
    as_named = options.planner in MODEL_PLANNERS and not one_model
    models = _models(sweep, options, as_named=as_named)
    egos = _egos(sweep, models, as_named=as_named)
    groups = dict(_groups(sweep, models))
    for ego, variant, layout, repeat in product(egos, sweep.variants, layouts, range(1, repeats + 1)):
        _add(plan, ego, groups, variant, layout, digests, options, repeat)
    plan.left_out += digests.left_out
    if any(ego.agent == OWN_POLICY for ego in egos) and not any(entry.agent == OWN_POLICY for entry in plan.entries):
        plan.left_out.append(f"left out, only with its own kind: agent {OWN_POLICY}")
    if len(egos) < len(sweep.agents) and not models:
        plan.left_out.append(f"one planner for all: the {len(sweep.agents)} agents are {len(egos)}, whatever the model")
    if not plan.entries:
        raise BBAError(f"{sweep.name}: nothing to play; {'; '.join(plan.left_out)}; try --partners switching")
    return plan


class _WeightDigests:
    """The digests of the weights of all players, read once; notes which are lacking."""

    def __init__(self) -> None:
        self._found: dict[tuple[Layout, str, str, str], str | BBAError | None] = {}

    def of(self, name: str, layout: Layout, options: AgentOptions) -> str | None:
        """Returns the digest of a player's weights on a layout; None if it needs none.

        Raises:
            BBAError: it needs some, and there are none, or they cannot be played.
        """
        key = layout, name, options.planner, options.beliefs.filter.prior
        if key not in self._found:
            try:
                self._found[key] = weights_digest(name, layout, options)
            except BBAError as error:
                self._found[key] = error
        if isinstance(found := self._found[key], BBAError):
            raise found.with_traceback(None)
        return found

    @property
    def left_out(self) -> list[str]:
        """What cannot be played, one line each."""
        failed = [(key, error) for key, error in self._found.items() if isinstance(error, BBAError)]
        unusable = dict.fromkeys(f"left out: {error}" for _, error in failed if not isinstance(error, NoWeights))
        lacking = grouped(
            (layout.name, label(name, ROLLOUT if name in AGENT_VARIANTS and planner == ROLLOUT else None))
            for (layout, name, planner, _), error in failed
            if isinstance(error, NoWeights)
        )
        return [*unusable, *(f"left out, no weights for {name}: {_listed(them)}" for name, them in lacking.items())]


def _listed(players: Iterable[str]) -> str:
    names = list(dict.fromkeys(players))
    return ", ".join(names) if len(names) <= FEW else f"{names[0]} … {names[-1]} ({len(names)})"


def _models(sweep: Sweep, options: AgentOptions, *, as_named: bool) -> tuple[str, ...]:
    """Returns what plans for every ego: the sweep's models, or those that need no key and the one of the options."""
    if as_named or not sweep.models:
        return sweep.models
    one = [options.model.model] if options.planner in MODEL_PLANNERS and options.model else []
    return (*(name for name in sweep.models if name in OWN_PLANNERS), *one)


def _egos(sweep: Sweep, models: Collection[str], *, as_named: bool) -> list[EgoSpec]:
    """Returns the egos, each once; without their models unless `as_named`, since one planner then plans for all.

    Args:
        sweep: the sweep.
        models: what plans for every ego; none where one planner does, or those that the egos name.
        as_named: whether the egos keep the models that they name.
    """
    egos = sweep.agents if as_named and not models else [changed(ego, {"model": None}) for ego in sweep.agents]
    planned = [("planner" if name in OWN_PLANNERS else "model", name) for name in models]
    return list(dict.fromkeys([changed(ego, {key: name}) for ego in egos for key, name in planned] or egos))


def _groups(sweep: Sweep, models: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the groups of partners by name; where partners are played with every model, a group for each."""
    for group, partners in sweep.partners.items():
        if not models or not any(partner.endswith(EVERY_MODEL) for partner in partners):
            yield group, tuple(partner.removesuffix(EVERY_MODEL) for partner in partners)
            continue
        for model in models:
            named = f"{MODEL_SIGN}{model}"
            yield (
                model,
                tuple(one.removesuffix(EVERY_MODEL) + named * one.endswith(EVERY_MODEL) for one in partners),
            )


def _add(
    plan: SweepPlan,
    ego: EgoSpec,
    groups: Mapping[str, tuple[str, ...]],
    variant: SettingVariant,
    layout: Layout,
    digests: _WeightDigests,
    options: AgentOptions,
    repeat: int,
) -> None:
    """Adds the episodes of one ego under one variant in one kitchen; repeated are those with a language model."""
    for group, partners in groups.items():
        settings = plan.sweep.partner_settings.get(group, NO_SETTINGS)
        for partner in partners:
            name = unlocked(partner) if ego.agent == OWN_POLICY and partner.startswith(f"{OWN_POLICY}:") else ego.agent
            if name == OWN_POLICY:
                continue
            own = tuned(options, ego, variant)
            agent, _, model = partner.partition(MODEL_SIGN)
            plain = _planned_by(options.of_partner(dict(plan.sweep.partner_options.get(partner, ()))), model)
            plain = replace(plain, schedule=settings.schedule or options.schedule)
            try:
                weights = digests.of(name, layout, own), digests.of(agent, layout, plain)
            except BBAError:
                continue  # `left_out` says so
            seats = load_agent(name, own).profile, load_agent(agent, plain).profile
            if repeat > 1 and not any(model_of(seat.planner) for seat in seats):
                continue
            episode = Episode(
                layout=layout,
                seats=seats,
                seed=plan.sweep.first_seed + plan.sweep.seeds - 1,
                horizon=plan.sweep.horizon,
                mobility=settings.beside(plan.sweep.mobility if variant.mobility is None else variant.mobility),
                skill_timeout=variant.skill_timeout or plan.sweep.skill_timeout,
                planning=_planning(own, plain, repeat),
                code=code_digest(),
                weights=weights,
                measures=tuple(plugin_measure(name).used for name in plan.sweep.own_measures),
            )
            place = (ego.name, seats[0].planner, layout.name, group, partner, variant.label)
            for seed in seeds_from(plan.sweep.first_seed, plan.sweep.seeds):
                plan.entries.append(TableEntry(*place, seed, plan.episodes.add(episode, seed)))


def _planning(ego: AgentOptions, partner: AgentOptions, repeat: int) -> PlannerSettings:
    """Returns how the planners of both seats are asked; the endpoint is the ego's if a language model plans for it."""
    asked = [seat for seat in (ego, partner) if seat.planner in MODEL_PLANNERS and seat.model]
    models = [seat.model for seat in asked if seat.model]
    first = changed(models[0], {"repeat": repeat}) if models else None
    sampling = more_sampling(first) if first else None
    if len({(model.endpoint, more_sampling(model)) for model in models}) > 1:
        other = {"partner": {"endpoint": models[1].shown_endpoint, "sampling": more_sampling(models[1])}}
        sampling = json.dumps(json.loads(sampling or "{}") | other, sort_keys=True)
    return PlannerSettings(
        history_turns=ego.history_turns,
        retries=ego.retries,
        prompt_layout=(asked[0] if asked else ego).places,
        prompts=folder_digest(ego.prompts) if ego.prompts else None,
        endpoint=first.shown_endpoint if first else None,
        max_tokens=first.max_tokens if first else None,
        sampling=sampling,
    )


def _planned_by(options: AgentOptions, model: str | None) -> AgentOptions:
    """Returns the options of a seat with its own model, or a planner that needs no key; the same without one."""
    if model in OWN_PLANNERS:
        return replace(options, planner=model)
    return options.of_model(model) if model and options.planner in MODEL_PLANNERS else options


def tuned(options: AgentOptions, ego: EgoSpec, variant: SettingVariant) -> AgentOptions:
    """Returns the options of one ego under one variant: its own count before the variant's, these before all egos'."""
    planner = ego.planner or options.planner
    if ego.agent == HYPOTHETICAL_MINDS.name and planner == ROLLOUT:
        planner = "scripted"  # it needs a planner that reads prompts; the tables name the planner
    trigger = ego.trigger or variant.trigger or options.trigger
    if ego.planner is None:
        options = _planned_by(options, ego.model)
        planner = options.planner if ego.model else planner
    # Options of plug-ins that are not the ego's own do not concern agents, planners and triggers of ours.
    agents = ego.agent not in DESCRIPTIONS
    planners = is_plugin_planner(planner)
    triggers = trigger not in (None, *TRIGGERS)
    of_belief = {name: value for name, value in variant.changes.items() if name in BELIEF_OPTIONS}
    return replace(
        options,
        planner=planner,
        trigger=trigger,
        ask=variant.ask or options.ask,
        belief_changes={**options.belief_changes, **of_belief, **({"belief": ego.belief} if ego.belief else {})},
        oracle=Truth().model_of if ego.knows else None,  # the game's own takes its place
        knows=ego.knows or "policy",
        agent_options=_merged(agents and options.agent_options, agents and variant.agent_options, ego.options),
        planner_options=_merged(
            ego.planner is None and options.planner_options, planners and variant.planner_options, ego.planner_options
        ),
        trigger_options=_merged(
            triggers and options.trigger_options, triggers and variant.trigger_options, ego.trigger_options
        ),
        partner_model=ego.partner_model or variant.partner_model or options.partner_model,
        partner_model_options=_merged(
            options.partner_model_options, variant.partner_model_options, ego.partner_model_options
        ),
    )


def _merged(*tables: Mapping[str, Any] | OptionValues | Literal[False] | None) -> dict[str, Any]:
    """Returns the options of several tables; the last one counts that has an option."""
    return dict(ChainMap(*(dict(table or ()) for table in reversed(tables))))


def with_accepted(plan: SweepPlan, finished: Collection[str], codes: Collection[str]) -> SweepPlan:
    """Returns the plan with the finished episodes of other code in the place of the same episodes of this code.

    Args:
        plan: the sweep as this code would play it.
        finished: the keys of the episodes that are stored and did not fail.
        codes: the digests of the code whose results are accepted, the best first.
    """
    older = {id(kind): [kind.of_code(code) for code in codes] for kind in plan.episodes.kinds()}
    taken = PlannedEpisodes()
    keys = dict[str, str]()
    for key, (kind, seed) in plan.episodes.places():
        others = () if key in finished else older[id(kind)]
        keys[key] = taken.add(next((one for one in others if key_of(one.around_seed, seed) in finished), kind), seed)
    entries = [entry._replace(key=keys[entry.key]) for entry in plan.entries]
    return replace(plan, entries=entries, episodes=taken)
