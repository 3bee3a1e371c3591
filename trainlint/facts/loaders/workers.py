"""How many workers a loader has: as it is written, or by the default of the option of the command line that it is read from."""

from __future__ import annotations

from trainlint.facts.command_line import defaults_of
from trainlint.facts.loaders.made import Loader
from trainlint.facts.program import Program
from trainlint.facts.values import Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Const

_DEEPEST = 4
#: How many cores a machine has at least.
_CORES = 2


def fewest(loader: Loader) -> int | None:
    """The fewest workers that a loader may have with the program's own settings; None when that cannot be seen."""
    given = loader.given("num_workers")
    if not given.known:
        return None
    if given.term is None:
        return 0
    return _least(loader.program, given.values, loader.module, 0)


def _least(program: Program, values: tuple[Value, ...], module: str, depth: int) -> int | None:
    found = [_number(program, value, module, depth) for value in values]
    known = [each for each in found if each is not None]
    return min(known) if known and len(known) == len(found) else None


def _number(program: Program, value: Value, module: str, depth: int) -> int | None:
    if isinstance(value, Made):
        return _computed(program, value, module, depth)
    if isinstance(value, Library):
        return _default(program, value.name.rpartition(".")[2], module)
    if not isinstance(value, Other):
        return None
    term = value.term
    if isinstance(term, Const):
        return term.value if type(term.value) is int else None
    if isinstance(term, Attr):
        return _default(program, term.name, value.frame.module)
    return None


def _computed(program: Program, value: Made, module: str, depth: int) -> int | None:
    """``os.cpu_count()``, and the smallest or largest of several numbers."""
    if value.name in program.knowledge.tables["loaders"]["cores"]:
        return _CORES
    word = program.knowledge.rounding.get(value.name)
    if word not in ("min", "max") or value.call is None or value.frame is None or depth > _DEEPEST:
        return None
    numbers = [_least(program, program.values(each, value.frame), module, depth + 1) for each in value.call.args]
    known = [each for each in numbers if each is not None]
    if word == "max":
        return max(known) if known else None
    return min(known) if known and len(known) == len(numbers) else None


def _default(program: Program, name: str, module: str) -> int | None:
    """The default of the option of the command line of this name, where the program has one, and all of them the same."""
    found = defaults_of(program, name, module)
    numbers = [each for each in found if type(each) is int]
    return numbers[0] if len(found) == 1 and numbers else None
