"""From a sweep to its episodes: every combination, and where each stands in the tables."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from bba.agents import OWN_POLICY, AgentOptions, NoWeights, Profile, load_agent
from bba.bench.episode import MODEL, Episode, PlannerSettings
from bba.bench.presets import EgoSpec, SettingVariant, Sweep
from bba.bench.provenance import code_digest, folder_digest, weights_digest
from bba.config import changed
from bba.errors import BBAError
from bba.kitchen import Layout

FEW = 4  # names that are listed one by one

Digests = dict[tuple[Layout, str], str | None]  # by kitchen and agent


class TableEntry(NamedTuple):
    """Where an episode stands in the tables of its sweep. Several cases may share one episode.

    Attributes:
        agent: who plays seat 0.
        planner: what plans for it, such as "scripted"; None if it has no planner.
        layout: the kitchen's name.
        group, partner: who plays seat 1, and the group it is counted with.
        variant: the label of the settings.
        seed: of everything random.
        key: the episode's.
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
        """What the ego is called in tables."""
        return label(self.agent, self.planner)


def label(agent: str, planner: str | None) -> str:
    """An agent and what plans for it: a scripted planner is never taken for a language model."""
    if planner is None:
        return agent
    return f"{agent} ({'scripted planner' if planner == 'scripted' else planner.removeprefix(MODEL)})"


@dataclass(slots=True)
class SweepPlan:
    """What a sweep asks for.

    Attributes:
        sweep: the sweep.
        cases: every combination, in the order of the sweep.
        episodes: the episodes by key, each once.
        left_out: what of the sweep cannot be played, a line each.
    """

    sweep: Sweep
    cases: list[TableEntry] = field(default_factory=list)
    episodes: dict[str, Episode] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def plan_sweep(sweep: Sweep, options: AgentOptions, *, one_model: bool = False) -> SweepPlan:
    """Every episode of a sweep.

    Args:
        sweep: what is to be played.
        options: of all agents; a variant changes the egos' parameters.
        one_model: let `options` name the language model, whichever the sweep names.

    Raises:
        BBAError: nothing of it can be played.
    """
    made, layouts = SweepPlan(sweep), [Layout.load(layout) for layout in sweep.layouts]
    digests = _digests(made, layouts, options)
    egos = _egos(sweep, as_named=options.planner == "openai" and not one_model)
    for ego, variant, layout in product(egos, sweep.variants, layouts):
        _add(made, ego, variant, layout, digests, options)
    if any(ego.agent == OWN_POLICY for ego in egos) and not any(case.agent == OWN_POLICY for case in made.cases):
        made.left_out.append(f"left out, only with its own kind: agent {OWN_POLICY}")
    if len(egos) < len(sweep.agents):
        made.left_out.append(f"one planner for all: the {len(sweep.agents)} agents are {len(egos)}, whatever the model")
    if not made.cases:
        raise BBAError(f"{sweep.name}: nothing to play; {'; '.join(made.left_out)}; try --partners switching")
    return made


def _digests(made: SweepPlan, layouts: list[Layout], options: AgentOptions) -> Digests:
    """With which weights everybody plays each layout; whoever has none for one is left out of it."""
    found: Digests = {}
    lacking: dict[str, list[str]] = {}
    for layout, name in product(layouts, made.sweep.players):
        try:
            found[layout, name] = weights_digest(name, layout, options)
        except NoWeights:
            lacking.setdefault(layout.name, []).append(name)
        except BBAError as error:
            made.left_out.append(f"left out: {error}")
    made.left_out += [f"left out, no weights for {layout}: {_listed(names)}" for layout, names in lacking.items()]
    return found


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{names[0]} … {names[-1]} ({len(names)})"


def _egos(sweep: Sweep, *, as_named: bool) -> list[EgoSpec]:
    """The egos, without their models (and then each once) where another planner plans for all."""
    return list(dict.fromkeys(ego if as_named else EgoSpec(agent=ego.agent) for ego in sweep.agents))


def _own(partner: str) -> bool:
    return partner.startswith(f"{OWN_POLICY}:")


def _add(
    made: SweepPlan, ego: EgoSpec, variant: SettingVariant, layout: Layout, digests: Digests, options: AgentOptions
) -> None:
    """Add what one ego plays under one variant in one kitchen."""
    for group, partners in made.sweep.partners.items():
        for partner in partners:
            name = partner if ego.agent == OWN_POLICY and _own(partner) else ego.agent
            if (layout, name) not in digests or (layout, partner) not in digests:
                continue
            seats = _seat(name, _tuned(options, ego, variant)), _seat(partner, options)
            weights = digests[layout, name], digests[layout, partner]
            for episode in _episodes(made.sweep, layout, seats, weights, variant, options):
                place = (layout.name, group, partner, variant.label, episode.seed)
                made.cases.append(TableEntry(ego.agent, seats[0].planner, *place, episode.key))
                made.episodes[episode.key] = episode


def _episodes(
    sweep: Sweep,
    layout: Layout,
    seats: tuple[Profile, Profile],
    weights: tuple[str | None, str | None],
    variant: SettingVariant,
    options: AgentOptions,
) -> Iterator[Episode]:
    for seed in range(sweep.first_seed, sweep.first_seed + sweep.seeds):
        yield Episode(
            layout=layout,
            seats=seats,
            seed=seed,
            horizon=sweep.horizon,
            mobility=sweep.mobility if variant.mobility is None else variant.mobility,
            skill_timeout=variant.skill_timeout or sweep.skill_timeout,
            planning=_planning(options),
            code=code_digest(),
            weights=weights,
        )


def _seat(name: str, options: AgentOptions) -> Profile:
    return load_agent(name, options).profile


def _tuned(options: AgentOptions, ego: EgoSpec, variant: SettingVariant) -> AgentOptions:
    """The options of one ego under one variant."""
    belief_config = options.belief_config.changed(variant.changes)
    model = changed(options.model, {"model": ego.model}) if options.model and ego.model else options.model
    return replace(options, belief_config=belief_config, model=model)


def _planning(options: AgentOptions) -> PlannerSettings:
    return PlannerSettings(
        history_turns=options.history_turns,
        retries=options.retries,
        prompts=folder_digest(options.prompts) if options.prompts else None,
        endpoint=options.model.endpoint if options.model else None,
        max_tokens=options.model.max_tokens if options.model else None,
    )
