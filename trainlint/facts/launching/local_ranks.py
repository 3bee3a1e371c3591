"""Launch lines and the option ``--local_rank`` of the scripts that they start.

torch 2.13: ``torchrun`` adds no option, and sets ``LOCAL_RANK``; ``torch.distributed.launch`` adds ``--local-rank=…`` unless it
is told ``--use_env``. Until 2.0 that was ``--local_rank``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trainlint.documents.expansion import Word
from trainlint.facts.api.targets import targeted
from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.launching.allocations import allocation
from trainlint.facts.launching.launches import Launch, launches
from trainlint.facts.program import Program
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Ref, Self, Term
from trainlint.ir.sketch import CallStep, Function, If, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of

_UNDERSCORE, _HYPHEN = "--local_rank", "--local-rank"
_HYPHEN_SINCE = "2.0"


Kind = Literal["unpassed", "unknown", "hyphen", "idle"]
Told: TypeAlias = "tuple[Kind, tuple[tuple[str, Spot, str], ...]] | None"


@dataclass(frozen=True)
class Mismatch:
    """A line, the ``word`` of its launcher, what is wrong, and the places in the code that say so."""

    kind: Kind
    launch: Launch
    word: Word
    because: tuple[tuple[str, Spot, str], ...]
    other: str = ""


def mismatches(program: Program) -> Iterator[Mismatch]:
    """One for each line that starts a script of this program in a way that the script is not made for."""
    scripts: dict[tuple[str, bool], Told] = {}
    for launch in program.ask(launches):
        inner, path = launch.launcher("torchrun", "launch"), launch.path
        if path is None or path not in program.modules:
            continue
        if inner is None:
            yield from _idle(program, launch, path)
            continue
        if not launch.is_sure or launch.argument(_HYPHEN) is not None:
            continue
        if any(word.many for word in launch.arguments):
            continue  # the option may be among them
        adds = inner.kind == "launch" and inner.option("--use-env") is None
        key = (path, adds)
        if key not in scripts:
            script = _Script(program, path)
            scripts[key] = script.told(launch) if adds else script.left_alone()
        found = scripts[key]
        if found is not None:
            yield Mismatch(found[0], launch, inner.word, found[1])


def _idle(program: Program, launch: Launch, path: str) -> Iterator[Mismatch]:
    """One task on a node with several GPUs, of a script that is one process of many and starts no others."""
    step, given = launch.launcher("srun"), allocation(launch)
    if step is None or given is None or [each.kind for each in launch.launchers] != ["srun", "python"] or not launch.is_sure:
        return
    gpus = given.gpus.number
    if given.tasks.number != 1 or not gpus or gpus == 1 or given.gpus.spot is None:
        return
    found = _Script(program, path).numbered()
    if found is not None:
        because = (launch.document.path, given.gpus.spot, f"{given.gpus.text}: {gpus} GPUs on each node.")
        yield Mismatch("idle", launch, step.word, (because, found), str(gpus))


class _Script:
    """A script and the files that belong to it."""

    def __init__(self, program: Program, path: str) -> None:
        self.program = program
        self.path = path
        self.paths = [each for each in program.modules if program.together(each, path)]

    def left_alone(self) -> Told:
        """What is wrong when nobody adds the option."""
        options = [(site, flags) for site, flags in self._options() if {_UNDERSCORE, _HYPHEN} & flags]
        words = self.program.knowledge.tables["launchers.local"]
        if not options or not self.program.packages(self.path).isdisjoint(words["packages"]):
            return None
        if any(not _is_constant(site) for site, _ in options) or any(_is_set(node) for node in self._nodes()):
            return None
        terms = [term for node in self._nodes() for term in _terms(node)]
        if any(isinstance(term, Const) and term.value in words["variables"] for term in parts_of(*terms)):
            return None
        used = next(
            (call for call in self._calls() if last_name(call.call.term.callee) in words["uses"] and _uses(call.call)), None
        )
        if used is None:
            return None
        site = options[0][0]
        return "unpassed", (
            (site.module, site.call.term.site, "The script asks for the option here."),
            (used.module, used.call.statement, "What it says is used here."),
        )

    def told(self, launch: Launch) -> Told:
        """What is wrong when the launcher adds the option."""
        parses = self._parses()
        if parses is None:
            return None
        options = list(self._options())
        known: set[str] = set().union(*(flags for _, flags in options))
        place = (parses.module, parses.call.term.site, "The options are read here.")
        if not {_UNDERSCORE, _HYPHEN} & known:
            return ("unknown", (place,)) if options else None
        versions = targeted(self.program, launch.path or "", "torch")
        if _HYPHEN in known or not versions.ranges or not versions.needs(_HYPHEN_SINCE):
            return None
        site = next(site for site, flags in options if _UNDERSCORE in flags)
        return "hyphen", ((site.module, site.call.term.site, "The script asks for the option here."),)

    def numbered(self) -> tuple[str, Spot, str] | None:
        """Where the script joins the others, if it takes its number from SLURM and starts no processes of its own."""
        words = self.program.knowledge.tables["launchers.local"]
        if not self.program.packages(self.path).isdisjoint((*words["packages"], "subprocess")):
            return None
        terms = [term for node in self._nodes() for term in _terms(node)]
        if not any(isinstance(term, Const) and term.value == words["numbers"][0] for term in parts_of(*terms)):
            return None
        names = [(site, last_name(site.call.term.callee)) for site in self._calls()]
        if any(name in words["starts"] for _, name in names) or any(
            str(term.value).startswith("cuda:") for term in parts_of(*terms) if isinstance(term, Const)
        ):
            return None
        joins = next((site for site, name in names if name in words["joins"]), None)
        return None if joins is None else (joins.module, joins.call.statement, "The process joins the others here.")

    def _parses(self) -> CallSite | None:
        """Where the script reads its options, if it does so with argparse alone and takes no others."""
        sites = self.program.ask(CallGraph).sites
        if any(
            site.module in self.paths for name in ("parse_known_args", "parse_intermixed_args") for site in sites.get(name, ())
        ):
            return None
        found = [site for site in sites.get("parse_args", ()) if site.module == self.path]
        if len(found) != 1 or found[0].call.term.args or found[0].call.term.kwargs:
            return None
        callee = found[0].call.term.callee
        parser = callee.base if isinstance(callee, Attr) else None
        if (
            parser is None
            or not isinstance(parser, Call)
            or not isinstance(parser.callee, Ref)
            or parser.callee.name != "argparse.ArgumentParser"
        ):
            return None
        if any(name == "parents" or name is None for name, _ in parser.kwargs):
            return None
        for site in self._calls():
            if site.module == self.path and any(each is parser for each in _arguments(site.call)):
                return None  # somebody else adds options to it
        return found[0]

    def _options(self) -> Iterator[tuple[CallSite, set[str]]]:
        for site in self.program.ask(CallGraph).sites.get("add_argument", ()):
            if site.module in self.paths:
                yield site, {str(each.value) for each in site.call.term.args if isinstance(each, Const)}

    def _functions(self) -> Iterator[Function]:
        for path in self.paths:
            yield from self.program.modules[path].functions.values()

    def _nodes(self) -> Iterator[object]:
        for function in self._functions():
            yield from statements_of(function)

    def _calls(self) -> Iterator[CallSite]:
        for path in self.paths:
            for function in self.program.modules[path].functions.values():
                for node in statements_of(function):
                    if isinstance(node, CallStep):
                        yield CallSite(path, function, node)


def _terms(node: object) -> tuple[Term, ...]:
    if isinstance(node, CallStep):
        return (node.term,)
    if isinstance(node, (Keep, Store)):
        return (node.target, node.value)
    if isinstance(node, If):
        return (node.condition,)
    return (node.subject,) if isinstance(node, Loop) else ()


def _arguments(call: CallStep) -> list[Term]:
    return [*call.term.args, *(value for _, value in call.term.kwargs)]


def _is_constant(site: CallSite) -> bool:
    """Whether the default of an option is a constant, or none is given."""
    default = next((value for name, value in site.call.term.kwargs if name == "default"), None)
    return (default is None or isinstance(default, Const)) and all(name is not None for name, _ in site.call.term.kwargs)


def _is_set(node: object) -> bool:
    """Whether a statement gives the option a value."""
    return isinstance(node, (Keep, Store)) and isinstance(node.target, Attr) and node.target.name == "local_rank"


def _uses(call: CallStep) -> bool:
    return any(
        isinstance(term, Attr) and term.name == "local_rank" and not isinstance(term.base, Self)
        for term in parts_of(*_arguments(call))
    )
