"""The scripted planner: a stand-in for a language model that needs no key and no network.

It goes by what a prompt shows and nothing else. These are the facts of a scene (`scene_facts`), taken from the state
that the prompt shows (`state_facts`) or read from the prompt itself (`prompt_parser`). The rules are kernels over these
facts: `order_needs` lists what the orders still lack; `tasks` and `carrying` list what a cook with free or full hands
can do about it; `policy` predicts what the teammate does next and chooses; `role_work` chooses within a role. `backend`
writes the answer, `side_queries` answers side queries.
Results of this planner must never be presented as those of a language model.
"""
