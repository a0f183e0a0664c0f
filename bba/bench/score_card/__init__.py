"""Score cards: what an agent reaches in a frozen benchmark, in a file that anybody can check."""
