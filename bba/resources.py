"""Where the project's data files are: layouts, prompts, sprites, weights.

In a checkout they are the top-level folders ``configs/`` and ``assets/``; in an installed wheel the same folders lie
inside the package, so that the command works from any folder.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def data_dir(name: str) -> Path:
    """The data folder `name`, such as ``"configs/layouts"`` or ``"assets/sprites"``."""
    installed = _PACKAGE / "data" / name
    return installed if installed.exists() else _PACKAGE.parent / name
