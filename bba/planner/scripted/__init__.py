"""The scripted planner: a stand-in for a language model that needs no key and no network.

It goes by what a prompt shows and nothing else. These are the facts of a scene (`scene_facts`), taken from the state
that the prompt shows, or read from the prompt itself where that is all there is (`prompt_reader`, for `scripted_chat`).
The rules are kernels over these facts: `dishes` says what is next for an item, and `order_needs` what the orders still
lack; `free_hands` and `full_hands` list what a cook can do about it; `skill_choice` predicts what the teammate does
next and chooses, also within a role. `answers` writes what it says.
Results of this planner must never be presented as those of a language model.
"""
