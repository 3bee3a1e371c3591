"""What a finding rests on: a thing that the job may never make is nothing that it forgets; what an option has to ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator

from trainlint.finding import Finding
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Call, Select, Term
from trainlint.ir.sketch import CallStep, Function, Store
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.jobs import Job
from trainlint.program.program import calls_of


def is_of_a_choice(job: Job, finding: Finding) -> bool:
    """Whether a place that explains a finding is one arm of a choice that is not seen to be taken.

    ``scaler = GradScaler() if dtype == torch.float16 else None``: where there is none, none is forgotten.
    """
    return any(_is_chosen(job, os.path.abspath(each.path), each.span.line) for each in finding.related)  # noqa: PTH100


def places_of(finding: Finding) -> frozenset[str]:
    """The files in which a finding and what explains it are."""
    return frozenset(os.path.abspath(path) for path in (finding.path, *(each.path for each in finding.related)))  # noqa: PTH100


def is_left_open(job: Job, finding: Finding) -> bool:
    """Whether what is found runs only where a configuration says so that is not there."""
    path, line = os.path.abspath(finding.path), finding.span.line  # noqa: PTH100
    ways = [each.way for each in job.trail.ran if each.module == path and each.spot.line == line and each.way is not None]
    return bool(ways) and all(each.left for each in ways)


def needed_for(job: Job, finding: Finding) -> str | None:
    """The option, off unless it is said, without which the job does not run what a finding is in: the innermost of them."""
    path, line = os.path.abspath(finding.path), finding.span.line  # noqa: PTH100
    if path not in job.files or finding.cell is not None or not job.trail.runs_at(path, line):
        return None
    outer = job.trail.option_at(path, line)
    if outer is None:
        return None
    inner = [
        name
        for function in job.program.modules[path].functions.values()
        for node, led in walk_tested(function.body)
        if isinstance(node, CallStep) and node.term.site.line == line
        for test, arm in conditions(led)
        if (name := job.options.off(test, arm, path)) is not None
    ]
    return inner[-1] if inner else outer


def _is_chosen(job: Job, path: str, line: int) -> bool:
    module = job.program.modules.get(path)
    if module is None:
        return False
    for function in module.functions.values():
        if not function.spot[0] <= line <= function.spot[2] and function.name != "<module>":
            continue
        for part in parts_of(*_terms(function)):
            if not isinstance(part, Select) or type(part.then) is type(part.other):
                continue
            for arm, takes in ((part.then, True), (part.other, False)):
                other = part.other if takes else part.then
                if isinstance(arm, Call) and arm.site.line == line and is_none(other):
                    said = job.options.default(part.test, path)
                    return said is None or bool(said[0]) is not takes
    return False


def _terms(function: Function) -> Iterator[Term]:
    """The values that stand in a function."""
    yield from (call.term for call in calls_of(function))
    yield from (node.value for node in of_kind(function, Store))
    yield from held_at_end(function).values()
