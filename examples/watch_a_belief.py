"""Plays one game and prints what the agent believed about its partner, and when it replanned.

python examples/watch_a_belief.py
"""

from bba import ROLE_NAMES, Game, measure

EGO, PARTNER = 0, 1

game = Game("open", "bayes", "switching", seed=3, horizon=300)
for tick in game.play():
    decision = tick.decisions[EGO]
    if tick.step % 50 == 0:
        posterior = decision.belief.posterior
        likeliest = max(range(len(posterior)), key=posterior.__getitem__)
        true_role = tick.role(PARTNER)
        truth = ROLE_NAMES[true_role] if true_role >= 0 else "none"
        print(f"step {tick.step:3}: {ROLE_NAMES[likeliest]} with {posterior[likeliest]:.2f}; in truth {truth}")
    if decision.replanned:
        print(f"step {tick.step:3}: the partner's actions contradict the belief; the agent replans")

measures = measure(game.trace)
print(f"reward {measures['reward']}, belief right in {measures['skill_accuracy']:.0%} of the steps")
