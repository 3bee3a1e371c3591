"""Which names a piece of code reads and which it gives a value, as dotted texts ("model", "self.sampler")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

_EXITS = {"exit", "_exit", "quit", "abort"}


def dotted(node: cst.CSTNode) -> str | None:
    """The text "a.b.c" of a chain of attributes on a name; None for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return None
    return ".".join([node.value, *reversed(parts)])


def read(node: cst.CSTNode) -> set[str]:
    """Every name in ``node`` that may be read, with its shorter forms: "a", "a.b" and "a.b.c" for ``a.b.c``."""
    found: set[str] = set()
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, (cst.Name, cst.Attribute)) and (name := dotted(part)) is not None:
            pieces = name.split(".")
            found.update(".".join(pieces[:length]) for length in range(1, len(pieces) + 1))
        elif isinstance(part, (cst.Arg, cst.Attribute)):
            # The name of a keyword or of an attribute is no variable.
            pending.append(part.value)
        else:
            pending.extend(part.children)
    return found


def assigned(node: cst.CSTNode) -> set[str]:
    """Every name to which ``node`` gives a value: targets, loop variables, ``as`` names, imports, definitions, ``del``.

    A subscript target counts as an assignment to what is subscripted.
    """
    found: set[str] = set()
    for part in walk(node):
        for target in _targets(part):
            found.update(_target_names(target))
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and all nodes below it, without recursion."""
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(part.children)


def leaves(statements: Sequence[cst.CSTNode]) -> bool:
    """Whether one of ``statements`` may end their block early: return, raise, yield, break, continue, a call that exits.

    Functions, classes and lambdas inside are not run here; a ``break`` belongs to the loop around it.
    """
    return any(_leaves(statement, in_loop=False) for statement in statements)


def _leaves(node: cst.CSTNode, *, in_loop: bool) -> bool:
    pending = [(node, in_loop)]
    while pending:
        part, looped = pending.pop()
        if isinstance(part, (cst.Return, cst.Raise, cst.Yield)) or _is_exit_call(part):
            return True
        if isinstance(part, (cst.Break, cst.Continue)) and not looped:
            return True
        if isinstance(part, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        if isinstance(part, (cst.For, cst.While)):
            # The else part of a loop is no longer inside it.
            pending.append((part.body, True))
            if part.orelse is not None:
                pending.append((part.orelse, looped))
            continue
        pending.extend((child, looped) for child in part.children)
    return False


def _is_exit_call(node: cst.CSTNode) -> bool:
    name = dotted(node.func) if isinstance(node, cst.Call) else None
    return name is not None and name.rpartition(".")[2] in _EXITS


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.Del)):
        yield node.target
    elif isinstance(node, (cst.AsName, cst.FunctionDef, cst.ClassDef)):
        yield node.name
    elif isinstance(node, cst.ImportAlias):
        yield node.name if node.asname is None else node.asname.name
    elif isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        yield node.name


def _target_names(target: cst.CSTNode) -> Iterator[str]:
    pending = [target]
    while pending:
        part = pending.pop()
        name = dotted(part)
        if name is not None:
            yield name
        elif isinstance(part, cst.Subscript):
            pending.append(part.value)
        elif isinstance(part, (cst.Tuple, cst.List)):
            pending.extend(element.value for element in part.elements)
