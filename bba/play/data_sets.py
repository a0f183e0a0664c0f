"""Sets of recordings that ship, to work with at once: `assets/data` has a folder for each, with its data card."""

from collections.abc import Iterator
from pathlib import Path

from bba.errors import BBAError, instead
from bba.files import data_dir, read_text
from bba.play.recording import Recording
from bba.play.recording_io import load

FOLDER = "assets/data"
CARD = "README.md"
SUFFIX = ".bba"


class DataSet:
    """A set of recordings by name; each is read when it is asked for. `load_data` returns it.

    Iterating gives the recordings, in the order of their names; `data[0]` and `data["open-bayes-switching"]` give one.

    Attributes:
        name: of the set.
        recording_names: of its recordings, in alphabetical order.
    """

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._folder = folder
        self.recording_names = sorted(file.stem for file in folder.glob(f"*{SUFFIX}"))

    @staticmethod
    def names() -> list[str]:
        """Returns the names of all sets, in alphabetical order."""
        return sorted(folder.name for folder in data_dir(FOLDER).iterdir() if (folder / CARD).exists())

    @property
    def card(self) -> str:
        """The data card, as Markdown: what is in the set, how it was made, and what it is not good for."""
        return read_text(self._folder / CARD)

    def __len__(self) -> int:
        """Returns how many recordings it has."""
        return len(self.recording_names)

    def __iter__(self) -> Iterator[Recording]:
        """Yields the recordings, in the order of their names."""
        for name in self.recording_names:
            yield self[name]

    def __getitem__(self, key: str | int) -> Recording:
        """Returns a recording by its name or by its place, 0 for the first.

        Raises:
            BBAError: there is no recording of this name.
            IndexError: there is none at this place.
        """
        name = self.recording_names[key] if isinstance(key, int) else key
        if name not in self.recording_names:
            raise BBAError(f"{self.name}: no recording is named {name!r}; {instead(name, self.recording_names)}")
        return load(self._folder / f"{name}{SUFFIX}")

    def __repr__(self) -> str:
        return f"DataSet({self.name}: {len(self)} recordings)"


def load_data(name: str) -> DataSet:
    """Returns a set of recordings that ships.

    Args:
        name: "pairs", games of six pairs of agents in four kitchens, or "people", games of simulated people.

    Raises:
        BBAError: there is no such set.
    """
    if name not in DataSet.names():
        raise BBAError(f"no data set is named {name!r}; {instead(name, DataSet.names())}")
    return DataSet(data_dir(FOLDER) / name)
