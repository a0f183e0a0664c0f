"""One file to share: results or a recording, with all that is needed to read them for ever and nothing secret."""

from bba.bundle.bundles import opened_bundle, write_bundle

__all__ = ["opened_bundle", "write_bundle"]
