"""Names that several functions bind (``global``, ``nonlocal``), and what a ``with`` binds that a function made.

Such a name may hold any of the values that are bound to it, but None ("not yet", "no more") only where there is no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.ir.bindings import Carried, carried_by, carried_in, carried_names, is_shared, shared_names
from trainlint.ir.nodes import (
    Access,
    Attr,
    Augmented,
    BinOp,
    Call,
    Const,
    Dict,
    Entered,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Select,
    Self,
    Term,
)
from trainlint.ir.sketch import Bind, CallStep, Exit, Function, Loop, Module, Statement, Store, Yield
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import behind, of_kind, roots, walk_all
from trainlint.program.callables import run_by
from trainlint.program.heap import holds_none
from trainlint.program.values import (
    HIGHEST,
    WIDEST,
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

if TYPE_CHECKING:
    from trainlint.program.call_graph import CallSite
    from trainlint.program.program import Program


Stores = dict[str, list[tuple[Function, Term]]]


def global_stores(program: Program, path: str) -> Stores:
    """For each name that functions of a file declare ``global`` and bind: which function, and to what."""
    found: Stores = {}
    module = program.modules[path]
    for function in module.functions.values() if module.rebound else ():
        for node in of_kind(function, Store) if function.kind != "module" else ():
            if isinstance(node.target, Global) and node.target.name in module.rebound:
                found.setdefault(node.target.name, []).append((function, node.value))
    return found


def is_rebound(program: Program, path: str, name: str) -> bool:
    """Whether functions of a file bind a name of its top level."""
    module = program.modules.get(path)
    return module is not None and name in module.rebound


def rebound_in(program: Program, term: Ref, found: Value, frame: Context) -> tuple[str, str] | None:
    """The file, and the name of its top level that functions bind: another file's, or one that nothing else binds."""
    whole, _, name = term.name.rpartition(".")
    path = found.frame.module if isinstance(found, Unresolved) else frame.module if whole == "builtins" else None
    return (path, name) if path is not None and is_rebound(program, path, name) else None


def global_values(program: Program, path: str, name: str, asked: Term, frame: Context, depth: int) -> Iterator[Value]:
    """What a name of a file's top level may hold that functions bind: what it is bound to there, or by one of them."""
    first = program.module_member(path, name, set())
    held = [(first.term, first.frame)] if isinstance(first, Unresolved) else []
    for function, value in program.ask_of(global_stores, path).get(name, ()):
        held += [(value, where) for where in _activations(program, path, function, value)]
    otherwise = (
        Unresolved(asked, frame) if first is None or isinstance(first, Unresolved) else first
    )  # a function that others wrap
    if otherwise is first:
        yield first
    yield from _any_of(program, held, name, otherwise, depth)


def shared_values(program: Program, term: LoopPhi, frame: Context, depth: int) -> Iterator[Value]:
    """What a name may hold that functions in its own function bind (``nonlocal``), or that a loop carries."""
    holder: Context | None = frame
    while holder is not None and not is_shared(holder.function, term):
        holder = holder.closure
    if holder is None:
        yield from _carried_values(program, term, frame, depth) or (Unresolved(term, frame),)
        return
    shared = shared_names(holder.function)
    held = [(value, holder) for phi, value in shared.items() if phi.name == term.name]
    for function in program.modules[holder.module].functions.values():
        for node in of_kind(function, Store) if function.outer is not None else ():
            if isinstance(node.target, LoopPhi) and node.target.name == term.name and node.target in shared:
                held += [(node.value, where) for where in _activations_in(program, holder, function, node.value)]
    yield from _any_of(program, held, term.name, Unresolved(term, frame), depth)


def _carried_values(program: Program, term: LoopPhi, frame: Context, depth: int) -> tuple[Value, ...]:
    """What a loop carries in a name: what it held before, if a round leaves that; else objects of both (``state = step(state)``).

    The first round is looked at in an activation of its own, in which the loop has what there was before. Nothing where there is
    more than objects: of what a loop counts, adds up or puts together nothing is known.
    """
    holder: Context | None = frame
    while holder is not None and not (holder.drawn and term in holder.drawn) and term not in holder.function.phis:
        holder = holder.closure
    if holder is None:
        return ()
    if holder.drawn and term in holder.drawn:
        return program.values(*holder.drawn[term], depth)
    carried = carried_in(holder.function, term) or carried_by(holder.function, term)
    if carried is None or type(carried.back) in _COUNTED or _is_sought(holder.function, carried):
        return ()
    before = program.values(carried.entry, holder, depth)
    found = dict.fromkeys(before)
    for made in _made_in_round(carried.back, carried.name):
        again = any(isinstance(part, LoopPhi) for part in parts_of(made))
        found.update(dict.fromkeys(program.values(made, _first_round(holder, carried.name) if again else holder, depth)))
    objects = tuple(each for each in found if not holds_none(each))
    return before if len(found) == len(before) else objects if all(_is_object(program, each) for each in objects) else ()


def _made_in_round(value: Term, name: LoopPhi) -> Iterator[Term]:
    """What a round may put into a name: each arm of a choice but for what was there."""
    if isinstance(value, Select):
        yield from (made for arm in value.arms for made in _made_in_round(arm, name))
    elif value is not name:
        yield value


def _is_sought(function: Function, carried: Carried) -> bool:
    """Whether a loop goes on from one thing to the next, or for as long as a name holds something: ``model = model.module``."""
    root = carried.back
    while isinstance(root, Access):
        root = root.stem
    loops = (each for each in of_kind(function, Loop) if each.kind == "while" and each.spot[:2] == carried.name.place[1:])
    return root is carried.name or any(mentions(each.subject, carried.name) for each in loops)


#: What is counted, added up or put together is no object.
_COUNTED = frozenset((Const, BinOp, Augmented, List, Dict))


def _is_object(program: Program, value: Value) -> bool:
    """Whether a value is one that is made once, or a copy of such with other fields."""
    return not isinstance(value, Unresolved) or (isinstance(value.term, Call) and program.propagation.holds(value))


def _first_round(frame: Context, name: LoopPhi) -> Context:
    """The same activation in the first round of the loop that carries a name."""
    known = frame.answers_of("first rounds")
    if name not in known:
        entries = {each: entry for each, entry, _ in carried_names(frame.function) if each.place[1:] == name.place[1:]}
        known[name] = frame.turn({each: Argument(entry, frame) for each, entry in entries.items()})
        known.update(dict.fromkeys(entries, known[name]))
    first: Context = known[name]
    return first


def is_set_first(program: Program, about: tuple[str, Function, Global | LoopPhi]) -> bool:
    """Whether a function reads a name that others bind only behind a call of one that does, in the same round: then it is set."""
    path, function, name = about
    functions = program.modules[path].functions.values()
    inside = (each for each in functions if isinstance(name, Global) or each.outer == function.qualname)
    binders = [each for each in inside if _always_binds(each, name)]
    from trainlint.program.call_graph import CallSite

    steps = walk_all(function.body) if binders else []
    reads = sum(_reads(node, name) for node in steps)
    for node in steps if reads else ():
        if isinstance(node, CallStep) and any(_means(program, CallSite(path, function, node), path, each) for each in binders):
            return sum(_reads(later, name) for later in walk_all(behind(function.body, node))) == reads
    return False


def _always_binds(function: Function, name: Global | LoopPhi) -> bool:
    """Whether each call of a function binds a name that is another one's, or its file's, or raises."""
    for node in function.body if not function.generator and not function.decorators else ():
        if isinstance(node, Store) and type(node.target) is type(name) and _is_name(node.target, name.name):
            return True
        if any(isinstance(each, Exit) and each.kind == "return" for each in walk_all((node,))):
            return False
    return False


def _reads(node: Statement, name: Global | LoopPhi) -> bool:
    """Whether a statement reads a name; that it is shared from here on is said by binding it to itself."""
    if isinstance(node, Bind):
        return node.value is not None and (node.value is not name or node.name != name.name) and mentions(node.value, name)
    return any(mentions(each, name) for each in roots(node))


def _any_of(program: Program, held: list[tuple[Term, Context]], name: str, otherwise: Value, depth: int) -> Iterator[Value]:
    """The values of some terms that a name is bound to, but for None, and for the name itself."""
    none: Value | None = None
    known = False
    for term, where in held:
        for value in program.values(term, where, depth) if not _is_name(term, name) else ():
            if holds_none(value):
                none = value
            elif not isinstance(value, Unresolved) or not _is_name(value.term, name):
                known = True
                yield value
    if not known:
        yield none or otherwise


def _is_name(term: Term, name: str) -> bool:
    return isinstance(term, (Global, LoopPhi)) and term.name == name


def _is_given(value: Term, function: Function) -> bool:
    """Whether a value depends on what a function is given."""
    return any(
        (isinstance(part, (Param, Kwargs)) and part.function == function.qualname) or (part is function.variadic)
        for part in parts_of(value)
    )


def _activations(program: Program, path: str, function: Function, value: Term, level: int = 0) -> list[Context]:
    """The activations of a function that tell what a value in it is: one for each call that names the function."""
    alone = program.frame(path, function)
    if level >= HIGHEST or not _is_given(value, function):
        return [alone]
    target = FunctionValue(path, function, alone.receiver, alone.closure)
    found: list[Context] = []
    for site in _direct_calls(program, path, function):
        callers = _activations(program, site.module, site.function, site.call.term, level + 1)
        found += [program.enter(target, site.call.term, caller) for caller in callers if not caller.runs(function)]
    return found[:WIDEST] or [alone]


def _activations_in(program: Program, holder: Context, function: Function, value: Term) -> list[Context]:
    """The activations of a nested function that tell what a value in it is, as its own function, which is active, calls it."""
    alone = program.frame(holder.module, function)
    if function.outer != holder.function.qualname:
        return [alone]
    target = FunctionValue(holder.module, function, closure=holder)
    calls = [node.term for node in of_kind(holder.function, CallStep)]
    mine = [call for call in calls if isinstance(call.callee, Nested) and call.callee.name == function.qualname]
    if not _is_given(value, function):
        del mine[1:]
    return [program.enter(target, call, holder) for call in mine[:WIDEST]] or [alone]


def _direct_calls(program: Program, path: str, function: Function) -> Iterator[CallSite]:
    """The calls that name a function, no value is followed to find them; tests of software call with stand-ins."""
    from trainlint.program.call_graph import CallGraph
    from trainlint.program.software_tests import tests_software

    for site in program.ask(CallGraph).sites.get(function.name.rstrip("'"), ()):
        if _means(program, site, path, function) and not tests_software(program, site.module, site.function):
            yield site


def _means(program: Program, site: CallSite, path: str, function: Function) -> bool:
    """Whether the callee of a call is the name of a function."""
    callee = site.call.term.callee
    if isinstance(callee, Ref):
        found = program.lookup(site.module, callee.name)
        return isinstance(found, FunctionValue) and found.function is function
    if site.module != path:
        return False
    if isinstance(callee, Attr):
        return callee.name == function.name and isinstance(callee.base, Self) and callee.base.cls == function.cls
    return isinstance(callee, (Global, Nested)) and callee.name == function.qualname


def entered_values(program: Program, term: Entered, frame: Context, depth: int) -> Iterator[Value]:
    """What ``with … as`` binds: what ``__enter__`` returns, what a generator yields, or what a library enters as it is given."""
    for manager in program.values(term.manager, frame, depth):
        if isinstance(manager, Instance):
            yield from _returned(program, manager, depth)
        elif isinstance(manager, LibraryObject) and manager.name in program.knowledge.entered and manager.call is not None:
            position = program.knowledge.entered[manager.name]
            given = manager.call.args[position : position + 1] if manager.frame is not None else ()
            yield from program.values(given[0], manager.frame, depth) if given and manager.frame is not None else (manager,)
        else:
            handed = [value for each in yielded(program, manager, depth) for value in program.values(*each, depth)]
            yield from handed or (manager,)


def _returned(program: Program, manager: Instance, depth: int) -> Iterator[Value]:
    """What the ``__enter__`` of an object of the project returns; the object itself where nobody sees what that is."""
    method = program.method(ClassValue(manager.module, manager.cls), "__enter__")
    returned = program.returns(method[1]) if method is not None else []
    if method is None or not returned:
        yield manager
        return
    inner = program.instance_frame(manager, *method)
    for value in returned:
        yield from program.values(value, inner, depth)


def yielded(program: Program, manager: Value, depth: int = 0) -> Iterator[Argument]:
    """What a generator yields that a decorator (table ``context_managers``) makes a context manager; nothing for other values."""
    if not isinstance(manager, Unresolved) or not isinstance(manager.term, Call):
        return
    call, frame = manager.term, manager.frame
    for value in program.values(call.callee, frame, depth):
        for target, _ in run_by(program, value, ("__call__",), depth):
            if isinstance(target, FunctionValue) and manages(program, target) and not frame.runs(target.function):
                inner = program.enter(target, call, frame)
                for node in of_kind(target.function, Yield):
                    if not node.whole:
                        yield Argument(node.value if node.value is not None else program.terms.const(None), inner)


def manages(program: Program, target: FunctionValue) -> bool:
    """Whether a decorator (table ``context_managers``) makes a context manager of a generator."""
    function = target.function
    if not function.generator or not function.decorators:
        return False
    module: Module = program.modules[target.module]
    around = program.frame(target.module, module.functions.get(function.outer or "<module>", module.functions["<module>"]))
    values = [value for decorator in function.decorators for value in program.values(decorator, around)]
    return any(isinstance(value, Library) and value.name in program.knowledge.context_managers for value in values)
