"""The commands, such as `watch open`: a shorter way to write some options."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bba.errors import BBAError

# The value of an option that is given without one.
ALONE = {
    "--sweep": "quick",
    "--benchmark": "v1",
    "--play": "terminal",
    "--serve": "127.0.0.1:8000",
    "--monitor": "127.0.0.1:8001",
    "--train": "all",
    "--results": "results",
    "--design": "new",
}
HELP = {"-h", "--help"}


class Command(NamedTuple):
    """A command: a word before the options.

    Attributes:
        about: what it does.
        groups: the groups of options that go with it.
        takes: the option whose value may follow it; "" for none.
        value: what that value is, in a word; "" for none.
        always: an option that it stands for, whether a value follows it or not; "" for none.
    """

    about: str
    groups: tuple[str, ...]
    takes: str = ""
    value: str = ""
    always: str = ""

    @property
    def alone(self) -> bool:
        """Whether it can be given without a value."""
        return bool(self.always) or self.takes in ALONE


_SERVING = ("studies and serving",)

COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "watch": Command("watch two agents cook", ("watch",), "--layout", "KITCHEN", "--watch"),
        "play": Command("be the partner of an agent", ("play", "watch"), "--layout", "KITCHEN", "--play"),
        "learn": Command("make a first burrito, then be believed", ("play",), always="--learn"),
        "design": Command("draw a kitchen", ("play",), "--design", "FILE"),
        "replay": Command("watch a recorded game", ("watch",), "--replay", "FILE"),
        "recordings": Command("browse the recorded games", ("watch",), always="--recordings"),
        "bench": Command("play a benchmark and print its tables", ("benchmark",), "--sweep", "SWEEP"),
        "score": Command("play a frozen benchmark, write a score card", ("benchmark",), "--benchmark", "VERSION"),
        "verify": Command("check a score card", ("benchmark",), "--verify", "CARD"),
        "exam": Command("ask a planner 200 questions", ("benchmark", "planner", "language model"), always="--exam"),
        "results": Command("browse the tables and games of benchmarks", ("benchmark",), "--results", "FOLDER"),
        "report": Command("write them as a page with figures", ("benchmark",), "--report", "FOLDER"),
        "bundle": Command("make one file of them, or of a recording, to share", ("benchmark",), "--bundle", "FILE"),
        "train": Command("train learned policies", ("training",), "--train", "POLICY"),
        "new-agent": Command("write a package with an agent of your own", ("plug-ins",), "--new-agent", "NAME"),
        "check-agent": Command("check that an agent keeps to its protocol", ("plug-ins",), "--check-agent", "NAME"),
        "study": Command("take part in a study", _SERVING, "--study", "FILE"),
        "serve": Command("serve the app in the browser", _SERVING, "--serve", "HOST:PORT"),
    }
)


def spelled_out(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments with a command at their start, and the word after it, written as options.

    Raises:
        BBAError: a command lacks what must follow it.
    """
    if not arguments or arguments[0] not in COMMANDS:
        return list(arguments)
    name, *rest = arguments
    command = COMMANDS[name]
    always = [command.always] if command.always else []
    if command.takes and rest and not rest[0].startswith("-"):
        return [*always, f"{command.takes}={rest[0]}", *rest[1:]]
    if not command.alone and not HELP & set(rest):
        raise BBAError(f"{name}: needs a {command.value}: bba-tui {name} {command.value}; see bba-tui {name} --help")
    return [*(always or [command.takes] * command.alone), *rest]
