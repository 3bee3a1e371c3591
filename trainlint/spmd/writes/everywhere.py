"""Files that every rank writes at once, each at the same path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.domains.communication import Communication
from trainlint.domains.files import Operation, Operations, looked_for
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Select, Term
from trainlint.ir.order import before, within
from trainlint.ir.sketch import CallStep, If
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallSite
from trainlint.program.guards import guards, tests_at
from trainlint.program.values import Context, FunctionValue, Instance, Library, LibraryObject
from trainlint.spmd.symbols import LOCAL, WORLD
from trainlint.spmd.writes.jobs import Jobs, Member
from trainlint.spmd.writes.path_uniformity import PathUniformity
from trainlint.spmd.writes.paths import Places, speaks, spelled
from trainlint.spmd.writes.reach import Reaching, prepared_by_some

if TYPE_CHECKING:
    from trainlint.program.program import Program

_KINDS = ("write", "make", "link", "remove", "track")
#: The library of what is opened for lines, not for a run.
_LOGS = "logging."
_LOCAL_MAIN = tuple(rank % LOCAL == 0 for rank in range(WORLD))


class Everywhere(NamedTuple):
    """A write by every rank, or (``local``) by local rank 0 of every node."""

    site: CallSite
    frame: Context
    operation: Operation
    member: Member
    local: bool


def written(program: Program) -> Iterator[Everywhere]:
    """Every write to one thing that several ranks of a job run, once."""
    seen: set[Term] = set()
    for site in program.ask(Operations).sites(*_KINDS):
        if site.call.term not in seen:
            seen.add(site.call.term)
            found = _written(program, site)
            if found is not None:
                yield found


def _written(program: Program, site: CallSite) -> Everywhere | None:
    call = site.call.term
    asked = program.ask(Jobs)
    if not asked.may_join(site.function) and site.function.name != "__init__":
        return None
    alone = program.frame(site.module, site.function)
    operation = program.ask(Operations).of(call, alone)
    if operation is None and not program.ask(Operations).may_be(call):
        return None
    if operation is not None and operation.kind not in _KINDS:
        return None
    for frame in asked.frames(site.module, site.function):
        operation = program.ask(Operations).of(call, frame)
        if operation is None or operation.kind not in _KINDS:
            continue
        member = asked.member(call, frame) or asked.supposed(call, frame)
        if operation.kind == "track" and _kept(program, call, frame):
            continue
        if operation.kind == "track" and (member is None or not member.reach.sure):
            member = asked.beside(call, frame)
        if member is None or not member.reach.sure:
            continue
        if operation.name in program.knowledge.file_downloads and prepared_by_some(program, call, frame):
            continue
        if _is_looked_for(program, operation, call, frame) and prepared_by_some(program, call, frame, waiting=True):
            continue
        if not asked.together(member, frame):
            continue
        local = member.reach.ranks == _LOCAL_MAIN
        if local and not (
            operation.kind == "write"
            and not (operation.path is not None and _on_node(program, operation.path, frame))
            and not program.ask(Communication).runs(site.function)
            and asked.several_nodes(site.module, member.frame.module)
        ):
            continue
        if not member.joins and operation.path is not None and _of_somebody(program, operation.path, call, frame):
            continue
        if (
            (local or all(member.reach.ranks))
            and shared(program, operation, call, frame)
            and not _sharded(program, operation, member)
            and not _constructed_by_some(program, frame)
        ):
            return Everywhere(site, frame, operation, member, local)
    return None


def _constructed_by_some(program: Program, frame: Context) -> bool:
    """Whether an object whose method runs, or leads here, is one on some ranks only: ``Log() if rank == 0 else Silent()``."""
    asked = program.ask(Reaching)
    for each in frame.active():
        made = each.receiver if isinstance(each.receiver, Instance) else None
        call, where = (made.call, made.frame) if made is not None else (None, None)
        if call is not None and where is not None and asked.same.differs(call.callee, where):
            return True
        while call is not None and where is not None:
            if not all(asked.reach(call, where).ranks):
                return True
            call, where = where.call, where.caller
    return False


def _of_somebody(program: Program, path: Term, call: Call, frame: Context) -> bool:
    """Whether somebody out of sight may hand in a path of its own on each rank: not one that is made once, if it is not there."""
    if not program.ask(PathUniformity).handed(path, frame):
        return False
    return not _asks_for(program, path, call, frame)


def _is_looked_for(program: Program, operation: Operation, call: Call, frame: Context) -> bool:
    """Whether something is made only if it is not there: a rank that comes later finds it."""
    return operation.path is not None and _asks_for(program, operation.path, call, frame)


def _asks_for(program: Program, path: Term, call: Call, frame: Context) -> bool:
    """Whether a test around a call, in its function or its callers, looks whether a path is there."""
    place = Places(program).parts(path, frame)
    current: Context | None = frame
    asked: Call | None = call
    while current is not None and asked is not None:
        for condition, _ in tests_at(program, current.function, asked):
            if any(Places(program).parts(given, current) == place for given in looked_for(program, condition, current)):
                return True
        asked, current = current.call, current.caller
    return False


def _kept(program: Program, tracker: Call, frame: Context) -> bool:
    """Whether a log is given to a logger that speaks on one rank only: to it, or to the one inside of it."""
    if _filtered(program, tracker, frame):
        return True
    for node in statements_of(frame.function):
        if type(node) is CallStep and isinstance(node.term.callee, Attr) and _is_given(node.term, tracker):
            receiver = node.term.callee.base
            for holder in (receiver, receiver.base if isinstance(receiver, Attr) else receiver):
                values = program.values(holder, frame)
                if any(isinstance(value, LibraryObject) and value.name in program.knowledge.keepers for value in values):
                    return True
    return False


def _filtered(program: Program, tracker: Call, frame: Context) -> bool:
    """Whether the log, or the logger it is given to, lets lines through by the rank (``addFilter(lambda _: rank == 0)``)."""
    calls = [node.term for node in of_kind(frame.function, CallStep)]
    methods = [(call, call.callee) for call in calls if isinstance(call.callee, Attr)]
    speakers = [tracker, *(method.base for call, method in methods if _is_given(call, tracker))]
    for call, method in methods:
        if method.name in program.knowledge.filters and any(_may_be(method.base, speaker) for speaker in speakers):
            for value in (value for given in call.args for value in program.values(given, frame)):
                function = value.function if isinstance(value, FunctionValue) else None
                if function is not None and any(
                    program.ask(PathUniformity).marked(said, frame) for said in program.returns(function)
                ):
                    return True
    return any(_level_by_rank(program, call, tracker, frame) for call in calls)


def _is_given(call: Call, thing: Term) -> bool:
    return any(_may_be(given, thing) for given in call.args)


def _may_be(term: Term, thing: Term) -> bool:
    """Whether a term is a thing, or a choice of it and others."""
    return term is thing or (isinstance(term, Select) and any(_may_be(arm, thing) for arm in term.arms))


def _level_by_rank(program: Program, call: Call, tracker: Call, frame: Context) -> bool:
    """Whether a call makes the library that the log is of say less on some ranks: by what it is given, or when it runs."""
    callee = call.callee
    name = str(callee.name if isinstance(callee, Attr) else callee.parts[0])
    if name.rpartition(".")[2] not in program.knowledge.levels:
        return False
    speaker = callee.base if isinstance(callee, Attr) else callee
    if _library(program, tracker.callee, frame) != _library(program, speaker, frame):
        return False
    said = [*call.args, *(condition for condition, _ in tests_at(program, frame.function, call))]
    return any(program.ask(PathUniformity).marked(term, frame) for term in said)


def _library(program: Program, term: Term, frame: Context) -> str:
    """The library of which a term is a part, or something that was made by it."""
    values = program.values(term, frame)
    return next((value.name.partition(".")[0] for value in values if isinstance(value, Library | LibraryObject)), "")


def _on_node(program: Program, path: Term, frame: Context) -> bool:
    """Whether a path, or a function on the way, speaks of a disk that each node has for itself."""
    words = program.knowledge.on_node
    current: Context | None = frame
    while current is not None:
        if speaks(current.function.name, words):
            return True
        current = current.caller
    return spelled(program, path, frame, words)


def _sharded(program: Program, operation: Operation, member: Member) -> bool:
    """Whether a method that saves a model may be one that gathers it from all ranks first."""
    if "." in operation.name:
        return False
    knowledge = program.knowledge
    if any(name in knowledge.shards for _, name in program.ask(Jobs).joins.get(id(member.frame.function), ())):
        return True
    terms = (node.term for node in of_kind(member.frame.function, CallStep))
    return any(name in knowledge.job_sharding for term in terms for name, _ in term.kwargs)


def shared(program: Program, operation: Operation, call: Call, frame: Context) -> bool:
    """Whether all ranks that run the call surely do it to the same thing."""
    asked = program.ask(PathUniformity)
    keywords = {name for name, _ in call.kwargs}
    if not keywords.isdisjoint(program.knowledge.guarded):
        return False
    if operation.kind == "track":
        arguments = [*call.args, *(value for _, value in call.kwargs)]
        return None not in keywords and not any(asked.marked(value, frame) for value in arguments)
    if operation.path is None or not asked.alike(operation.path, frame):
        return False
    return operation.kind == "write" or _strict(program, operation, call, frame)


def log_mode(program: Program, found: Everywhere) -> str | None:
    """How a log file is opened that is surely one for all ranks, "append" or "truncate"; else "log"; None for what is none."""
    operation = found.operation
    if not operation.name.startswith(_LOGS):
        return None
    if operation.path is None or not program.ask(PathUniformity).alike(operation.path, found.frame):
        return "log"
    call = found.site.call.term
    mode = dict(call.kwargs).get("mode", dict(call.kwargs).get("filemode", call.args[1] if len(call.args) > 1 else None))
    return "truncate" if isinstance(mode, Const) and mode.value == "w" else "append"


def _strict(program: Program, operation: Operation, call: Call, frame: Context) -> bool:
    """Whether making or deleting fails when another process was faster, and nobody is prepared for that."""
    if any(guard.kind == "attempt" for guard in guards(program, frame.function).get(call, ())):
        return False
    for keyword, value in call.kwargs:
        if keyword in program.knowledge.lenient and not (isinstance(value, Const) and not value.value):
            return False
    return len(call.args) <= program.knowledge.strict_arguments.get(operation.name, 9)


def guard(program: Program, found: Everywhere) -> Spot | None:
    """A test for rank 0 that can be used around the write as it is written: it stands before it in the same function."""
    function = found.site.function
    call = found.site.call.term
    if found.local or found.frame.function is not found.member.frame.function or before(function, call, found.member.spot):
        return None  # before the process group is there, nobody knows its rank
    asked = program.ask(Reaching)
    own = program.frame(found.site.module, function)
    best: Spot | None = None
    for node in statements_of(function):
        if (
            type(node) is If
            and before(function, node, call)
            and not within(function, node, call)
            and asked.of_first(node.condition, own)
        ):
            best = node.test
    return best


def way(found: Everywhere) -> Iterator[tuple[str, Spot, str]]:
    """The calls that lead from what all ranks run to the write: file, place, and what is called, outermost first."""
    steps: list[tuple[str, Spot, str]] = []
    frame = found.frame
    while frame is not found.member.frame and frame.caller is not None and frame.call is not None:
        steps.append((frame.caller.module, frame.call.site, frame.function.name))
        frame = frame.caller
    return reversed(steps)
