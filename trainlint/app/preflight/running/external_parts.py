"""Parts of a job that are found by a name, and may lie outside of the project.

From which parameter of its function a name is taken, where it is only taken apart: ``name.split(".")[0]``.

What a text like ``"training.networks.Net"`` means, a project's own ``get_object(name)`` finds by its beginnings, one by one.

A name that can only mean what the project has hides nothing: ``import_module("data." + name)``, an item of a dict of names, the
argument of a function that all calls hand such a name. Nor does what is only imported with an option that nobody says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trainlint.app.preflight.instantiation.targets import is_maker
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.running.dynamic_imports import names
from trainlint.app.preflight.values.methods import stands_for_others
from trainlint.app.preflight.values.origins import Origins
from trainlint.app.preflight.values.words import handed, known, split, terms_of, words_of
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Dict,
    Element,
    Global,
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
from trainlint.ir.terms import is_none, parts_of, parts_through
from trainlint.ir.walk import of_kind, stored
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.imports import split_import
from trainlint.program.leading import Leading, Leads
from trainlint.program.memo import Memo
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, Library, Unresolved, Value

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


def taken_from(name: Term) -> Param | None:
    """The one parameter of which a name is a part; None where anything else may stand in it."""
    parts = list(parts_through(name, lambda each: _inner(each) or ()))
    found = {each for each in parts if isinstance(each, Param)}
    whole = all(isinstance(each, Param) or _inner(each) is not None for each in parts)
    return found.pop() if whole and len(found) == 1 else None


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
        if is_none(name) or (isinstance(name, Dict) and not self._is_own(place.term.callee, frame)):
            return True  # one of the project's takes an item of what it is handed
        return not self._is_known(place.module, place.function, name, place.term)

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
        """Whether all that a name may mean is a part of a library, or lies in the files of the job; so of all names in a list."""
        question = (path, id(function), name, call)
        return self._known.ask(question, lambda: self._is_name(path, function, name, call))

    def _is_name(self, path: str, function: Function, name: Term, call: Call) -> bool:
        def known_here(*names: Term | None) -> bool:
            return all(each is not None and self._is_known(path, function, each, call) for each in names)

        if isinstance(name, Const):
            return name.value is None or (isinstance(name.value, str) and self._is_read(path, name.value))
        if isinstance(name, (Select, Or)):
            return known_here(*(name.arms if isinstance(name, Select) else name.operands))
        if isinstance(name, SequenceDisplay):
            return known_here(*name.items)
        if isinstance(name, Element) and isinstance(name.of, (Param, SequenceDisplay)):
            return known_here(name.of)
        if isinstance(name, Dict):
            return all(isinstance(key, Const) and known_here(value) for key, value in name.items)
        whole = name if isinstance(name, Param) else taken_from(name)
        if whole is not None:  # calls that nothing comes to say nothing
            given = self.origins.passed(whole, path)
            own = [each for each in given if each.function is None or not self.is_idle(each.function)]
            return bool(given) and all(
                each.value is not None and self._is_known(each.module, each.function or function, each.value, call)
                for each in own
            )
        frame = self.program.frame(path, function)
        holder = name.base if isinstance(name, Subscript) else None
        if isinstance(name, Call) and isinstance(name.callee, Attr) and name.callee.name in ("get", "pop") and name.args:
            holder = name.callee.base
        if holder is not None:  # a dict of the project's: not the environment
            is_own = any(not isinstance(each, Library) for each in self.program.values(holder, frame))
            return is_own and known_here(holder)
        values = self.program.values(name, frame) if isinstance(name, (Global, Ref)) else ()
        if values and all(self._is_part(each, name, call) for each in values):
            return True
        return self.program.ask(names).is_within(path, Call.new(call.callee, (name,), (), call.site))

    def _is_part(self, value: Value, name: Term, call: Call) -> bool:
        """Whether something that stands for a name is what the job is made of itself, or is known as a name."""
        if not isinstance(value, Unresolved):
            return isinstance(value, (ClassValue, FunctionValue, Library))
        at = value.frame
        return value.term is not name and self._is_known(at.module, at.function, value.term, call)

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


def speaks_of_configuration(program: Program, place: Place) -> bool:
    """Whether what is found by a name is named in a configuration, as far as the call says so."""
    given = handed(place.term) if isinstance(place.term, Call) else ()
    return not _CONFIGURATIONS.isdisjoint(words_of(program, *given))
