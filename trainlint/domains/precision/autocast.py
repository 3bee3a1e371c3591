"""Autocast: which contexts a manager, a decorator or a helper opens, and under which of them a call runs.

Under which regime a call runs: in which autocast context, and whether gradients are recorded.

The innermost context manager decides; where a function opens none itself, its decorators; then the call that runs
the function, in the caller's regime. A function that nobody is seen to call runs under none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from trainlint.ir.nodes import Attr, BoolOp, Call, Const, Kwargs, Select, Subscript, Term
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.callables import joined_calls
from trainlint.program.enclosing import opened_by, surroundings
from trainlint.program.heap import holds_none
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

UNKNOWN = "?"
#: The device whose default counts where the device cannot be seen: what nearly all mixed precision training runs on.
_USUAL = "cuda"


class Autocast(NamedTuple):
    """One call that makes an autocast context, as it is meant at one place.

    ``dtypes`` are the precisions it may have; ``default`` says that the device decides, ``device`` which one (None: unknown).
    ``enabled`` is True or False when that is certain; ``switch`` is the term that decides; ``position`` is where a dtype would
    stand among the positional arguments of the call.
    """

    call: Call
    frame: Context
    dtypes: frozenset[str]
    default: bool
    device: str | None
    enabled: bool | None
    switch: Term | None
    position: int | None

    def computes_in(self, dtypes: Collection[str]) -> bool:
        """Whether it has one of these precisions for certain whenever it is on, and may be on."""
        return self.enabled is not False and all(dtype in dtypes for dtype in self.dtypes)


class Autocasts:
    """Questions about autocast contexts."""

    program: Program
    tables: Mapping[str, str]

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tables = program.knowledge.autocasts

    @remembered(())
    def opened(self, manager: Term, frame: Context) -> tuple[Autocast, ...] | None:
        """What autocast contexts a context manager may stand for; empty: it is something else, None: nobody knows.

        A helper that yields inside of its own contexts opens those; what it may open beside an autocast (``nullcontext``)
        leaves the numbers alone.
        """
        found: list[Autocast] = []
        doubt = False
        for value in self.program.values(manager, frame):
            opened = self._of_value(value)
            if opened is None:
                doubt = True
            else:
                found += opened
        return None if doubt and found else tuple(found)

    def _of_value(self, value: Value) -> tuple[Autocast, ...] | None:
        if isinstance(value, LibraryObject):
            made = self._made(value)
            return (made,) if made is not None else self._inside(value)
        if isinstance(value, Instance):
            return self._of_object(value)
        if isinstance(value, Unresolved) and isinstance(value.term, Call):
            return self._of_call(value.term, value.frame)
        if isinstance(value, Unresolved):
            return () if isinstance(value.term, Const) else None
        return ()

    def _made(self, value: LibraryObject) -> Autocast | None:
        """The autocast that a library call made."""
        if value.call is None or value.frame is None or value.name not in self.tables:
            return None
        made = self.program.ask(joined_calls).get(value.call, (value.call,))
        return self.read(value.name, made[0], value.frame, made[-1], value.frame, skip=int(len(made) > 1))

    def _of_call(self, call: Call, frame: Context) -> tuple[Autocast, ...] | None:
        """A call that values do not follow: of a generator of the project."""
        values = self.program.values(call.callee, frame)
        return None if any(isinstance(each, Unresolved) for each in values) else self._inside(Unresolved(call, frame))

    def _inside(self, value: Value) -> tuple[Autocast, ...]:
        """The autocast contexts that another manager opens."""
        managers = opened_by(self.program, value)
        return tuple([made for each in managers for made in self.opened(each.manager, each.frame) or ()])

    def _of_object(self, value: Instance) -> tuple[Autocast, ...]:
        """An object of the project: of a class derived from an autocast, or one that opens an autocast when it is entered."""
        cls = ClassValue(value.module, value.cls)
        method = self.program.method(cls, "__enter__")
        if method is not None:
            return self._inside(value)
        for base in self.program.lineage(cls):
            if isinstance(base, Library) and base.name in self.tables and value.call is not None and value.frame is not None:
                own = self.program.method(cls, "__init__")
                read = self.read(base.name, value.call, value.frame, value.call, value.frame)
                return (read,) if own is None else (read._replace(dtypes=frozenset((UNKNOWN,))),)
        return ()

    def modules(self, dtypes: Collection[str]) -> list[str]:
        """The files in which something may make an autocast context of one of these precisions."""
        index = self.program.ask(CallGraph)
        found: set[str] = set()
        for word in {name.rpartition(".")[2] for name in self.tables}:
            for site in index.sites_named(word):
                if site.module not in found and self._may(site, dtypes):
                    found.add(site.module)
        return sorted(found)

    def _may(self, site: CallSite, dtypes: Collection[str]) -> bool:
        frame, call = self.program.frame(site.module, site.function), site.call.term
        named = [v.name for v in self.program.values(call.callee, frame) if isinstance(v, Library) and v.name in self.tables]
        if not named:
            return True
        made = self.read(named[0], call, frame, call, frame)
        return made.enabled is not False and not made.dtypes.isdisjoint((*dtypes, UNKNOWN))

    def decorating(self, function: Function, frame: Context) -> tuple[Autocast, ...]:
        """The autocast contexts in which a decorated function runs."""
        outer = frame.closure or self.program.frame(frame.module, self.program.modules[frame.module].functions["<module>"])
        found: list[Autocast] = []
        for decorator in function.decorators:
            if isinstance(decorator, Call):
                found += self.opened(decorator, outer) or ()
        return tuple(found)

    def read(self, name: str, call: Call, frame: Context, late: Call, late_frame: Context, skip: int = 0) -> Autocast:
        """The autocast that ``name`` makes of the arguments of ``call`` (and of ``late``, the call of a partial of it)."""
        given = self._arguments(name, call, frame, skip)
        if late is not call:
            given.update(self._arguments(name, late, late_frame, 0))
        hidden = any(
            _passed_on(v, f) is None for one, f in ((call, frame), (late, late_frame)) for k, v in one.kwargs if k is None
        )
        switch = given.get("enabled")
        devices = self._devices(name, given.get("device_type"))
        default = self._usual(devices)
        dtype = given.get("dtype")
        dtypes = default if dtype is None else self._dtypes(dtype, default)
        if hidden and dtype is None:
            dtypes = frozenset((UNKNOWN,))
        by_default = dtype is None or all(holds_none(value) for value in self.program.values(*dtype))
        if by_default and self._default_changed(frame):
            dtypes = frozenset((UNKNOWN,))
        return Autocast(
            call,
            frame,
            dtypes,
            by_default,
            next(iter(devices)) if len(devices) == 1 else None,
            self._truth(switch) if switch is not None else True,
            switch[0] if switch is not None else None,
            self._position(name, skip),
        )

    def _position(self, name: str, skip: int) -> int | None:
        signature = self.program.knowledge.signatures.get(name, [])
        return signature.index("dtype") + skip if "dtype" in signature else None

    def _arguments(self, name: str, call: Call, frame: Context, skip: int) -> dict[str, tuple[Term, Context]]:
        positional = zip(self.program.knowledge.signatures.get(name, ()), call.args[skip:], strict=False)
        given = {parameter: (value, frame) for parameter, value in positional}
        for keyword, value in call.kwargs:
            if keyword is not None:
                given[keyword] = (value, frame)
            else:
                given.update({key: (bound.term, bound.frame) for key, bound in (_passed_on(value, frame) or {}).items()})
        return given

    def _devices(self, name: str, given: tuple[Term, Context] | None) -> frozenset[str]:
        """The devices it may be for; empty: nobody knows."""
        fixed = self.tables[name]
        if fixed != "device_type":
            return frozenset((fixed,))
        found: set[str] = set()
        for value in self.program.values(*given) if given is not None else ():
            if isinstance(value, Unresolved) and isinstance(value.term, Const) and isinstance(value.term.value, str):
                found.add(value.term.value.partition(":")[0])
            elif isinstance(value, Library) and not value.name.startswith("torch."):
                return frozenset((UNKNOWN,))  # another library's device: an accelerator's, XLA's
            elif not isinstance(value, Unresolved) or not isinstance(value.term, Const):
                return frozenset()
        return frozenset(found)

    def _usual(self, devices: frozenset[str]) -> frozenset[str]:
        """The default precision on these devices; where CUDA is one of several, what it is there."""
        defaults = self.program.knowledge.autocast_defaults
        if not devices or _USUAL in devices:
            return frozenset((defaults[_USUAL],))
        return frozenset(defaults.get(device, UNKNOWN) for device in devices)

    def _dtypes(self, given: tuple[Term, Context], default: frozenset[str]) -> frozenset[str]:
        found: set[str] = set()
        for value in self._possible(*given):
            if isinstance(value, Library):
                found.add(value.name)
            elif holds_none(value):
                found |= default
            else:
                found.add(UNKNOWN)
        return frozenset(found or (UNKNOWN,))

    def _possible(self, term: Term, frame: Context) -> Iterator[Value]:
        """What a precision may be; under a name that nobody knows, all that a table has."""
        for value in self.program.values(term, frame):
            item = _looked_up(value.term) if isinstance(value, Unresolved) else None
            if item is not None and isinstance(value, Unresolved):
                yield from self.program.propagation.anywhere(item, value.frame)
            else:
                named = self._attribute(value) if isinstance(value, LibraryObject) else None
                yield from named if named is not None else (value,)

    def _attribute(self, made: LibraryObject) -> list[Value] | None:
        """``getattr(torch, "float16")``."""
        if made.name != "builtins.getattr" or made.call is None or made.frame is None or not made.call.args[1:]:
            return None
        owners, names = (self.program.values(argument, made.frame) for argument in made.call.args[:2])
        found: list[Value] = []
        for owner in owners:
            for name in names:
                if not isinstance(owner, Library) or not isinstance(name, Unresolved) or not isinstance(name.term, Const):
                    return None
                found.append(Library(self.program.knowledge.canonical(f"{owner.name}.{name.term.value}")))
        return found

    def _truth(self, given: tuple[Term, Context]) -> bool | None:
        """Whether a flag is True or False for certain."""
        found = {
            bool(value.term.value) if isinstance(value, Unresolved) and isinstance(value.term, Const) else None
            for value in self.program.values(*given)
        }
        return found.pop() if len(found) == 1 else None

    def _default_changed(self, frame: Context) -> bool:
        """Whether something around this file sets what autocast computes in by default."""
        index = self.program.ask(CallGraph)
        for name in self.program.knowledge.autocast_setters:
            for site in index.sites_named(name.rpartition(".")[2]):
                here = self.program.frame(site.module, site.function)
                named = self.program.values(site.call.term.callee, here)
                if self.program.together(site.module, frame.module) and Library(name) in named:
                    return True
        return False


def _looked_up(term: Term) -> Subscript | None:
    """An item of a table: ``table[name]``, ``table.get(name)``."""
    if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name == "get" and term.args:
        return Subscript.new(term.callee.base, term.args[0])
    return term if isinstance(term, Subscript) else None


def origin(program: Program, autocast: Autocast) -> tuple[Call, Context]:
    """Where the code asks for this context: its own call, or the call of the helper that hands it out to whoever asks."""
    call, frame = autocast.call, autocast.frame
    while frame.call is not None and frame.caller is not None and _handed_out(program, call, frame):
        call, frame = frame.call, frame.caller
    return call, frame


def _handed_out(program: Program, call: Call, frame: Context) -> bool:
    """Whether a function returns the context that a call makes, or yields inside of it."""
    if frame.function.kind == "lambda":
        return False
    around = program.ask_of(surroundings, frame.function).yields
    given = [*program.returns(frame.function), *(around.managers if around is not None else ())]
    return any(call in _parts(value) for value in given)


def _parts(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Select):
        yield from _parts(term.then)
        yield from _parts(term.other)
    elif isinstance(term, BoolOp):
        for part in term.operands:
            yield from _parts(part)


def _passed_on(value: Term, frame: Context) -> Mapping[str, Argument] | None:
    """What ``**kwargs`` holds in this activation; None when nobody knows."""
    holder = frame.holder(value.function) if isinstance(value, Kwargs) else None
    return None if holder is None or holder.open else holder.surplus


class Regime(NamedTuple):
    """``autocasts`` are the contexts of which one is the innermost (empty: none; None: nobody knows).

    ``grad`` is False when gradients are not recorded.
    """

    autocasts: tuple[Autocast, ...] | None = ()
    grad: bool = True

    def within(self, dtypes: Collection[str]) -> Autocast | None:
        """The autocast, when there is one and whichever it is computes in one of these precisions."""
        if not self.autocasts or not all(one.computes_in(dtypes) for one in self.autocasts):
            return None
        return self.autocasts[0]


class Regimes:
    """Answers for the calls of a program. Only what is asked is computed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.contexts = program.ask(Autocasts)

    def of(self, call: Call, frame: Context) -> Regime:
        """The regime under which a call of this activation runs."""
        managers = self.program.ask_of(surroundings, frame.function).of(call).managers
        return self._inside(managers, frame, self._entry(frame))

    @remembered(Regime())
    def _entry(self, frame: Context) -> Regime:
        """The regime under which an activation begins."""
        outer = Regime()
        if frame.call is not None and frame.caller is not None:
            outer = self.of(frame.call, frame.caller)
        return self._decorated(frame, outer)

    def _decorated(self, frame: Context, outer: Regime) -> Regime:
        function = frame.function
        if not function.decorators:
            return outer
        holder = frame.closure or self.program.frame(frame.module, self.program.modules[frame.module].functions["<module>"])
        for decorator in function.decorators:
            mode = self.mode(decorator, holder)
            if mode is not None:
                outer = outer._replace(grad=mode)
        opened = self.contexts.decorating(function, frame)
        return outer._replace(autocasts=opened) if opened else outer

    def _inside(self, managers: tuple[Term, ...], frame: Context, outer: Regime) -> Regime:
        for manager in managers:
            mode = self.mode(manager, frame)
            if mode is not None:
                outer = outer._replace(grad=mode)
                continue
            opened = self.contexts.opened(manager, frame)
            if opened is None:
                outer = outer._replace(autocasts=None)
            elif opened:
                outer = outer._replace(autocasts=opened)
        return outer

    @remembered()
    def mode(self, manager: Term, frame: Context) -> bool | None:
        """Whether a context manager or decorator switches the recording of gradients, and to what."""
        modes = self.program.knowledge.grad_modes
        for value in self.program.values(manager, frame):
            word = modes.get(value.name) if isinstance(value, (LibraryObject, Library)) else None
            if word == "flag" and isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                return self._given(value.call, value.frame)
            if word is not None:
                return word == "on"
        return None

    def _given(self, call: Call, frame: Context) -> bool:
        """``set_grad_enabled(flag)``: off only when the flag is False for certain."""
        for argument in (*call.args[:1], *(value for _, value in call.kwargs)):
            values = self.program.values(argument, frame)
            return not (
                values and all(isinstance(v, Unresolved) and isinstance(v.term, Const) and v.term.value is False for v in values)
            )
        return True
