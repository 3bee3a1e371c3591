"""What containers hold where they are constructed: literals, dispatch tables, dataclasses and named tuples.

An item is looked up by its key, where that is a constant. ``HANDLERS[mode](args)`` calls one of the functions of a dict.
What becomes of containers later is in :mod:`trainlint.program.propagation`.

Bundles: objects that hold what they are made of and nothing else, such as dataclasses and named tuples.

``rows.append(Row(step, loss))`` keeps the loss; ``result.loss`` of ``Result(loss=loss)`` is the loss.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.attributes import namespace_of
from trainlint.ir.nodes import (
    Attr,
    Call,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    Nested,
    NestedClass,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Slice,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import Function
from trainlint.ir.terms import is_none, parts_of
from trainlint.program.values import (
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
    from trainlint.program.program import Program


def position(display: SequenceDisplay | Dict, key: object) -> int | None:
    """Where the item under a key stands in a list, tuple or dict that is written down; None where there is no such item."""
    if isinstance(display, Dict):
        return next((at for at, (name, _) in enumerate(display.items) if isinstance(name, Const) and name.value == key), None)
    items = display.items
    if not isinstance(key, int) or type(items) is not tuple or not -len(items) <= key < len(items):
        return None
    between = items[: key + 1] if key >= 0 else items[key:]
    return None if any(isinstance(item, Star) for item in between) else key % len(items)


def at(display: SequenceDisplay | Dict, position: int) -> Term:
    """The item that stands at a position."""
    return display.items[position][1] if isinstance(display, Dict) else display.items[position]


def item_of(container: Term, key: Term) -> Term | None:
    """The item of a literal container under a constant key."""
    if not isinstance(key, Const) or not isinstance(container, (SequenceDisplay, Dict)):
        return None
    found = position(container, key.value)
    return None if found is None else at(container, found)


def dict_viewed(views: Mapping[str, str], term: Term, *words: str) -> Term | None:
    """The dict of which a call hands out all values, keys or pairs (table ``views``): as one of ``words`` says, or in any way."""
    if not isinstance(term, Call) or not isinstance(term.callee, Attr) or term.args:
        return None
    word = views.get(term.callee.name)
    fits = word is not None and (not words or word in words)
    return term.callee.base if fits else None


def made_with(term: Term) -> tuple[tuple[tuple[str, int | str], Term], ...]:
    """What ``dict(base, name=value)`` puts into the dict that it makes, each with where it stands; nothing for other terms."""
    if not isinstance(term, Call) or not isinstance(term.callee, Ref) or term.callee.name != "builtins.dict":
        return ()
    given = [(("argument", index), value) for index, value in enumerate(term.args[:1])]
    return (*given, *((("keyword", name), value) for name, value in term.kwargs if name is not None))


def one_of_two(container: Unresolved) -> Term | None:
    """What the items of a comprehension are, one thing or the other, as a tuple (``[a if test(x) else b for x in xs]``)."""
    drawn = container.term if isinstance(container.term, Comprehension) else None
    return Tuple.new(drawn.item.arms) if drawn is not None and isinstance(drawn.item, Select) else None


def bundled(program: Program, call: Call, frame: Context) -> tuple[Term, ...]:
    """What a call puts into the bundle that it makes; nothing when it makes none."""
    if not (call.args or call.kwargs) or not any(True for _ in fields_taken(program, call, frame)):
        return ()
    return (*call.args, *(value for name, value in call.kwargs if name is not None))


def field(program: Program, call: Call, name: str, frame: Context, depth: int = 0) -> Term | None:
    """What a bundle was given for a field."""
    for fields in fields_taken(program, call, frame, depth) if call.args or call.kwargs else ():
        given: Term | None = next((value for keyword, value in call.kwargs if keyword == name), None)
        if given is not None:
            return given
        for spread in [value for keyword, value in call.kwargs if keyword is None] if name in fields else ():
            item = program.terms.make(Subscript, spread, program.terms.const(name))  # ``Config(**options)``
            if not any(isinstance(value, Unresolved) and value.term is item for value in program.values(item, frame, depth)):
                return item
        if name in fields:
            place = fields.index(name)
            star = next((at for at, each in enumerate(call.args) if isinstance(each, Star)), len(call.args))
            if place < star:
                return call.args[place] if place < len(call.args) else None
            last = call.args[star] if star + 1 == len(call.args) else None
            if isinstance(last, Star):  # ``Pair(*(load(name) for name in names))``
                return program.terms.make(Subscript, last.of, program.terms.const(place - star))
    return None


def only_holds(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call runs nothing: all it makes are objects that hold what they are given (a dataclass, a named tuple)."""
    made = program.values(call.callee, frame)
    return bool(made) and all(_only_holds(program, value) for value in made)


def _only_holds(program: Program, value: Value) -> bool:
    if not isinstance(value, ClassValue):
        return isinstance(value, LibraryObject) and value.name in program.knowledge.bundles
    lineage = program.lineage(value)
    known = program.knowledge.plain_bases | program.knowledge.bundles
    plain = all(isinstance(each, ClassValue) or each.name in known for each in lineage)
    return plain and bool(fields_of(program, value)) and not any(program.method(value, name) for name in CONSTRUCTS)


def fields_taken(program: Program, call: Call, frame: Context, depth: int = 0) -> Iterator[tuple[str, ...]]:
    """The fields of the bundles that a call may make, in order."""
    for value in program.values(call.callee, frame, depth):
        if isinstance(value, LibraryObject) and value.call is not None and value.name in program.knowledge.bundles:
            yield _named(value.call)
        elif isinstance(value, ClassValue):
            fields = fields_of(program, value) if program.method(value, "__init__") is None else ()
            if fields:
                yield fields


class Kept(NamedTuple):
    """A method makes attributes of a dict's items: each as it is, or what it calls with it (``nested``: if that is a dict)."""

    function: Function
    items: Term
    plain: bool
    nested: Term | None


def kept_by_name(program: Program) -> dict[tuple[str, str], list[Kept]]:
    """By file and class the methods that do so: ``self.__dict__.update(options)``, ``setattr(self, name, each)`` in a loop."""
    from trainlint.program.call_graph import CallGraph

    found: dict[tuple[str, str], list[Kept]] = {}
    sites = program.ask(CallGraph).sites
    for site in [site for name in _BY_NAME for site in sites.get(name, ()) if site.function.cls is not None]:
        kept = _kept_by(site.function, site.call.term)
        if kept is not None:
            found.setdefault((site.module, site.function.cls or ""), []).append(kept)
    return found


def _kept_by(function: Function, call: Call) -> Kept | None:
    callee, given = call.callee, call.args
    if isinstance(callee, Attr) and callee.name == "update":
        return Kept(function, given[0], True, None) if len(given) == 1 and isinstance(namespace_of(callee.base), Self) else None
    given = (callee.base, *given) if isinstance(callee, Attr) else given
    if len(given) != len(("self", "name", "value")) or not isinstance(given[0], Self):
        return None
    pair = given[1].base if isinstance(given[1], Subscript) else given[1]
    if not isinstance(pair, Element):
        return None
    stem: Term = pair.stem
    items = stem.callee.base if isinstance(stem, Call) and isinstance(stem.callee, Attr) and not stem.args else stem
    made = given[2].arms if isinstance(given[2], Select) else (given[2],)
    plain = [each for each in made if isinstance(each, Subscript) and pair in (each.base, each.key)]
    nested = [each.callee for each in made if isinstance(each, Call) and len(each.args) == 1 and pair in parts_of(each.args[0])]
    return Kept(function, items, bool(plain), nested[0] if nested else None)


def keeping(program: Program, place: tuple[str, str]) -> list[tuple[str, Kept]]:
    """The methods of a class, by its file and name, and of those above it, that do so."""
    known, cls = program.ask(kept_by_name), program.modules[place[0]].classes[place[1]]
    found = []
    for above in program.lineage(ClassValue(place[0], cls)):
        if isinstance(above, ClassValue):
            replaced = [Kept(function, value, True, None) for function, value in program.stores_of(above).get("__dict__", ())]
            kept = (*known.get((above.module, above.cls.qualname), ()), *replaced)
            found += [(above.module, each) for each in kept]
    return found


def kept_under(program: Program, instance: Instance, name: str, depth: int = 0) -> Iterator[Argument]:
    """What an object has under a name because a method of it makes attributes of all that it is given."""
    for module, (function, items, plain, nested) in program.ask_of(keeping, (instance.module, instance.cls.qualname)):
        inner = program.instance_frame(instance, module, function)
        item = program.terms.make(Subscript, items, program.terms.const(name))
        for term, where in program.constructed.given(instance, item, inner) or (Argument(item, inner),):
            values = program.values(term, where, depth)
            if any(isinstance(value, Unresolved) and value.term is item for value in values):
                continue  # it may not be there
            if nested is not None and all(isinstance(value, Unresolved) and isinstance(value.term, Dict) for value in values):
                yield Argument(program.terms.make(Call, nested, (term,), (), function.spot), where)
            elif plain:  # the very thing, where that is one
                alone = values[0] if len(values) == 1 else None
                yield Argument(*alone) if isinstance(alone, Unresolved) else Argument(term, where)


def fields_of(program: Program, value: ClassValue) -> tuple[str, ...]:
    """The fields that a class and its bases declare, in the order in which a dataclass takes them."""
    lineage = [each for each in program.lineage(value) if isinstance(each, ClassValue)]
    return tuple(dict.fromkeys(name for each in reversed(lineage) for name in each.cls.fields))


def fields_handed_out(program: Program, value: Value, *, kept: bool = False) -> tuple[str, ...]:
    """The fields of an object, or of that which a call makes a dict (``asdict(config)``), or another one, of; none: not known.

    ``kept``: of an object without declared fields what its methods keep; others may set more.
    """
    if isinstance(value, Instance):
        above = program.lineage(value.of_class) if kept else ()
        stored = [name for each in above if isinstance(each, ClassValue) for name in program.stores_of(each)]
        return fields_of(program, value.of_class) or tuple(dict.fromkeys(stored))
    call = value.call if isinstance(value, LibraryObject) else value.term if isinstance(value, Unresolved) else None
    if not isinstance(call, Call) or not isinstance(value, (LibraryObject, Unresolved)) or value.frame is None:
        return ()
    method = call.callee.name if isinstance(call.callee, Attr) else ""
    for flow in program.propagation.flows.get(value.name if isinstance(value, LibraryObject) else method, ()):
        if flow.taken == (".name",):
            of_self = flow.source == "self" and isinstance(call.callee, Attr)
            owner = call.callee.base if of_self and isinstance(call.callee, Attr) else next(iter(call.args), None)
            owners = program.values(owner, value.frame) if owner is not None else ()
            return fields_handed_out(program, owners[0], kept=kept) if len(owners) == 1 else ()
    return ()


def member_with(program: Program, own: FunctionValue, base: Value) -> Instance | None:
    """The member of an enumeration that a constant is, where an attribute of it is a property of that (``Mode.FAST.dtype``)."""
    if own.function.kind != "property" or not isinstance(base, Unresolved):
        return None
    cls = program.modules[own.module].classes.get(own.function.cls or "")
    if cls is None or not isinstance(base.term, Const) or not is_enumeration(program, ClassValue(own.module, cls)):
        return None
    call = Call.new(Global.new(cls.name), (base.term,), (), cls.spot)
    return Instance(own.module, cls, call, program.frame(own.module, program.modules[own.module].functions["<module>"]))


def is_enumeration(program: Program, cls: ClassValue) -> bool:
    """Whether the objects of a class are constants that have names (table ``enumerations``)."""
    names = program.knowledge.tables["enumerations"]["names"]
    return any(isinstance(base, Library) and base.name in names for base in program.lineage(cls))


def fields_declared(program: Program, call: Call) -> tuple[str, ...]:
    """The fields that a call of a library writes down: of a class (table ``bundles``), or of an object (``propagation``)."""
    if not isinstance(call.callee, Ref):
        return ()
    name = program.knowledge.canonical(call.callee.name)
    if name in program.propagation.flows:
        return tuple([keyword for keyword, _ in call.kwargs if keyword is not None])
    return _named(call) if name in program.knowledge.bundles else ()


def _named(call: Call) -> tuple[str, ...]:
    """The fields of ``namedtuple("Row", ["step", "loss"])``; none where they are not written down."""
    if len(call.args) <= 1:
        return ()
    given = call.args[1]
    if isinstance(given, Const) and isinstance(given.value, str):
        return tuple(given.value.replace(",", " ").split())
    if isinstance(given, SequenceDisplay):
        return tuple([str(part.value) if isinstance(part, Const) else "" for part in given.items])
    return ()


#: The attribute that holds what a member of an enumeration is.
MEMBER = "value"
#: What runs when an object of a class is made.
CONSTRUCTS = ("__init__", "__new__", "__post_init__")
#: What sets attributes whose names it is given.
_BY_NAME = ("update", "setattr", "__setattr__")
#: Terms that name a function or class.
_NAMES = (Global, Nested, NestedClass, Ref)


def callable_items(program: Program, base: Unresolved, key: Term) -> tuple[Term, ...]:
    """The items of a literal container under a key that is not known, if they name functions, methods or classes."""
    container = one_of_two(base) or base.term
    if (
        isinstance(key, (Const, Slice, Unknown))
        or not isinstance(container, (SequenceDisplay, Dict))
        or type(container.items) is not tuple
    ):
        return ()
    items = container.values
    if not all(_is_name(program, item, base.frame) for item in items):
        return ()
    return items


def _is_name(program: Program, item: Term, frame: Context) -> bool:
    """Whether an item names a function or class, or a method of the object whose method writes it down."""
    if not isinstance(item, Attr) or not isinstance(item.base, Self):
        return isinstance(item, _NAMES)
    cls = program.modules[frame.module].classes.get(item.base.cls or "")
    found = program.method(ClassValue(frame.module, cls), item.name) if cls is not None else None
    return found is not None and found[1].kind == "method"


def held_by(hands_out: Container[str], call: Call) -> Term | None:
    """What holds the thing that ``things.get(key)`` gives, or with a second argument that stands for what is missing."""
    callee = call.callee
    if not 0 < len(call.args) <= 2 or call.kwargs:  # noqa: PLR2004
        return None
    if isinstance(callee, Attr):
        return callee.base if callee.name in hands_out else None
    if not isinstance(callee, Ref):
        return None
    whole, _, last = callee.name.rpartition(".")
    return Ref.new(whole) if whole and last in hands_out else None


def holds_none(value: Value | None) -> bool:
    """Whether a name is bound to None."""
    return isinstance(value, Unresolved) and is_none(value.term)


def made_by_factory(program: Program, term: Term) -> Term:
    """A call of the factory of a field, in the place of the field; other terms as they are."""
    if not isinstance(term, Call) or not isinstance(term.callee, Ref) or not term.kwargs:
        return term
    wanted = program.knowledge.fields.get(program.knowledge.canonical(term.callee.name))
    factory = next((given for name, given in term.kwargs if name == wanted), None)
    if factory is None or isinstance(factory, Call):
        return term  # of a factory that is made itself nothing is known
    return program.terms.make(Call, factory, (), (), term.site)
