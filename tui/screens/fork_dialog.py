"""The dialog that asks what a fork changes: a preset, the ego's agent, parameters of belief and gates, or their source.

In the place of its belief the ego can be told the truth (an oracle), to see what knowing it would have been worth.
"""

from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Select, Static

from bba import palette
from bba.agents import HUMAN, BeliefConfig, Profile, agent_names, describe_agent, load_agent
from bba.config import TUNABLE_PARAMETERS, Knowledge
from bba.play import EGO, PARTNER, ForkPreset, fork, fork_presets
from human.keymap import FORM_KEYS, WHAT_IF_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import Dialog
from tui.style.base_app import bindings, key_of
from tui.style.base_screen import BackgroundTask
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect, all_valid
from tui.widgets.panel import titled

GENERAL = 5  # presets that are not about the partner's role
CLOSES, WITHOUT = "esc closes", "no belief, no parameters"
BELIEF, TRUTH = "its belief about the partner", "what the partner really does"  # what the ego and its gates go by
ABOUT = {parameter.name: parameter.explanation for parameter in TUNABLE_PARAMETERS}
KNOWN: dict[str, Knowledge] = {TRUTH: "policy", "the partner's true role": "role", "the partner's true rule": "rule"}


class ForkDialog(Dialog[PlaybackSource]):
    """Asks what a fork changes, then replays the shared steps in a thread; returns the fork, or None if cancelled.

    Args:
        source: the game.
        step: how many of its steps the fork shares.
    """

    BINDINGS = bindings((*FORM_KEYS, *WHAT_IF_KEYS), priority=False)  # digits are also typed, into the fields
    AUTO_FOCUS = "#agent"

    def __init__(self, source: PlaybackSource, step: int) -> None:
        super().__init__()
        self._source, self._step = source, step
        self._seats = source.trace.config_at(step + 1).seats
        self._belief_config = self._seats[EGO].belief_config or source.trace.first_belief_config(EGO) or BeliefConfig()
        self._choice = OptionSelect("agent", _offered(self._seats[EGO]), self._seats[EGO].agent)
        told = next((words for words, knows in KNOWN.items() if knows == self._seats[EGO].knows), BELIEF)
        offered = KNOWN if self._belief_config.filter.prior == "types" else [TRUTH]  # other beliefs have no rules
        self._knows = OptionSelect("knows", [BELIEF, *offered], told)
        self._numbers = [
            NumberField(one.name, one.of(self._belief_config), one.info.step, one.label) for one in TUNABLE_PARAMETERS
        ]
        self._presets = fork_presets(source.trace, step, source.options)
        self._background: BackgroundTask[PlaybackSource] = BackgroundTask(self.call_later)

    def compose(self) -> ComposeResult:
        replans = any(tick.decisions[EGO].replanned for tick in self._source.trace.ticks[self._step : self._step + 1])
        with titled(
            Vertical(id="otherwise"), f"what if, from step {self._step} on{', before the replan' * replans}", CLOSES
        ):
            yield from self._preset_rows()
            yield ChoiceField("ego", self._choice, palette.COOK_COLOURS[EGO])
            yield Static(id="who", markup=False)
            yield ChoiceField("goes by", self._knows)
            with Horizontal(id="numbers"):
                half = (len(self._numbers) + 1) // 2
                yield Vertical(*self._numbers[:half])
                yield Vertical(*self._numbers[half:])
            yield Static(id="under-way", markup=False)
            yield Horizontal(
                Button("Play on", id="play-on", variant="success", compact=True),
                Button("Cancel", id="cancel", compact=True),
                id="buttons",
            )

    def _preset_rows(self) -> ComposeResult:
        """Yields the presets as buttons: general ones, then the roles that the partner can turn to."""
        presets = enumerate(zip([key_of(self.app, entry.name) for entry in WHAT_IF_KEYS], self._presets, strict=True))
        buttons = [_preset_button(key, number, preset) for number, (key, preset) in presets]
        yield Horizontal(*buttons[:GENERAL], classes="presets")
        yield Horizontal(Static("partner to"), *buttons[GENERAL:], classes="presets")

    def action_preset(self, number: int) -> None:
        """Starts to make the fork of a preset, which plays on by itself."""
        preset, options = self._presets[number], self._source.options
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
        self.query_one("#who", Static).update(describe_agent(self._choice.chosen))
        ego, agent = self._seats[EGO], self._choice.chosen
        has_belief = (ego if agent == ego.agent else load_agent(agent).profile).belief_config is not None
        self.query_one("#otherwise").border_subtitle = CLOSES if has_belief else f"{WITHOUT} · {CLOSES}"
        for number in self._numbers:
            number.disabled = not has_belief
        self._knows.disabled = not has_belief or self._seats[PARTNER].agent == HUMAN

    @on(events.DescendantFocus)
    def explain(self, event: events.DescendantFocus) -> None:
        """Says what the number is that the focus is on."""
        if not self._background.busy:
            self._say(ABOUT.get(event.widget.id or "", ""))

    @on(Button.Pressed, "#play-on")
    @on(Input.Submitted)
    def action_take(self) -> None:
        """Starts to make the fork, or goes to the first number that is not valid."""
        counting = [number for number in self._numbers if not number.disabled]
        if not all_valid(counting) or self._background.busy:
            return
        belief_config = self._belief_config.changed({number.setting: number.number for number in counting})
        self._say(f"catching up with {self._step} steps …")
        agent, knows = self._choice.chosen, None if self._knows.disabled else KNOWN.get(self._knows.chosen)
        self._background.begin(lambda: self._fork(agent, belief_config, knows), self.dismiss, self._say)

    def _fork(self, agent: str, belief_config: BeliefConfig, knows: Knowledge | None) -> PlaybackSource:
        """Returns the fork, played up to the shared step; called from another thread. `knows`: what the ego is told."""
        trace, step, options = self._source.trace, self._step, self._source.options
        before = self._seats[EGO]
        if agent == before.agent:
            ego = replace(before, belief_config=None if before.belief_config is None else belief_config)
        else:
            ego = load_agent(agent, replace(options, belief_config=belief_config)).profile
        seats = replace(ego, oracle=knows == "policy" or knows or False), self._seats[PARTNER]
        return PlaybackSource(lambda: fork(trace, step, seats, options), options=options)

    def _say(self, what: object) -> None:
        self.query_one("#under-way", Static).update(str(what))


def _preset_button(key: str, number: int, preset: ForkPreset) -> Button:
    text, action = f"{key} {preset.name}", f"screen.preset({number})"
    button = Button(text, compact=True, disabled=preset.make is None, tooltip=preset.changes, action=action)
    button.styles.width, button.styles.line_pad = len(text), 0
    return button


def _offered(ego: Profile) -> list[str]:
    """Returns the agents that can go on; a person only where a person has played."""
    names = [name for name in agent_names() if name != HUMAN or ego.agent == HUMAN]
    return names if ego.agent in names else [ego.agent, *names]
