"""The scripted planner: a stand-in for a language model that needs no key and no network.

It reads nothing but the prompt. `prompt_parser` turns the text into facts; `order_needs` lists what the orders still
lack; `tasks` and `carrying` list what a cook with free or full hands can do about it; `policy` predicts what the
teammate does next and chooses; `backend` writes the answer. `side_queries` answers side queries.
Results of this planner must never be presented as those of a language model.
"""
