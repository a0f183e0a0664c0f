"""The commands `check-agent` and `new-agent`."""

from pydantic import Field

from bba.settings import AgentPlugin, Plugins, Weights
from tui.arguments.options import CommandOptions


class CheckAgent(CommandOptions):
    """Options of `check-agent`."""

    checked: str
    agent_option: AgentPlugin = Field({})
    plugins: Plugins = None
    weights: Weights = None


def check_agent(options: CheckAgent) -> None:
    """Check that an agent keeps to its protocol.

    Raises:
        BBAError: the agent does not pass all checks.
    """
    from tui.commands.listing import print_agent_check

    print_agent_check(options.checked, options.agent_option)


class NewAgent(CommandOptions):
    """Options of `new-agent`."""

    name: str


def new_agent(options: NewAgent) -> None:
    """Write a package with an agent of your own.

    Raises:
        BBAError: the folder exists, or the name is not one of Python's.
    """
    from tui.commands.listing import print_new_agent

    print_new_agent(options.name)
