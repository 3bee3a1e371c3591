"""Parts of a job that are found by a name, and may lie outside of the project.

From which parameter of its function a name is taken, where it is only taken apart: ``name.split(".")[0]``.

What a text like ``"training.networks.Net"`` means, a project's own ``get_object(name)`` finds by its beginnings, one by one.

A name that can only mean what the project has hides nothing: ``import_module("data." + name)``, an item of a dict of names, the
argument of a function that all calls hand such a name. Nor does what is only imported with an option that nobody says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trainlint.app.preflight.instantiation.targets import is_maker
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.running.dynamic_imports import names
from trainlint.app.preflight.values.methods import stands_for_others
from trainlint.app.preflight.values.origins import Origins
from trainlint.app.preflight.values.words import handed, known, split, terms_of
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
    LoopPhi,
    Or,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Exit, Function, Yield
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind, stored
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.imports import split_import
from trainlint.program.leading import Leading, Leads
from trainlint.program.memo import Memo
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, Library, Unresolved

#: Methods of texts that take them apart, or put the parts together again.
_METHODS = frozenset(
    (
        *("split", "rsplit", "partition", "rpartition", "join", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix"),
        *("find", "rfind", "index", "rindex"),
    )
)
#: Functions whose results are of what they are handed.
_FUNCTIONS = frozenset(
    f"builtins.{each}" for each in ("str", "len", "range", "list", "tuple", "reversed", "enumerate", "min", "max", "sorted")
)
#: What stands for something else in a text: its last argument is the text.
_ABBREVIATES = "re.sub"
_DOT = "."


def taken_from(name: Term) -> Term | None:
    """The one parameter of which a name is a part; None where anything else may stand in it."""
    found: set[Term] = set()
    waiting, seen = [name], set[Term]()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, Param):
            found.add(part)
            continue
        inner = _inner(part)
        if inner is None:
            return None
        waiting += inner
    return found.pop() if len(found) == 1 else None


def _inner(part: Term) -> list[Term] | None:
    """What a value is made of; None where it is something else than a text taken apart."""
    if isinstance(part, Const):
        return [] if not isinstance(part.value, str) or part.value == _DOT else None
    if isinstance(part, Comprehension):
        return [part.item, part.of]
    if isinstance(part, Composite):
        return [*part.pieces]
    if isinstance(part, Call):
        return _of_call(part)
    if isinstance(part, (Element, Subscript, Slice, SequenceDisplay, BinOp)):
        return part.subterms()
    return None


def _of_call(call: Call) -> list[Term] | None:
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in _METHODS:
        return [callee.base, *(each for each in handed(call) if not isinstance(each, Const))]
    if isinstance(callee, Ref) and callee.name in _FUNCTIONS:
        return list(handed(call))
    if isinstance(callee, Ref) and callee.name == _ABBREVIATES and len(call.args) > 2 and not call.kwargs:  # noqa: PLR2004
        return [call.args[2]]
    return None


#: What people call configurations, in whole or in part.
_CONFIGURATIONS = frozenset(("config", "configs", "cfg", "conf", "configuration", "hparams", "params", "settings", "omegaconf"))


class Elsewhere:
    """Those of a job with some files; what frameworks do in their own source, they do for any job (``is_framework``).

    ``is_told``: all classes are known that a file names for whatever finds them. ``is_idle``: whether nothing runs a function.
    """

    def __init__(
        self,
        program: Program,
        files: Callable[[], frozenset[str]],
        origins: Origins,
        *,
        is_told: bool = False,
        is_idle: Callable[[Function], bool] = lambda _: False,
    ) -> None:
        self.program = program
        self.files = files
        self.origins = origins
        self.is_told = is_told
        self.is_idle = is_idle
        self._known = Memo(False)

    def first(self, places: Iterable[Place]) -> Place | None:
        """The first call that runs by default and finds a part of the job by a name which may mean anything."""
        return next((each for each in places if self._is_open(each)), None)

    def _is_open(self, place: Place) -> bool:
        if place.way is None or place.way.option is not None or not isinstance(place.term, Call):
            return False
        if not self._finds(place.module, place.function, place.term) or is_read_as_data(place):
            return False
        frame = self.program.frame(place.module, place.function)
        by_name = place.function.name in known(self.program, "finds-by-name")
        if self.is_told and (by_name or is_maker(self.program, place.term, frame)):
            return False  # the classes that it is told are known
        found = self.program.ask(names)
        if found.is_settled(place.module, place.function, place.term) or found.is_within(place.module, place.term):
            return False
        own = [each for each in self.program.ask(CallGraph).targets(place.term, frame) if isinstance(each, FunctionValue)]
        if own and all(self._shows(each) for each in own):
            return False  # the calls in it are looked at themselves
        name = next(handed(place.term), None)
        if name is None:
            return True
        if self._is_own(place.term.callee, frame) and self._is_shelf(place.module, place.function, name, place.term):
            return False  # one of the project's that takes an item of what it is handed
        return is_none(name) or not self._is_known(place.module, place.function, name, place.term)

    def _is_own(self, callee: Term, frame: Context) -> bool:
        """Whether a function is the project's, be it of a file in which nothing was worth reading."""
        found = self.program.values(callee, frame)
        return bool(found) and all(
            isinstance(each, FunctionValue) or (isinstance(each, Library) and each.name.startswith("<project>."))
            for each in found
        )

    def _finds(self, path: str, function: Function, term: Call) -> bool:
        """Whether a call finds something by a name."""
        if last_name(term.callee) in known(self.program, "finds-by-name"):
            return True
        wanted = known(self.program, "functions-that-find-by-name")
        if last_name(term.callee) not in {each.rpartition(".")[2] for each in wanted}:
            return False
        values = self.program.values(term.callee, self.program.frame(path, function))
        return any(isinstance(each, Library) and each.name in wanted for each in values)

    def _shows(self, target: FunctionValue) -> bool:
        """Whether a function of the job does what it does with calls that are looked at: it reads no files as code itself."""
        return (
            target.module in self.files()
            and not stands_for_others(target.function)
            and id(target.function) not in self.program.ask(_hiding)
        )

    # -- names -----------------------------------------------------------------------------------------------------

    def _is_known(self, path: str, function: Function, name: Term, call: Call) -> bool:
        """Whether all that a name may mean is a part of a library, or lies in the files of the job."""
        question = (path, id(function), name, call)
        return self._known.ask(("name", *question), lambda: self._is_name(path, function, name, call))

    def _is_name(self, path: str, function: Function, name: Term, call: Call) -> bool:
        if isinstance(name, Const):
            return name.value is None or (isinstance(name.value, str) and self._is_read(path, name.value))
        if isinstance(name, Element) and isinstance(name.of, (Param, SequenceDisplay)):
            return self._is_list(path, function, name.of, call)
        if not isinstance(name, Param) and (whole := taken_from(name)) is not None:
            return self._is_known(path, function, whole, call)
        if isinstance(name, (Select, Or)):
            return all(
                self._is_known(path, function, each, call) for each in (name.arms if isinstance(name, Select) else name.operands)
            )
        if isinstance(name, Param):
            return self._is_passed(path, function, name, call, self._is_known, lambda one: one is not None and self.is_idle(one))
        if isinstance(name, Subscript):
            return self._is_shelf(path, function, name.base, call)
        if isinstance(name, Call) and isinstance(name.callee, Attr) and name.callee.name in ("get", "pop") and name.args:
            return self._is_shelf(path, function, name.callee.base, call)
        imports = Call.new(call.callee, (name,), (), call.site)
        return self.program.ask(names).is_within(path, imports)

    def _is_passed(
        self,
        path: str,
        function: Function,
        parameter: Param,
        call: Call,
        holds: Callable[[str, Function, Term, Call], bool],
        is_idle: Callable[[Function | None], bool] = lambda _: False,
    ) -> bool:
        """Whether something holds of all that calls pass for a parameter, but for calls that nothing comes to."""
        given = self.origins.passed(parameter, path)
        return bool(given) and all(
            is_idle(each.function) or (each.value is not None and holds(each.module, each.function or function, each.value, call))
            for each in given
        )

    def _is_list(self, path: str, function: Function, holder: Term, call: Call) -> bool:
        """Whether something is a list of names, each of them known: ``for module in modules: import_module(module)``."""
        if isinstance(holder, Param):
            return self._is_passed(path, function, holder, call, self._is_list)
        return isinstance(holder, SequenceDisplay) and all(self._is_known(path, function, each, call) for each in holder.items)

    def _is_shelf(self, path: str, function: Function, holder: Term, call: Call) -> bool:
        """Whether something is a dict of which all items are known: names, or what they stand for."""
        question = (path, id(function), holder, call)
        return self._known.ask(("shelf", *question), lambda: self._holds_names(path, function, holder, call))

    def _holds_names(self, path: str, function: Function, holder: Term, call: Call) -> bool:
        if isinstance(holder, Param):
            return self._is_passed(path, function, holder, call, self._is_shelf)
        if isinstance(holder, Dict):
            return all(
                value is not None and isinstance(key, Const) and self._is_item(path, function, value, call)
                for key, value in holder.items
            )
        frame = self.program.frame(path, function)
        found = [each for each in self.program.values(holder, frame) if not isinstance(each, Library)]
        return bool(found) and all(
            isinstance(each, Unresolved)
            and isinstance(each.term, Dict)
            and self._is_shelf(each.frame.module, each.frame.function, each.term, call)
            for each in found
        )

    def _is_item(self, path: str, function: Function, value: Term, call: Call) -> bool:
        """Whether an item of a dict is known: a name, or a class or function itself."""
        if isinstance(value, (Const, Select, Or)):
            return self._is_known(path, function, value, call)
        frame: Context = self.program.frame(path, function)
        values = self.program.values(value, frame)
        return bool(values) and all(isinstance(each, (ClassValue, FunctionValue, Library)) for each in values)

    def _is_read(self, path: str, text: str) -> bool:
        """Whether a name means something of a file of the job, or of no file of the project."""
        where, _ = split_import(self.program.finder, path, text)
        return where is None or where not in self.program.modules or where in self.files()


def _hiding(program: Program) -> Leads:
    """The functions that lead to one which runs what nobody sees."""
    index = program.ask(CallGraph)
    sites = (site for name in known(program, "runs-what-nobody-sees") for site in index.sites.get(name, ()))
    return program.ask(Leading).to(*(each.function for each in sites))


def is_read_as_data(place: Place) -> bool:
    """Whether a configuration is imported, and only its values are taken: ``{**import_module(name).__dict__}``.

    The function, or a name in it, says that it is one: what fills a registry is read in the same way.
    """
    function, module = place.function, place.term
    said = {word for name in (function.qualname, *held_at_end(function)) for word in split(name)}
    if not isinstance(module, Call) or last_name(module.callee) != "import_module" or _CONFIGURATIONS.isdisjoint(said):
        return False
    kept = [*(node.value for node in of_kind(function, Exit)), *stored(function)]
    taken = [part for part in parts_of(*terms_of(function)) if any(each == module for each in part.subterms())]
    values = [part for part in taken if isinstance(part, Attr) and part.name == "__dict__"]
    return bool(values) and len(values) == len(taken) and module not in kept and not any(of_kind(function, Yield))


def speaks_of_configuration(place: Place) -> bool:
    """Whether what is found by a name is named in a configuration, as far as the call says so."""
    return isinstance(place.term, Call) and any(not _CONFIGURATIONS.isdisjoint(split(each)) for each in _written(place.term))


def _written(term: Call) -> Iterator[str]:
    """The names in what a call is handed."""
    waiting = list(handed(term))
    while waiting:
        each = waiting.pop()
        if isinstance(each, Access):
            waiting.append(each.base)
            yield each.name if isinstance(each, Attr) else ""
        elif isinstance(each, (Global, Ref, LoopPhi, Param)):
            yield each.name
