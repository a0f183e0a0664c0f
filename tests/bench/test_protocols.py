"""The shipped protocols stay as they are."""

import pytest

from bba.bench.score_card.protocol import load_protocol, protocol_names


@pytest.mark.parametrize("name", protocol_names())
def test_the_shipped_protocols_are_as_they_were_frozen(name):
    protocol = load_protocol(name)
    protocol.check()
    assert protocol.digest == {"v1": "1c3043e88bed1509"}[name], "a protocol is never edited; make another version"
    assert protocol.places("quick") < protocol.places("full")
