"""Training the learned partners and baselines; needs the extra `learn`. Nothing else imports it."""
