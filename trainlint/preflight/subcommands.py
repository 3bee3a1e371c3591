"""Commands: functions that a command line runs by their names, handed to it in a dict or a list."""

from __future__ import annotations

from trainlint.facts.calls import calls
from trainlint.facts.program import Program
from trainlint.facts.values import FunctionValue, Library, Other
from trainlint.model.sketch import Function
from trainlint.preflight.known import known


def commands(program: Program) -> dict[str, list[Function]]:
    """The functions that are commands of a command line, by file: ``CLI({"pretrain": setup})`` runs the one that is named."""
    already = program.analyses.get("preflight.commands")
    if isinstance(already, dict):
        return already
    found: dict[str, list[Function]] = {}
    makers = known(program, "commands")
    index = calls(program)
    for site in (
        site for name in dict.fromkeys(each.rpartition(".")[2] for each in makers) for site in index.sites.get(name, ())
    ):
        frame = program.frame(site.module, site.function)
        term = site.call.term
        callees = program.values(term[1], frame)
        if not term[2] or not any(isinstance(value, Library) and value.name in makers for value in callees):
            continue
        for given in program.values(term[2][0], frame):
            if not isinstance(given, Other) or given.term[0] not in ("dict", "list", "tuple"):
                continue
            parts = [value for _, value in given.term[1]] if given.term[0] == "dict" else given.term[1]
            for part in parts:
                for value in program.values(part, given.frame) if part is not None else ():
                    if isinstance(value, FunctionValue) and value.function not in found.setdefault(value.module, []):
                        found[value.module].append(value.function)
    program.analyses["preflight.commands"] = found
    return found
