"""How objects of the core show themselves in a notebook: kitchens, beliefs, games and results as SVG and HTML."""
