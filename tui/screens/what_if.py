"""What if: the dialog that plays on from a step of a game in another way.

A fork changes the ego's agent, parameters of belief and gates, or what stands in the belief's place: an oracle, to see
what knowing the truth would have been worth; or it is a preset.
"""

from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Select, Static

from bba import palette
from bba.agents import (
    HUMAN,
    Profile,
    agent_names,
    describe_agent,
    load_agent,
)
from bba.agents.planning_agent import trigger_of
from bba.analysis import names
from bba.config import TUNABLE_PARAMETERS, BeliefConfig, Knowledge, parameters_for
from bba.play import EGO, PARTNER, ForkPreset, fork, fork_presets
from human.keymap import FORM_KEYS, WHAT_IF_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import Dialog
from tui.style import BackgroundTask, bindings, key_of
from tui.widgets.form_fields import (
    ChoiceField,
    NumberField,
    OptionSelect,
    all_valid,
)
from tui.widgets.panel import cooks_on, titled

GENERAL = 5  # presets that are not about the partner's role
CLOSES = "esc closes"
NO_PARAMETERS = "no belief, no parameters"
# what the ego and its gates go by
BELIEF = "its belief about the partner"
TRUTH = "what the partner really does"
EXPLANATIONS = {parameter.name: parameter.explanation for parameter in TUNABLE_PARAMETERS} | {
    "agent": "the agent that plays on as the ego, cook 1, from this step on",
    "knows": "the ego's own belief, or the truth: what would it be worth to know it?",
}
ORACLES: dict[str, Knowledge] = {TRUTH: "policy", "the partner's true role": "role", "the partner's true rule": "rule"}


class ForkDialog(Dialog[PlaybackSource]):
    """Asks what a fork changes, then replays the shared steps in a thread; returns the fork, or None if cancelled.

    Args:
        source: the game.
        step: how many of its steps the fork shares.
    """

    SITUATION = "in what if"

    BINDINGS = bindings((*FORM_KEYS, *WHAT_IF_KEYS), priority=False)  # digits are also typed, into the fields
    AUTO_FOCUS = "#agent"

    def __init__(self, source: PlaybackSource, step: int) -> None:
        super().__init__()
        self._source = source
        self._step = step
        self._seats = source.trace.config_at(step + 1).seats
        ego = self._seats[EGO]
        config = ego.belief_config or source.trace.first_belief_config(EGO)
        self._belief_config = BeliefConfig() if config is None else config
        self._choice = OptionSelect("agent", _agents_to_go_on(ego), ego.agent)
        knowledge = BELIEF
        for label, oracle in ORACLES.items():
            if oracle == ego.knows:
                knowledge = label
        has_rules = self._belief_config.filter.over_types
        oracles = [*ORACLES] if has_rules else [TRUTH]
        self._knows = OptionSelect("knows", [BELIEF, *oracles], knowledge)
        self._numbers = list[NumberField]()
        for parameter in TUNABLE_PARAMETERS:
            value = parameter.of(self._belief_config)
            field = NumberField(parameter.name, value, parameter.info.step, parameter.title, value)
            self._numbers.append(field)
        self._trigger = trigger_of(ego)
        self._all = False  # whether more parameters than the first few are shown
        self._presets = [_in_everyday_words(preset) for preset in fork_presets(source.trace, step, source.options)]
        self._background: BackgroundTask[PlaybackSource] = BackgroundTask(self.call_later)

    def compose(self) -> ComposeResult:
        title = f"what if, from step {self._step} on"
        if self._is_before_replan():
            title += ", before the replan"
        with titled(Vertical(id="otherwise"), title, CLOSES):
            yield from self._preset_rows()
            yield ChoiceField("ego", self._choice, palette.COOK_COLOURS[EGO], self._choice.chosen)
            yield Static(id="who", markup=False)
            yield ChoiceField("goes by", self._knows, usual=self._knows.chosen)
            yield Vertical(*self._numbers, id="numbers")
            yield Button("more", id="more-numbers", compact=True)
            yield Static(id="under-way", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Play on", id="play-on", variant="success", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def _is_before_replan(self) -> bool:
        ticks = self._source.trace.ticks
        return self._step < len(ticks) and ticks[self._step].decisions[EGO].replanned

    def _preset_rows(self) -> ComposeResult:
        """Yields the presets as buttons: general ones, then the roles that the partner can turn to."""
        buttons: list[Button] = []
        for number, (entry, preset) in enumerate(zip(WHAT_IF_KEYS, self._presets, strict=True)):
            key = key_of(self.app, entry.name)
            buttons.append(_preset_button(key, number, preset))
        yield Horizontal(*buttons[:GENERAL], classes="presets")
        yield Horizontal(Static(cooks_on(self, self._source.config).partner), *buttons[GENERAL:], classes="presets")

    def action_preset(self, number: int) -> None:
        """Starts to make the fork of a preset, which plays on by itself."""
        preset = self._presets[number]
        options = self._source.options
        make = preset.make
        if make is None:
            self._say(f"{preset.name}: changes nothing here")
        elif not self._background.busy:
            self._say(f"catching up with {self._step} steps …")
            self._background.begin(
                lambda: PlaybackSource(make, options=options, changes=preset.changes), self.dismiss, self._say
            )

    @on(Select.Changed)
    def show_what_counts(self) -> None:
        """Describes the agent, and disables the parameters of an agent without a belief."""
        agent = self._choice.chosen
        self.query_one("#who", Static).update(describe_agent(agent))
        ego = self._seats[EGO]
        profile = ego if agent == ego.agent else load_agent(agent).profile
        has_belief = profile.belief_config is not None
        self.query_one("#otherwise").border_subtitle = CLOSES if has_belief else f"{NO_PARAMETERS} · {CLOSES}"
        self._trigger = trigger_of(profile)
        self._show_numbers(has_belief=has_belief)
        self._knows.disabled = not has_belief or self._seats[PARTNER].agent == HUMAN
        if self._choice.expanded:  # the list covers the description of what is chosen
            self._say(describe_agent(self._choice.pointed))

    def _show_numbers(self, *, has_belief: bool) -> None:
        """Shows the first few parameters, or all that count for the agent; those of another gate have no field."""
        first, others = parameters_for(self._trigger)
        shown = {parameter.name for parameter in (first + others if self._all else first)}
        for field in self._numbers:
            field.display = field.setting in shown
            field.disabled = not has_belief or field.setting not in shown
        more = self.query_one("#more-numbers", Button)
        more.label = f"{len(others)} more parameters"
        more.display = has_belief and not self._all

    @on(Button.Pressed, "#more-numbers")
    def show_all_numbers(self) -> None:
        self._all = True
        self._show_numbers(has_belief=True)
        _, others = parameters_for(self._trigger)
        self.query_one(f"#{others[0].name}").focus()

    @on(events.DescendantFocus)
    def explain(self, event: events.DescendantFocus) -> None:
        """Says what the field or the shortcut is that the focus is on."""
        if not self._background.busy:
            tooltip = event.widget.tooltip or ""
            self._say(EXPLANATIONS.get(event.widget.id or "", tooltip))

    @on(Button.Pressed, "#play-on")
    @on(Input.Submitted)
    def action_take(self) -> None:
        fields = [field for field in self._numbers if not field.disabled]
        if not all_valid(fields) or self._background.busy:
            return
        belief_config = self._belief_config.changed({field.setting: field.number for field in fields})
        self._say(f"catching up with {self._step} steps …")
        agent = self._choice.chosen
        knowledge = None if self._knows.disabled else ORACLES.get(self._knows.chosen)
        self._background.begin(lambda: self._fork(agent, belief_config, knowledge), self.dismiss, self._say)

    def _fork(self, agent: str, belief_config: BeliefConfig, knowledge: Knowledge | None) -> PlaybackSource:
        """Returns the fork, played up to the shared step; called from another thread.

        Args:
            agent: the name of the agent that plays on as the ego.
            belief_config: the parameters of its belief, if it has one.
            knowledge: what an oracle tells the ego of its partner; None for no oracle.
        """
        trace = self._source.trace
        step = self._step
        options = self._source.options
        original = self._seats[EGO]
        if agent != original.agent:
            ego = load_agent(agent, replace(options, belief_config=belief_config)).profile
        elif original.belief_config is not None:
            ego = replace(original, belief_config=belief_config)
        else:
            ego = original
        oracle: bool | Knowledge = False
        if knowledge == "policy":
            oracle = True
        elif knowledge is not None:
            oracle = knowledge
        seats = (replace(ego, oracle=oracle), self._seats[PARTNER])
        return PlaybackSource(lambda: fork(trace, step, seats, options), options=options)

    def _say(self, text: object) -> None:
        self.query_one("#under-way", Static).update(str(text))


def _in_everyday_words(preset: ForkPreset) -> ForkPreset:
    """Returns a preset that names the role, to which the partner turns, by what a cook does in it."""
    if preset.role is None:
        return preset
    work = names.role_doing(preset.role)
    return preset._replace(
        name=names.role_does(preset.role, to_you=True), changes=f"the partner turns to {work}, where that has work"
    )


def _preset_button(key: str, number: int, preset: ForkPreset) -> Button:
    text = Content.assemble((key, "$primary"), f" {preset.name}")
    action = f"screen.preset({number})"
    button = Button(text, compact=True, disabled=preset.make is None, tooltip=preset.changes, action=action)
    button.styles.width = len(text)
    button.styles.line_pad = 0
    return button


def _agents_to_go_on(ego: Profile) -> list[str]:
    """Returns the names of the agents that can go on as the ego; a person only where a person has played."""
    agents = [*agent_names()]
    if ego.agent != HUMAN and HUMAN in agents:
        agents.remove(HUMAN)
    if ego.agent not in agents:
        agents.insert(0, ego.agent)
    return agents
