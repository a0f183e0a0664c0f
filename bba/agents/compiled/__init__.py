"""How kernels choose skills, so that whole games are played in compiled calls: the scripted planner and scripted roles.

`waiting` says when a waiting cook is asked again; `policy` chooses. Agents (`bba.agents`) own the arrays and say which
policy is theirs (`bba.agents.continuing`); any other agent is asked in Python.
"""
