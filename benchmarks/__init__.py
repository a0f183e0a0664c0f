"""How fast the engine is, beside Overcooked-AI's own on the same machine in the same minute."""
