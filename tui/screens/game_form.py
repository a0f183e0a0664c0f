"""The form on the start screen that asks which game to play.

A new game has kitchen, cooks, seed and speed; behind "more" planner, model and length. Of a language model it says
its price and whether a key is set, never which.
"""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Select, Static

from bba import palette
from bba.agents import (
    HUMAN,
    KEYLESS,
    LOCKED_PARTNERS,
    MODEL_PLANNERS,
    PLANNERS,
    own_planner,
    unlocked,
)
from bba.kitchen import Layout
from bba.planner.prices import price_of
from bba.plugins import first_line, offered
from human.keymap import FORM_KEYS
from tui.arguments import completed
from tui.arguments.options import OPTION_FIELDS, SHOWN_SEED, SHOWN_SEEDS, ChosenGame
from tui.preferences import CHOSEN_OPTIONS
from tui.screens.cook_choice import KEEPS_ROLE, CookSelect, RoleBox, cooks_to_choose
from tui.screens.dialogs import Dialog
from tui.style import bindings
from tui.widgets.form_fields import (
    CHANGE_MARK,
    ChoiceField,
    LabelledField,
    NumberField,
    OptionSelect,
    all_valid,
    default_of,
    plain_number,
)
from tui.widgets.panel import titled
from tui.widgets.player_panels import game_time

OWN_KEY = "BBA_API_KEY"  # comes before the provider's


def key_note(planner: str, model: str) -> str:
    """Returns whether a key is set for a planner's model, and by which variable; the key itself is never shown."""
    providers_key = "OPENAI_API_KEY"
    if planner == "litellm":
        provider, _, model_name = model.partition("/")  # LiteLLM's names of models begin with the provider's name
        if model_name:
            providers_key = f"{provider.upper()}_API_KEY"
    if os.environ.get(OWN_KEY):
        state = f"{OWN_KEY} is set"
    elif os.environ.get(providers_key):
        state = f"{providers_key} is set"
    else:
        state = f"no key is set ({providers_key} or {OWN_KEY})"
    return f"key: {state}; none is asked for here or stored"


def price_note(model: str) -> str:
    """Returns the price of a model by the table that ships, or that it is unknown."""
    price = price_of(model)
    if price is None:
        return "price: unknown, so the cost is, too (see --prices)"
    return f"price: ${price.prompt:g} sent, ${price.completion:g} received, per million tokens"


STEP = 100  # steps of the game, for the buttons
MODEL_PLACEHOLDERS = {
    "model": "by its name at the endpoint",
    "base_url": "as http://localhost:11434/v1; empty: the provider's",
}
MORE_LABELS = {"base_url": "base URL"}
# What the form says, and the value of the setting; the default is first.
REAL_TIME_CHOICES = {"the world waits": "False", "real time": "True"}  # of --real-time: while a model is asked
TURN_CHOICES = {"the clock runs": "False", "the world waits for your keys": "True"}  # of --turns


def _label_of(choices: Mapping[str, str], value: str) -> str:
    """Returns what the form says for the value of a setting."""
    return next(label for label, choice in choices.items() if choice == value)


def _is_changed(setting: str, field: Input) -> bool:
    return field.value.strip() != default_of(setting)


class MoreSettings(Dialog[dict[str, str]]):
    """Asks for the planner, the steps of a game and its pace; returns the values by setting, or None if it was closed.

    Args:
        values: the values at first, by setting: planner, model, base_url, real_time, horizon, turns, rival.
        speed: the steps a second, which tell how long a game takes.
        is_web: whether a visitor in the browser is asked, who may not choose what this machine connects to.
    """

    BINDINGS = bindings(FORM_KEYS, priority=False)
    AUTO_FOCUS = "#planner"

    def __init__(self, values: Mapping[str, str], *, speed: float, is_web: bool) -> None:
        super().__init__()
        self._speed = speed
        planners = [*KEYLESS] if is_web else [*PLANNERS, *offered("planner")]
        self._planner = OptionSelect("planner", planners, values["planner"])
        self._texts = {
            name: Input(values[name], placeholder, id=name, compact=True, max_length=200)
            for name, placeholder in MODEL_PLACEHOLDERS.items()
        }
        real_time = _label_of(REAL_TIME_CHOICES, values["real_time"])
        self._real_time = OptionSelect("real_time", REAL_TIME_CHOICES, real_time)
        turns = _label_of(TURN_CHOICES, values["turns"])
        self._turns = OptionSelect("turns", TURN_CHOICES, turns)
        rivals = [USUAL_RIVAL, *(cook for cook in cooks_to_choose(values[RIVAL]) if cook != HUMAN)]
        self._rival = OptionSelect(RIVAL, rivals, values[RIVAL])
        self._horizon = NumberField("horizon", float(values["horizon"]), STEP, "steps")

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="more-settings"), "more", "esc closes"):
            yield ChoiceField("planner", self._planner, usual=default_of("planner"))
            yield Static(id="planner-is", markup=False)
            with Vertical(id="model-settings"):
                for name, text in self._texts.items():
                    yield LabelledField(MORE_LABELS.get(name, name), text, changed=partial(_is_changed, name, text))
                yield ChoiceField("meanwhile", self._real_time, usual=next(iter(REAL_TIME_CHOICES)))
                yield Static(id="price-note", classes="note", markup=False)
                yield Static(id="key-note", classes="note", markup=False)
            yield self._horizon
            yield ChoiceField("pace", self._turns, usual=next(iter(TURN_CHOICES)))
            yield ChoiceField("duel with", self._rival, usual=USUAL_RIVAL)
            with Horizontal(id="buttons"):
                yield Button("Apply", id="take", variant="success")
                yield Button("Cancel", id="cancel")

    @on(Select.Changed)
    def show_what_counts(self) -> None:
        """Describes the planner, and shows the fields of a language model where it is one."""
        planner = self._planner.chosen
        description = PLANNERS.get(planner)
        if not description:
            description = first_line("planner", planner) or "a plug-in"
        self.query_one("#planner-is", Static).update(description)
        self.query_one("#model-settings").display = planner in MODEL_PLANNERS
        self.show_notes()

    @on(Input.Changed)
    def show_notes(self) -> None:
        """Says what the model costs that is named, whether a key is set, and how long so many steps take."""
        model = self._texts["model"].value.strip()
        self.query_one("#price-note", Static).update(price_note(model))
        self.query_one("#key-note", Static).update(key_note(self._planner.chosen, model))
        if self._horizon.problem is not None:
            return
        note = ""
        if TURN_CHOICES[self._turns.chosen] == "False":
            minutes = game_time(round(self._horizon.number), self._speed)
            note = f"{minutes} minutes at {self._speed:g} steps a second"
        self._horizon.query_one(".problem", Static).update(Content.styled(note, palette.DIM))

    @on(Button.Pressed, "#take")
    @on(Input.Submitted)
    def action_take(self) -> None:
        if not all_valid([self._horizon]):
            return
        values = {name: text.value.strip() for name, text in self._texts.items()}
        values["planner"] = self._planner.chosen
        values["real_time"] = REAL_TIME_CHOICES[self._real_time.chosen]
        values["turns"] = TURN_CHOICES[self._turns.chosen]
        values["horizon"] = self._horizon.input.value
        values[RIVAL] = self._rival.chosen
        self.dismiss(values)


BUTTON_STEPS = {"seed": 1, "speed": 5}  # what the buttons beside the numbers add
RIVAL = "rival"  # the other ego of a duel, also behind "more"
USUAL_RIVAL = "as is usual"
MORE_SETTINGS = ("planner", "model", "base_url", "real_time", "horizon", "turns")  # what stands behind "more"
LABELS = {"layout": "kitchen", "agent": "ego"}  # where it differs from the setting's name
SEAT_COLOURS = dict(zip(("agent", "partner"), palette.COOK_COLOURS, strict=True))


def _shown_seed(layout: str) -> float:
    """Returns the seed with which a game soon changes its plan in a kitchen."""
    return float(SHOWN_SEEDS.get(layout, SHOWN_SEED))


class GameForm(Vertical):
    """Asks which game: its fields show `settings` at first."""

    def __init__(self, settings: ChosenGame) -> None:
        super().__init__(id="form")
        self.border_title = "the game"
        kitchens = [*Layout.names()]
        if settings.layout.endswith(".toml") and Path(settings.layout).is_file():
            kitchens.append(settings.layout)  # a file's kitchen is offered beside those that ship
        self._choices = {
            "layout": OptionSelect("layout", kitchens, settings.layout),
            "agent": CookSelect("agent", settings.agent),
            "partner": CookSelect("partner", unlocked(settings.partner)),
        }
        self._role_box = RoleBox(keeps=settings.partner in LOCKED_PARTNERS)
        self._numbers = {name: NumberField(name, getattr(settings, name), step) for name, step in BUTTON_STEPS.items()}
        self._numbers["seed"].usual = _shown_seed(settings.layout)
        self._more = dict[str, str]()  # the values behind "more", by setting
        for name in MORE_SETTINGS:
            value = getattr(settings, name)
            self._more[name] = "" if value is None else str(value)
        self._more[RIVAL] = (settings.agents or "").partition(",")[2] or USUAL_RIVAL

    def compose(self) -> ComposeResult:
        for name, choice in self._choices.items():
            usual = unlocked(default_of(name))
            field = ChoiceField(LABELS.get(name, name), choice, SEAT_COLOURS.get(name, ""), usual)
            yield Horizontal(field, self._role_box, id="partner-row") if name == "partner" else field
        yield Horizontal(*self._numbers.values(), id="start-numbers")
        more = Button(self._more_label(), id="more", compact=True)
        more.styles.line_pad = 0  # its words need the room
        yield more

    @property
    def kitchen(self) -> str:
        """The chosen kitchen's name."""
        return self._choices["layout"].chosen

    @property
    def pointed(self) -> tuple[str, ...]:
        """The names of the kitchen and the cooks, the ego's first: as chosen, or under the cursor of an open list."""
        kitchen, ego, partner = (choice.pointed for choice in self._choices.values())
        return kitchen, ego, self._with_role(partner)

    def _with_role(self, partner: str) -> str:
        """Returns the partner as the box says: one that does not adapt, where there is one."""
        return KEEPS_ROLE.get(partner, partner) if self._role_box.value else partner

    @on(Select.Changed, "#partner")
    def show_role_box(self) -> None:
        """Shows the box for partners that have another one like them that does not adapt."""
        self._role_box.display = self._choices["partner"].chosen in KEEPS_ROLE

    @property
    def with_person(self) -> bool:
        """Whether a person is one of the cooks."""
        cooks = (self._choices["agent"].chosen, self._choices["partner"].chosen)
        return HUMAN in cooks

    @property
    def speed(self) -> float:
        """The chosen speed in steps a second; the default where it is not valid."""
        field = self._numbers["speed"]
        values = {} if field.problem else {"speed": field.input.value}
        return completed(ChosenGame, values).speed

    def offer_kitchen(self, path: Path) -> None:
        """Adds the kitchen of a file to those to choose from, and chooses it."""
        self._choices["layout"].offer(str(path))

    @on(Select.Changed, "#layout")
    def offer_shown_seed(self) -> None:
        """Shows the seed with which a game soon changes its plan in this kitchen, unless another one was chosen."""
        field = self._numbers["seed"]
        seed = _shown_seed(self.kitchen)
        was_usual = field.problem is None and field.number == field.usual
        field.usual = seed
        if was_usual:
            field.input.value = plain_number(seed)

    def choose_other_pair(self) -> None:
        """Chooses the preprint's cooks and planner, or where these are chosen the ones that the form has at first."""
        preprint = {name: str(OPTION_FIELDS[name].default) for name in ("agent", "partner")}
        chosen = {name: self._choices[name].chosen for name in preprint}
        chosen["partner"] = self._with_role(chosen["partner"])
        cooks = {name: default_of(name) for name in preprint} if chosen == preprint else preprint
        self._choices["agent"].value = cooks["agent"]
        self._choices["partner"].value = unlocked(cooks["partner"])
        self._role_box.value = cooks["partner"] in LOCKED_PARTNERS
        self._more["planner"] = default_of("planner")
        self.query_one("#more", Button).label = self._more_label()

    def offer_speed(self, speed: float) -> None:
        """Shows another speed."""
        self._numbers["speed"].input.value = plain_number(speed)

    def settings(self) -> ChosenGame | None:
        """Returns the chosen settings; None, after going to the field, where a number is not valid."""
        return self.settings_now if all_valid(self._numbers.values()) else None

    @property
    def settings_now(self) -> ChosenGame | None:
        """The chosen settings; None where a number is not valid."""
        if any(field.problem for field in self._numbers.values()):
            return None
        values = dict(self._more)
        for name, choice in self._choices.items():
            values[name] = choice.chosen
        values["partner"] = self._with_role(values["partner"])
        for name, field in self._numbers.items():
            values[name] = field.input.value
        rival = values.pop(RIVAL)
        values["agents"] = f"{values['agent']},{rival}" if rival != USUAL_RIVAL else ""
        chosen = {name: values[name] or None for name in CHOSEN_OPTIONS}
        return completed(ChosenGame, chosen)

    @on(Button.Pressed, "#more")
    @work
    async def ask_for_more(self) -> None:
        dialog = MoreSettings(self._more, speed=self.speed, is_web=self.app.is_web)
        values = await self.app.push_screen_wait(dialog)
        if values is not None:
            self._more = values
            self.query_one("#more", Button).label = self._more_label()

    @on(Input.Changed)
    def show_problem(self) -> None:
        """Says in the lower border which number is not valid, and how long the game takes at another speed."""
        self.query_one("#more", Button).label = self._more_label()
        problems = [f"{name} {number.problem}" for name, number in self._numbers.items() if number.problem]
        self.border_subtitle = Content(", ".join(problems))

    def _more_label(self) -> str:
        """Returns the label of the button "more", which says the chosen planner and length."""
        label = "more"
        is_changed = any(self._more[name] != default_of(name) for name in MORE_SETTINGS)
        if is_changed or self._more[RIVAL] != USUAL_RIVAL:
            label += f" {CHANGE_MARK}"
        label += f": planner {own_planner(self._choices['agent'].chosen, self._more['planner'])}"
        if self._more["planner"] in MODEL_PLANNERS:
            label += f" {self._more['model']}"
        horizon = self._more["horizon"]
        label += f", {horizon} steps"
        if self._more["turns"] == "False":
            label += f", {game_time(int(horizon), self.speed)}"
        return label
