"""What moves a model or a tensor to the host."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.ir.nodes import Attr, Call, Const


def to_host(program: Program, call: Call) -> bool:
    """Whether a method's call moves its object to the host: ``x.cpu()``, ``x.to("cpu")``, ``x.to(torch.device("cpu"))``."""
    if not isinstance(call.callee, Attr):
        return False
    method = call.callee.name
    hosts = program.knowledge.tables["xla.hosts"]["names"]
    if method in hosts:
        return not call.args
    if method not in program.knowledge.fluent:
        return False
    given = [each.args[0] if isinstance(each, Call) and each.args else each for each in call.args]
    return any(isinstance(each, Const) and each.value in hosts for each in given)


__all__ = ["to_host"]
