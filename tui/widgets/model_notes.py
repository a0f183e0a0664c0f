"""What the start screen says of a language model: whether a key is set, never which, and the model's price."""

import os

from bba.planner.llm.model_options import price_of

OWN_KEY = "BBA_API_KEY"  # comes before the provider's


def key_note(planner: str, model: str) -> str:
    """Returns whether a key is set for a planner's model, and by which variable; the key itself is never shown."""
    names = (_providers_key(planner, model), OWN_KEY)
    name = next((name for name in reversed(names) if os.environ.get(name)), None)
    found = f"{name} is set" if name else f"no key is set ({' or '.join(names)})"
    return f"key: {found}; none is asked for here or stored"


def _providers_key(planner: str, model: str) -> str:
    """Returns the variable of the provider's own key; LiteLLM's names of models begin with the provider's name."""
    provider, named, _ = model.partition("/")
    return f"{provider.upper()}_API_KEY" if planner == "litellm" and named else "OPENAI_API_KEY"


def price_note(model: str) -> str:
    """Returns the price of a model by the table that ships, or that it is unknown."""
    price = price_of(model)
    if price is None:
        return "price: unknown, so that the cost is too (see --prices)"
    return f"price: ${price.prompt:g} sent, ${price.completion:g} received, per million tokens"
