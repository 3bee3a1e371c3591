"""What a command has to say: arguments without hyphens, options that are required, in the files whose parsers the job runs."""

from __future__ import annotations

from collections.abc import Container, Iterator

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.ir.nodes import Attr, Call, Const, Param, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.preflight.settings.declared import Declared, arguments
from trainlint.preflight.values.origins import Origin, Origins
from trainlint.preflight.values.words import handed, split

_TOP = "<module>"
#: What makes parsers of their own for subcommands: which of these is meant, the command says.
_SUBCOMMANDS = ("add_subparsers", "add_parser")
#: What reads a command line.
_PARSES = frozenset(("parse", "parser", "namespace", "args", "arguments", "argv"))
#: What is called a file that holds a configuration.
_FILES = frozenset(("config", "configs", "cfg", "conf", "file", "path", "filename", "settings", "yaml", "yml", "json", "hparams"))


def bare(program: Program, path: str, running: Container[int]) -> Iterator[str]:
    """The arguments without hyphens of a script, and those that functions of other files declare for it.

    ``running`` are the functions (by id) that the job runs: what the top level of another file declares may be a script's own.
    """
    for site, name in arguments(program):
        if site.module == path or _is_run(site, running):
            yield name


def is_needed(program: Program, path: str, option: Declared, running: Container[int]) -> bool:
    """Whether an option that is required is one of the script, or of a parser that a function of another file makes for it."""
    if not option.is_required or option.module == path:
        return option.is_required
    sites = (site for name in ("add_argument", "option") for site in program.ask(CallGraph).sites.get(name, ()))
    return any(site.call.term.site == option.spot for site in sites if site.module == option.module and _is_run(site, running))


def _is_run(site: CallSite, running: Container[int]) -> bool:
    function: Function = site.function
    if function.name == _TOP or id(function) not in running:
        return False
    return not any(last_name(call.term.callee) in _SUBCOMMANDS for call in calls_of(function))


def is_of_file(origins: Origins, term: Term, module: str) -> bool:
    """Whether an attribute is one of what a file holds: ``cfg.depth`` of ``cfg = Config.fromfile(args.config)``.

    An option of the same name may be laid over it; without that the file says what it is.
    """
    if not isinstance(term, Attr):
        return False
    base = term.base
    found: list[Term] = [base] if isinstance(base, Call) else []
    found += [each.value for each in (*origins.of_several(base, module), *_returned(origins, base, module)) if each.value]
    return any(_reads_file(each) for each in found)


def _returned(origins: Origins, base: Term, module: str) -> Iterator[Origin]:
    yield from origins.returned(base, module) if isinstance(base, Call) else ()


def _reads_file(value: Term) -> bool:
    """Whether a call makes something of a file that it is handed, and is none that reads a command line."""
    if not isinstance(value, Call) or not _PARSES.isdisjoint(split(last_name(value.callee) or "")):
        return False
    return any(
        not _FILES.isdisjoint(split(str(part.value if isinstance(part, Const) else part.name)))
        for each in handed(value)
        for part in parts_of(each)
        if isinstance(part, (Attr, Param)) or (isinstance(part, Const) and isinstance(part.value, str))
    )
