"""What the tests that lead to a call say of a model: under ``isinstance(model, DataParallel)`` it is no sharded one.

Nor is it behind ``if engine == "fsdp": … elif``, in the function of the call or in one that leads to it: who treats the sharded
case apart means the others there.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.names import text_of
from trainlint.ir.nodes import And, Attr, Call, Compare, Element, Not, Or, Ref, Term, Tuple
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import is_call_of, parts_through

_TEST = "builtins.isinstance"
#: Callers above one another whose tests are looked at.
_DEEPEST = 6
#: How many arguments it has.
_PAIR = 2


class Narrowed:
    """Answers for one program; the tests of a function are looked for once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._tests: dict[int, dict[Term, list[tuple[Term, bool]]]] = {}
        self._chosen: dict[frozenset[str], frozenset[str]] = {}

    def classes(self, value: Term, call: Call, frame: Frame) -> frozenset[str]:
        """The classes of libraries of one of which a value surely is where a call runs, by tests that name nothing else."""
        found: frozenset[str] = frozenset()
        for test, arm in self._around(frame.function).get(call, ()):
            asked = _asked(test) if arm else None
            if asked is not None and asked[0] is value:
                classes = asked[1]
                names = [self._name(cls, frame) for cls in (classes.items if isinstance(classes, Tuple) else (classes,))]
                known = frozenset(name for name in names if name is not None)
                found = known if len(known) == len(names) else found
        return found

    def _name(self, cls: Term, frame: Frame) -> str | None:
        values = list(self.program.values(cls, frame))
        return values[0].name if len(values) == 1 and isinstance(values[0], Library) else None

    def is_apart(self, call: Call, frame: Frame, kinds: frozenset[str]) -> bool:
        """Whether a call, or one that leads to it, stands in the other arm of a test that decides whether models are wrapped so.

        ``kinds`` are words of the table ``parallel``. Such a test asks for a text or a name that is asked for where a model gets
        such a wrapper, or for what a library calls it.
        """
        for _ in range(_DEEPEST):
            for test, arm in self._around(frame.function).get(call, ()):
                if arm == (isinstance(test, Compare) and test.op == "NotEq") and self._decides(test, kinds):
                    return True
            if frame.caller is None or frame.call is None:
                break
            call, frame = frame.call, frame.caller
        return False

    def _decides(self, test: Term, kinds: frozenset[str]) -> bool:
        words = self.program.knowledge.parallel_words
        return any(
            said in self._choosing(kinds) or (library and any(word in said.lower() for word in words))
            for said, library in _said(test)
        )

    def _choosing(self, kinds: frozenset[str]) -> frozenset[str]:
        """The names and texts in the tests that lead to a wrapper of such a kind."""
        known = self._chosen.get(kinds)
        if known is None:
            self._chosen[kinds] = frozenset()
            parallel, index = self.program.knowledge.parallel, self.program.ask(CallGraph)
            found: set[str] = set()
            for name in sorted({dotted.rpartition(".")[2] for dotted, kind in parallel.items() if kind in kinds}):
                for site in index.sites.get(name, ()):
                    values = self.program.values(site.call.term.callee, self.program.frame(site.module, site.function))
                    if not any(isinstance(each, Library) and parallel.get(each.name) in kinds for each in values):
                        continue
                    sites = [site, *index.callers(site.function)]
                    tests = (test for each in sites for test, _ in self._around(each.function).get(each.call.term, ()))
                    found |= {said for test in tests for said, library in _said(test) if not library}
            known = self._chosen[kinds] = frozenset(found)
        return known

    def _around(self, function: Function) -> dict[Term, list[tuple[Term, bool]]]:
        """By call the tests that lead to it, taken apart, each with its answer."""
        known = self._tests.get(id(function))
        if known is None:
            known = self._tests[id(function)] = {}
            for node, led in walk_tested(function.body):
                if isinstance(node, CallStep) and led:
                    known[node.term] = [part for test, arm in conditions(led) for part in _parts(test, arm)]
        return known


def _parts(test: Term, arm: bool) -> Iterator[tuple[Term, bool]]:
    """The parts of a test whose answers follow from that of the whole."""
    if isinstance(test, Not):
        yield from _parts(test.operand, not arm)
    elif isinstance(test, And if arm else Or):
        for part in test.operands:
            yield from _parts(part, arm)
    else:
        yield test, arm


def _asked(test: Term) -> tuple[Term, Term] | None:
    """What is asked about, and for which classes, in an ``isinstance`` test."""
    return (test.args[0], test.args[1]) if is_call_of(test, _TEST) and len(test.args) == _PAIR else None


def _said(test: Term) -> Iterator[tuple[str, bool]]:
    """The names and texts in a test, each with whether it is a library's; but for the class of an object that was called."""
    for term in parts_through(test, _said_in):
        name = text_of(term)
        if name is not None:
            yield term.name.rpartition(".")[2] if isinstance(term, Ref) else name, isinstance(term, Ref)
        if isinstance(term, Attr) and isinstance(term.base, Ref):
            yield term.name, True


def _said_in(term: Term) -> list[Term]:
    of_library = isinstance(term, Attr) and isinstance(term.base, Ref)
    if of_library or isinstance(term, Element) or (isinstance(term, Call) and isinstance(term.callee, Call)):
        return []
    callee = term.callee if isinstance(term, Call) else None
    made = isinstance(callee, Ref) and callee.name.rpartition(".")[2][:1].isupper()
    return [part for part in term.subterms() if not (made and part is callee)]
