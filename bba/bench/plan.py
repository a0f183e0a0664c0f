"""Plans a sweep: all combinations of agents, partners, kitchens, settings and seeds, and their places in the tables.

Where older results are kept on purpose, episodes that other code has played stand for those of this code.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from bba.agents import (
    AGENT_VARIANTS,
    DESCRIPTIONS,
    HYPOTHETICAL_MINDS,
    LEARNED_PARTNERS,
    MODEL_PLANNERS,
    MODEL_SIGN,
    OWN_POLICY,
    ROLLOUT,
    SCRATCH_PARTNERS,
    TRIGGERS,
    NoWeights,
    SeatSpec,
    is_plugin_planner,
    load_agent,
    merge,
    model_of,
    unlocked,
)
from bba.agents.learned.families import RESPONSE
from bba.analysis.plugin_measures import plugin_measure
from bba.bench.episode import (
    Episode,
    PlannerSettings,
    TableEntry,
    code_digest,
    label,
    prompts_digest,
    weights_digest,
)
from bba.bench.names import OWN_PLANNERS
from bba.bench.presets import EVERY_MODEL, Sweep
from bba.bench.sweep_parts import NO_SETTINGS, EgoSpec, SettingVariant
from bba.config import Ask, changed
from bba.errors import BBAError, seeds_from
from bba.kitchen import Layout
from bba.planner.model_options import more_sampling

FEW = 4  # names that are listed one by one


class PlannedEpisodes(Mapping[str, Episode]):
    """Episodes by key, each once. Of those that differ only in their seed, one is kept, and each is made when asked."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[Episode, int]] = {}

    def add(self, episode: Episode, seed: int) -> str:
        """Adds an episode as it is with this seed; returns its key."""
        key = episode.spec_text.key(seed)
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
        left_out: the parts of the sweep that cannot be played, one line each.
    """

    sweep: Sweep
    entries: list[TableEntry] = field(default_factory=list)
    episodes: PlannedEpisodes = field(default_factory=PlannedEpisodes)
    left_out: list[str] = field(default_factory=list)


def plan_sweep(sweep: Sweep, base: SeatSpec, *, one_model: bool = False, repeats: int = 1) -> SweepPlan:
    """Returns every episode of a sweep.

    Args:
        sweep: the sweep.
        base: what all seats share; variants and egos change theirs.
        one_model: whether `base` names the language model, whatever the sweep names.
        repeats: how often each game with a language model is played.

    Raises:
        BBAError: none of it can be played, or the rollout planner has a budget in milliseconds.
    """
    if base.rollout.budget_ms is not None:
        raise BBAError("budget-ms: not in benchmarks, whose results could not be repeated; take futures")
    base = in_condition(base, sweep)
    plan = SweepPlan(sweep)
    layouts = [Layout.load(layout) for layout in sweep.layouts]
    digests = _WeightDigests()
    as_named = base.planner in MODEL_PLANNERS and not one_model
    models = _models(sweep, base, as_named=as_named)
    egos = _egos(sweep, models, as_named=as_named)
    groups = dict(_partner_groups(sweep, models))
    for ego, variant, layout, repeat in product(egos, sweep.variants, layouts, range(1, repeats + 1)):
        _add_episodes(plan, ego, groups, variant, layout, digests, base, repeat)
    plan.left_out += digests.left_out
    if any(ego.agent == OWN_POLICY for ego in egos) and not any(entry.agent == OWN_POLICY for entry in plan.entries):
        plan.left_out.append(f"left out, only with its own kind: agent {OWN_POLICY}")
    if len(egos) < len(sweep.agents) and not models:
        plan.left_out.append(f"one planner for all: the {len(sweep.agents)} agents are {len(egos)}, whatever the model")
    if not plan.entries:
        raise BBAError(f"{sweep.name}: nothing to play; {'; '.join(plan.left_out)}; try --partners switching")
    return plan


def in_condition(base: SeatSpec, sweep: Sweep) -> SeatSpec:
    """Returns what is said of all seats with the condition of a sweep, unless it names one itself.

    Who plays the episodes of a plan takes the same.
    """
    return replace(base, condition=base.condition or sweep.condition)


class _WeightDigests:
    """The digests of the weights of all players, read once; notes which are lacking."""

    def __init__(self) -> None:
        self._digests: dict[tuple[Layout, str, str, str], str | BBAError | None] = {}

    def digest(self, seat: SeatSpec, layout: Layout) -> str | None:
        """Returns the digest of the weights of a seat's player on a layout; None if it needs none.

        Raises:
            BBAError: it needs some, and there are none, or they cannot be played.
        """
        key = (layout, str(seat.agent), seat.planner, seat.beliefs.filter.prior)
        if key not in self._digests:
            try:
                self._digests[key] = weights_digest(seat, layout)
            except BBAError as error:
                self._digests[key] = error
        digest = self._digests[key]
        if isinstance(digest, BBAError):
            raise digest.with_traceback(None)
        return digest

    @property
    def left_out(self) -> list[str]:
        """The agents and kitchens that cannot be played, one line each."""
        unusable: list[str] = []
        lacking: dict[str, list[str]] = {}
        for (layout, name, planner, _), digest in self._digests.items():
            if isinstance(digest, NoWeights):
                simulates = name in AGENT_VARIANTS and planner == ROLLOUT
                player = label(name, ROLLOUT if simulates else None)
                lacking.setdefault(layout.name, []).append(player)
            elif isinstance(digest, BBAError):
                unusable.append(f"left out: {digest}")
        lines = list(dict.fromkeys(unusable))
        for layout_name, players in lacking.items():
            lines.append(f"left out, no weights for {layout_name}: {_in_words(players)}")
        return lines


def _in_words(players: Iterable[str]) -> str:
    """Returns the names of players, each once; of many, the first and the last."""
    names = list(dict.fromkeys(players))
    if len(names) <= FEW:
        return ", ".join(names)
    return f"{names[0]} … {names[-1]} ({len(names)})"


def _models(sweep: Sweep, base: SeatSpec, *, as_named: bool) -> tuple[str, ...]:
    """Returns the planners of every ego: the sweep's models, or those that need no key and that of the base."""
    if as_named or not sweep.models:
        return sweep.models
    models = [name for name in sweep.models if name in OWN_PLANNERS]
    if base.planner in MODEL_PLANNERS and base.model:
        models.append(base.model.model)
    return tuple(models)


def _egos(sweep: Sweep, models: Collection[str], *, as_named: bool) -> list[EgoSpec]:
    """Returns the egos, each once; without their models unless `as_named`, since one planner then plans for all.

    Args:
        sweep: the sweep.
        models: the planners of every ego; none where there is one for all, or where the egos name theirs.
        as_named: whether the egos keep the models that they name.
    """
    egos = list(sweep.agents)
    if models or not as_named:
        egos = [changed(ego, {"model": None}) for ego in egos]
    if models:
        egos = [_planned_ego(ego, model) for ego, model in product(egos, models)]
    return list(dict.fromkeys(egos))


def _planned_ego(ego: EgoSpec, model: str) -> EgoSpec:
    """Returns the ego with this language model, or with this planner that needs no key."""
    field_name = "planner" if model in OWN_PLANNERS else "model"
    return changed(ego, {field_name: model})


def _partner_groups(sweep: Sweep, models: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the groups of partners by name; where partners are played with every model, a group for each."""
    for group, partners in sweep.partners.items():
        if not models or not any(partner.endswith(EVERY_MODEL) for partner in partners):
            yield group, tuple(partner.removesuffix(EVERY_MODEL) for partner in partners)
            continue
        for model in models:
            yield model, tuple(_partner_of_model(partner, model) for partner in partners)


def _partner_of_model(partner: str, model: str) -> str:
    """Returns a partner that is played with every model, as it is named with this one; others stay as they are."""
    if not partner.endswith(EVERY_MODEL):
        return partner
    return f"{partner.removesuffix(EVERY_MODEL)}{MODEL_SIGN}{model}"


def _add_episodes(
    plan: SweepPlan,
    ego: EgoSpec,
    groups: Mapping[str, tuple[str, ...]],
    variant: SettingVariant,
    layout: Layout,
    digests: _WeightDigests,
    base: SeatSpec,
    repeat: int,
) -> None:
    """Adds the episodes of one ego under one variant in one kitchen; repeated are those with a language model."""
    sweep = plan.sweep
    for group, partners in groups.items():
        for partner in partners:
            episode = _episode(sweep, ego, group, partner, variant, layout, digests, base, repeat)
            if episode is None:
                continue
            for seed in seeds_from(sweep.first_seed, sweep.seeds):
                entry = TableEntry(
                    agent=ego.name,
                    planner=episode.seats[0].planner,
                    layout=layout.name,
                    group=group,
                    partner=partner,
                    variant=variant.label,
                    seed=seed,
                    key=plan.episodes.add(episode, seed),
                )
                plan.entries.append(entry)


def _episode(
    sweep: Sweep,
    ego: EgoSpec,
    group: str,
    partner: str,
    variant: SettingVariant,
    layout: Layout,
    digests: _WeightDigests,
    base: SeatSpec,
    repeat: int,
) -> Episode | None:
    """Returns the episode of an ego with a partner, with the last seed; None where it is not played.

    That is so where weights are lacking, as `digests.left_out` says, for an ego that plays with its own kind only, and
    for a repetition without a language model.
    """
    seat = _asked_as(sweep, ego_seat(base, ego, variant), variant.ask)
    if ego.agent == OWN_POLICY and unlocked(partner) in LEARNED_PARTNERS:
        seat = seat.of_agent(unlocked(partner))
    elif ego.agent == OWN_POLICY and partner in SCRATCH_PARTNERS:
        seat = seat.of_agent(f"{partner}{RESPONSE}")
    if seat.agent == OWN_POLICY:
        return None
    settings = sweep.partner_settings.get(group, NO_SETTINGS)
    partner_name, _, model = partner.partition(MODEL_SIGN)
    plugin_options = dict(sweep.partner_options.get(partner, ()))
    shared = base.as_partner(plugin_options).planned_by(model)
    partner_seat = _asked_as(sweep, merge(shared, {"agent": partner_name, "schedule": settings.schedule}))
    try:
        ego_weights = digests.digest(seat, layout)
        partner_weights = digests.digest(partner_seat, layout)
    except BBAError:
        return None
    ego_profile = load_agent(seat).profile
    partner_profile = load_agent(partner_seat).profile
    if repeat > 1 and not (model_of(ego_profile.planner) or model_of(partner_profile.planner)):
        return None
    changes = variant.changes
    return Episode(
        layout=layout,
        seats=(ego_profile, partner_profile),
        seed=sweep.first_seed + sweep.seeds - 1,
        horizon=sweep.horizon,
        mobility=settings.mobility_of_seats(changes.get("mobility", sweep.mobility)),
        skill_timeout=changes.get("skill_timeout", sweep.skill_timeout),
        planning=_planning(seat, partner_seat, repeat),
        code=code_digest(),
        weights=(ego_weights, partner_weights),
        measures=tuple(plugin_measure(name).used for name in sweep.own_measures),
    )


def _asked_as(sweep: Sweep, seat: SeatSpec, of_variant: Ask | None = None) -> SeatSpec:
    """Returns a seat that is asked again when the sweep says, unless its variant or the condition of its model does."""
    has_condition = seat.condition is not None and seat.planner in MODEL_PLANNERS
    if of_variant is not None or has_condition:
        return seat
    return replace(seat, ask=sweep.ask or seat.ask)


def _planning(ego: SeatSpec, partner: SeatSpec, repeat: int) -> PlannerSettings:
    """Returns how the planners of both seats are asked; the endpoint is the ego's if a language model plans for it."""
    ego_model = ego.model if ego.planner in MODEL_PLANNERS else None
    partner_model = partner.model if partner.planner in MODEL_PLANNERS else None
    model = ego_model or partner_model
    prompt_layout = ego.effective_prompt_layout
    if ego_model is None and partner_model is not None:
        prompt_layout = partner.effective_prompt_layout
    sampling = None
    if model is not None:
        sampling = more_sampling(changed(model, {"repeat": repeat}))
    if ego_model is not None and partner_model is not None:
        partner_sampling = more_sampling(partner_model)
        if (ego_model.endpoint, more_sampling(ego_model)) != (partner_model.endpoint, partner_sampling):
            sampling_of_both = json.loads(sampling or "{}")
            sampling_of_both["partner"] = {"endpoint": partner_model.shown_endpoint, "sampling": partner_sampling}
            sampling = json.dumps(sampling_of_both, sort_keys=True)
    return PlannerSettings(
        history_turns=ego.history_turns,
        retries=ego.retries,
        prompt_layout=prompt_layout,
        prompts=prompts_digest(ego.prompts, prompt_layout),
        endpoint=model.shown_endpoint if model else None,
        max_tokens=model.max_tokens if model else None,
        sampling=sampling,
    )


def ego_seat(base: SeatSpec, ego: EgoSpec, variant: SettingVariant) -> SeatSpec:
    """Returns the seat of one ego under one variant: what the ego says counts before the variant, that before the base.

    Options of plug-ins that are not the ego's own do not concern agents, planners and triggers of ours.
    """
    if ego.planner is None and ego.model is not None:
        base = base.planned_by(ego.model)
    planner = ego.planner or base.planner
    named_its_model = ego.planner is None and ego.model is not None
    if ego.agent == HYPOTHETICAL_MINDS.name and planner == ROLLOUT and not named_its_model:
        planner = "scripted"  # it needs a planner that reads prompts; the tables name the planner
    trigger = ego.trigger or variant.trigger or base.trigger

    of_variant = variant.of_seat
    if ego.agent in DESCRIPTIONS:
        base = replace(base, agent_options={})
        del of_variant["agent_options"]
    if ego.planner is not None:
        base = replace(base, planner_options={})
    if not is_plugin_planner(planner):
        del of_variant["planner_options"]
    if trigger is None or trigger in TRIGGERS:
        base = replace(base, trigger_options={})
        del of_variant["trigger_options"]
    return merge(base, of_variant, ego.of_seat, {"planner": planner})


def with_accepted(plan: SweepPlan, finished: Collection[str], codes: Collection[str]) -> SweepPlan:
    """Returns the plan with the finished episodes of other code in the place of the same episodes of this code.

    Args:
        plan: the sweep as this code would play it.
        finished: the keys of the episodes that are stored and did not fail.
        codes: the digests of the code whose results are accepted, the best first.
    """
    older_by_kind: dict[int, list[Episode]] = {}
    for kind in plan.episodes.kinds():
        older_by_kind[id(kind)] = [kind.of_code(code) for code in codes]
    episodes = PlannedEpisodes()
    accepted_keys = dict[str, str]()
    for key, (kind, seed) in plan.episodes.places():
        accepted = kind
        if key not in finished:
            accepted = _first_finished(older_by_kind[id(kind)], seed, finished) or kind
        accepted_keys[key] = episodes.add(accepted, seed)
    entries = [entry._replace(key=accepted_keys[entry.key]) for entry in plan.entries]
    return replace(plan, entries=entries, episodes=episodes)


def _first_finished(candidates: Iterable[Episode], seed: int, finished: Collection[str]) -> Episode | None:
    """Returns the first of these episodes that is finished with this seed."""
    for candidate in candidates:
        if candidate.spec_text.key(seed) in finished:
            return candidate
    return None
