"""What is in what a job logs: followed back from the calls that log, in each activation, to where it has its name.

That is a key of a dict, wherever it is made and filled; a text that is put together, perhaps by a loop; or what a caller hands to
a function of the project that logs it. The program says what a caller passes and a function returns; here stands what a value is
made of so that its names stay what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trainlint.app.preflight.evidence.answers import table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.running.nearness import judges
from trainlint.app.preflight.values.constants import asked_for
from trainlint.app.preflight.values.words import handed, split, words_of, written
from trainlint.ir.bindings import carried_by
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Dict,
    Element,
    List,
    LoopPhi,
    Or,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)  # fmt: skip
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.def_use import made_in
from trainlint.program.heap import item_of
from trainlint.program.program import calls_of
from trainlint.program.sources import reached, returned
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Library, names_class

#: Words of functions that choose, of several things, those of a name: ``meters.get_filtered_meter("loss")``.
_CHOOSES = frozenset(("filter", "filtered", "select", "selected", "choose", "pick", "matching", "subset"))
#: Methods of dicts that hand on what is in them, and those that put more into a container.
_OF_ITEMS = frozenset(("items", "keys", "values", "copy", "to_dict", "todict", "unfreeze", "block_until_ready"))
_FILLS = ("update", "append", "extend")
#: Functions of Python whose result is of what they are handed.
GOES_OVER = frozenset(("enumerate", "sorted", "list", "tuple", "iter", "reversed"))
#: What asks about keys, and what speaks of those to whom a job logs.
_LOOKS_AT = frozenset(("startswith", "endswith", "match", "search", "fullmatch"))
_LOGGERS = frozenset(
    ("wandb", "tensorboard", "logger", "loggers", "log", "logging", "writer", "track", "tracker", "mlflow", "comet")
)
#: Libraries that make bytes of what they are handed, and those that compute with it.
_SILENT = (
    *("pickle.", "cloudpickle.", "dill.", "joblib.", "marshal.", "math.", "numpy.", "jax.numpy."),
    *("torch.log.", "torch.put.", "flax.nnx.", "optax."),
)
#: What keeps one value from step to step.
_METERS = frozenset(("meter", "metric", "average", "averagemeter", "mean"))


class Told:
    """Looks for one thing, by its words, in what calls of some names that log are handed; ``of_gradients``: a norm of them."""

    def __init__(self, job: Job, names: Collection[str], words: frozenset[str], *, of_gradients: bool = False) -> None:
        self.job = job
        self.names = names
        self.words = words
        self.of_gradients = of_gradients
        self._handing = frozenset((*table(job, "keeps-keys"), *table(job, "passes-on"), *GOES_OVER, "dict"))
        self._compilers = frozenset(table(job, "compile"))
        self._filled = {
            node.target.name
            for path in job.files
            for function in job.program.modules[path].functions.values()
            if id(function) in job.trail.run
            for node in of_kind(function, Store)
            if isinstance(node.target, Attr)
        }

    def places(self) -> Iterator[tuple[Place, bool]]:
        """Where the thing is handed to what logs it; whether it is a value or a text that has the name, and not a key of a dict.

        A configuration may not want a dict, a function may leave out some keys: such a place is not seen to run.
        """
        by_call = {each.term: each for each in self.job.trail.places if each.way is not None}
        for place in by_call.values():
            if not isinstance(place.term, Call) or last_name(place.term.callee) not in self.names or is_silent(place.term):
                continue
            for frame in calling_contexts(self.job.program, place.module, place.function):
                at = self._named_in(place.term, frame) if self._is_of_job(frame) else None
                if at is None:
                    continue
                active = list(frame.active())
                joined = next((each for each in at.frame.active() if any(each is one for one in active)), frame)
                inner = active[: next(number for number, each in enumerate(active) if each is joined)]
                outer = inner[-1].call if inner else None
                here = by_call.get(outer) if outer is not None and _hands_over(outer, at.term) else None
                found = here or place
                is_key = self._is_container_of(at)
                is_open = any(_looks_at_keys(each.function) for each in inner)
                if is_key and found.way is not None and (is_open or not found.way.left.isdisjoint(_LOGGERS)):
                    found = found._replace(way=None, is_unsaid=True)
                yield found, not is_key

    def _is_of_job(self, frame: Context) -> bool:
        return all(self.job.trail.reaches(each.function, each.module) for each in frame.active())

    def _named_in(self, call: Call, frame: Context) -> Argument | None:
        """Where the thing has its name among what a call is handed in an activation."""
        for given in handed(call):
            for at in reached(self.job.program, given, frame, self._parts):
                is_active = any(each is at.frame for each in frame.active())  # and no function that only returns it
                if self._is_container_of(at) or (is_active and self._is_text_of(at.term)):
                    return at
                is_passed = is_active and at.frame is not frame and not is_made(at.term) and not is_names(at.term)
                if is_passed and not self.words.isdisjoint(words_of(self.job.program, at.term)):
                    return at
                if self.of_gradients and at.frame.function is not frame.function and _takes_norms(at.frame.function):
                    return at
        return None

    # -- what has the name -----------------------------------------------------------------------------------------

    def _is_container_of(self, at: Argument) -> bool:
        """Whether a term is a dict one of whose keys is called so: where it stands, or where it is filled."""
        return any(not self.words.isdisjoint(split(key)) for key in self._keys(*at))

    def _keys(self, term: Term, frame: Context) -> Iterator[str]:
        program = self.job.program
        if isinstance(term, Dict):
            for key, value in term.items:
                if not _is_meter(value) or (isinstance(key, Const) and key.value in self._filled):
                    yield from words_of(program, key)
        elif isinstance(term, Call) and last_name(term.callee) == "dict":
            yield from (keyword for keyword, _ in term.kwargs if keyword)
        elif isinstance(term, Call) and not _CHOOSES.isdisjoint(split(last_name(term.callee) or "")):
            yield from (str(each.value) for each in handed(term) if isinstance(each, Const))
        elif isinstance(term, Comprehension) and term.key is not None:
            yield from words_of(program, term.key)
        if isinstance(term, (Dict, Call)):
            for node, led in walk_tested(frame.function.body):
                if isinstance(node, Keep) and isinstance(node.target, Subscript) and node.target.base is term:
                    yield from () if asked_for(frame.function, conditions(led)) else words_of(program, node.target.key)
            yield from (keyword for call in _fills(term, frame) for keyword, _ in call.kwargs if keyword)

    def _is_text_of(self, text: Term) -> bool:
        """Whether a text with one of the words has something formatted into it, and is not all written down."""
        whole = written(text)
        is_filled = whole is not None and any(not isinstance(each, Const) for each in whole.values)
        return is_filled and whole is not None and not self.words.isdisjoint(words_of(self.job.program, text, *whole.values))

    # -- what a value is made of -----------------------------------------------------------------------------------

    def _parts(self, term: Term, frame: Context) -> list[Argument] | None:
        """What a value is made of so that names stay what they are; None where the program says what it was made from."""
        if is_names(term):
            return []
        if isinstance(term, Subscript) and isinstance(term.base, Call) and isinstance(term.key, Const):
            program, key = self.job.program, term.key
            results = [each for each in returned(program, self._targets(term.base, frame), term.base, frame) if each is not None]
            items = [
                each._replace(term=item_of(each.term, key) or program.terms.make(Subscript, each.term, key)) for each in results
            ]
            return items or None
        inner = self._inner(term, frame)
        if inner is None:
            return None
        filled = _fills(term, frame) if isinstance(term, (Dict, List, Call, LoopPhi)) else ()
        return [*inner, *(Argument(each, frame) for call in filled for each in call.args)]

    def _inner(self, term: Term, frame: Context) -> list[Argument] | None:
        parts: list[Term] = []
        if isinstance(term, Subscript):
            if isinstance(term.key, Const) and not isinstance(term.base, Element):
                return None
            parts = [term.base]
        elif isinstance(term, Element):
            parts = [term.of]
        elif isinstance(term, SequenceDisplay):
            parts = [*term.items]
        elif isinstance(term, (Select, BinOp)):
            parts = [*(term.arms if isinstance(term, Select) else term.sides)]
        elif isinstance(term, Or):
            parts = [*term.operands]
        elif isinstance(term, Dict):  # ``**other``, and keys that are worked out
            for key, value in term.items:
                parts += (
                    () if isinstance(key, Const) else (key, value) if isinstance(key, Unknown) and value is not None else (key,)
                )
        elif isinstance(term, Unknown):
            parts = [*((term.of,) if isinstance(term, Comprehension) else ()), *term.pieces]
        elif isinstance(term, LoopPhi):
            whole = carried_by(frame.function, term)
            parts = [*carried(frame.function, term), *((whole.entry,) if whole is not None else ())]
        elif isinstance(term, Call):
            return self._of_call(term, frame)
        else:
            return None
        return [Argument(each, frame) for each in parts]

    def _of_call(self, term: Call, frame: Context) -> list[Argument]:
        callee, name = term.callee, last_name(term.callee)
        found = [each for each in returned(self.job.program, self._targets(term, frame), term, frame) if each is not None]
        if isinstance(callee, Attr) and (name in _OF_ITEMS or name in ("format", "join")):
            found.append(Argument(callee.base, frame))
        if name in self._handing or name in ("format", "join"):
            found += (Argument(each, frame) for each in handed(term))
        elif any(isinstance(each, ClassValue) for each in self.job.program.values(callee, frame)):
            found += (Argument(each, frame) for each in handed(term) if isinstance(each, Dict))
        return found

    def _targets(self, call: Call, frame: Context) -> list[FunctionValue]:
        """The project's functions that a call runs, also where they were compiled; not those that judge the model."""
        program, callee = self.job.program, call.callee
        targets = list(program.ask(CallGraph).targets(call, frame))
        made = program.values(callee.callee, frame) if isinstance(callee, Call) and callee.args else ()
        if isinstance(callee, Call) and any(isinstance(each, Library) and each.name in self._compilers for each in made):
            compiled = callee.args[0]
            while isinstance(compiled, Call) and last_name(compiled.callee) == "partial" and compiled.args:
                compiled = compiled.args[0]
            targets += [each for each in program.values(compiled, frame) if isinstance(each, FunctionValue)]
        own = (each for each in targets if isinstance(each, FunctionValue))
        return [each for each in own if not judges(each.module, each.function, self.job.path)]


def _hands_over(call: Call, term: Term) -> bool:
    """Whether a call is handed a thing, by itself or in a container: not an object that was made with it."""
    waiting, seen = list(handed(call)), set[Term]()
    while waiting:
        part = waiting.pop()
        if part == term:
            return True
        if part not in seen and not is_made(part):
            seen.add(part)
            waiting += part.subterms()
    return False


def is_silent(term: Call) -> bool:
    """Whether a call makes bytes of a thing, or computes with it: ``pickle.dump`` and ``math.log`` tell nobody."""
    return isinstance(term.callee, Ref) and f"{term.callee.name}.".startswith(_SILENT)


def _fills(term: Term, frame: Context) -> Iterator[Call]:
    """The calls that put something into a dict or a list: ``logs.update(metrics)``, ``all_metrics.append(metrics)``."""
    for call in calls_of(frame.function):
        callee = call.term.callee
        if isinstance(callee, Attr) and callee.base is term and callee.name in _FILLS:
            yield call.term


def _looks_at_keys(function: Function) -> bool:
    """Whether a function looks at the keys of what it is handed."""
    asked: list[Term] = [each.term for each in calls_of(function)]
    asked += [test for drawn in made_in(function, Comprehension) for test in drawn.tests]
    return any(isinstance(part, Call) and last_name(part.callee) in _LOOKS_AT for part in parts_of(*asked))


def _takes_norms(function: Function) -> bool:
    """Whether a function takes norms of gradients: ``torch.norm(weight.grad)``, ``weight.grad.norm()``; not one that clips."""
    return any(
        last_name(call.term.callee) in ("norm", "vector_norm")
        and any(isinstance(part, Attr) and part.name == "grad" for part in parts_of(call.term))
        for call in calls_of(function)
    ) and "clip" not in split(function.name)


def _is_meter(value: Term | None) -> bool:
    """Whether an item of a dict is a meter: it tells what fills it, under the name that it is filled by."""
    return isinstance(value, Call) and not _METERS.isdisjoint(split(last_name(value.callee) or ""))


def carried(function: Function, term: LoopPhi) -> Iterator[Term]:
    """What a loop makes of a name from round to round: ``message += f"{key}: {value}"``."""
    for node in of_kind(function, Keep):
        if isinstance(node.target, LoopPhi) and node.target.name == term.name:
            yield node.value


def is_names(term: Term) -> bool:
    """Whether a thing is a list of texts: which columns there are, what is drawn."""
    waiting, lists = [term], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, SequenceDisplay) and type(part.items) is tuple:
            waiting += part.items
            lists += 1
        elif isinstance(part, (BinOp, Select)):
            waiting += part.sides if isinstance(part, BinOp) else part.arms
        elif isinstance(part, Comprehension):
            waiting.append(part.item)
            lists += 1
        elif isinstance(part, Call) and last_name(part.callee) in (*GOES_OVER, "sum"):
            waiting += handed(part)
        elif not isinstance(part, (List, Const)) and not (lists and isinstance(part, Composite)):
            return False
    return lists > 0


def is_made(term: Term) -> bool:
    """Whether a thing is an object of some class: a ``ScalerWithGradNorm()`` is no norm."""
    return isinstance(term, Call) and names_class(last_name(term.callee) or "")
