"""What a language model is sent, without a key: the prompt of one decision, and what the scripted planner answers.

python examples/read_a_prompt.py
"""

from bba import play_game

trace = play_game("open", "bayes", "switching", seed=0, horizon=120, fast=False, progress=False)
asked = [(tick.step, call) for tick in trace.ticks for call in tick.decisions[0].calls if call.kind == "plan"]
step, call = asked[-1]
for message in call.messages:
    print(f"--- {message['role']} ---\n{message['content']}\n")
print(f"--- the answer at step {step} ---\n{call.response}")
