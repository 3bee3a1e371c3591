"""Random generators that are made before the workers of a loader begin and drawn from in them: each worker has the same copy.

The loader copies its dataset into every worker, with the generators in it, and does so anew for each epoch. PyTorch seeds what
belongs to a process (``random``, NumPy's global generator since 1.9, its own), not what an object keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.loaders.inside import Inside, Run
from trainlint.facts.loaders.made import Loader, Loaders
from trainlint.facts.loaders.workers import fewest
from trainlint.facts.naming import reference
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Global, Param, Term
from trainlint.ir.sketch import CallStep, Store
from trainlint.ir.walk import of_kind

_GENERATOR = "generator"
_SEVERAL = 2
_SEEDS = ("seed", "manual_seed", "set_state", "setstate")
#: How the generator that a process has calls what objects call so.
_OTHERWISE = {"integers": "randint"}
_GETS = "__getitem__"


class Cloned(NamedTuple):
    """A number that every worker draws alike: the call that draws it, the call that makes the generator, and the loader.

    ``workers`` is how many there are; ``instead`` the function of the process that draws the same kind of number.
    """

    module: str
    call: CallStep
    made: Made
    loader: Loader
    workers: int
    instead: str | None
    keyword: bool


def cloned(program: Program) -> Iterator[Cloned]:
    """The first draw in a worker from each generator that was made outside of it; what draws elsewhere, too, is not mended."""
    by_origin: dict[tuple[str, Spot], list[Cloned]] = {}
    for found in _draws(program):
        origin = _origin(found.made) or (found.module, found.call.term.site)
        by_origin.setdefault(origin, []).append(found)
    for first, *others in by_origin.values():
        yield first._replace(instead=None, keyword=False) if others else first


def _draws(program: Program) -> Iterator[Cloned]:
    """Each draw in a worker from a generator that was made outside of it, once."""
    seen: set[tuple[str, Spot]] = set()
    for loader in program.ask(Loaders).all():
        if not loader.given("worker_init_fn").absent or tests_software(program, loader.module, loader.constructed.frame.function):
            continue
        workers = fewest(loader)
        if workers is None or workers < 1 or (workers < _SEVERAL and not loader.given("persistent_workers").absent):
            continue
        for runs in _closures(program, loader):
            if any(_asks(program, run) for run in runs):
                continue
            functions = {id(run.function) for run in runs}
            for run in runs:
                for call in calls_of(run.function):
                    key = (run.frame.module, call.term.site)
                    found = None if key in seen else _drawn(program, call, run.frame, functions, loader)
                    if found is not None:
                        seen.add(key)
                        made, keyword = found
                        instead = None if keyword else _instead(program, run.frame.module, made, call.term)
                        yield Cloned(run.frame.module, call, made, loader, workers, instead, keyword)


def _origin(made: Made) -> tuple[str, Spot] | None:
    """Where a generator is made: that is the mistake, however often it is drawn from."""
    return (made.frame.module, made.call.site) if made.call is not None and made.frame is not None else None


def _closures(program: Program, loader: Loader) -> Iterator[tuple[Run, ...]]:
    asked = program.ask(Inside)
    for data in asked.datasets(loader):
        if isinstance(data, Instance) and program.method(ClassValue(data.module, data.cls), _GETS) is not None:
            yield asked.reading(data)
    yield asked.collating(loader)


def _asks(program: Program, run: Run) -> bool:
    """Whether a function asks which worker it is in, or for the process."""
    asks = program.knowledge.tables["loaders"]["asks"]
    for call in calls_of(run.function):
        if any(isinstance(callee, Library) and callee.name in asks for callee in program.values(call.term.callee, run.frame)):
            return True
    return False


def _drawn(program: Program, call: CallStep, frame: Frame, functions: set[int], loader: Loader) -> tuple[Made, bool] | None:
    """The generator that a call draws from, if it was made outside of the workers; whether it is handed it."""
    callee = call.term.callee
    if isinstance(callee, Attr) and callee.name not in _SEEDS:
        made = _made_outside(program, callee.base, frame, functions, loader)
        if made is not None:
            return made, False
    handed = next((value for name, value in call.term.kwargs if name == _GENERATOR), None)
    made = _made_outside(program, handed, frame, functions, loader) if handed is not None else None
    return (made, True) if made is not None else None


def _made_outside(program: Program, term: Term, frame: Frame, functions: set[int], loader: Loader) -> Made | None:
    found = program.values(term, frame) if isinstance(term, (Attr, Param, Global)) else ()
    values = [value for value in found if not (isinstance(value, Other) and isinstance(value.term, Const))]
    if len(values) != 1 or not isinstance(values[0], Made):
        return None
    made = values[0]
    if made.name not in program.knowledge.generators or made.call is None or made.frame is None:
        return None
    if id(made.frame.function) in functions or _is_replaced(program, term, frame):
        return None
    if made.frame.function.kind == "module" and not loader.given("multiprocessing_context").absent:
        return None
    return made


def _is_replaced(program: Program, term: Term, frame: Frame) -> bool:
    """Whether something stores another generator in the attribute, or seeds it, elsewhere than where the object is made."""
    if not isinstance(term, Attr):
        return isinstance(term, Global) and any(
            isinstance(node.target, Global) and node.target.name == term.name
            for function in program.modules[frame.module].functions.values()
            if function.kind != "module"
            for node in of_kind(function, Store)
        )
    name = term.name
    for path, function in program.functions():
        if not program.together(path, frame.module):
            continue
        if function.name != "__init__" and any(_stores(node, name) for node in of_kind(function, Store)):
            return True
        if any(_seeds(call, name) for call in calls_of(function)):
            return True
    return False


def _stores(node: Store, name: str) -> bool:
    return bool(
        isinstance(node.target, Attr)
        and node.target.name == name
        and not (isinstance(node.value, Const) and node.value.value is None)
    )


def _seeds(call: CallStep, name: str) -> bool:
    callee = call.term.callee
    return bool(isinstance(callee, Attr) and callee.name in _SEEDS and isinstance(callee.base, Attr) and callee.base.name == name)


def _instead(program: Program, module: str, made: Made, call: Call) -> str | None:
    """How the process's own generator is asked for the same, if the file has a name for it."""
    sketch = program.modules[module]
    package = reference(made.name.rpartition(".")[0], sketch)
    assert isinstance(call.callee, Attr)
    method = _OTHERWISE.get(call.callee.name, call.callee.name)
    return None if package is None or program.knowledge.generators[made.name] == "fixed" else f"{package}.{method}"
