"""Ten ways to break the analysis. A score that does not notice them measures nothing.

This is the one module here that knows the analysis from inside: it takes a part out of it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from trainlint.ir.nodes import Subscript
from trainlint.spmd import build, calling, nesting
from trainlint.spmd.build import Builder
from trainlint.spmd.opaque_calls import Decorators
from trainlint.spmd.origins import Origins
from trainlint.spmd.symbols import Uniform, Varying
from trainlint.spmd.trace import Event

Fault = Callable[[pytest.MonkeyPatch], None]


def split_barriers_ignored(patch: pytest.MonkeyPatch) -> None:
    """Collectives meet only where they stand in the same place."""
    original = calling.event

    def event(builder: Builder, name: str, call: Any, where: Any, frame: Any, next_: Any) -> Any:
        node = original(builder, name, call, where, frame, next_)
        if not isinstance(node, Event) or node is next_:
            return node
        return builder.nodes.make(Event, f"{node.operation} {where.module} {where.spot}", name, where, call, next_)

    patch.setattr(calling, "event", event)


def finally_ignored(patch: pytest.MonkeyPatch) -> None:
    """What stands in a ``finally`` is not run."""
    _without(patch, "trace_try", final=())


def handlers_ignored(patch: pytest.MonkeyPatch) -> None:
    """No error is ever caught."""
    _without(patch, "trace_try", handlers=(), caught=())


def loop_else_ignored(patch: pytest.MonkeyPatch) -> None:
    """What stands in the ``else`` of a loop is not run."""
    _without(patch, "trace_loop", orelse=())


def _without(patch: pytest.MonkeyPatch, handler: str, **parts: Any) -> None:
    """Statements of a kind are built as if they lacked a part."""
    original = getattr(build, handler)

    def built(builder: Builder, statement: Any, frame: Any, ways: Any) -> Any:
        return original(builder, _changed(statement, parts), frame, ways)

    for module in (build, nesting):
        patch.setattr(module, handler, built, raising=False)


def _changed(statement: Any, parts: dict[str, Any]) -> Any:
    if hasattr(statement, "_replace"):
        return statement._replace(**parts)
    changed = copy.copy(statement)
    for name, value in parts.items():
        object.__setattr__(changed, name, value)
    return changed


def early_exits_ignored(patch: pytest.MonkeyPatch) -> None:
    """``return`` does not return."""
    original = Builder.exit

    def exit_(self: Builder, statement: Any, frame: Any, ways: Any) -> Any:
        return ways.next if statement.kind == "return" else original(self, statement, frame, ways)

    patch.setattr(Builder, "exit", exit_)


def equalising_ignored(patch: pytest.MonkeyPatch) -> None:
    """What is read from a tensor or a list is each rank's own, also after a broadcast."""
    original = Builder.settled

    def settled(self: Builder, value: Any, asked: bool, then: Any, other: Any, guard: Any) -> Any:
        if isinstance(value, Uniform) and ("'item'" in repr(guard.condition) or isinstance(guard.condition, Subscript)):
            value = Varying(("own", guard.condition))
        return original(self, value, asked, then, other, guard)

    patch.setattr(Builder, "settled", settled)


def attributes_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Nothing is known of what an object keeps."""
    patch.setattr(Origins, "_attribute_of", lambda _self, instance, name: Uniform((instance.module, name)))


def callees_ignored(patch: pytest.MonkeyPatch) -> None:
    """A call of a function communicates nothing."""
    for module in (calling, nesting):
        patch.setattr(module, "run_function", lambda _builder, _target, _inner, _where, ways: ways.next)


def groups_ignored(patch: pytest.MonkeyPatch) -> None:
    """Every collective is one of all ranks."""
    patch.setattr(calling, "group_of", lambda _call, _position, _program: None)


def decorators_ignored(patch: pytest.MonkeyPatch) -> None:
    """A decorated function runs as it stands."""
    patch.setattr(Decorators, "arms", lambda _self, _module, _function, _index: None)
    patch.setattr(Decorators, "meeting", lambda _self, _module, _function, _index: None)


def defaults_ignored(patch: pytest.MonkeyPatch) -> None:
    """An argument that is left out is unknown."""
    original = Origins.of_parameter

    def parameter(self: Any, term: Any, frame: Any) -> Any:
        holder = frame.holder(term.function)
        if holder is not None and holder.depth and term.name not in holder.arguments and term.name in holder.function.defaults:
            self.evaluator.consulted(term.name)
            return Uniform((term, holder))
        return original(self, term, frame)

    patch.setattr(Origins, "of_parameter", parameter)


#: Each fault, and the construct whose programs must suffer.
FAULTS: dict[Fault, str] = {
    split_barriers_ignored: "split-barrier",
    finally_ignored: "finally",
    handlers_ignored: "raise",
    loop_else_ignored: "loop-else",
    early_exits_ignored: "early-return",
    equalising_ignored: "equalising-broadcast",
    attributes_forgotten: "property",
    callees_ignored: "helper",
    groups_ignored: "sub-group",
    decorators_ignored: "decorator",
    defaults_ignored: "default-argument",
}
