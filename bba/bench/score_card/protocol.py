"""Protocols: frozen benchmarks, each a file in ``configs/protocols`` that is never edited."""

import json
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bba.agents import OWN_POLICY, AgentOptions
from bba.bench.episode import weights_digest
from bba.bench.presets import Name, OneLine, PartnerSettings, Sweep
from bba.config import EpisodeOptions, Options, Seed, SkillOptions
from bba.errors import BBAError, instead
from bba.files import checked, data_dir, hex_digest, read_toml
from bba.kitchen import Layout, layout_digest

PROTOCOL_FOLDER = "configs/protocols"
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class ProtocolSize(Options):
    """How many games a size of a protocol has: `seeds` for each kitchen and partner, from `first_seed` on."""

    first_seed: Seed
    seeds: Annotated[int, Field(ge=1, le=10_000)]


class Protocol(SkillOptions, EpisodeOptions):
    """A frozen benchmark: what is played, and what is measured. `measures` are those of `bba.analysis.measures`.

    Attributes:
        version: the name of its file.
        title: what it asks, one line.
        layouts: names of kitchens.
        partners: the players of seat 1: groups of partners by name.
        horizon, mobility, skill_timeout, partner_settings: as in `bba.bench.presets.Sweep`.
        measures: those of a card.
        sizes: by name.
        kitchens: the digest of each kitchen.
        weights: the digest of the weights of all partners in all kitchens.
    """

    version: Name
    title: OneLine
    layouts: Annotated[tuple[Name, ...], Field(min_length=1)]
    partners: Annotated[dict[Name, tuple[OneLine, ...]], Field(min_length=1)]
    partner_settings: dict[Name, PartnerSettings] = Field(default_factory=dict)
    measures: Annotated[tuple[Name, ...], Field(min_length=1)]
    sizes: Annotated[dict[Name, ProtocolSize], Field(min_length=1)]
    kitchens: dict[Name, str]
    weights: str

    @cached_property
    def digest(self) -> str:
        """16 hex digits: the digest of everything in its file."""
        text = json.dumps(self.model_dump(mode="json", exclude_unset=True), sort_keys=True, ensure_ascii=False)
        return hex_digest(text.encode())

    def size(self, name: str) -> ProtocolSize:
        """Returns a size by name.

        Raises:
            BBAError: there is no such size.
        """
        if name not in self.sizes:
            raise BBAError(f"{self.version}: no size {name!r}; {instead(name, self.sizes)}")
        return self.sizes[name]

    def sweep(self, size: str, agent: str) -> Sweep:
        """Returns what an agent plays as a sweep.

        Raises:
            BBAError: there is no such agent or size.
        """
        games = self.size(size)
        if agent == OWN_POLICY:
            raise BBAError(f"{self.version}: {agent} is another agent beside each partner; name one, as bp:G1-1")
        fields = {"title", "layouts", "partners", "partner_settings", "horizon", "mobility", "skill_timeout"}
        values = self.model_dump(include=fields)
        named = {"name": f"{self.version}-{size}", "agents": [agent]} | games.model_dump()
        return checked(Sweep, values | named, self.version)

    def places(self, size: str) -> set[tuple[str, str, str, int]]:
        """Returns layout, group, partner and seed of every game of a size."""
        games = self.size(size)
        return {
            (layout, group, partner, seed)
            for layout in self.layouts
            for group, partners in self.partners.items()
            for partner in partners
            for seed in range(games.first_seed, games.first_seed + games.seeds)
        }

    def check(self, weights: Path | None = None) -> None:
        """Checks that kitchens and partners are those of the protocol; `weights` is a folder of other weights.

        Raises:
            BBAError: one is not.
        """
        for name in self.layouts:
            if self.kitchens.get(name) != layout_digest(Layout.load(name)):
                raise BBAError(f"{self.version}: the kitchen {name} is not that of the protocol; it was edited")
        if partners_digest(self, weights) != self.weights:
            raise BBAError(f"{self.version}: the partners' weights are not those of the protocol")


def partners_digest(protocol: Protocol, weights: Path | None = None) -> str:
    """Returns 16 hex digits: the digest of the weights of all partners in all kitchens."""
    options, pairs = AgentOptions(weights=weights), product(protocol.layouts, chain(*protocol.partners.values()))
    lines = (f"{partner} {weights_digest(partner, Layout.load(layout), options)}\n" for layout, partner in pairs)
    return hex_digest("".join(lines).encode())


def protocol_names() -> list[str]:
    """Returns the names of the protocols, in alphabetical order."""
    return sorted(file.stem for file in data_dir(PROTOCOL_FOLDER).glob("*.toml"))


def load_protocol(name: str) -> Protocol:
    """Reads a protocol by name.

    Raises:
        BBAError: there is no such protocol, or a mistake in its file.
    """
    if name not in protocol_names():
        raise BBAError(f"no benchmark is named {name!r}; {instead(name, protocol_names())}")
    return read_toml(data_dir(PROTOCOL_FOLDER) / f"{name}.toml", Protocol, version=name)
