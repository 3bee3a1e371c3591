"""What astroid knows of installed packages: it reads their source, and runs none of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import astroid
from astroid import bases, nodes, util

#: Names of classes that are worth telling; deeper hierarchies than this are no business of a loss or a barrier.
_MOST = 20


class AstroidClasses:
    """Answers :class:`trainlint.facts.external_types.Outside` for pylint, with the packages that pylint sees."""

    def classes(self, holder: str, attribute: str) -> Sequence[str]:
        """The class of what ``holder`` is or returns, and those above it, up to the one that defines the attribute."""
        try:
            cls = _class(holder)
            if cls is None:
                return ()
            line = [cls, *cls.ancestors()][:_MOST]
        except (astroid.AstroidError, RecursionError):
            return ()
        defining = (index for index, one in enumerate(line) if attribute in one.locals or attribute in one.instance_attrs)
        last = next(defining, None)
        return [] if last is None else [name for one in line[: last + 1] for name in _names(one)]


def _names(cls: nodes.ClassDef) -> Iterator[str]:
    """The dotted names of a class: where it is defined, and where a package may hand it on (``a.b.C``, ``a.C``)."""
    parts = cls.root().name.split(".")
    for count in range(len(parts), 0, -1):
        yield ".".join((*parts[:count], cls.name))


def _class(dotted: str) -> nodes.ClassDef | None:
    """The class that a dotted name means, or of which the function of that name returns an object, when it is a single one."""
    found = _named(dotted)
    if isinstance(found, nodes.ClassDef):
        return found
    if not isinstance(found, nodes.FunctionDef):
        return None
    results = [each for each in found.infer_call_result(None) if not (isinstance(each, nodes.Const) and each.value is None)]
    classes = {each._proxied if isinstance(each, bases.Instance) else None for each in results}  # noqa: SLF001 - it has no other name
    only = classes.pop() if len(classes) == 1 else None
    return only if isinstance(only, nodes.ClassDef) else None


def _named(dotted: str) -> nodes.NodeNG | None:
    """What a dotted name stands for, in the package that has it."""
    parts = dotted.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            current: nodes.NodeNG = astroid.MANAGER.ast_from_module_name(".".join(parts[:count]))
        except astroid.AstroidError:
            continue
        for part in parts[count:]:
            following = [] if not hasattr(current, "igetattr") else list(current.igetattr(part))
            if len(following) != 1 or following[0] is util.Uninferable:
                return None
            current = following[0]
        return current
    return None
