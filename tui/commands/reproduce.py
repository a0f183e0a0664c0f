"""The command `reproduce`."""

import ast
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

from bba.errors import BBAError, instead
from bba.files import data_dir
from tui.arguments.options import CommandOptions, ReproductionOptions

PACKAGE = "benchmarks"
SPEED = "speed"  # the program of the package itself


class Reproduce(CommandOptions, ReproductionOptions):
    """Options of `reproduce`."""

    name: str


def reproduce(options: Reproduce) -> None:
    """Run a program behind a number or a figure of the documents, with its own options.

    Raises:
        BBAError: there is no such program, or its options are no line of words.
    """
    folder = data_dir(PACKAGE)
    names = program_names(folder)
    if options.name not in names:
        there_are = instead(options.name, names, hint="bba-tui list names them")
        raise BBAError(f"reproduce: no program is named {options.name!r}; {there_are}")
    try:
        words = shlex.split(options.arguments)
    except ValueError:
        raise BBAError(f"reproduce: --arguments: {options.arguments!r} is no line of words: a quote is open") from None
    module = f"{PACKAGE}.__main__" if options.name == SPEED else f"{PACKAGE}.{options.name}"
    sys.path.insert(
        0, str(folder.parent)
    )  # where a wheel has it, nothing else finds it; worker processes take the path
    sys.argv = [f"bba-tui reproduce {options.name}", *words]
    status = import_module(module).main()
    if status:
        sys.exit(status)


def program_names(folder: Path) -> list[str]:
    """Returns the names of the programs in a folder, in alphabetical order."""
    programs = [file.stem for file in folder.glob("*.py") if "\ndef main(" in file.read_text(encoding="utf-8")]
    return sorted(SPEED if name == "__main__" else name for name in programs)


def programs() -> dict[str, str]:
    """Returns what each program does, the first sentence of its file, by name."""
    folder = data_dir(PACKAGE)
    found = {}
    for name in program_names(folder):
        file = folder / ("__main__.py" if name == SPEED else f"{name}.py")
        text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        paragraph = " ".join(text.partition("\n\n")[0].split())
        sentence = paragraph.partition(". ")[0].removesuffix(".")
        found[name] = re.sub(r"^`.*?`: ", "", sentence)
    return found
