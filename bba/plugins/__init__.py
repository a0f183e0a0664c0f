"""Plug-ins: agents, planners, triggers, partner models, measures and more from outside this project, by name.

Wherever a name is taken, `package.module:Name` and `file.py:Name` are taken too, and so are the names that installed
packages add (`bba.plugins.used`). Nothing is imported before such a name is used. docs/extend/plugins.md is the
guide.
"""

from bba.plugins.loading import allow, allow_used, check_allowed, first_line, load_plugin, load_used, name_of, offered
from bba.plugins.options import make
from bba.plugins.used import (
    KINDS,
    Kind,
    OptionValues,
    Plugin,
    PluginError,
    PluginProxy,
    UsedPlugin,
    answered,
    called,
    find_used,
    installed,
    is_plugin_name,
    option_values,
)

__all__ = [
    "KINDS",
    "Kind",
    "OptionValues",
    "Plugin",
    "PluginError",
    "PluginProxy",
    "UsedPlugin",
    "allow",
    "allow_used",
    "answered",
    "called",
    "check_allowed",
    "find_used",
    "first_line",
    "installed",
    "is_plugin_name",
    "load_plugin",
    "load_used",
    "make",
    "name_of",
    "offered",
    "option_values",
]
