"""The base class of all errors whose message is shown to users."""


class BBAError(Exception):
    """An error in the user's input: the message is one line that says what, where and what is allowed."""
