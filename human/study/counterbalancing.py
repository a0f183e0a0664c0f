"""Counterbalancing: in which order a participant plays (Williams, 1949)."""


def balanced_order(size: int, number: int) -> list[int]:
    """The order of `size` conditions for participant `number` (0, 1, 2, …): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition stands in each place equally often, and
    each follows each other one equally often. Then it begins again.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = [(i + 1) // 2 if i % 2 else (size - i // 2) % size for i in range(size)]  # 0, 1, n−1, 2, n−2, …
    order = [(place + row) % size for place in zigzag]
    return order[::-1] if row >= size else order
