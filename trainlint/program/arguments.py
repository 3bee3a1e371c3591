"""What a function is given: by the call that runs it, and where no call in sight names it.

Keywords from ``**kwargs``, and what constructors are given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trainlint.ir.nodes import (
    Access,
    Attr,
    Call,
    Const,
    Dict,
    Display,
    Global,
    Kwargs,
    Param,
    Ref,
    Self,
    SequenceDisplay,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import is_super, is_text
from trainlint.ir.walk import of_kind
from trainlint.program.constant_branch import set_from_outside
from trainlint.program.heap import fields_handed_out
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, LibraryObject, Unresolved, Value

if TYPE_CHECKING:
    from trainlint.program.call_graph import CallSite
    from trainlint.program.program import Program


def activation(program: Program, target: FunctionValue, call: Call, caller: Context) -> Context:
    """The activation of a function that one call of it begins."""
    alone = program.frame(target.module, target.function)
    function = target.function
    parameters = function.parameters
    skip = 1 if function.kind in ("method", "property", "classmethod") else 0
    frame = Context(
        target.module,
        function,
        receiver=target.receiver if function.kind != "static" else None,
        closure=target.closure or alone.closure,
        depth=caller.depth + 1,
        caller=caller,
        call=call,
        alone=alone,
    )
    if skip and target.receiver is None:
        own = caller.owner() if call.args and isinstance(call.args[0], Self) else None  # ``Base.__init__(self)``
        frame.receiver = own if own is not None else alone.receiver
        skip = 0  # called through the class: the instance is the first argument
    elif not skip and target.receiver is not None and function.kind != "static" and function.positional:
        frame.arguments[parameters[0]] = target.receiver  # a function that became a method
        skip = 1
    passes = [(call.args, call.kwargs, caller)]
    if target.given:  # ``partial(function, first)(second)``
        made = [(each.term, each.frame) for each in target.given if isinstance(each.term, Call)]
        passes = [*((term.args[1:], term.kwargs, at) for term, at in made), *passes]
    _pass_in_order(program, [(argument, at) for given, _, at in passes for argument in given], skip, frame)
    named = [(name, argument, at) for _, pairs, at in passes for name, argument in pairs]
    for name, argument, at in named:
        if name in parameters:
            frame.arguments[name] = Argument(argument, at)
        elif name is not None:
            frame.surplus = {**frame.surplus, name: Argument(argument, at)}
    frame.open = False
    for name, argument, at in named:
        if name is None:
            _pass_on(program, argument, at, frame)
    return frame


def _pass_in_order(program: Program, given: list[tuple[Term, Context]], skip: int, frame: Context) -> None:
    """Positional arguments, each with the activation that passes it; ``*xs`` passes the items of ``xs``."""
    parameters = frame.function.parameters[skip : frame.function.positional]
    passed: list[Argument] = []
    known = True
    for argument, caller in given:
        if not isinstance(argument, Star):
            passed.append(Argument(argument, caller))
            continue
        items = caller.rest if caller.function.is_rest(argument) else spread(program, argument.of, caller)
        if items is None:
            known = False
            break
        passed += items
    for parameter, bound in zip(parameters, passed, strict=False):
        frame.arguments[parameter] = bound
    if known:
        frame.rest = tuple(passed[len(parameters) :])


def spread(program: Program, container: Term, frame: Context) -> list[Argument] | None:
    """The items of a list or tuple that is written down, each with where it stands; None where that is not known."""
    written = _written(program, container, frame)
    if (
        not isinstance(written, Unresolved)
        or not isinstance(written.term, SequenceDisplay)
        or any(isinstance(i, Star) for i in written.term.items)
    ):
        return None
    return [Argument(item, written.frame) for item in written.term.items]


def _written(program: Program, container: Term, frame: Context) -> Unresolved | LibraryObject | None:
    """The display, or the call of ``dict``, that a container is, if it is one and nobody changes it where it is made."""
    from trainlint.program.stores import Contents

    found = program.values(container, frame)
    value = found[0] if len(found) == 1 else None
    if isinstance(value, Unresolved) and isinstance(value.term, Display):
        made: Term = value.term
    elif isinstance(value, LibraryObject) and value.name == "builtins.dict" and value.call is not None:
        made = value.call
    else:
        return None
    changed = value.frame is None or program.ask(Contents).is_changed(made, value.frame.function)
    return None if changed else value


def _named(program: Program, container: Term, frame: Context) -> dict[str | None, Argument] | None:
    """What a dict that is written down has under its names; under None where there may be others. None for what is none."""
    if isinstance(container, Kwargs):
        holder = frame.holder(container.function)
        return None if holder is None or holder.open else dict[str | None, Argument](holder.surplus.items())
    written = _written(program, container, frame)
    if written is None or written.frame is None:
        return _fields_named(program, container, frame)
    pairs: Sequence[tuple[Term | str | None, Term]] = ()
    if isinstance(written, LibraryObject) and written.call is not None:
        pairs = [*((None, each) for each in written.call.args), *written.call.kwargs]
    elif isinstance(written, Unresolved) and isinstance(written.term, Dict):
        pairs = written.term.items
    else:
        return None
    found: dict[str | None, Argument] = {}
    for key, value in pairs:
        spread_out = key is None or isinstance(key, Star)
        more = _named(program, value, written.frame) if spread_out and value is not container else None
        name = key if isinstance(key, str) else key.value if isinstance(key, Const) and is_text(key) else None
        if more is not None:
            found.update(more)
        else:
            if name is None:
                found.clear()  # what stands before may be another by now
            found[name] = Argument(value, written.frame)
    return found


def _fields_named(program: Program, container: Term, frame: Context) -> dict[str | None, Argument] | None:
    """The fields of the object of which a call makes a dict (``**asdict(config)``), each as an item of that."""
    if not isinstance(container, (Call, Attr, Param)):
        return None
    values = program.values(container, frame)
    if len(values) != 1 or isinstance(values[0], Instance):
        return None
    make, const = program.terms.make, program.terms.const
    names = fields_handed_out(program, values[0])
    return {name: Argument(make(Subscript, container, const(name)), frame) for name in names} or None


def _pass_on(program: Program, argument: Term, caller: Context, frame: Context) -> None:
    """``f(**kwargs)``: what the caller was given and did not name goes on; ``f(**options)``: what is written down in a dict."""
    found = _named(program, argument, caller)
    frame.open |= found is None or None in found
    found = found if found or isinstance(argument, Kwargs) else _put_under(program, argument, caller, frame)
    given = {name: each for name, each in (found or {}).items() if name is not None}
    for name, bound in given.items():
        if name in frame.function.parameters:
            frame.arguments.setdefault(name, bound)
        elif name not in frame.surplus:
            frame.surplus = {**frame.surplus, name: bound}


def _put_under(program: Program, container: Term, caller: Context, frame: Context) -> dict[str | None, Argument]:
    """What is put under the names of a function's parameters into a dict that is passed on (``parts["model"] = model``)."""
    found: dict[str | None, Argument] = {}
    held = [value for value in program.values(container, caller) if program.propagation.holds(value)]
    fillers = {caller.function, *(value.frame.function for value in held if isinstance(value, Unresolved))} if held else set()
    said = {name for each in fillers for name in _names_put(program, each)}
    for display in [value.term for value in held if isinstance(value, Unresolved) and isinstance(value.term, Dict)]:
        for key, whole in display.items:
            holder = caller.holder(whole.function) if isinstance(key, Star) and isinstance(whole, Kwargs) else None
            said.update(holder.surplus if holder is not None else (key.value,) if is_text(key) else ())
    for name in [each for each in frame.function.parameters if each in said and each not in frame.arguments]:
        item = program.terms.make(Subscript, container, program.terms.const(name))
        values = program.values(item, caller)
        if values and not any(isinstance(value, Unresolved) and value.term is item for value in values):
            found[name] = Argument(item, caller)
    return found


def _names_put(program: Program, function: Function) -> Iterator[str]:
    """The keys under which a function puts something into a dict: ``d["x"] = …``, ``d.update(x=…)``."""
    keys = [node.target.key for node in of_kind(function, Keep) if isinstance(node.target, Subscript)]
    for call in (step.term for step in of_kind(function, CallStep)):
        if isinstance(call.callee, Attr) and call.callee.name in program.propagation.fills:
            yield from (name for name, _ in call.kwargs if name is not None)
            keys += call.args[:1]
    yield from (key.value for key in keys if is_text(key))


def _takes(term: Unknown, frame: Context) -> Context | None:
    """The activation, this one or one around it, whose ``*args`` a value is."""
    holder: Context | None = frame
    while holder is not None and holder.function.variadic is not term:
        holder = holder.closure
    return holder


def gathered(program: Program, term: Term, frame: Context) -> Unresolved | None:
    """``*args`` as the tuple, ``**kwargs`` as the dict of what was given for it; None for what is neither, or not known."""
    if isinstance(term, Unknown):
        return _rest_of(program, term, frame)
    return _keywords_of(program, term, frame) if isinstance(term, Kwargs) else None


def _rest_of(program: Program, term: Unknown, frame: Context) -> Unresolved | None:
    holder = _takes(term, frame)
    if holder is None or holder.rest is None:
        return None
    where = _one_frame(holder.rest, holder)
    items = [
        each.term if where is not None else program.terms.make(Subscript, term, program.terms.const(index))
        for index, each in enumerate(holder.rest)
    ]
    return Unresolved(program.terms.make(Tuple, tuple(items)), where or frame)


def _keywords_of(program: Program, term: Kwargs, frame: Context) -> Unresolved | None:
    holder = frame.holder(term.function)
    if holder is None or holder.open:
        return None
    where = _one_frame(holder.surplus.values(), holder)
    items = []
    for name, each in holder.surplus.items():
        key = program.terms.const(name)
        items.append((key, each.term if where is not None else program.terms.make(Subscript, term, key)))
    spot = holder.function.spot
    return Unresolved(program.terms.make(Dict, tuple(items), spot.line, spot.column), where or frame)


def _one_frame(given: Collection[Argument], otherwise: Context) -> Context | None:
    """The activation that passes all arguments, if it is one."""
    frames = {id(each.frame): each.frame for each in given}
    return next(iter(frames.values()), otherwise) if len(frames) <= 1 else None


def item_given(asked: Subscript, frame: Context) -> Argument | None:
    """What ``args[1]`` or ``kwargs["x"]`` gives; None for other items, and when that is not known."""
    if isinstance(asked.base, Kwargs):
        return kwargs_item(asked.base, asked.key, frame)
    if not isinstance(asked.base, Unknown) or not isinstance(asked.key, Const) or type(asked.key.value) is not int:
        return None
    holder = _takes(asked.base, frame)
    rest = holder.rest if holder is not None else None
    return rest[asked.key.value] if rest is not None and -len(rest) <= asked.key.value < len(rest) else None


_TAKES = ("pop", "get")


class KwargsValue(NamedTuple):
    """What is taken: the argument that was passed, else the default (None: there is none given)."""

    passed: Argument | None
    default: Term | None


def kwargs_lookup(call: Call, frame: Context) -> KwargsValue | None:
    """What a call like ``kwargs.get("x", default)`` gives; None when it is no such call or the content is not known."""
    callee = call.callee
    if (
        not isinstance(callee, Attr)
        or callee.name not in _TAKES
        or not isinstance(callee.base, Kwargs)
        or not call.args
        or not isinstance(call.args[0], Const)
    ):
        return None
    holder = frame.holder(callee.base.function)
    if holder is None or holder.open:
        return None
    return KwargsValue(holder.surplus.get(call.args[0].value), call.args[1] if len(call.args) > 1 else None)


def kwargs_holds(container: Term, key: Term, frame: Context) -> bool | None:
    """Whether ``key in kwargs``; None when that is not known."""
    if not isinstance(container, Kwargs) or not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else key.value in holder.surplus


def kwargs_item(container: Kwargs, key: Term, frame: Context) -> Argument | None:
    """What was passed that ``kwargs["x"]`` gives; None when that is not known."""
    if not isinstance(key, Const):
        return None
    holder = frame.holder(container.function)
    return None if holder is None or holder.open else holder.surplus.get(key.value)


_INIT = "__init__"


class ConstructorArguments:
    """What the methods of a program that keep what they are given are given: constructors, and those that set something."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[tuple[int, Call | None], list[Context]] = {}
        self._supers: dict[int, list[CallSite]] = {}

    def given(self, owner: Instance, value: Term, frame: Context) -> list[Argument]:
        """What a value that a method keeps is where the method is called, if this activation of it has no call of its own.

        The value is a parameter of the method, or a part of one: ``self.epoch = state["epoch"]``.
        """
        parameter = value
        while isinstance(parameter, Access) or (isinstance(parameter, Call) and self._is_itself(parameter.callee)):
            parameter = parameter.stem
        if not isinstance(parameter, Param) or parameter.function != frame.function.qualname:
            return []
        if frame.call is not None or frame.given(parameter) is not None:
            return []
        entered = self.activations(owner, frame.function)
        if parameter is value:
            return [each for inner in entered if isinstance(each := inner.arguments.get(parameter.name), Argument)]
        return [Argument(value, inner) for inner in entered if parameter.name in inner.arguments]

    def _is_itself(self, method: Term) -> bool:
        """Whether a method returns its object: ``self.model = model.to(device)``."""
        return isinstance(method, Attr) and method.name in self.program.knowledge.fluent

    def passed_on(self, values: tuple[Value, ...], depth: int) -> tuple[Value, ...]:
        """What an attribute holds; what a constructor was given and handed on to a part of its object, it was given by a call."""
        value = values[0]
        if not isinstance(value, Unresolved) or not isinstance(value.term, Param) or value.frame.function.name != _INIT:
            return values
        owner = value.frame.receiver
        given = self.given(owner, value.term, value.frame) if isinstance(owner, Instance) and len(values) == 1 else []
        return tuple(found for each in given for found in self.program.values(each.term, each.frame, depth)) or values

    def activations(self, owner: Instance, function: Function) -> list[Context]:
        """The activations of a method of an object by the calls in sight that say so; tests do not count.

        Of ``__init__`` of an object that nobody is seen to make, those by the calls of its class.
        """
        made = None if function.name == _INIT else owner.call
        key = (id(function), made)
        known = self._known.get(key)
        if known is None:
            self._known[key] = []  # of a class that is given its own objects
            cls = ClassValue(owner.module, owner.cls)
            known = self._known[key] = list(
                self._entered(cls, function) if function.name == _INIT else self._called(owner, function)
            )
        return known

    def set_by_others(self, owner: Instance, name: str) -> Iterator[Argument]:
        """What functions that make an object, or are given it, set as an attribute of it: ``state.size = size``."""
        from trainlint.program.contexts import named_contexts

        for path, function in self.program.ask(set_from_outside).get(name, ()):
            for node in of_kind(function, Store):
                target = node.target
                if not isinstance(target, Attr) or target.name != name:
                    continue
                if target.base is owner.call and owner.frame is not None and function is owner.frame.function:
                    made = [owner.frame] if owner.frame.caller is not None else named_contexts(self.program, path, function, 1)
                    yield from (Argument(node.value, inner) for inner in made)
                if not isinstance(target.base, Param):
                    continue
                for inner in named_contexts(self.program, path, function, 1):
                    given = inner.given(target.base)
                    if isinstance(given, Argument) and owner in self.program.values(given.term, given.frame):
                        yield Argument(node.value, inner)

    def _called(self, owner: Instance, function: Function) -> Iterator[Context]:
        """The activations of a method that calls in sight begin, of the object that a call made if that is known."""
        from trainlint.program.call_graph import CallGraph

        made, own = owner.call, ClassValue(owner.module, owner.cls)
        classes = {id(each.cls) for each in (own, *self.program.lineage(own)) if isinstance(each, ClassValue)} if made else ()
        for site in self._in_earnest(self.program.ask(CallGraph).sites.get(function.name, ())):
            frame, callee = self.program.frame(site.module, site.function), site.call.term.callee
            if classes and isinstance(callee, Attr) and isinstance(callee.base, Self):
                around = self.program.modules[site.module].classes.get(callee.base.cls)
                if id(around) in classes:  # a method of its own: ``self.set(value)`` in the constructor of a base
                    frame = self.program.instance_frame(owner, site.module, site.function)
            for value in self.program.values(site.call.term.callee, frame):
                runs = isinstance(value, FunctionValue) and value.function is function
                on = value.receiver if isinstance(value, FunctionValue) and runs else None
                if isinstance(value, FunctionValue) and isinstance(on, Instance) and (made is None or on.call in (None, made)):
                    yield self.program.enter(value, site.call.term, frame)

    def _in_earnest(self, sites: Iterable[CallSite]) -> Iterator[CallSite]:
        """The call sites that are no tests of software."""
        from trainlint.program.software_tests import tests_software

        in_tests: dict[int, bool] = {}
        for site in sites:
            known = in_tests.get(id(site.function))
            if known is None:
                known = in_tests[id(site.function)] = tests_software(self.program, site.module, site.function)
            if not known:
                yield site

    def _entered(self, cls: ClassValue, function: Function) -> Iterator[Context]:
        """The activations of a class's ``__init__`` that the calls in sight make, whoever runs these."""
        for site in self._in_earnest(self._named(cls, function)):
            call, frame = site.call.term, self.program.frame(site.module, site.function)
            target = self._target(call, frame, function)
            if target is not None:
                yield self.program.enter(target, call, frame)

    def constructing(self, owner: Instance, module: str, function: Function, call: Call, frame: Context) -> Context:
        """The activation of a constructor by the call that made an object; of a class above, by ``super().__init__()``."""
        target, cls = FunctionValue(module, function, owner), ClassValue(owner.module, owner.cls)
        own = self.program.method(cls, _INIT)
        if own is None or own[1] is function:
            return self.program.enter(target, call, frame)
        below = [each for each in self.program.lineage(cls) if isinstance(each, ClassValue) and _INIT in each.cls.methods]
        for cls in below:
            caller = self.program.modules[cls.module].functions[cls.cls.methods[_INIT]]
            if caller is function:
                break
            site = next((each for each in self._of_super(function) if each.function is caller), None)
            alone = self.program.frame(cls.module, caller)
            if site is not None and self._target(site.call.term, alone, function) is not None:
                given = self.constructing(owner, cls.module, caller, call, frame)
                return self.program.enter(target, _on_self(site.call.term), given)
        return self.program.frame(module, function)

    def _target(self, call: Call, frame: Context, function: Function) -> FunctionValue | None:
        for value in self.program.values(call.callee, frame):
            if isinstance(value, ClassValue):
                method = self.program.method(value, _INIT)
                if method is not None and method[1] is function:
                    return FunctionValue(method[0], function, Instance(value.module, value.cls, call, frame))
            elif isinstance(value, FunctionValue) and value.function is function and _is_of_super(call):
                return value
        return None

    def _named(self, cls: ClassValue, function: Function) -> Iterator[CallSite]:
        """The calls that go by the name of the class or of one that is derived from it, and those of ``super().__init__``."""
        from trainlint.program.call_graph import CallGraph

        sites = self.program.ask(CallGraph).sites
        for name in dict.fromkeys((cls.cls.name, *(each.cls.name for each in self.program.derived(cls)))):
            yield from (site for site in sites.get(name, ()) if isinstance(site.call.term.callee, (Attr, Ref, Global)))
        yield from self._of_super(function)

    def _of_super(self, function: Function) -> list[CallSite]:
        """The calls of ``super().__init__`` that may run a constructor: in classes below its own, or in one not in sight."""
        from trainlint.program.call_graph import CallGraph

        if not self._supers:
            every = self.program.ask(CallGraph).sites.get(_INIT, ())
            sites = self._supers[_UNSEEN] = [site for site in every if _is_of_super(site.call.term)]
            above = [_constructors(self.program, site) for site in sites]  # may come back here: then each of them counts
            self._supers = {each: [] for each in (_UNSEEN, *(each for some in above for each in some))}
            for site, some in zip(sites, above, strict=True):
                for each in self._supers if _UNSEEN in some else some:
                    self._supers[each].append(site)
        return self._supers.get(id(function), self._supers[_UNSEEN])


#: Among ids of functions, what is none.
_UNSEEN = 0


def _constructors(program: Program, site: CallSite) -> set[int]:
    """The constructors of the class in which a call stands, and of those above it, by their ids."""
    module, function = program.modules[site.module], site.function
    while function.cls is None and function.outer in module.functions:
        function = module.functions[function.outer]
    cls = module.classes.get(function.cls or "")
    above = program.lineage(ClassValue(site.module, cls)) if cls is not None else ()
    owners = [each for each in above if isinstance(each, ClassValue) and _INIT in each.cls.methods]
    return {id(program.modules[each.module].functions[each.cls.methods[_INIT]]) for each in owners} or {_UNSEEN}


def _is_of_super(call: Call) -> bool:
    """Whether what is called is a method of ``super()``, or of a class that is named, on the object itself."""
    return isinstance(call.callee, Attr) and (is_super(call.callee.base) or _names_self(call))


def _names_self(call: Call) -> bool:
    """``Base.__init__(self, size)``."""
    named = isinstance(call.callee, Attr) and isinstance(call.callee.base, (Global, Ref, Attr))
    return named and bool(call.args) and isinstance(call.args[0], Self)


def _on_self(call: Call) -> Call:
    """The same call without the object: ``super().__init__(size)``."""
    return Call.new(call.callee, call.args[1:], call.kwargs, call.site) if _names_self(call) else call
