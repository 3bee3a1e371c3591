"""Values that the code leaves open: what a caller, an object or a configuration says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.facts.program import Program
from trainlint.model.sketch import Call, Function, Store
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, walk_tested
from trainlint.model.walk import of_kind


def leaves_of(test: Term) -> Iterator[Term]:
    """What a test asks about: ``a`` and ``b`` of ``not a and b > 0``."""
    waiting = [test]
    while waiting:
        each = waiting.pop()
        if each[0] == "not":
            waiting.append(each[1])
        elif each[0] == "cmp":
            waiting += each[2:4]
        elif each[0] in ("and", "or"):
            waiting += each[1]
        else:
            yield each


def chain_of(term: Term) -> tuple[str, ...]:
    """The names of attributes, from the outermost object on: ``config.DATA.SIZE`` is DATA, SIZE."""
    names: list[str] = []
    while term[0] == "a":
        names.append(term[2])
        term = term[1]
    return tuple(reversed(names))


#: What is asked of a device, and not of a configuration.
_OF_DEVICES = frozenset(("type", "device", "device_type", "is_cuda"))


def is_of_configuration(value: Term) -> bool:
    """Whether a value is taken from an object or dict that somebody else fills: ``config.train.fp16``, ``config["amp"]``."""
    if value[0] == "sub":
        return bool(value[2][0] == "c" and isinstance(value[2][2], str))
    return bool(
        value[0] == "a" and value[1][0] != "self" and value[2] not in _OF_DEVICES and value[1][0] not in ("r", "g", "cls")
    )


def is_of_caller(value: Term) -> bool:
    """Whether somebody else says what a value is: a parameter, an attribute of the object."""
    return bool(value[0] == "p" or (value[0] == "a" and value[1][0] == "self"))


def is_left_open(value: Term) -> bool:
    """Whether any of both is so."""
    return is_of_caller(value) or is_of_configuration(value)


def written(callee: Term) -> str | None:
    """The dotted name of what is imported, as it is written."""
    chain = chain_of(callee)
    root = callee
    for _ in chain:
        root = root[1]
    return ".".join((root[1], *chain)) if root[0] == "r" else None


def constants_of(program: Program, files: Iterable[str]) -> dict[tuple[str, ...], list[object]]:
    """The constants that files set the values of a configuration in Python to: ``_C.DATA.NUM_WORKERS = 8``."""
    found: dict[tuple[str, ...], list[object]] = {}
    for path in sorted(files):
        for node in of_kind(program.modules[path].functions["<module>"], Store):
            chain = chain_of(node.target)
            if chain and chain[-1].isupper() and node.value[0] == "c":
                found.setdefault(chain, []).append(node.value[2])
    return found


def constant(constants: dict[tuple[str, ...], list[object]], term: Term) -> tuple[object] | None:
    """The one constant that a term is set to by the longest end of its names."""
    chain = chain_of(term)
    for count in range(len(chain), 0, -1):
        found = constants.get(chain[-count:], ())
        if found:
            return (found[0],) if len(set(map(repr, found))) == 1 else None
    return None


def asks_for_keywords(function: Function, call: Term) -> bool:
    """Whether a call hands on the keywords of its function, behind a test of them: ``if kwargs.get("dtype"): make(**kwargs)``."""
    spread = dict(call[3]).get(None) if call[0] == "call" else None
    if spread is None or spread[0] != "kw":
        return False
    tests = [
        test
        for node, led in walk_tested(function.body)
        if isinstance(node, Call) and node.term is call
        for test, _ in conditions(led)
    ]
    return any(part is spread for part in parts_of(*tests))


def asked_for(function: Function, tests: Iterable[tuple[Term, bool]]) -> bool:
    """Whether a caller has to give something before tests are passed: ``if norm is not None``, and None is its default."""
    asked = [test[2] for test, arm in tests if arm and test[0] == "cmp" and test[1] == "IsNot" and _is_none(test[3])]
    return any(each[0] == "p" and _is_none(function.defaults.get(each[2])) for each in asked)


def _is_none(term: Term | None) -> bool:
    return term is not None and term[0] == "c" and term[2] is None
