"""Counterbalancing: the order of a participant's games (Williams, 1949)."""


def balanced_order(size: int, number: int) -> list[int]:
    """Returns the order of `size` conditions for participant `number` (from 0): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition has each position equally often, and
    follows each other condition equally often. Then the rows repeat.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = [(i + 1) // 2 if i % 2 else (size - i // 2) % size for i in range(size)]  # 0, 1, n−1, 2, n−2, …
    order = [(place + row) % size for place in zigzag]
    return order[::-1] if row >= size else order
