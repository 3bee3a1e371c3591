"""Variables of the environment: what is asked of them where nobody sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from trainlint.app.preflight.values.words import known
from trainlint.ir.nodes import Call, Compare, Const, Ref, Subscript, Term
from trainlint.ir.sketch import Keep
from trainlint.ir.terms import dotted_name
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch
from trainlint.program.environment import writes
from trainlint.program.program import Program

_GETS = ("os.getenv", "os.environ.get")
_ALL = "os.environ"


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
        own = frozenset(self.files())
        found: set[str | None] = {each.name for launch in self.launches for each in launch.environment()}
        found.update(each.name for each in self.program.ask(writes) if each.module in own)
        functions = (each for path in own for each in self.program.modules[path].functions.values())
        for target in (node.target for function in functions for node in of_kind(function, Keep)):
            if isinstance(target, Subscript) and isinstance(target.base, Ref) and target.base.name == _ALL:
                found.update(() if isinstance(target.key, Const) else (None,))
        return frozenset(found)
