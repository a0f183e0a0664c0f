"""The ids by which `gymnasium.make` knows the shipped kitchens: "bba/Open-v0", "bba/Ring-v0", and so on.

They are registered with whichever of Gymnasium and this package is imported second: `import bba` alone does not load
Gymnasium.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

NAMESPACE = "bba"
VERSION = 0
ENTRY_POINT = "bba.play.seat_env:gym_env"


def register_when_imported() -> None:
    """Registers the ids now if Gymnasium is there, else when it is imported."""
    gymnasium = sys.modules.get("gymnasium")
    if gymnasium is None:
        sys.meta_path.insert(0, _GymnasiumFinder())
    elif hasattr(gymnasium, "register"):  # else it is being imported, and imports this package itself
        register(gymnasium)


def register(gymnasium: ModuleType) -> None:
    """Registers an id for each shipped kitchen; its other arguments are those of `bba.gym_env`."""
    from bba.files import data_dir

    for file in sorted(data_dir("configs/layouts").glob("*.toml")):
        title = "".join(word.capitalize() for word in file.stem.split("_"))
        name = f"{NAMESPACE}/{title}-v{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=ENTRY_POINT, kwargs={"layout": file.stem})


class _GymnasiumFinder(MetaPathFinder):
    """Finds Gymnasium as the other finders do, and registers the ids after its import."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """Returns the specification of Gymnasium, which registers the ids too; None for all other modules."""
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)  # so that the others are asked
        spec = find_spec(name)
        sys.meta_path.insert(0, self)  # whoever only looks whether there is one does not import it
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            sys.meta_path.remove(self)
            execute(module)
            register(module)

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]  # of this loader alone
        return spec
