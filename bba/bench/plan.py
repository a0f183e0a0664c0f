"""Plans a sweep: all combinations of agents, partners, kitchens, settings and seeds, and their places in the tables."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from bba.agents import OWN_POLICY, AgentOptions, NoWeights, Profile, load_agent, unlocked
from bba.bench.episode import MODEL, Episode, PlannerSettings
from bba.bench.presets import EgoSpec, SettingVariant, Sweep
from bba.bench.provenance import code_digest, folder_digest, weights_digest
from bba.config import changed
from bba.errors import BBAError
from bba.kitchen import Layout

FEW = 4  # names that are listed one by one

Digests = dict[tuple[Layout, str], str | None]  # by kitchen and agent


class TableEntry(NamedTuple):
    """The place of an episode in the tables of its sweep. Several entries may share one episode.

    Attributes:
        agent: who plays seat 0.
        planner: what plans for it, as "scripted"; None if it has no planner.
        layout: the kitchen's name.
        group, partner: who plays seat 1, and the group of partners that it counts for.
        variant: the label of seat 0's settings.
        seed: the seed of everything random in the game.
        key: the key of the episode.
    """

    agent: str
    planner: str | None
    layout: str
    group: str
    partner: str
    variant: str
    seed: int
    key: str

    @property
    def label(self) -> str:
        """The ego's name in tables."""
        return label(self.agent, self.planner)


def label(agent: str, planner: str | None) -> str:
    """Returns an agent's name with its planner, so that the scripted planner is not taken for a language model."""
    if planner is None:
        return agent
    return f"{agent} ({'scripted planner' if planner == 'scripted' else planner.removeprefix(MODEL)})"


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
    episodes: dict[str, Episode] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def plan_sweep(sweep: Sweep, options: AgentOptions, *, one_model: bool = False) -> SweepPlan:
    """Returns every episode of a sweep.

    Args:
        sweep: the sweep.
        options: options of all agents; a variant changes the parameters of the egos.
        one_model: whether `options` name the language model, whatever the sweep names.

    Raises:
        BBAError: none of it can be played.
    """
    options = replace(options, ask=sweep.ask or options.ask)
    plan, layouts = SweepPlan(sweep), [Layout.load(layout) for layout in sweep.layouts]
    digests = _digests(plan, layouts, options)
    egos = _egos(sweep, as_named=options.planner == "openai" and not one_model)
    for ego, variant, layout in product(egos, sweep.variants, layouts):
        _add(plan, ego, variant, layout, digests, options)
    if any(ego.agent == OWN_POLICY for ego in egos) and not any(entry.agent == OWN_POLICY for entry in plan.entries):
        plan.left_out.append(f"left out, only with its own kind: agent {OWN_POLICY}")
    if len(egos) < len(sweep.agents):
        plan.left_out.append(f"one planner for all: the {len(sweep.agents)} agents are {len(egos)}, whatever the model")
    if not plan.entries:
        raise BBAError(f"{sweep.name}: nothing to play; {'; '.join(plan.left_out)}; try --partners switching")
    return plan


def _digests(plan: SweepPlan, layouts: list[Layout], options: AgentOptions) -> Digests:
    """Returns the digest of each agent's weights for each layout; leaves out agents of layouts without weights."""
    found: Digests = {}
    lacking: dict[str, list[str]] = {}
    for layout, name in product(layouts, plan.sweep.players):
        try:
            found[layout, name] = weights_digest(name, layout, options)
        except NoWeights:
            lacking.setdefault(layout.name, []).append(name)
        except BBAError as error:
            plan.left_out.append(f"left out: {error}")
    plan.left_out += [f"left out, no weights for {layout}: {_listed(names)}" for layout, names in lacking.items()]
    return found


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{names[0]} … {names[-1]} ({len(names)})"


def _egos(sweep: Sweep, *, as_named: bool) -> list[EgoSpec]:
    """Returns the egos, each once; without their models unless `as_named`, since one planner then plans for all."""
    egos = sweep.agents if as_named else (changed(ego, {"model": None}) for ego in sweep.agents)
    return list(dict.fromkeys(egos))


def _add(
    plan: SweepPlan, ego: EgoSpec, variant: SettingVariant, layout: Layout, digests: Digests, options: AgentOptions
) -> None:
    """Adds the episodes of one ego under one variant in one kitchen."""
    for group, partners in plan.sweep.partners.items():
        for partner in partners:
            name = unlocked(partner) if ego.agent == OWN_POLICY and partner.startswith(f"{OWN_POLICY}:") else ego.agent
            if (layout, name) not in digests or (layout, partner) not in digests:
                continue
            seats = _seat(name, _tuned(options, ego, variant)), _seat(partner, replace(options, trigger=None))
            weights = digests[layout, name], digests[layout, partner]
            for episode in _episodes(plan.sweep, layout, seats, weights, variant, options):
                place = (layout.name, group, partner, variant.label, episode.seed)
                plan.entries.append(TableEntry(ego.name, seats[0].planner, *place, episode.key))
                plan.episodes[episode.key] = episode


def _episodes(
    sweep: Sweep,
    layout: Layout,
    seats: tuple[Profile, Profile],
    weights: tuple[str | None, str | None],
    variant: SettingVariant,
    options: AgentOptions,
) -> Iterator[Episode]:
    """Yields an episode for each seed of a sweep."""
    for seed in range(sweep.first_seed, sweep.first_seed + sweep.seeds):
        yield Episode(
            layout=layout,
            seats=seats,
            seed=seed,
            horizon=sweep.horizon,
            mobility=sweep.mobility if variant.mobility is None else variant.mobility,
            skill_timeout=variant.skill_timeout or sweep.skill_timeout,
            planning=PlannerSettings(
                history_turns=options.history_turns,
                retries=options.retries,
                prompts=folder_digest(options.prompts) if options.prompts else None,
                endpoint=options.model.endpoint if options.model else None,
                max_tokens=options.model.max_tokens if options.model else None,
            ),
            code=code_digest(),
            weights=weights,
        )


def _seat(name: str, options: AgentOptions) -> Profile:
    return load_agent(name, options).profile


def _tuned(options: AgentOptions, ego: EgoSpec, variant: SettingVariant) -> AgentOptions:
    """Returns the options of one ego under one variant."""
    belief_config = options.belief_config.changed(variant.changes)
    model = changed(options.model, {"model": ego.model}) if options.model and ego.model else options.model
    trigger, ask = ego.trigger or variant.trigger or options.trigger, variant.ask or options.ask
    return replace(options, belief_config=belief_config, model=model, trigger=trigger, ask=ask)
