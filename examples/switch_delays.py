"""How long after a switch of the partner the belief has it, and the ego works beside it.

python examples/switch_delays.py
"""

import numpy as np

from bba import ROLE_NAMES, play_game, switches

found = [
    switch
    for seed in range(5)
    for switch in switches(play_game("ring", "bayes", "switching", seed, horizon=600, progress=False))
]
noticed = [one.detected_at - one.step for one in found if one.detected_at is not None]
print(f"{len(found)} switches; the belief had {len(noticed)} of them, after {np.median(noticed):.0f} steps (median)")
for role in ROLE_NAMES:
    delays = [one.detected_at - one.step for one in found if one.role == role and one.detected_at is not None]
    if delays:
        print(f"to {role:14} {len(delays):3} noticed, after {np.median(delays):.0f} steps (median)")
