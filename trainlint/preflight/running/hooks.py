"""Callbacks: classes that are handed over and made by somebody else, methods that a loop over ``self.callbacks`` calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, Global, ItemDisplay, NestedClass, Ref, Select, Term
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import parts_of
from trainlint.preflight.known import known
from trainlint.preflight.values.words import handed, split

#: What is handed to a trainer to be called back.
_HOOKS = frozenset(("callback", "callbacks", "hook", "hooks", "handler", "handlers", "cb", "cbs", "listener", "listeners"))
#: What asks about a class, or takes a callback away.
_ASKS = frozenset(("isinstance", "issubclass", "type", "super", "remove_callback", "pop_callback", "hasattr", "getattr"))
#: The methods of callbacks that are called again and again while the job trains.
_AGAIN = re.compile(r"(on|before|after|run)_\w*(step|batch|epoch|iter|iteration|save|log|evaluate|update|round|event)")
_CALLED = re.compile(r"(on|before|after)_\w+")


def is_hooking(text: str | None) -> bool:
    """Whether a name is one of callbacks."""
    return not _HOOKS.isdisjoint(split(text or ""))


def is_called_again(name: str) -> bool:
    """Whether a method of a callback is called again and again: ``on_save``, ``after_step``; not ``on_train_end``."""
    return _AGAIN.match(name) is not None


def handed_classes(program: Program, call: CallStep, frame: Frame) -> Iterator[ClassValue]:
    """The classes of callbacks that a call is handed: ``Trainer(callbacks=[Save])``, ``trainer.add_callback(Save)``."""
    name = last_name(call.term.callee)
    if name in _ASKS:
        return
    given = [(name, each) for each in call.term.args] + [(f"{name} {keyword}", each) for keyword, each in call.term.kwargs]
    for called, term in given:
        for each in _items(term):
            for value in program.values(each, frame) if isinstance(each, (Global, Ref, NestedClass, Attr)) else ():
                if isinstance(value, ClassValue) and (is_hooking(called) or _is_derived(program, value)):
                    yield value


def _items(term: Term) -> Iterator[Term]:
    """What stands in lists, one of them or two that are added; anything else itself."""
    if isinstance(term, ItemDisplay):
        for each in term.items:
            yield from _items(each)
    elif isinstance(term, (BinOp, Select)):
        for each in term.sides if isinstance(term, BinOp) else term.arms:
            yield from _items(each)
    else:
        yield term


def _is_derived(program: Program, cls: ClassValue) -> bool:
    """Whether a class is derived from a library's class for callbacks."""
    return any(is_hooking(each.name.rpartition(".")[2]) for each in program.lineage(cls) if isinstance(each, Library))


def registers(callee: Term) -> bool:
    """Whether a function is handed over to be called again and again: a callback, a hook."""
    name = last_name(callee) or ""
    return is_hooking(name) or "on" in split(name)


def is_over_hooks(subject: Term) -> bool:
    """Whether a loop goes over callbacks: ``for hook in self.hooks``. It is no round of a training."""
    return is_hooking(last_name(subject)) or (
        isinstance(subject, Call) and any(is_hooking(last_name(each)) for each in parts_of(subject))
    )


def called_by_name(
    program: Program, callee: Term, made: Iterable[ClassValue], files: Iterable[str]
) -> Iterator[tuple[bool | None, FunctionValue]]:
    """The methods of the callbacks of a job (of the classes that are ``made``) that a call of an unknown one of them runs.

    ``for each in self.callbacks: each.on_step()``, and ``getattr(each, name)()``, by which any of them may be called of which
    calls in the ``files`` are handed the name: whether again and again, its name says then.
    """
    name, receiver = _asked(callee)
    if receiver is None or not _is_hook(receiver):
        return
    common = known(program, "common-methods")
    texts = _handed_texts(program, files) if name is None else ()
    for cls in made:
        above = [each for each in program.lineage(cls) if isinstance(each, ClassValue)]
        is_own = _is_derived(program, cls) or any(is_hooking(each.cls.qualname) for each in above)
        if name in common and not is_own:
            continue
        seen: set[str] = set()
        for each in above:
            for own, qualname in each.cls.methods.items():
                if own not in seen and (own == name if name is not None else own in texts and _CALLED.fullmatch(own)):
                    seen.add(own)
                    function = program.modules[each.module].functions[qualname]
                    again = is_called_again(own) if name is None else None
                    yield again, FunctionValue(each.module, function, Instance(cls.module, cls.cls))


def _handed_texts(program: Program, files: Iterable[str]) -> frozenset[object]:
    """The constants that calls in some files are handed."""
    found = (calls_of(each) for path in files for each in program.modules[path].functions.values())
    return frozenset(given.value for each in found for call in each for given in handed(call.term) if isinstance(given, Const))


def _asked(callee: Term) -> tuple[str | None, Term | None]:
    """The name of a method, where it stands there, and the object of which it is asked."""
    if isinstance(callee, Attr):
        return callee.name, callee.base
    if isinstance(callee, Call) and last_name(callee.callee) == "getattr" and len(callee.args) > 1:
        name = callee.args[1]
        return (name.value if isinstance(name, Const) else None), callee.args[0]
    return None, None


def _is_hook(receiver: Term) -> bool:
    """Whether an object is one of several callbacks, or is called so itself."""
    return is_over_hooks(receiver.of) if isinstance(receiver, Element) else is_hooking(last_name(receiver))
