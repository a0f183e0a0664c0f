"""The project's data files: layouts, prompts, sprites, weights.

In a checkout they are in the top-level folders ``configs/`` and ``assets/``; an installed wheel has the same folders
inside the package.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def data_dir(name: str) -> Path:
    """Returns a data folder by name, such as ``"configs/layouts"`` or ``"assets/sprites"``."""
    installed = _PACKAGE / "data" / name
    return installed if installed.exists() else _PACKAGE.parent / name
