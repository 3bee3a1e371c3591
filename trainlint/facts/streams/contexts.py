"""Where a program computes in a stream beside the current one."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Made
from trainlint.ir.nodes import Call, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import Function, With
from trainlint.ir.walk import of_kind

_DEEPEST = 3


class Contexts:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words = program.knowledge.tables["cuda_streams"]
        self._beside: dict[int, list[With]] = {}

    def word(self, callee: Term, frame: Frame) -> str | None:
        """What the tables say of something that is called."""
        values = self.program.values(callee, frame)
        return next((self.words[each.name] for each in values if isinstance(each, Library) and each.name in self.words), None)

    def beside(self, module: str, function: Function) -> list[With]:
        """The blocks of a function that run, or may run, in a stream that the program has made."""
        known = self._beside.get(id(function))
        if known is None:
            frame = self.program.frame(module, function)
            known = [node for node in of_kind(function, With) if any(self._enters(item, frame) for item in node.items)]
            self._beside[id(function)] = known
        return known

    def _enters(self, item: Term, frame: Frame) -> bool:
        for value in self.program.values(item, frame):
            if isinstance(value, Made) and self.words.get(value.name) == "enters" and value.call is not None:
                given = value.call.args[0] if value.call.args else None
                if given is not None and value.frame is not None and not self._is_current(given, value.frame):
                    return True
        return False

    def _is_current(self, stream: Term, frame: Frame) -> bool:
        """Whether a stream is the one that everything runs in anyway."""
        values = self.program.values(stream, frame)
        return any(isinstance(value, Made) and self.words.get(value.name) == "current" for value in values)

    def made(self, stream: Term, frame: Frame) -> bool:
        """Whether a stream surely is one that the program has made."""
        values = self.program.values(stream, frame)
        return bool(values) and all(isinstance(value, Made) and self.words.get(value.name) == "makes" for value in values)

    def around(self, function: Function, depth: int = _DEEPEST) -> tuple[CallSite, With] | None:
        """A call that leads to a function from inside such a block, and the block."""
        if depth == 0 or function.kind == "module":
            return None
        sites = [site for site in self.program.ask(CallGraph).callers(function) if site.function is not function]
        for site in sites:
            for block in self.beside(site.module, site.function):
                if within(site.function, block, site.call.term) and not _is_item(block, site.call.term):
                    return site, block
        found = (self.around(site.function, depth - 1) for site in sites)
        return next((each for each in found if each is not None), None)


def _is_item(block: With, call: Call) -> bool:
    return any(item is call for item in block.items)


def sites(program: Program, name: str) -> Iterator[CallSite]:
    """The calls of a method, by its name."""
    yield from program.ask(CallGraph).sites.get(name, ())


__all__ = ["Contexts", "sites"]
