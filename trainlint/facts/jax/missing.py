"""Arguments of traced functions that have to be static, and are not said to be."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.jax.activations import Activation, Activations
from trainlint.facts.jax.counted import counted
from trainlint.facts.jax.sized import sized
from trainlint.facts.naming import reference
from trainlint.facts.partials import PARTIAL
from trainlint.facts.program import Program
from trainlint.facts.traced.roots import Root
from trainlint.finding import Applicability, Spot
from trainlint.sites.changes import Change, Replace, SetKeyword


def missing(program: Program) -> Iterator[tuple[Activation, Root, str, str, Spot, str, Spot]]:
    """Each place that needs one: its activation, what traces the function, the parameter, what for, and the place."""
    for found in counted(program):
        if found.own is not None and found.root is not None:
            yield found.activation, found.root, found.own, found.what, found.spot, found.node, found.statement
    for each in sized(program):
        root = each.activation.way_root() if each.activation is not None else None
        if each.own is not None and each.activation is not None and root is not None:
            yield each.activation, root, each.own, "slice", each.spot, each.node, each.statement


def declared(program: Program, activation: Activation, root: Root, name: str) -> Change | None:
    """The argument declared static where the function is traced, if that is in the same file and says nothing of the kind yet."""
    if root.frame.module != activation.module:
        return None
    parameters = program.ask(Activations).parameters
    message = f"Declare `{name}` static"
    said = f'"{name}"'
    option = program.knowledge.tables["tracers.argnames"]["names"][0]
    if root.call is not None:
        if parameters.static(root) or root.name not in program.knowledge.tables["tracers.by_name"]["names"]:
            return None
        return SetKeyword(Applicability.DISPLAY, message, call=root.call.site, keyword=option, value=said)
    sketch = program.modules[root.frame.module]
    partial, tracer = reference(PARTIAL, sketch), reference(root.name, sketch)
    if partial is None or tracer is None or root.name not in program.knowledge.tables["tracers.by_name"]["names"]:
        return None
    return Replace(Applicability.DISPLAY, message, spot=root.spot, code=f"{partial}({tracer}, {option}={said})")


__all__ = ["declared", "missing"]
