"""State dicts that do not fit how their model is sharded at that time: whole ones into shards, shards into a whole model.

Run in torch 2.13 on two ranks: after ``fully_shard`` a model's parameters are DTensors. ``load_state_dict`` with plain tensors
raises there (with ``assign=True`` the next forward pass does), and so does a sharded model's ``state_dict()`` in a plain model.
FSDP1 takes a whole state dict (that is its default type), and hands one out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.checkpoints.file_names import Names
from trainlint.domains.checkpoints.saves import Written
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.files import argument
from trainlint.domains.sharding.wrapping import Models, Sharding, Shardings, agree, covers, related
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Param, Subscript, Term
from trainlint.ir.sketch import Function, Keep
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, is_own_call, last_name
from trainlint.program.contexts import At, contexts_at, runs_before
from trainlint.program.memo import remembered
from trainlint.program.object_identity import Keys
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, Instance, Library, LibraryObject

_LOADS, _TAKES = "load_state_dict", "state_dict"
_IN_PLACE = "fsdp2"
#: Methods that put other tensors into a dict, and functions that leave those in it as they are.
_CHANGES = frozenset(("update", "setdefault"))
_ASKS = frozenset(("len", "print", "isinstance", "list", "sorted", "set", _LOADS))


class StateDictMismatch(NamedTuple):
    """A load that does not fit: ``whole`` into shards, or else shards into a whole model; ``sharding`` is of the sharded one.

    ``before`` is the first statement of the same function that shards the model, where the load could stand before it.
    """

    site: CallSite
    sharding: Sharding
    whole: bool
    before: Spot | None


class _Search:
    """Looks for them in one program."""

    def __init__(self, program: Program, sharded: list[Sharding]) -> None:
        self.program = program
        self.sharded = sharded
        self.tables = program.knowledge.tables

    def all(self) -> Iterator[StateDictMismatch]:
        for site in self.program.ask(CallGraph).sites.get(_LOADS, ()):
            call = site.call.term
            given = argument(call, "0", _TAKES)
            if not isinstance(call.callee, Attr) or given is None or tests_software(self.program, site.module, site.function):
                continue
            for frame in contexts_at(self.program, site):
                found = None if is_own_call(self.program, call, frame) else self._at(site, frame, given)
                if found is not None:
                    yield found
                    break

    def _at(self, site: CallSite, frame: Context, given: Term) -> StateDictMismatch | None:
        call = site.call.term
        assert isinstance(call.callee, Attr)
        model, place = call.callee.base, At(frame, call.site)
        keys = self.program.ask(Models).meant(model, frame)
        if not keys or self.program.ask(Parallel).is_another(model, call, frame):
            return None
        before = self._sharded_before(keys, place)
        if before is not None:
            if not self._is_whole(given, frame):
                return None
            own = [each.site.call.statement for each in self._of(keys) if each.frame.function is frame.function]
            return StateDictMismatch(site, before, True, min(own, default=None, key=lambda spot: (spot.line, spot.column)))
        if any(related(keys, each.keys | each.inside) for each in self.program.ask(Shardings).all()):
            return None
        source = self._shards(given, frame)
        if source is not None and self._is_plain(keys, source):
            return StateDictMismatch(site, source, False, None)
        return None

    def _of(self, keys: Keys) -> Iterator[Sharding]:
        """What shards a model, or parts of it."""
        yield from (each for each in self.sharded if covers(keys, each.keys | each.inside))

    def _sharded_before(self, keys: Keys, place: At) -> Sharding | None:
        found = (each for each in self._of(keys) if runs_before(self.program, each.at, place) is True)
        return next((each for each in found if agree(self.program, each.at, place)), None)

    # -- whole state dicts -----------------------------------------------------------------------------------------

    def _is_whole(self, given: Term, frame: Context) -> bool:
        """Whether a state dict is certainly one of plain tensors: from a file that all ranks read, or of a plain model."""
        root, where = self._root(given, frame)
        if root is None:
            return False
        if isinstance(root, Call) and last_name(root.callee) == _TAKES and isinstance(root.callee, Attr) and not root.args:
            keys = self.program.ask(Models).meant(root.callee.base, where)
            makers = [self.program.ask(Models).makers.get(key) for key in keys]
            plain = bool(makers) and all(maker is not None for maker in makers) and not any(map(self._is_copy, makers))
            return plain and not any(related(keys, each.keys | each.inside) for each in self.program.ask(Shardings).all())
        values = self.program.values(root, where)
        if not values or not all(isinstance(value, LibraryObject) and self._reads_file(value) for value in values):
            return False
        return (
            not any(isinstance(value, LibraryObject) and self._is_of_rank(value) for value in values)
            and not self._are_shards_saved()
        )

    def _root(self, term: Term, frame: Context) -> tuple[Term | None, Context]:
        """What an item (``checkpoint["model"]``) is taken out of; None where something is done to it on the way."""
        came: Term | None = None  # the call by which it came here
        seen: set[tuple[Term, Context]] = set()
        while (term, frame) not in seen:
            seen.add((term, frame))
            if _is_changed(term, frame.function, came):
                return None, frame
            bound = frame.given(term) if isinstance(term, Param) else None
            if isinstance(bound, Argument):
                came = frame.call if bound.frame is frame.caller else None
                term, frame = bound.term, bound.frame
            elif isinstance(term, Subscript):
                values = self.program.values(term, frame)
                made = values[0] if len(values) == 1 and isinstance(values[0], LibraryObject) else None
                if made is not None and made.call is not None and made.frame is not None:  # it has come here in a container
                    came, term, frame = term.base, made.call, made.frame
                else:
                    term = term.base
            elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in ("get", "pop"):
                term = term.callee.base
            else:
                break
        return term, frame

    def _reads_file(self, value: LibraryObject) -> bool:
        return self.tables["checkpoints"].get(value.name) == "load" or value.name in self.tables["parallel.whole"]["names"]

    def _is_of_rank(self, value: LibraryObject) -> bool:
        """Whether the name of the file says that it is of one rank, or of one shard."""
        call, frame = value.call, value.frame
        if call is None or frame is None or not call.args:
            return True
        words = self.tables["parallel.own_files"]["names"]
        shapes = self.program.ask(Names).shapes(call.args[0], frame)
        said = " ".join(part.text.lower() for shape in shapes for part in shape)
        return any(word in said for word in words)

    @remembered()
    def _are_shards_saved(self) -> bool:
        """Whether the program writes the shards of such a model into a file: then it may be that one which is read."""
        return any(
            isinstance(part, Call) and last_name(part.callee) == _TAKES and self._is_sharded(part.callee, save.frame)
            for save in self.program.ask(Written).saves
            for part in parts_of(save.given)
        )

    def _is_sharded(self, callee: Term, frame: Context) -> bool:
        return isinstance(callee, Attr) and any(self._of(self.program.ask(Models).meant(callee.base, frame)))

    # -- shards ----------------------------------------------------------------------------------------------------

    def _shards(self, given: Term, frame: Context) -> Sharding | None:
        """The sharding of the model whose shards a state dict certainly holds."""
        root, where = self._root(given, frame)
        if root is None or not isinstance(root, Call):
            return None
        if isinstance(root.callee, Attr) and root.callee.name == _TAKES:
            model = root.callee.base
        elif root.args and not root.kwargs and len(root.args) == 1 and self._takes_shards(root, where):
            model = root.args[0]
        else:
            return None
        if self.program.ask(Parallel).is_another(model, root, where):
            return None
        return self._sharded_before(self.program.ask(Models).meant(model, where), At(where, root.site))

    def _takes_shards(self, call: Call, frame: Context) -> bool:
        names_of = self.tables["parallel.hands_shards"]["names"]
        values = self.program.values(call.callee, frame)
        return bool(values) and all(isinstance(value, Library) and value.name in names_of for value in values)

    def _is_plain(self, keys: Keys, source: Sharding) -> bool:
        """Whether a model is one of its own: made like the sharded one, or a copy of it that was made before."""
        makers = self.program.ask(Models).makers
        others = [makers.get(key) for key in source.keys | source.inside]
        for key in keys:
            maker = makers.get(key)
            if maker is None or maker.call is None or maker.frame is None:
                return False
            if self._is_copy(maker):
                if runs_before(self.program, At(maker.frame, maker.call.site), source.at) is not True:
                    return False
            elif not any(other is not None and _is_alike(maker, other) for other in others):
                return False
        return True

    def _is_copy(self, maker: Instance | LibraryObject | None) -> bool:
        return isinstance(maker, LibraryObject) and maker.name in self.tables["parallel.copies"]["names"]


def _is_alike(one: Instance | LibraryObject, other: Instance | LibraryObject) -> bool:
    """Whether two objects are of one class."""
    if isinstance(one, LibraryObject) or isinstance(other, LibraryObject):
        return isinstance(one, LibraryObject) and isinstance(other, LibraryObject) and one.name == other.name
    return one.cls is other.cls


def _is_changed(term: Term, function: Function, known: Term | None) -> bool:
    """Whether a function puts something into a dict, or hands it to somebody who may; the ``known`` call has been looked into."""
    if any(isinstance(node.target, Subscript) and node.target.base is term for node in of_kind(function, Keep)):
        return True
    for node in calls_of(function):
        callee, given = node.term.callee, node.term.args
        if isinstance(callee, Attr) and callee.base is term and callee.name in _CHANGES:
            return True
        if node.term is not known and any(each is term for each in given) and last_name(callee) not in _ASKS:
            return True
    return False


def state_dict_mismatches(program: Program) -> Iterator[StateDictMismatch]:
    """The loads that do not fit, in the order of the calls."""
    sharded = [each for each in program.ask(Shardings).all() if each.kind == _IN_PLACE and (each.keys or each.inside)]
    if sharded:
        yield from _Search(program, sharded).all()
