"""PRNG keys that are used again, shared by all examples, or constant."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, NamedTuple

from trainlint.domains.jax.binding_times import MAPS, PMAP, TRACES, Parameters, Traced, TracedFunctions
from trainlint.domains.jax.prng_keys import (
    NEW,
    SPLITS,
    Keys,
    Lasting,
    Use,
    is_given,
    is_same,
    put_back,
    used_next_round,
    uses_in,
    whole_of,
)
from trainlint.domains.traced.functions import Root, Roots, mapped_over
from trainlint.domains.traced.functions import reached as in_trace
from trainlint.edits.changes import Change, InsertBefore, InsertFirst, Rewrite, Together
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import carried_by, carried_names
from trainlint.ir.control_dependence import Failed, conditions
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Const,
    Display,
    Element,
    Entered,
    Global,
    Kwargs,
    LoopPhi,
    Param,
    Select,
    Self,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import belongs_to, between, is_step, loops_around, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Bind, CallStep, Class, Function, Loop, Store
from trainlint.ir.terms import is_own, parts_of, whole_number
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.consteval import constant as constant_of
from trainlint.program.consteval import is_constant
from trainlint.program.loops import in_each_round, is_fixed
from trainlint.program.memo import relieve
from trainlint.program.naming import reference, speaks_of
from trainlint.program.origins import origin
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, LibraryObject

#: Of what the body of the last one returns, the first is carried.
_CONSTRUCTOR, _COMPILES, _SCAN = "__init__", ("jit", "pmap"), "jax.lax.scan"


class Stored(NamedTuple):
    """The call that makes such a key, the attribute that holds it, and where methods use it up."""

    module: str
    node: CallStep
    name: str
    uses: tuple[Spot, ...]


def stored(program: Program) -> Iterator[Stored]:
    """Each such key, once."""
    asked = program.ask(Keys)
    makers = {name.rpartition(".")[2] for name, word in asked.words.items() if word == NEW}
    for module, sketch in program.modules.items():
        for cls in sketch.classes.values():
            made = sketch.functions.get(cls.methods.get(_CONSTRUCTOR, ""))
            if made is None or tests_software(program, module, made):
                continue
            frame = program.frame(module, made)
            for store in of_kind(made, Store):
                if not isinstance(store.target, Attr) or not isinstance(store.target.base, Self):
                    continue
                if not isinstance(store.value, Call) or last_name(store.value.callee) not in makers:
                    continue
                if asked.word(store.value, frame) != NEW:
                    continue
                name = store.target.name
                node = next((node for node in calls_of(made) if node.term is store.value), None)
                if node is None or _is_renewed(program, ClassValue(module, cls), name, store):
                    continue
                uses = tuple(_uses(program, module, cls, name))
                if uses:
                    yield Stored(module, node, name, uses)


def _is_renewed(program: Program, cls: ClassValue, name: str, made: Store) -> bool:
    """Whether the attribute is set anywhere else: on an object by that name, or by a method of the class or of a derived one."""
    for module, function in program.functions():
        for store in of_kind(function, Store):
            if store is made or not isinstance(store.target, Attr) or store.target.name != name:
                continue
            owner = program.modules[module].classes.get(function.cls or "")
            if not isinstance(store.target.base, Self) or owner is None or cls in program.lineage(ClassValue(module, owner)):
                return True
    return False


def _uses(program: Program, module: str, cls: Class, name: str) -> Iterator[Spot]:
    """Where methods of a class that are compiled, or called in a loop, use the attribute up."""
    sketch = program.modules[module]
    for qualname in cls.methods.values():
        method = sketch.functions[qualname]
        if (_is_compiled(program, method) or _runs_in_rounds(program, method)) and not _starts(program, method):
            for use in uses_in(program, module, method):
                key = use.used.key
                if is_own(key, name):
                    yield use.node.term.site


def _is_compiled(program: Program, method: Function) -> bool:
    return any(root.word in _COMPILES for root in program.ask(Roots).of(method))


def _runs_in_rounds(program: Program, method: Function) -> bool:
    """Whether a method is called in each round of a loop, on one object."""
    for site in program.ask(CallGraph).callers(method):
        loops = [each for each in loops_around(site.function, site.call) if in_each_round(each, site.call)]
        if loops and isinstance(callee := site.call.term.callee, Attr) and is_fixed(callee.base, site.function, loops[0]):
            return True
    return False


def _starts(program: Program, function: Function) -> bool:
    """Whether a function is called after what is done once, to make something or to try it, or what is to repeat."""
    return speaks_of(function.name, program.knowledge.tables["keys.starts"]["names"])


_PART = "subkey"  # what a repair calls the part that is used
_NUMBERS = frozenset(("Add", "Sub", "Mult", "BitXor"))


class Reused(NamedTuple):
    """A key that is used again.

    ``how``: "again" (behind ``first``), "rounds" (of ``loop``), "items" (``loop`` maps a function over them), "names" (two kinds
    of draws in one call), "number" (the key plus something is used), "returned" (who uses it gives it back, to be used next).
    ``name`` is what the key is called, if it has a name.
    """

    module: str
    function: Function
    node: CallStep
    how: Literal["again", "rounds", "items", "names", "number", "returned"]
    key: Term
    name: str | None
    first: CallStep | None = None
    loop: Spot | None = None
    splits: bool = False
    apart: bool = False


def reused(program: Program) -> Iterator[Reused]:
    """Each such use, one for each call."""
    for module, function in program.functions():
        relieve(program)
        found = uses_in(program, module, function)
        if not (found or program.ask(Roots).of(function)) or tests_software(program, module, function):
            continue
        if _pretends(program, module, function):
            continue
        if program.ask(Keys).shapes_only(function):
            continue
        seen, back = set[Term](), put_back(program, module, function, found)
        for each in (
            *_again(program, module, function, found),
            *_in_rounds(program, module, function, found),
            *_in_bodies(program, module, function, found),
            *_numbers(program, module, function, found),
            *(Reused(module, function, use.node, "returned", use.used.key, _name_of(use.used.key, function)) for use in back),
            *_in_next_round(module, function, found),
        ):
            if each.node.term not in seen:
                seen.add(each.node.term)
                yield each


def _pretends(program: Program, module: str, function: Function) -> bool:
    """Whether a name says that the numbers only stand for some: nobody minds if they hang together."""
    words = program.knowledge.tables["keys.pretends"]["names"]
    names = f"{module.rpartition('/')[2]} {function.name}".lower()
    return any(word in names for word in words)


def _again(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key that is used up, and on the same way used again; not twice by one function: two models are compared so."""
    lasting = program.ask(Lasting)
    for index, use in enumerate(found):
        for before in found[:index]:
            if not is_same(before.used.key, use.used.key) or not lasting.lasts(use.used.key):
                continue
            name = name_in(use.used.key, function)
            splits = use.used.how == SPLITS
            if before.node is use.node:
                if use.used.name not in (before.used.name, None) and before.used.name is not None:
                    yield Reused(module, function, use.node, "names", use.used.key, name)
                    break
            elif _follows(before, use) and not _compares(before, use):
                since = [
                    before.node,
                    *(node for node in statements_of(function) if between(function, before.node, node, use.node)),
                ]
                if lasting.is_set(use.used.key, since):
                    continue
                apart = use.used.apart or before.used.apart
                yield Reused(module, function, use.node, "again", use.used.key, name, before.node, splits=splits, apart=apart)
                break


def _compares(before: Use, use: Use) -> bool:
    """Whether one function, or model, runs twice with the key, to compare (not what it returned), or to arrange two alike."""
    if use.used.arranged is not None and before.used.arranged not in (None, use.used.arranged):
        return True
    if use.used.by is not None or before.used.by is not None:
        given = (*use.used.call.args, *(value for _, value in use.used.call.kwargs))
        return use.used.by is before.used.by and all(before.used.call not in parts_of(each) for each in given)
    return use.used.name is not None and before.used.name is not None and use.used.call.callee is before.used.call.callee


def _follows(before: Use, use: Use) -> bool:
    """Whether one use runs whenever the other does, in one activation."""
    if any(isinstance(test, Failed) for test, _ in (*before.led, *use.led)):
        return False
    first, second = set(conditions(before.led)), set(conditions(use.led))
    return first <= second or second <= first


def _in_rounds(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key from outside of a loop that every round uses up."""
    lasting = program.ask(Lasting)
    for use in found:
        loops = [loop for loop in loops_around(function, use.node) if in_each_round(loop, use.node)]
        if not loops:
            continue
        inner = loops[-1]
        key = use.used.key
        if isinstance(key, Attr) and not lasting.lasts(key):
            continue
        inside = [node for node in statements_of(function) if within(function, inner, node)]
        together = use.used.arranged is not None and not is_fixed(use.used.arranged, function, inner)
        if (
            together
            or isinstance(key, Global)
            or not _stays(program, module, key, function, inner)
            or lasting.is_set(key, inside)
        ):
            continue
        name = _name_of(key, function)
        splits, apart = use.used.how == SPLITS, use.used.apart
        yield Reused(module, function, use.node, "rounds", key, name, loop=inner.spot, splits=splits, apart=apart)


def _in_next_round(module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key that a round uses up and hands on to the next one, which uses it up again."""
    for before, use in used_next_round(function, found):
        key = use.used.key
        yield Reused(module, function, use.node, "again", key, _name_of(key, function), before.node, splits=True)


def _stays(program: Program, module: str, key: Term, function: Function, loop: Loop) -> bool:
    """Whether a key is the same in each round of a loop: from outside of it, or handed on by each round to the next."""
    whole = whole_of(key)
    if isinstance(whole, LoopPhi) and belongs_to(loop, whole):
        carried = carried_by(function, whole)
        frame = program.frame(module, function)
        return carried is not None and program.ask(Lasting).is_handed_back(carried.back, frame, key, whole)
    return is_fixed(key, function, loop)


def _in_bodies(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """A key from around a function that a library runs again and again, or one that its rounds hand on, used up in each."""
    rounds = program.knowledge.tables["keys.carries"]
    roots = [root for root in program.ask(Roots).of(function) if root.name in rounds]
    for root in (*roots, *program.ask(mapped_over).of(function)):
        for use in found or _as_given(program, root):
            key = use.used.key
            handed_on = root.name in rounds and _is_carried(program, key, root, int(rounds[root.name].split()[2]))
            together = root not in roots and use.used.arranged is not None and is_given(use.used.arranged, function)
            if not use.led and not together and (handed_on or _is_around(program, key, root)):
                how: Literal["rounds", "items"] = "rounds" if root in roots else "items"
                yield Reused(module, function, use.node, how, key, _name_of(key, function), loop=root.spot, apart=True)


def _as_given(program: Program, root: Root) -> list[Use]:
    """What the body of a loop uses up as it is with what a ``partial`` has filled in (``partial(step, sampler)``)."""
    (target, _, _, call, frame, _) = root
    if call is None or not target.given:
        return []
    inner = program.enter(target, Call.new(call.callee, (), (), call.site), frame)
    return uses_in(program, target.module, target.function, inner)


def _name_of(key: Term, function: Function) -> str | None:
    """What a key is called, be it what a loop carries, or a field of that."""
    if isinstance(key, (LoopPhi, Param)):
        return key.name
    if isinstance(key, Attr):
        whole = _name_of(key.base, function)
        return whole and f"{whole}.{key.name}"
    return name_in(key, function) or next((each.name for each, entry, _ in carried_names(function) if entry is key), None)


def _is_around(program: Program, key: Term, root: Root) -> bool:
    """Whether the body of a loop is not handed a key by the rounds: it stands around it, or a ``partial`` has filled it in."""
    function = root.target.function
    if isinstance(key, Param) and key.function == function.qualname:
        return key.name in program.ask(Parameters).filled(root.target)
    return function.outer is not None and _is_outside(key, function) and program.ask(Lasting).lasts(key)


def _is_carried(program: Program, key: Term, root: Root, position: int) -> bool:
    """Whether each round of a loop hands the next one the same key, in what is carried."""
    function = root.target.function
    whole = whole_of(key)
    names = program.ask(Parameters).names(root)
    if not isinstance(whole, Param) or whole.function != function.qualname or names[position : position + 1] != [whole.name]:
        return False
    frame, lasting = program.frame(root.target.module, function), program.ask(Lasting)
    results = program.returns(function)
    if lasting.is_set(key, statements_of(function)):
        return False
    inside = (0,) if root.name == _SCAN else ()
    return bool(results) and all(lasting.is_handed_back(each, frame, key, whole, inside) for each in results)


def _numbers(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Reused]:
    """Keys made from others by arithmetic: the numbers of the one may be those of the other."""
    asked, frame = program.ask(Keys), program.frame(module, function)
    used = {use.used.key for use in found}
    for use in found:
        for part in _operands(use.used.key):
            if part in used or asked.is_key(part, frame):
                yield Reused(module, function, use.node, "number", part, name_in(part, function))
                break


def _operands(term: Term) -> Iterator[Term]:
    """What a sum, a product and the like are made of; nothing for any other term."""
    if isinstance(term, BinOp) and term.op in _NUMBERS:
        for part in term.sides:
            yield part
            yield from _operands(part)


def mended(program: Program, found: Reused) -> Change | None:
    """The key split before it is used the first time, or in each round.

    None where it has no name, is passed by keyword, goes by another way too, which would still bring the whole key (in a
    container, for one), or where a loop consumes the same one again in each round.
    """
    node = found.first if found.first is not None else found.node
    call = node.term
    position = next((index for index, given in enumerate(call.args) if given is found.key), None)
    if found.name is None or not found.name.isidentifier() or position is None or found.splits or found.apart:
        return None
    held = (node.value for node in of_kind(found.function, Bind) if isinstance(node.value, Display))
    repeated = loops_around(found.function, node) != loops_around(found.function, found.node)
    if repeated or found.how not in ("again", "rounds") or any(found.key in parts_of(value) for value in held):
        return None
    split = reference(program.knowledge.written["splits"], program.modules[found.module])
    if split is None:
        return None
    code = f"{found.name}, {_PART} = {split}({found.name})"
    message = "Split the key, and use each part once"
    insert: Change
    if found.loop is not None:
        insert = InsertFirst(Applicability.DISPLAY, message, block=found.loop, code=code)
    else:
        insert = InsertBefore(Applicability.DISPLAY, message, statement=node.statement, code=code)
    before = "".join(f"{{{index + 1}}}, " for index in range(position))
    paths: list[tuple[tuple[str, int | str], ...]] = [(("function", 0),), *((("argument", index),) for index in range(position))]
    paths.append((("arguments", position + 1),))
    code = f"{{0}}({before}{_PART}{{,{position + 1}}})"
    use = Rewrite(Applicability.DISPLAY, message, spot=call.site, code=code, paths=tuple(paths))
    return Together(Applicability.DISPLAY, message, changes=(insert, use))


class Constant(NamedTuple):
    """A traced function that draws with such a key: the call that makes it, or the draw where that stands elsewhere.

    ``use`` is where it is used up, ``made`` where it is made, ``how`` as what the function is traced.
    """

    module: str
    function: Function
    node: CallStep
    use: Spot
    made: tuple[str, Spot]
    how: Traced


def constant(program: Program) -> Iterator[Constant]:
    """Each such key, once."""
    asked = program.ask(Keys)
    for module, function in program.functions():
        how = program.ask(TracedFunctions).how(module, function) or _how_led_to(program, function)
        if how is None or _starts(program, function) or tests_software(program, module, function):
            continue
        frame, seen = program.frame(module, function), set[_Made]()
        for use in uses_in(program, module, function):
            made = _made_of(asked, use.used.key, frame) if use.used.how != SPLITS and not use.used.makes else None
            if made is None or made in seen or _initialises(program, use.node.term):
                continue
            seen.add(made)
            node = next((node for node in calls_of(function) if node.term is made.term), use.node)
            yield Constant(module, function, node, use.node.term.site, (made.frame.module, made.term.site), how)


def _how_led_to(program: Program, function: Function) -> Traced | None:
    """How a function is traced that only traced ones call, none of which does what is done once."""
    traced = program.ask_of(in_trace, TRACES)
    step = traced.get(id(function))
    if step is None or any(_starts(program, each.function) for each in step.chain()):
        return None
    return "function" if all(id(site.function) in traced for site in program.ask(CallGraph).callers(function)) else None


class _Made(NamedTuple):
    term: Call
    frame: Context


def _made_of(asked: Keys, key: Term, frame: Context) -> _Made | None:
    """The call with a constant that made a key, or what it was split off; see :func:`stored` for one that an object keeps."""
    for made, home in reached(asked.program, key, frame, partial(_split_off, asked)):
        if isinstance(made, Call) and asked.word(made, home) == NEW and _is_constant(asked.program, made, home):
            return _Made(made, home)
    return None


def _split_off(asked: Keys, key: Term, frame: Context) -> list[Argument]:
    """What a key was split off, or got its name from."""
    if isinstance(key, Attr) and isinstance(key.base, Self):
        return []
    made = origin(asked.program, key, frame)
    if made.term is not key:
        return [made]
    if isinstance(key, Subscript):
        return [Argument(key.base, frame)]
    splits = isinstance(key, Call) and asked.word(key, frame) == SPLITS
    return [Argument(given, frame) for given in key.args[:1]] if isinstance(key, Call) and splits else []


def _is_constant(program: Program, call: Call, frame: Context) -> bool:
    seed = constant_of(program, call.args[0], frame) if len(call.args) == 1 and not call.kwargs else None
    return whole_number(seed) is not None


def _initialises(program: Program, call: Call) -> bool:
    makers = program.knowledge.tables["keys.makers"]["names"]
    return isinstance(call.callee, Attr) and call.callee.name in makers


class Shared(NamedTuple):
    """A call of a mapped function that hands each example the same key; ``place`` is where the key is used up, if in sight.

    ``devices``: it is mapped over devices, not over examples.
    """

    module: str
    node: CallStep
    name: str | None
    devices: bool
    place: tuple[str, Spot] | None
    change: Change | None = None


def shared(program: Program) -> Iterator[Shared]:
    """Each such call."""
    asked = program.ask(Roots)
    for module, function in program.functions():
        frame = program.frame(module, function)
        for node in calls_of(function):
            if not isinstance(node.term.callee, (Call, Global, Param, Access, Element, LoopPhi, Select)):
                continue
            for value in program.values(node.term.callee, frame):
                if (
                    isinstance(value, LibraryObject)
                    and asked.word(value) in MAPS
                    and value.call is not None
                    and value.frame is not None
                ):
                    found = _handed(program, module, function, node, value)
                    if found is not None and not tests_software(program, module, function):
                        yield found
                    break


def _handed(program: Program, module: str, function: Function, node: CallStep, mapped: LibraryObject) -> Shared | None:
    assert mapped.call is not None
    assert mapped.frame is not None
    if not mapped.call.args:
        return None
    targets = [each for each in program.values(mapped.call.args[0], mapped.frame) if isinstance(each, FunctionValue)]
    if len(targets) != 1:
        return None
    (target,) = targets
    devices = program.ask(Roots).word(mapped) == PMAP
    frame = program.frame(module, function)
    axes = _axes(program, mapped.call, mapped.frame)
    if axes is not None and _are_examples(program, target.function, axes):
        entered = program.enter(target, node.term, frame)
        for taken in sorted(program.ask(Keys).parameters(target.module, target.function), key=repr):
            given = entered.given(Param.new(target.function.qualname, taken.name))
            if not isinstance(given, Argument) or given.frame is not frame or taken.item is not None:
                continue
            position = next((index for index, each in enumerate(node.term.args) if each is given.term), None)
            if position is not None and position < len(axes) and axes[position] is None:
                place = _use(program, target, taken.name)
                name = name_in(given.term, function)
                return Shared(
                    module, node, name, devices, place, _mapped(program, module, node.term, mapped, axes, position, name)
                )
    if target.function.outer is not None:
        for use in uses_in(program, target.module, target.function):
            if not use.led and _is_outside(use.used.key, target.function):
                return Shared(module, node, name_in(use.used.key, function), devices, (target.module, use.node.term.site))
    return None


def _are_examples(program: Program, function: Function, axes: list[object]) -> bool:
    """Whether anything is mapped besides the parameters of models, which are compared under the same noise."""
    words = program.knowledge.tables["keys.states"]["names"]
    names = [name.lower() for name, axis in zip(function.parameters, axes, strict=False) if axis is not None]
    return any(all(word not in name for word in words) for name in names)


def _mapped(
    program: Program, module: str, call: Call, mapped: LibraryObject, axes: list[object], position: int, name: str | None
) -> Change | None:
    """One key for each example, where mapping and call are one expression that says nothing else."""
    inner = mapped.call
    if inner is None or call.callee is not inner or name is None or call.kwargs or len(call.args) != len(axes):
        return None
    if len(inner.args) + len(inner.kwargs) > len(("function", "in_axes")) or not isinstance(_said_axes(inner), SequenceDisplay):
        return None
    whole = reference(mapped.name, program.modules[module])
    split = reference(program.knowledge.written["splits"], program.modules[module])
    first = next((index for index, axis in enumerate(axes) if isinstance(axis, Const) and axis.value == 0), None)
    if (
        whole is None
        or split is None
        or first is None
        or any(isinstance(axis, Term) and not isinstance(axis, Const) for axis in axes)
    ):
        return None
    new = ", ".join("0" if index == position or axis is not None else "None" for index, axis in enumerate(axes))
    given = ", ".join(
        f"{split}({name}, len({{{first + 1}}}))" if index == position else f"{{{index + 1}}}" for index in range(len(axes))
    )
    paths = ((("function", 0), ("argument", 0)), *((("argument", index),) for index in range(len(axes))))
    code = f"{whole}({{0}}, in_axes=({new}))({given})"
    return Rewrite(Applicability.DISPLAY, "Give each example its own key", spot=call.site, code=code, paths=paths)


def _axes(program: Program, call: Call, frame: Context) -> list[object] | None:
    """What is mapped of each argument, where that is written down: None for what is not mapped; None where it is unknown."""
    given = _said_axes(call)
    if given is None:
        return None
    made, home = origin(program, given, frame)
    if not isinstance(made, SequenceDisplay) or type(made.items) is not tuple:
        return None
    return [None if is_constant(program, each, home, None) else each for each in made.items]


def _said_axes(call: Call) -> Term | None:
    return dict(call.kwargs).get("in_axes", call.args[1] if len(call.args) > 1 else None)


def _use(program: Program, target: FunctionValue, name: str) -> tuple[str, Spot] | None:
    """Where a function uses up a key that it is given."""
    for use in uses_in(program, target.module, target.function):
        key = use.used.key
        if isinstance(key, Param) and key.function == target.function.qualname and key.name == name:
            return target.module, use.node.term.site
    return None


def _is_outside(key: Term, function: Function) -> bool:
    """Whether a key comes from around a function: it is made of nothing that the function is given, or makes."""
    for part in parts_of(key):
        if is_given(part, function) or isinstance(part, (Unknown, Element, LoopPhi, Kwargs, Entered)):
            return False
        if isinstance(part, Self) and function.kind == "method":
            return False
        if isinstance(part, Call) and is_step(function, part):
            return False
    return isinstance(key, (Attr, Param, Call, Subscript))
