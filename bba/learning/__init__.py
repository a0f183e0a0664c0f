"""Training of the learned partners and baselines. Needs the extra `learn`; no other part of the core imports it."""
