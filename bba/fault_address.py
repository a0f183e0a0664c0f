"""Where faults of the program are reported: by the metadata of the package, one line of pyproject.toml."""

from importlib.metadata import PackageNotFoundError, metadata
from urllib.parse import urlsplit

PACKAGE = "bba-tui"
LABEL = "Issues"
PLACEHOLDER = ".invalid"  # the domain in which nobody can have an address (RFC 2606)
WITHOUT_ADDRESS = "whoever gave you bba-tui"


def fault_address() -> str:
    """Returns where faults are reported: an address, or words where the package has none or only its placeholder."""
    try:
        entries = metadata(PACKAGE).get_all("Project-URL") or []
    except (PackageNotFoundError, OSError):
        return WITHOUT_ADDRESS
    for entry in entries:
        label, _, address = entry.partition(",")
        if label.strip() == LABEL and not _is_placeholder(address.strip()):
            return str(address.strip())
    return WITHOUT_ADDRESS


def _is_placeholder(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host.endswith(PLACEHOLDER)
