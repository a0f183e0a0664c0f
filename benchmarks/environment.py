"""The environment of the programs that are measured: that of a machine on which they have run before."""

import os


def used_before() -> dict[str, str]:
    """Returns this environment, but with bytecode kept: else each start compiles every module, as no user's does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
