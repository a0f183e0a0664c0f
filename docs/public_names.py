"""The page docs/reference/names.md, made from the code by `docs/pages.py`: every public name with all that it takes.

Signatures are as the source has them, so that `Layout` stands there and not the module in which it lives. Texts are the
docstrings'. A test runs each example.
"""

import ast
import enum
import inspect
import textwrap
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from pydantic import BaseModel

import bba

PAGE = """# Every public name

What [the public API](api.md) lists, with signatures, fields, types, defaults and errors. The page is made from the
code. Each example follows

```python
import bba
```

{names}

## What they return

These have no public name: they come from the functions above, and their members keep to the same promise.

{returned}
"""
LONGEST_LINE = 100  # of code on the page
RETURNED = {  # what public functions return, which has no public name of its own
    "Recording": "bba.play",
    "StepResult": "bba.kitchen.kitchen",
    "StoredSweep": "bba.bench.results_reader",
}
SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises")


EXAMPLES = {
    "Action": 'bba.Kitchen("open", seed=0).step((bba.Action.NORTH, bba.Action.INTERACT))',
    "Agent": """class Waiter:
    def reset(self, context):
        pass

    def observe(self, observation):
        pass

    def decide(self, observation):
        return bba.Skill.STAY

    def commit(self, observation, decision):
        pass


bba.play_game("open", Waiter, "bayes", horizon=20)""",
    "BBAError": """try:
    bba.load_agent("bayse")
except bba.BBAError as error:
    print(error)""",
    "BeliefConfig": 'config = bba.BeliefConfig.of({"theta_obs": 0.06})',
    "BeliefEvaluation": """found = bba.evaluate_belief(None, bba.load_data("pairs")[0])
found.accuracy, found.log_loss, found.calibration_error""",
    "DataSet": """data = bba.load_data("pairs")
data.recording_names
data["open-bayes-switching"]
print(data.card)""",
    "Decision": """bba.Decision(bba.Skill.STAY)""",
    "EpisodeContext": """context = bba.play_game(horizon=10).config.context(0, fast=False)
context.player, context.layout.name, context.seed""",
    "FilterConfig": "bba.FilterConfig(window=6)",
    "Game": """game = bba.Game("open", "bayes", "switching", seed=1, horizon=60, fast=True)
game.step()
trace = game.run()""",
    "GameSpec": """spec = bba.GameSpec(seats=(bba.SeatSpec("bayes"), bba.SeatSpec("gamma")), horizon=60)
bba.Game.of(spec).run()""",
    "GateConfig": "bba.GateConfig(theta_obs=0.06, cooldown=10)",
    "Item": "bba.Item(1)",
    "Kitchen": """kitchen = bba.Kitchen("open", seed=0)
result = kitchen.step((bba.Action.NORTH, bba.Action.INTERACT))
result.reward, result.events
kitchen.mask(0)""",
    "KitchenBatch": """batch = bba.KitchenBatch("open", 8)
batch.steps""",
    "Layout": """bba.Layout.names()
layout = bba.Layout.load("ring")
layout.rows""",
    "Observation": """class First:
    def reset(self, context):
        pass

    def observe(self, observation):
        pass

    def decide(self, observation):
        return None if observation.running >= 0 else int(observation.feasible()[0])

    def commit(self, observation, decision):
        pass


bba.play_game("open", First, "bayes", horizon=20)""",
    "ObservationEncoder": """encoder = bba.ObservationEncoder("open")
encoder.of(bba.Kitchen("open").state)  # (2, size)""",
    "PartnerModel": """model = bba.PartnerModel("open", 0)
update = model.observe(None, bba.Kitchen("open").state, mid_skill=False)
update.belief.posterior""",
    "PolicyAgent": """first = bba.PolicyAgent(lambda seen, mask: int(mask.argmax()), name="first")
bba.play_game("open", first, "bayes", horizon=20)""",
    "Profile": 'bba.load_agent("bayes").profile',
    "ROLE_NAMES": "bba.ROLE_NAMES[0]",
    "Replay": """recording = bba.load_data("pairs")["open-bayes-switching"]
trace = bba.Replay(recording, fast=True).run()""",
    "RoleBelief": """import numpy as np


class Unsure:
    def reset(self, context):
        pass

    def observe(self, before, state):
        return np.full(6, 1 / 6)


bba.evaluate_belief(Unsure, bba.load_data("pairs")[0])""",
    "SeatSpec": """ego = bba.SeatSpec("bayes", belief_changes={"theta_obs": 0.06})
bba.play_game("open", ego, "switching", horizon=20)""",
    "Skill": "bba.Skill.STAY, bba.Skill(0).name",
    "Switch": """switch = bba.Switch(3, "serve", 5, None)
switch.step, switch.role""",
    "Tick": """tick = bba.play_game(horizon=20).ticks[-1]
tick.step, tick.actions, tick.score, tick.role(1)""",
    "Trace": """trace = bba.play_game("ring", "bayes", "switching", horizon=60)
len(trace.ticks), trace.score
trace.to_frame()""",
    "can_deliver": 'bba.can_deliver("open")',
    "crossplay": """table = bba.crossplay(["bayes", "proagent"], ["switching"], seeds=2, horizon=60, workers=1)
table.means()
table.differences()""",
    "evaluate_belief": 'bba.evaluate_belief(None, bba.load_data("people")[0])',
    "export": """trace = bba.play_game("open", horizon=20)
bba.export(trace, "game.jsonl")""",
    "feasible_mask": """seen = bba.ObservationEncoder("open").of(bba.Kitchen("open").state)[0]
bba.feasible_mask(seen)  # 27 booleans""",
    "fork": """trace = bba.play_game("open", "bayes", "switching", horizon=60)
other = bba.fork(trace, 30, seats=("proagent", "switching")).run()""",
    "gym_env": """env = bba.gym_env("open", other="bayes", level="option", max_cycles=60)
seen, info = env.reset(seed=0)
seen, reward, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
info["steps"]""",
    "load": """bba.save(bba.record(bba.play_game(horizon=20)), "game.bba")
recording = bba.load("game.bba")""",
    "load_agent": 'bba.load_agent("bayes-commit")',
    "load_data": """for recording in bba.load_data("people"):
    recording.config.layout.name""",
    "load_results": """sweep = bba.load_sweep("quick").changed({"layouts": ["open"], "seeds": 1, "horizon": 20})
bba.run_sweep(sweep, "results", workers=1)
bba.load_results("results").sweeps[0].means()""",
    "load_sweep": 'sweep = bba.load_sweep("quick").changed({"seeds": 2})',
    "measure": """measures = bba.measure(bba.play_game("open", horizon=60))
measures["reward"]""",
    "parallel_env": """env = bba.parallel_env("open", "skill", max_cycles=60)
observations, infos = env.reset(seed=0)""",
    "play_game": 'trace = bba.play_game("open", "bayes", "switching", seed=0, horizon=60)',
    "prompt_of": 'messages = bba.prompt_of(bba.scene("open"))',
    "pursued_roles": """trace = bba.Replay(bba.load_data("people")[0], fast=True).run()
bba.pursued_roles(trace)  # a role a step, -1 for none""",
    "record": "recording = bba.record(bba.play_game(horizon=20))",
    "run_sweep": """sweep = bba.load_sweep("quick").changed({"layouts": ["open"], "seeds": 1, "horizon": 20})
rows = bba.run_sweep(sweep, "results", workers=1)""",
    "save": 'bba.save(bba.record(bba.play_game(horizon=20)), "game.bba")',
    "scene": 'scene = bba.scene("open")',
    "sweep_figures": """sweep = bba.load_sweep("quick").changed({"layouts": ["open"], "seeds": 1, "horizon": 20})
bba.run_sweep(sweep, "results", workers=1)
figures = bba.sweep_figures(bba.load_results("results").sweeps[0])""",
    "switches": """trace = bba.play_game("open", "bayes", "switching", horizon=300)
bba.switches(trace)""",
    "write_report": """sweep = bba.load_sweep("quick").changed({"layouts": ["open"], "seeds": 1, "horizon": 20})
bba.run_sweep(sweep, "results", workers=1)
bba.write_report("results")""",
}


class Docstring(NamedTuple):
    """A docstring in parts: its text before the sections, and the text of each section by its heading."""

    text: str
    sections: dict[str, str]


def page() -> str:
    """Returns the page."""
    names = [described(name) for name in sorted(bba.__all__, key=str.lower)]
    returned = []
    for name, module in RETURNED.items():
        contents = _contents(name, getattr(import_module(module), name))
        returned.append("\n\n".join([f"### `{name}`", *filter(None, contents)]))
    return PAGE.format(names="\n\n".join(names), returned="\n\n".join(returned))


def described(name: str) -> str:
    """Returns the part of the page about one public name."""
    parts = [f"## `{name}`", *_contents(name, getattr(bba, name)), f"```python\n{EXAMPLES[name]}\n```"]
    return "\n\n".join(part for part in parts if part)


def _contents(name: str, thing: Any) -> Iterator[str]:
    if inspect.isclass(thing):
        yield from _of_class(name, thing)
    elif inspect.isfunction(thing):
        yield code(signature(name, thing))
        yield from _of_docstring(thing)
    else:
        yield code(f"{name} = {thing!r}".replace("'", '"'))  # as the formatter has it


def _of_class(name: str, thing: type) -> Iterator[str]:
    """Yields a class: how it is made, its text, its fields or members, and what can be called on it."""
    if issubclass(thing, enum.Enum):
        yield from _of_docstring(thing)
        yield ", ".join(f"`{member.name}` {member.value}" for member in thing)
        return
    if issubclass(thing, BaseModel):
        yield from _of_docstring(thing)
        yield "\n".join(model_fields(thing))
    else:
        own_init = inspect.unwrap(thing.__dict__["__init__"]) if "__init__" in thing.__dict__ else None
        if inspect.isfunction(own_init) and _has_source(own_init):
            yield code(signature(name, own_init))
        yield from _of_docstring(thing)
        yield "\n".join(f"- `{field}`" for field in fields(thing))
    yield "\n\n".join(methods(thing))


def _has_source(function: Any) -> bool:
    """Whether a function was written, and not made by `dataclass` or `NamedTuple`."""
    try:
        inspect.getsource(function)
    except OSError:
        return False
    return not function.__qualname__.startswith("__create_fn__")


def _tree(thing: Any) -> Any:
    """Returns the definition of a function or class as it stands in the source."""
    return ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]


def signature(name: str, function: Any) -> str:
    """Returns a signature, a parameter a line where it is long."""
    definition = Plain().visit(_tree(inspect.unwrap(function)))
    arguments = definition.args
    for positional in (arguments.posonlyargs, arguments.args):
        if positional and positional[0].arg in ("self", "cls"):
            positional.pop(0)
    end = ""
    if definition.returns is not None and definition.name != "__init__":
        end = f" -> {ast.unparse(definition.returns)}"
    parameters = list(_parameters(arguments))
    line = f"{name}({', '.join(parameters)}){end}"
    if len(line) <= LONGEST_LINE:
        return line
    inner = ",\n    ".join(parameters)
    return f"{name}(\n    {inner},\n){end}"


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    """Yields each parameter with its type and default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = [None] * (len(positional) - len(arguments.defaults))
    for parameter, default in zip(positional, [*missing, *arguments.defaults], strict=True):
        yield _parameter(parameter, default)
    if arguments.vararg is not None:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(parameter, default)
    if arguments.kwarg is not None:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _parameter(parameter: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(parameter)
    return text if default is None else f"{text} = {ast.unparse(default)}"


def fields(thing: type) -> Iterator[str]:
    """Yields the fields of a class as they are written, with types and defaults; those of bases first."""
    for base in reversed(thing.__mro__):
        if base.__module__.startswith("bba."):
            for statement in _tree(base).body:
                if isinstance(statement, ast.AnnAssign) and not ast.unparse(statement.target).startswith("_"):
                    yield ast.unparse(statement)


def model_fields(model: type[BaseModel]) -> Iterator[str]:
    """Yields the fields of an options model with their types, defaults and descriptions."""
    kinds = {}
    for base in reversed(model.__mro__):
        if base.__module__.startswith("bba."):
            for statement in _tree(base).body:
                if isinstance(statement, ast.AnnAssign):
                    kinds[ast.unparse(statement.target)] = ast.unparse(Plain().visit(statement.annotation))
    for name, field in model.model_fields.items():
        default = "" if field.is_required() else f" = {field.get_default(call_default_factory=True)!r}"
        shown = default if len(default) <= 60 else " = …"
        about = f": {field.description}" if field.description else ""
        yield f"- `{name}: {kinds[name]}{shown}`{about}"


class Plain(ast.NodeTransformer):
    """Leaves of `Annotated[int, …]` the type `int`, and takes the quotes from types that stand in some."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Returns the type itself."""
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            kind: ast.AST = self.visit(node.slice.elts[0])
            return kind
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Returns the definition with plain types."""
        node.returns = _unquoted(node.returns)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Returns the parameter with a plain type."""
        node.annotation = _unquoted(node.annotation)
        return self.generic_visit(node)


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Returns a type as an expression, also where it stands in quotes."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def methods(thing: type) -> Iterator[str]:
    """Yields what can be called on a class, and its properties, those of its bases in this package too."""
    found: dict[str, Any] = {}
    for base in reversed(thing.__mro__):
        if base.__module__.startswith("bba."):
            found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    for name, value in found.items():
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        function = inspect.unwrap(getattr(function, "func", function))
        if not inspect.isfunction(function) or not function.__doc__ or hasattr(function, "__deprecated__"):
            continue
        if not _has_source(function):
            continue
        if isinstance(value, staticmethod | classmethod):
            title = f"{thing.__name__}.{signature(name, function)}"
        elif inspect.isfunction(value) or inspect.isfunction(inspect.unwrap(value)):
            title = f".{signature(name, function)}"
        else:
            returns = _tree(function).returns
            title = f".{name}" if returns is None else f".{name}: {ast.unparse(returns)}"
        yield "\n\n".join([code(title), *_of_docstring(function)])


def code(text: str) -> str:
    """Returns a block of code."""
    return f"```python\n{text}\n```"


def _of_docstring(thing: Any) -> Iterator[str]:
    """Yields the text of a docstring, and each of its sections as a list."""
    docstring = parsed(inspect.getdoc(thing) or "")
    yield docstring.text
    for heading, text in docstring.sections.items():
        entries = text.replace("\n", " ") if heading in ("Returns", "Yields") else listed(text)
        yield f"{heading}:\n\n{entries}"


def parsed(text: str) -> Docstring:
    """Returns a docstring in parts."""
    before: list[str] = []
    sections: dict[str, list[str]] = {}
    lines = before
    for line in text.splitlines():
        heading = line.removesuffix(":")
        if heading in SECTIONS and line != heading:
            lines = sections.setdefault(heading, [])
        else:
            lines.append(line)
    texts = {heading: textwrap.dedent("\n".join(part)).strip() for heading, part in sections.items()}
    return Docstring("\n".join(before).strip(), texts)


def listed(text: str) -> str:
    """Returns the entries of a section, each a line and what is indented below it, as a list."""
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and entries:
            entries[-1] += f" {line.strip()}"
        elif line:
            entries.append(line)
    return "\n".join(f"- {_named(entry)}" for entry in entries)


def _named(entry: str) -> str:
    """Returns an entry with its name as code."""
    name, colon, about = entry.partition(": ")
    if not colon or len(name.split(", ")) != len(name.split()):
        return entry
    return f"`{name}`: {about}"
