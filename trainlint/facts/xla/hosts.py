"""What moves a model or a tensor to the host."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.model.terms import Term


def to_host(program: Program, call: Term) -> bool:
    """Whether a method's call moves its object to the host: ``x.cpu()``, ``x.to("cpu")``, ``x.to(torch.device("cpu"))``."""
    method = call[1][2]
    hosts = program.knowledge.tables["xla.hosts"]["names"]
    if method in hosts:
        return not call[2]
    if method not in program.knowledge.fluent:
        return False
    given = [each[2][0] if each[0] == "call" and each[2] else each for each in call[2]]
    return any(each[0] == "c" and each[2] in hosts for each in given)


__all__ = ["to_host"]
