"""The commands --new-agent, which writes a package, and --check-agent, which checks an agent."""

import sys

from bba.bench.agent_check import agent_checks
from bba.bench.new_agent import write_new_agent
from bba.errors import BBAError
from bba.settings import Settings


def print_new_agent(name: str) -> None:
    """Writes the package and prints what to do next."""
    folder = write_new_agent(name)
    agent = f"{name}.agent:{''.join(part.capitalize() for part in name.split('_'))}"
    sys.stdout.write(
        f"written to {folder}; next:\n"
        f"  cd {folder}\n"
        f"  bba-tui watch open --agent {agent}\n"
        f"  bba-tui check-agent {agent}\n"
        f"  bba-tui bench sweep.toml\n"
    )


def print_agent_check(name: str, settings: Settings) -> None:
    """Prints each check as soon as it is done.

    Raises:
        BBAError: the agent does not pass all of them.
    """
    failed = 0
    for check in agent_checks(name, settings.agent_option):
        failed += bool(check.problem)
        mark, words = ("FAILED", check.problem) if check.problem else ("ok", check.found)
        sys.stdout.write(f"{mark:8}{check.name}{f': {words}' if words else ''}\n")
        sys.stdout.flush()
    if failed:
        raise BBAError(f"--check-agent: {name} does not keep {failed} of the promises above")
