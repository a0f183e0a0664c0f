"""What the start screen says of a language model: whether a key is set, never which, and the model's price."""

import os

from bba.planner.llm.prices import price_of

KEYS = ("OPENAI_API_KEY", "BBA_API_KEY")  # variables of the environment; the last one comes first


def key_note() -> str:
    """Returns whether a key is set, and by what; the key itself is never shown."""
    name = next((name for name in reversed(KEYS) if os.environ.get(name)), None)
    found = f"{name} is set" if name else f"no key is set ({' or '.join(KEYS)})"
    return f"key: {found}; none is asked for here or stored"


def price_note(model: str) -> str:
    """Returns the price of a model by the table that ships, or that it is unknown."""
    price = price_of(model)
    if price is None:
        return "price: unknown, so that the cost is too (see --prices)"
    return f"price: ${price.prompt:g} sent, ${price.completion:g} received, per million tokens"
