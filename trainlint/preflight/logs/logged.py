"""What is in the dicts that a job logs: through what functions return (also those that are compiled), updates, comprehensions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.calls import Calls, last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue, Library
from trainlint.model.sketch import Exit, Function, Keep
from trainlint.model.terms import Term, parts_of
from trainlint.model.tested import conditions, walk_tested
from trainlint.model.walk import of_kind
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.nearness import judges
from trainlint.preflight.values.unsaid import asked_for
from trainlint.preflight.values.words import handed, split, words_of

#: How many functions are entered on the way to a dict.
_DEEPEST = 4
#: Words of functions that choose, of several things, those of a name: ``meters.get_filtered_meter("loss")``.
_CHOOSES = frozenset(("filter", "filtered", "select", "selected", "choose", "pick", "matching", "subset"))
#: Methods of dicts that hand on what is in them.
_OF_ITEMS = frozenset(("items", "copy", "to_dict", "todict", "unfreeze", "block_until_ready"))


class Origin(NamedTuple):
    """A term, and whose it is; ``item`` is the part of a tuple that is asked about."""

    term: Term
    module: str
    function: Function
    item: int | None = None


class Items:
    """Looks for one thing, by its words, in what calls are handed."""

    def __init__(self, job: Job, words: frozenset[str]) -> None:
        self.job = job
        self.words = words
        self._keys = frozenset(table(job, "keeps-keys"))
        self._passes = frozenset(table(job, "passes-on"))
        self._compilers = frozenset(table(job, "compile"))
        self._known: dict[Origin, bool] = {}

    def holds(self, term: Term, module: str, function: Function) -> bool:
        """Whether a term is a dict with such a key, or one of its items, or a text made of them."""
        return self._holds(Origin(term, module, function), _DEEPEST)

    def _holds(self, origin: Origin, depth: int) -> bool:
        if origin not in self._known:
            self._known[origin] = False  # what leads back to itself holds nothing more
            self._known[origin] = self._is_named(origin) or any(
                self._holds(each, depth - (each.function is not origin.function))
                for each in (self._sources(origin) if depth > 0 else ())
            )
        return self._known[origin]

    def _is_named(self, origin: Origin) -> bool:
        """Whether a term is a dict one of whose keys is called so: where it stands, or where it is filled."""
        return any(not self.words.isdisjoint(split(key)) for key in self._named(origin))

    def _named(self, origin: Origin) -> Iterator[str]:
        term, program = origin.term, self.job.program
        if term[0] == "dict":
            for key, _ in term[1]:
                yield from words_of(program, origin.module, key)
        elif term[0] == "call" and last_name(term[1]) == "dict":
            yield from (keyword for keyword, _ in term[3] if keyword)
        elif term[0] == "call" and not _CHOOSES.isdisjoint(split(last_name(term[1]) or "")):
            yield from (str(each[2]) for each in handed(term) if each[0] == "c")
        elif term[0] == "v":
            drawn = origin.function.drawn.get(term)
            if drawn is not None and drawn.key is not None:
                yield from words_of(program, origin.module, drawn.key)
        if term[0] in ("dict", "call"):
            for node, led in walk_tested(origin.function.body):
                if not isinstance(node, Keep) or node.target[0] != "sub" or node.target[1] is not term:
                    continue
                if not asked_for(origin.function, conditions(led)):
                    yield from words_of(program, origin.module, node.target[2])
            for call in self._fills(origin):
                yield from (keyword for keyword, _ in call[3] if keyword)

    def _fills(self, origin: Origin) -> Iterator[Term]:
        """The calls that put something into a dict or a list: ``logs.update(metrics)``, ``all_metrics.append(metrics)``."""
        for call in calls_of(origin.function):
            callee = call.term[1]
            if callee[0] == "a" and callee[1] is origin.term and callee[2] in ("update", "append", "extend"):
                yield call.term

    def _sources(self, origin: Origin) -> Iterator[Origin]:
        """The terms out of which one is made, so that keys stay what they are."""
        term = origin.term
        if term[0] == "sub":
            yield from self._of_item(origin)
        elif term[0] == "elem":
            yield origin._replace(term=term[1], item=None)
        elif term[0] in ("tuple", "list"):
            items = term[1] if origin.item is None else term[1][origin.item : origin.item + 1]
            yield from (origin._replace(term=each, item=None) for each in items)
        elif term[0] in ("if", "bin"):
            yield from (origin._replace(term=each) for each in term[2:4])
        elif term[0] == "or":
            yield from (origin._replace(term=each) for each in term[1])
        elif term[0] == "dict":
            for key, value in term[1]:
                if key[0] != "c":
                    yield origin._replace(term=key, item=None)
                if key[0] == "v" and value is not None:  # ``**other``
                    yield origin._replace(term=value)
        elif term[0] == "v":
            module = self.job.program.modules[origin.module]
            drawn = origin.function.drawn.get(term)
            if drawn is not None:
                yield origin._replace(term=drawn.subject, item=None)
            yield from (origin._replace(term=each, item=None) for each in module.texts.get(term, ()))
        elif term[0] == "call":
            yield from self._of_call(origin)
        elif term[0] == "lv":
            yield from (origin._replace(term=each, item=None) for each in carried(origin.function, term))
        if term[0] in ("dict", "list", "call", "lv"):
            for call in self._fills(origin):
                yield from (origin._replace(term=each, item=None) for each in call[2])

    def _of_item(self, origin: Origin) -> Iterator[Origin]:
        """An item of a tuple, and of the pairs that ``items`` gives; one that is asked for by its key is no other."""
        base, key = origin.term[1:3]
        if key[0] == "c" and isinstance(key[2], int):
            yield origin._replace(term=base, item=None if base[0] == "elem" else key[2])
        elif key[0] != "c":
            yield origin._replace(term=base, item=None)

    def _of_call(self, origin: Origin) -> Iterator[Origin]:
        term = origin.term
        callee, name = term[1], last_name(term[1])
        if callee[0] == "a" and name in _OF_ITEMS:
            yield origin._replace(term=callee[1])
        found = list(self._returned(origin))
        yield from found
        if name in self._keys or name in self._passes or (name == "dict" and callee[0] in ("r", "g")) or self._gives_back(found):
            yield from (origin._replace(term=each, item=None) for each in handed(term))

    def _returned(self, origin: Origin) -> Iterator[Origin]:
        """What the project's function returns that a call runs; not one that judges the model."""
        program = self.job.program
        frame = program.frame(origin.module, origin.function)
        callee = origin.term[1]
        targets = list(program.ask(Calls).targets(origin.term, frame))
        if callee[0] == "call" and callee[2]:
            made = program.values(callee[1], frame)
            if any(isinstance(each, Library) and each.name in self._compilers for each in made):
                compiled = callee[2][0]
                while compiled[0] == "call" and last_name(compiled[1]) == "partial" and compiled[2]:
                    compiled = compiled[2][0]
                targets += [each for each in program.values(compiled, frame) if isinstance(each, FunctionValue)]
        for each in targets:
            if isinstance(each, FunctionValue) and not judges(each.module, each.function, self.job.path):
                for node in of_kind(each.function, Exit):
                    if node.kind == "return" and node.value is not None:
                        yield Origin(node.value, each.module, each.function, origin.item)

    def _gives_back(self, found: list[Origin]) -> bool:
        """Whether a function gives back what it is handed, or a dict with the keys of that."""
        for each in found:
            drawn = each.function.drawn.get(each.term)
            parts = parts_of(*((each.term,) if drawn is None else (drawn.subject,)))
            if each.term[0] != "call" and any(part[0] == "p" and part[1] == each.function.qualname for part in parts):
                return True
        return False


def carried(function: Function, term: Term) -> Iterator[Term]:
    """What a loop makes of a name from round to round: ``message += f"{key}: {value}"``."""
    for node in of_kind(function, Keep):
        if node.target[0] == "lv" and node.target[1] == term[1]:
            yield node.value
