"""The one family of errors whose message is meant for people."""


class BBAError(Exception):
    """A mistake in what the user gave: the message is one line that says what, where and what is allowed."""
