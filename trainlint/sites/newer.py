"""Whether a text is Python that only a newer interpreter reads: libcst's parser knows it, this one does not."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst


def parses(code: str) -> bool:
    """Whether libcst parses the text, and it is not Python 2 that it takes for Python 3.14; may raise what its parser raises."""
    import libcst

    return not _names_errors(libcst.parse_module(code))


def _names_errors(module: libcst.Module) -> bool:
    """Whether a handler binds the error in the way of Python 2: ``except ValueError, error:``.

    Python 3.14 reads two classes there; but nothing in the file makes a class of the second name.
    """
    import libcst
    from libcst import matchers

    bare = matchers.ExceptHandler(type=matchers.Tuple(lpar=[]))
    handlers = matchers.findall(module, bare)
    if not handlers:
        return False
    known = set(vars(builtins))
    known = {*vars(builtins), *_classes(module)}
    for handler in handlers:
        last = libcst.ensure_type(libcst.ensure_type(handler, libcst.ExceptHandler).type, libcst.Tuple).elements[-1].value
        if isinstance(last, libcst.Name) and last.value not in known:
            return True
    return False


def _classes(module: libcst.Module) -> Iterator[str]:
    """The names that may be those of classes: what a file imports, its classes, and what its top level assigns."""
    import libcst
    from libcst import matchers

    for node in matchers.findall(module, matchers.ImportAlias()):
        alias = libcst.ensure_type(node, libcst.ImportAlias)
        yield alias.evaluated_alias or alias.evaluated_name.partition(".")[0]
    for node in matchers.findall(module, matchers.ClassDef()):
        yield libcst.ensure_type(node, libcst.ClassDef).name.value
    for line in module.body:
        if isinstance(line, libcst.SimpleStatementLine):
            for node in matchers.findall(line, matchers.AssignTarget(target=matchers.Name())):
                yield libcst.ensure_type(libcst.ensure_type(node, libcst.AssignTarget).target, libcst.Name).value
