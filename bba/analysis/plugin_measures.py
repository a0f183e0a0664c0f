"""Measures that are plug-ins: a function of a trace, or a `Measure`; they are called by the plug-in's name."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, get_type_hints

import numpy as np

from bba.analysis.measured_span import MeasuredSpan
from bba.analysis.measures import MEASURES, Measure, MeasureValue
from bba.errors import BBAError
from bba.plugins import Plugin, called, check_allowed, is_plugin_name, load_plugin


def plugin_measure(name: str) -> Plugin[Measure]:
    """Imports a measure.

    Raises:
        BBAError: there is no such plug-in, or it is no measure.
    """
    if not is_plugin_name("measure", name):
        raise BBAError(f"{name}: no measure of a plug-in; one is named package.module:Name or file.py:Name")
    plugin = load_plugin("measure", name)
    return Plugin(_measure(plugin), plugin.used)


def find_measure(name: str) -> Measure:
    """Returns a measure by name, as tables need it; one whose plug-in may not be imported has its name as heading."""
    if name in MEASURES:
        return MEASURES[name]
    try:
        check_allowed("measure", name)
        return plugin_measure(name).target
    except BBAError:
        return Measure(name, _label(name), "a measure of a plug-in", None, type="float", decimals=2)


def _measure(plugin: Plugin[Any]) -> Measure:
    """Returns a plug-in as a measure: a function has its name as heading and its docstring as meaning."""
    target = plugin.target
    name = plugin.used.name
    if isinstance(target, Measure):
        if target.compute is None:
            raise BBAError(f"{name}: a measure of one game needs `compute`")
        return replace(target, name=name, compute=partial(_checked_value, name, target.compute))
    if not callable(target) or isinstance(target, type):
        raise BBAError(f"{name}: a measure is a function of a trace or a bba.analysis.measures.Measure")

    def compute(span: MeasuredSpan) -> MeasureValue:
        return _checked_value(name, lambda span: target(span.trace), span)

    description = str(target.__doc__ or "a measure of a plug-in").strip()
    meaning = description.partition("\n")[0].rstrip(".")
    annotations = called(name, get_type_hints, target)
    if annotations.get("return") is int:
        return Measure(name, _label(name), meaning, compute, type="int", decimals=1)
    return Measure(name, _label(name), meaning, compute, type="float", decimals=2)


def _label(name: str) -> str:
    _, _, own_name = name.rpartition(":")
    return own_name.replace("_", " ")


def _checked_value(name: str, compute: Callable[[MeasuredSpan], Any], span: MeasuredSpan) -> MeasureValue:
    """Computes a measure, and checks that it is a number."""
    value = called(name, compute, span)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None if value != value else value  # nan: there was nothing to count
    raise BBAError(f"{name}: returned {type(value).__name__}; a measure returns a number, or None for nothing to count")
