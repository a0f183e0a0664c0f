"""Clients of tests trust what tests name, and not the authorities of the machine: to read those takes half their time.

An HTTP client reads the file of all authorities when it is made, also for an endpoint without encryption.
"""

import ssl
from pathlib import Path

SIZE = 100_000  # bytes that the certificates of a test have not
_load = ssl.SSLContext.load_verify_locations


def _load_own(context, cafile=None, capath=None, cadata=None) -> None:
    if cafile is None or Path(cafile).stat().st_size < SIZE:
        _load(context, cafile, capath, cadata)


def trust_no_authorities() -> None:
    """Lets every client of this process read only short files of certificates."""
    ssl.SSLContext.load_verify_locations = _load_own
