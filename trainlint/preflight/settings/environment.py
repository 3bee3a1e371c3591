"""Variables of the environment: what is asked of them where nobody sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from trainlint.ir.nodes import Call, Compare, Const, Dict, Ref, Subscript, Term
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.terms import dotted_name
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch
from trainlint.preflight.values.words import known
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program

_GETS = ("os.getenv", "os.environ.get")
_ALL = "os.environ"
#: What puts something into the environment that may be there already.
_PUTS = ("setdefault", "update", "putenv")


class Asked(NamedTuple):
    """What is asked of the environment: the name's term; what is there instead, None for nothing; or only whether it is there."""

    name: Term
    instead: Term | None = None
    whether: bool = False


def asked(term: Term) -> Asked | None:
    """What a term asks of the environment: ``os.getenv("AMP", "0")``, ``"AMP" in os.environ``."""
    if isinstance(term, Compare) and term.op in ("In", "NotIn") and isinstance(term.right, Ref) and term.right.name == _ALL:
        return Asked(term.left, whether=True)
    if not isinstance(term, Call) or not term.args or dotted_name(term.callee) not in _GETS:
        return None
    keywords = dict(term.kwargs)
    instead = term.args[1] if len(term.args) > 1 else keywords.get("default")
    return Asked(term.args[0], instead)


class Environment:
    """That of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, launches: Iterable[Launch], files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.launches = tuple(launches)
        self.files = files

    def is_set(self, name: str) -> bool:
        """Whether somebody may set a variable: the job, a launch line of it, a launcher, the machine."""
        words = name.upper().split("_")
        return name in self._set or None in self._set or not self._of_machines.isdisjoint(words)

    @cached_property
    def _of_machines(self) -> frozenset[str]:
        return frozenset(known(self.program, "words-of-environment"))

    @cached_property
    def _set(self) -> frozenset[str | None]:
        """The variables that are set; None: any of them."""
        found: set[str | None] = {each.name for launch in self.launches for each in launch.environment()}
        for path in self.files():
            for function in self.program.modules[path].functions.values():
                targets = [node.target for node in of_kind(function, Store)] + [node.target for node in of_kind(function, Keep)]
                found.update(
                    _constant(target.key)
                    for target in targets
                    if isinstance(target, Subscript) and isinstance(target.base, Ref) and target.base.name == _ALL
                )
        for name, call in self._puts():
            if name != "update":
                found.add(_constant(call.args[0]) if call.args else None)
            else:
                given = [key for each in call.args if isinstance(each, Dict) for key, _ in each.items]
                found.update(_constant(key) for key in given)
                found.update(keyword for keyword, _ in call.kwargs)
        return frozenset(found)

    def _puts(self) -> Iterable[tuple[str, Call]]:
        own = frozenset(self.files())
        for name in _PUTS:
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                if site.module in own and dotted_name(site.call.term.callee) in (f"{_ALL}.{name}", f"os.{name}"):
                    yield name, site.call.term


def _constant(term: Term) -> str | None:
    return term.value if isinstance(term, Const) and isinstance(term.value, str) else None
