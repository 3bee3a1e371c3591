"""The calls that leave out what is to be said, or say what costs more than the default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import CALL, Use, Uses
from trainlint.facts.call_graph import CallGraph, CallSite
from trainlint.facts.framework import framework
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import Frame, FunctionValue
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Const, Ref
from trainlint.ir.sketch import Function, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.sites.changes import Change, RemoveKeyword, SetKeyword


class Unsaid(NamedTuple):
    """A call that leaves out ``keyword``, and the repair."""

    use: Use
    keyword: str
    change: Change


class Zeros(NamedTuple):
    """A call that keeps gradients as zeros, and the repair."""

    site: CallSite
    keyword: str
    change: Change


def unsaid_reentrant(program: Program) -> Iterator[Unsaid]:
    """Each checkpointed call that does not say how the block is run again."""
    for use in program.ask(Uses).of(program.knowledge.reentrant):
        keyword, since = program.knowledge.reentrant[use.name]
        if use.kind != CALL or use.site is None or not targeted(program, use.module, framework(program)).needs(since):
            continue
        keys = [key for key, _ in use.site.call.term.kwargs]
        if keyword in keys or None in keys:
            continue
        change = SetKeyword(Applicability.UNSAFE, f"Set `{keyword}=False`", call=use.spot, keyword=keyword, value="False")
        yield Unsaid(use, keyword, change)


def kept_zeros(program: Program) -> Iterator[Zeros]:
    """Each call that empties gradients and keeps their memory, where nobody is seen to need it."""
    index = program.ask(CallGraph)
    for method, (keyword, since) in program.knowledge.keeps_zeros.items():
        for site in index.sites.get(method, ()):
            call = site.call.term
            said = dict(call.kwargs).get(keyword)
            if said is None or not isinstance(said, Const) or said.value is not False or not isinstance(call.callee, Attr):
                continue
            frame = program.frame(site.module, site.function)
            if (
                _is_own(program, site, frame)
                or program.ask_of(_is_wanted, site.module)
                or tests_software(program, site.module, site.function)
            ):
                continue
            if targeted(program, site.module, framework(program)).needs(since):
                change: Change = RemoveKeyword(Applicability.SAFE, f"Remove `{keyword}=False`", call=call.site, keyword=keyword)
            else:
                message = f"Set `{keyword}=True`"
                change = SetKeyword(Applicability.SAFE, message, call=call.site, keyword=keyword, value="True")
            yield Zeros(site, keyword, change)


def _is_own(program: Program, site: CallSite, frame: Frame) -> bool:
    """Whether the method is one of the project's, which may do something else."""
    return any(isinstance(target, FunctionValue) for target in program.ask(CallGraph).targets(site.call.term, frame))


def _is_wanted(program: Program, path: str) -> bool:
    """Whether something in the file may need the gradients to stay where they are, or looks at them."""
    return any(_wants(program, function) for function in program.modules[path].functions.values())


def _wants(program: Program, function: Function) -> bool:
    wanted, gradients = program.knowledge.zeros_wanted, program.knowledge.gradient_attributes
    for call in calls_of(function):
        term = call.term
        if isinstance(term.callee, (Ref, Attr)) and term.callee.name.rpartition(".")[2] in wanted:
            return True
        if any(key in wanted for key, _ in term.kwargs):
            return True
        if any(isinstance(part, Attr) and part.name in gradients for part in parts_of(term)):
            return True
    return any(isinstance(node.target, Attr) and node.target.name in (wanted | gradients) for node in of_kind(function, Store))
