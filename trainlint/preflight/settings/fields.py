"""What a job asks of configurations that make its objects, as options: ``config.enable`` is `checkpoint.enable`."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import ClassValue
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Term
from trainlint.ir.sketch import Exit, Function, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, tests_of
from trainlint.preflight.settings.built import Built
from trainlint.preflight.settings.declared import Declared, default_of_field, factory

_DEEPEST = 5


def fields_of(built: Built) -> dict[Term, Declared]:
    """The options by the terms of the job's files that ask for them: of a configuration to which one way leads."""
    ways: dict[tuple[str, str], dict[tuple[str, ...], ClassValue]] = {}
    for config in built.configurations():
        for way, cls in _below(built, config, (), frozenset()):
            for each in built.program.lineage(cls):
                if isinstance(each, ClassValue):
                    ways.setdefault((each.module, each.cls.qualname), {})[way] = cls
    found: dict[Term, Declared] = {}
    for path in sorted(built.files()) if ways else ():
        for function in built.program.modules[path].functions.values():
            for part in parts_of(*_terms(function)):
                if not isinstance(part, Attr) or part in found:
                    continue
                base = built.of(path, part.base)
                leading = ways.get((base.module, base.cls.qualname), {}) if base is not None else {}
                if len(leading) == 1:
                    way, cls = next(iter(leading.items()))
                    option = _option(built, cls, (*way, part.name))
                    if option is not None:
                        found[part] = option
    return found


def _below(
    built: Built, config: ClassValue, way: tuple[str, ...], seen: frozenset[str]
) -> Iterator[tuple[tuple[str, ...], ClassValue]]:
    """A configuration and those that its fields begin with, each with the names that lead to it."""
    yield way, config
    if len(way) >= _DEEPEST or config.cls.qualname in seen:
        return
    done: set[str] = set()
    for each in built.program.lineage(config):
        for name in each.cls.fields if isinstance(each, ClassValue) else ():
            inner = built.attribute(config, name) if name not in done else None
            done.add(name)
            if inner is not None:
                yield from _below(built, inner, (*way, name), seen | {config.cls.qualname})


def _terms(function: Function) -> Iterator[Term]:
    yield from (call.term for call in calls_of(function))
    yield from (node.condition for node in tests_of(function))
    yield from (node.subject for node in of_kind(function, Loop))
    yield from (node.value for node in of_kind(function, Store))
    yield from (node.value for node in of_kind(function, Exit) if node.value is not None)
    yield from held_at_end(function).values()


def _option(built: Built, cls: ClassValue, way: tuple[str, ...]) -> Declared | None:
    """The field of a configuration as an option; its default is not known where something makes one with another value."""
    for each in built.program.lineage(cls):
        if isinstance(each, ClassValue) and way[-1] in each.cls.fields:
            given = each.cls.attributes.get(way[-1])
            if factory(given) is not None:
                return None  # a configuration of its own
            default = None if _is_given(built, cls, way[-1]) else default_of_field(given)
            flag = f"--{'.'.join(way)}".replace("_", "-")
            return Declared(".".join(way), (flag,), each.module, each.cls.spot, default)
    return None


def _is_given(built: Built, cls: ClassValue, name: str) -> bool:
    """Whether a call that makes such a configuration says something of a field."""
    outer = cls.cls.qualname.rpartition(".")[0].rpartition(".")[2]
    return any(
        site.module in built.files()
        and name in dict(site.call.term.kwargs)
        and (not outer or (isinstance(site.call.term.callee, Attr) and last_name(site.call.term.callee.base) == outer))
        for site in built.program.ask(CallGraph).sites.get(cls.cls.name, ())
    )
