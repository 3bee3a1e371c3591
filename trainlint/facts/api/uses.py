"""Where a program uses a library's thing by its own name: calls it, decorates with it, derives from it, only imports it.

By its own name: as the file itself imports it. What comes through another file of the project, or may be one of several things,
is no use here; and neither is what a guard stands around (:mod:`trainlint.facts.api.guards`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.facts.api.guards import Guards
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.components import module_of
from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.ir.nodes import Ref
from trainlint.ir.sketch import Function, Imported, Module

CALL, DECORATOR, BASE, IMPORT = "call", "decorator", "base", "import"


class Use(NamedTuple):
    """One use of ``name`` (canonical) in ``module``; ``written`` is the dotted name as the file's imports give it.

    ``kind`` is a word above, ``node`` the parser's class of what stands at ``spot``; ``site`` is the call, where it is one;
    ``function`` what is decorated, or in which function it is.
    """

    kind: str
    name: str
    written: str
    module: str
    function: Function
    spot: Spot
    statement: Spot
    site: CallSite | None = None
    imported: Imported | None = None
    node: str = "Call"


class Uses:
    """The uses of names in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.guards = program.ask(Guards)
        self._own: dict[tuple[str, str], bool] = {}

    def of(self, names: Collection[str]) -> Iterator[Use]:
        """All uses of these names: calls first, then decorators, base classes, and imports of what a file does not use so."""
        used: set[tuple[str, str]] = set()
        for use in (*self._calls(names), *self._decorators(names), *self._bases(names)):
            used.add((use.module, use.written))
            if not self._guarded(use):
                yield use
        for use in self._imports(names):
            if (use.module, use.written) not in used and not self._guarded(use):
                yield use

    def by_path(self, names: Collection[str]) -> Iterator[Use]:
        """The imports that lead to these names, and the uses that spell their path out."""
        for use in (*self._imports(names), *self._calls(names), *self._decorators(names)):
            given = any(taken.dotted == use.written for taken in self.program.modules[use.module].taken)
            if (use.kind == IMPORT or not given) and not self._guarded(use):
                yield use

    def _calls(self, names: Collection[str]) -> Iterator[Use]:
        index = self.program.ask(CallGraph)
        for last in sorted({name.rpartition(".")[2] for name in names}):
            for site in index.sites.get(last, ()):
                call, callee = site.call, site.call.term.callee
                name = self._meant(callee, site.module, names) if isinstance(callee, Ref) else None
                if name is not None and isinstance(callee, Ref):
                    yield Use(CALL, name, callee.name, site.module, site.function, call.term.site, call.statement, site)

    def _decorators(self, names: Collection[str]) -> Iterator[Use]:
        for path, function in self.program.functions():
            for term, spot in zip(function.decorators, function.decorator_spots, strict=False):
                name = self._meant(term, path, names) if isinstance(term, Ref) else None
                if name is not None and isinstance(term, Ref):
                    node = "Name" if self._is_name(path, term.name, spot) else "Attribute"
                    yield Use(DECORATOR, name, term.name, path, function, spot, function.spot, node=node)

    def _is_name(self, path: str, written: str, spot: Spot) -> bool:
        width = spot.end_column - spot.column
        taken = self.program.modules[path].taken
        return any(each.dotted == written and len(each.name) == width for each in taken)

    def _bases(self, names: Collection[str]) -> Iterator[Use]:
        for path, module in self.program.modules.items():
            top = module.functions["<module>"]
            for cls in module.classes.values():
                for base in cls.bases:
                    name = self._meant(base, path, names) if isinstance(base, Ref) else None
                    if name is not None and isinstance(base, Ref):
                        yield Use(BASE, name, base.name, path, top, cls.spot, cls.spot, node="ClassDef")

    def _imports(self, names: Collection[str]) -> Iterator[Use]:
        for path, module in self.program.modules.items():
            for taken in module.taken:
                name = self._named(taken.dotted, path, names)
                if name is not None:
                    function = module.functions.get(taken.function, module.functions["<module>"])
                    spot, node = taken.statement, "ImportFrom" if taken.whence else "Import"
                    yield Use(IMPORT, name, taken.dotted, path, function, spot, spot, imported=taken, node=node)

    def _meant(self, term: Ref, path: str, names: Collection[str]) -> str | None:
        return self._named(term.name, path, names)

    def _named(self, dotted: str, path: str, names: Collection[str]) -> str | None:
        """The canonical name, if it is one of these and of a library."""
        known = dotted if dotted in names else self.program.knowledge.canonical(dotted)
        return known if known in names and not self._is_own(dotted, path) else None

    def _is_own(self, dotted: str, path: str) -> bool:
        """Whether the library is a folder of the project."""
        key = (path, dotted.partition(".")[0])
        known = self._own.get(key)
        if known is None:
            known = self._own[key] = module_of(self.program.finder, path, key[1]) is not None
        return known

    def _guarded(self, use: Use) -> bool:
        module = self.program.modules[use.module]
        if use.site is not None and self.guards.call(use.module, use.function, use.site.call.term):
            return True
        if use.kind == DECORATOR and self.guards.around(use.module, use.function.tests):
            return True
        return any(self.guards.around(use.module, taken.tests) for taken in providers(module, use.written))


def providers(module: Module, written: str) -> Iterator[Imported]:
    """The imports of a file that may give a name by which ``written`` begins, but for those of the whole library."""
    for taken in module.taken:
        if "." in taken.dotted and (written == taken.dotted or written.startswith(f"{taken.dotted}.")):
            yield taken
